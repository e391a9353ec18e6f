#include "engine/output/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/ply.h"
#include "engine/output/vtk.h"
#include "engine/scene/load.h"

namespace meniscus {

FrameSeries::FrameSeries(const std::string& folder, const std::vector<std::string>& formats) : folder_(folder) {
  for (const std::string& f : formats) {
    vtk_ = vtk_ || f == "vtk";
    ply_ = ply_ || f == "ply";
    surface_ = surface_ || f == "surface";
  }
  vtk_ = vtk_ || (surface_ && !ply_);
  if (vtk_ || ply_) makeFolder(folder_ + "/frames");
}

FrameSeries::FrameSeries(const std::string& folder, const std::vector<std::string>& formats, double from, std::uint64_t count,
                         std::vector<std::string>* notes)
    : FrameSeries(folder, formats) {
  if (!vtk_) return;
  load(particles_, from, count, notes);
  load(solids_, from, count, notes);
  if (surface_) load(surfaces_, from, count, notes);
}

void FrameSeries::writeScene(const SceneDef& scene) const {
  if (!vtk_ && !ply_) return;
  const std::filesystem::path path = std::filesystem::path(folder_) / kSceneOfFrames;
  writeWholeFile(path.string(), saveScene(scene, path.parent_path().string()));
}

void FrameSeries::write(const World& world, int number, const FluidSurface* surface) {
  if (!vtk_ && !ply_) return;
  const bool particles = world.fluid.capacity > 0 || world.fluid.n > 0;
  const Surfaces surfaces = collectSurfaces(world);
  const auto name = [&](const char* kind, const char* ending) { return frameName(kind, std::uint64_t(number), ending); };
  const auto save = [&](const std::string& file, const std::string& data) { writeWholeFile(folder_ + "/" + file, data); };
  if (vtk_ && particles) {
    save(name("particles", "vtp"), vtkParticles(world));
    add(particles_, world.time, name("particles", "vtp"));
  }
  if (vtk_ && !surfaces.x.empty()) {
    save(name("solids", "vtp"), vtkSurfaces(surfaces, world.time));
    add(solids_, world.time, name("solids", "vtp"));
  }
  if (vtk_ && surface) {
    save(name("surface", "vtp"), vtkFluidSurface(*surface, world.time));
    add(surfaces_, world.time, name("surface", "vtp"));
  }
  if (ply_ && surface) save(name("surface", "ply"), plyFluidSurface(*surface));
  if (ply_ && particles) save(name("particles", "ply"), plyParticles(world));
  if (ply_ && !surfaces.x.empty()) save(name("solids", "ply"), plySurfaces(surfaces));
}

void FrameSeries::add(SeriesIndex& index, double time, const std::string& file) const {
  index.entries.push_back({time, file});
  writeWholeFile(index.path(folder_), index.text());
}

// Times in an index have nine digits: those of the frame at `from` may be rounded up.
void FrameSeries::load(SeriesIndex& index, double from, std::uint64_t count, std::vector<std::string>* notes) const {
  const std::string path = index.path(folder_);
  const bool there = std::filesystem::exists(path);
  if (!there || !index.parse(readWholeFile(path))) {
    rebuild(index, count);
    if (there || !index.entries.empty()) {
      writeWholeFile(path, index.text());
      if (notes)
        notes->push_back(fmt::format("{}: was {} and has been made anew from the {} frames there are", path,
                                     there ? "damaged" : "gone", index.entries.size()));
    }
  }
  const auto late = [from](const SeriesIndex::Entry& e) { return e.time > from * (1 + 1e-8) + 1e-9; };
  index.entries.erase(std::remove_if(index.entries.begin(), index.entries.end(), late), index.entries.end());
}

void FrameSeries::rebuild(SeriesIndex& index, std::uint64_t count) const {
  index.entries.clear();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string file = frameName(index.kind, k, "vtp"), path = folder_ + "/" + file;
    if (!std::filesystem::exists(path)) continue;
    const std::optional<double> time = vtkTime(path);
    if (!time)
      throw Error(ErrorKind::input, fmt::format("{}: is damaged or gone and cannot be made anew, for {} does not say its time; "
                                                "remove that frame or choose another --out",
                                                index.path(folder_), path));
    index.entries.push_back({*time, file});
  }
}

}  // namespace meniscus
