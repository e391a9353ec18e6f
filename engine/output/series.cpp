#include "engine/output/series.h"

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
  loadIndex(particles_, folder_, from, count, notes);
  loadIndex(solids_, folder_, from, count, notes);
  if (surface_) loadIndex(surfaces_, folder_, from, count, notes);
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
  const auto name = [&](FrameKind kind, FrameFormat format) { return frameName(kind, std::uint64_t(number), format); };
  const auto save = [&](const std::string& file, const std::string& data) { writeWholeFile(folder_ + "/" + file, data); };
  if (vtk_ && particles) {
    save(name(FrameKind::particles, FrameFormat::vtp), vtkParticles(world));
    addToIndex(particles_, folder_, world.time, name(FrameKind::particles, FrameFormat::vtp));
  }
  if (vtk_ && !surfaces.x.empty()) {
    save(name(FrameKind::solids, FrameFormat::vtp), vtkSurfaces(surfaces, world.time));
    addToIndex(solids_, folder_, world.time, name(FrameKind::solids, FrameFormat::vtp));
  }
  if (vtk_ && surface) {
    save(name(FrameKind::surface, FrameFormat::vtp), vtkFluidSurface(*surface, world.time));
    addToIndex(surfaces_, folder_, world.time, name(FrameKind::surface, FrameFormat::vtp));
  }
  if (ply_ && surface) save(name(FrameKind::surface, FrameFormat::ply), plyFluidSurface(*surface));
  if (ply_ && particles) save(name(FrameKind::particles, FrameFormat::ply), plyParticles(world));
  if (ply_ && !surfaces.x.empty()) save(name(FrameKind::solids, FrameFormat::ply), plySurfaces(surfaces));
}

}  // namespace meniscus
