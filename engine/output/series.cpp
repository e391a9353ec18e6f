#include "engine/output/series.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/ply.h"
#include "engine/output/vtk.h"

namespace meniscus {

FrameSeries::FrameSeries(const std::string& folder, const std::vector<std::string>& formats, double from) : folder_(folder) {
  for (const std::string& f : formats) {
    vtk_ = vtk_ || f == "vtk";
    ply_ = ply_ || f == "ply";
  }
  if (!vtk_ && !ply_) return;
  makeFolder(folder_ + "/frames");
  if (vtk_ && from >= 0) {
    load(particles_, from);
    load(solids_, from);
  }
}

void FrameSeries::write(const World& world, int number) {
  if (!vtk_ && !ply_) return;
  const bool particles = world.fluid.capacity > 0 || world.fluid.n > 0;
  const Surfaces surfaces = collectSurfaces(world);
  const auto name = [&](const char* what, const char* ending) { return fmt::format("frames/{}-{:05d}.{}", what, number, ending); };
  const auto save = [&](const std::string& file, const std::string& data) { writeWholeFile(folder_ + "/" + file, data); };
  if (vtk_ && particles) {
    save(name("particles", "vtp"), vtkParticles(world));
    add(particles_, world.time, name("particles", "vtp"));
  }
  if (vtk_ && !surfaces.x.empty()) {
    save(name("solids", "vtp"), vtkSurfaces(surfaces));
    add(solids_, world.time, name("solids", "vtp"));
  }
  if (ply_ && particles) save(name("particles", "ply"), plyParticles(world));
  if (ply_ && !surfaces.x.empty()) save(name("solids", "ply"), plySurfaces(surfaces));
}

void FrameSeries::add(Index& index, double time, const std::string& file) const {
  index.entries.push_back({time, file});
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const Entry& e : index.entries)
    text += fmt::format("    <DataSet timestep=\"{:.9g}\" part=\"0\" file=\"{}\"/>\n", e.time, e.file);
  text += "  </Collection>\n</VTKFile>\n";
  writeWholeFile(folder_ + "/" + index.file, text);
}

// Reads back the lines that add() wrote. Their times have nine digits: those of the frame at `from` may be rounded up.
void FrameSeries::load(Index& index, double from) const {
  const std::string path = folder_ + "/" + index.file;
  if (!std::filesystem::exists(path)) return;
  const std::string text = readWholeFile(path), before = "<DataSet timestep=\"", between = "file=\"";
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    const double time = std::strtod(text.c_str() + at, nullptr);
    const std::size_t file = text.find(between, at);
    if (file == std::string::npos) return;
    const std::size_t begin = file + between.size(), end = text.find('"', begin);
    if (end == std::string::npos) return;
    if (time <= from * (1 + 1e-8) + 1e-9) index.entries.push_back({time, text.substr(begin, end - begin)});
  }
}

}  // namespace meniscus
