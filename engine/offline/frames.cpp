#include "engine/offline/frames.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/offline/vdb.h"
#include "engine/offline/water_surface.h"
#include "engine/output/vtk.h"
#include "engine/output/vtk_writer.h"
#include "engine/scene/load.h"

namespace meniscus::offline {

std::string vtkGrid(const GridFields& f, double time) {
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", f.cells.x, f.cells.y, f.cells.z);
  VtkWriter w(time);
  w.xml(fmt::format("    <Piece Extent=\"{}\">\n      <CellData Scalars=\"{}\" Vectors=\"velocity\">\n", extent,
                    f.smoke.empty() ? "level_set" : "smoke"));
  const std::size_t n = f.velocity.size();
  if (!f.smoke.empty()) w.array<float>("smoke", 1, n, [&](std::size_t k) { return f.smoke[k]; });
  if (!f.levelSet.empty()) w.array<float>("level_set", 1, n, [&](std::size_t k) { return f.levelSet[k]; });
  w.array<float>("velocity", 3, 3 * n, [&](std::size_t k) { return f.velocity[k / 3][int(k % 3)]; });
  w.array<float>("pressure", 1, n, [&](std::size_t k) { return f.pressure[k]; });
  w.xml("      </CellData>\n    </Piece>\n");
  return w.finish("ImageData",
                  fmt::format(" WholeExtent=\"{}\" Origin=\"{:.17g} {:.17g} {:.17g}\" Spacing=\"{:.17g} {:.17g} {:.17g}\"", extent,
                              f.origin.x, f.origin.y, f.origin.z, f.dx, f.dx, f.dx));
}

std::string vtkSolids(const SolidFields& s, double time, bool stretch) {
  const bool lines = !s.line.empty();
  const std::vector<std::int32_t>& element = lines ? s.line : s.tri;
  const std::size_t corners = lines ? 2 : 3, n = element.size() / corners, points = s.x.size();
  const char* name = lines ? "Lines" : "Polys";
  VtkWriter w(time);
  w.names("bodies", s.names);
  w.xml(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOf{}=\"{}\">\n      <Points>\n", points, name, n));
  w.array<float>("position", 3, 3 * points, [&](std::size_t k) { return s.x[k / 3][int(k % 3)]; });
  w.xml(fmt::format("      </Points>\n      <{}>\n", name));
  w.array<std::int32_t>("connectivity", 1, element.size(), [&](std::size_t k) { return element[k]; });
  w.array<std::int32_t>("offsets", 1, n, [&](std::size_t k) { return std::int32_t(corners * (k + 1)); });
  w.xml(fmt::format("      </{}>\n      <PointData Vectors=\"velocity\">\n", name));
  w.array<float>("velocity", 3, 3 * points, [&](std::size_t k) { return s.v[k / 3][int(k % 3)]; });
  w.array<std::int32_t>("body", 1, points, [&](std::size_t k) { return s.body[k]; });
  if (stretch) w.array<float>("stretch", 1, points, [&](std::size_t k) { return s.stretch[k]; });
  w.xml("      </PointData>\n    </Piece>\n");
  return w.finish("PolyData");
}

void checkOfflineFormats(const std::vector<std::string>& formats) {
  for (const std::string& f : formats) {
    if (f == "vdb" && !vdbMissing().empty()) throw Error(ErrorKind::input, "the format \"vdb\" is not available: " + vdbMissing());
    if (f != "vtk" && f != "vdb" && f != "surface" && f != "png")
      throw Error(
          ErrorKind::input,
          fmt::format("the format \"{}\" is not available for grid methods; they write: vtk, vdb, png, and of water surface", f));
  }
}

OfflineFrames::OfflineFrames(const std::string& folder, const std::vector<std::string>& formats) : folder_(folder) {
  for (const std::string& f : formats) {
    vtk_ = vtk_ || f == "vtk";
    vdb_ = vdb_ || f == "vdb";
    surface_ = surface_ || f == "surface";
  }
  vtk_ = vtk_ || surface_;
  makeFolder(folder_ + "/frames");
}

OfflineFrames::OfflineFrames(const std::string& folder, const std::vector<std::string>& formats, double from, std::uint64_t count,
                             std::vector<std::string>* notes)
    : OfflineFrames(folder, formats) {
  if (!vtk_) return;
  loadIndex(grid_, folder_, from, count, notes);
  loadIndex(solids_, folder_, from, count, notes);
  if (surface_) loadIndex(surfaces_, folder_, from, count, notes);
}

void OfflineFrames::writeScene(const SceneDef& scene) const {
  if (!vtk_ && !vdb_) return;
  writeWholeFile(folder_ + "/" + kSceneOfFrames, saveScene(scene, folder_ + "/frames"));
}

void OfflineFrames::write(const OfflineRun& run, std::uint64_t number) {
  const GridFields grid = run.gridFields();
  const SolidFields solids = run.solidFields();
  const auto save = [&](const std::string& file, const std::string& data) { writeWholeFile(folder_ + "/" + file, data); };
  if (vdb_)
    save(frameName(grid.smoke.empty() ? FrameKind::water : FrameKind::smoke, number, FrameFormat::vdb), vdbFluid(grid, run.time()));
  if (!vtk_) return;
  save(frameName(FrameKind::grid, number, FrameFormat::vti), vtkGrid(grid, run.time()));
  addToIndex(grid_, folder_, run.time(), frameName(FrameKind::grid, number, FrameFormat::vti));
  if (surface_ && grid.cells.y > 1) {
    save(frameName(FrameKind::surface, number, FrameFormat::vtp), vtkFluidSurface(waterSurface(grid), run.time()));
    addToIndex(surfaces_, folder_, run.time(), frameName(FrameKind::surface, number, FrameFormat::vtp));
  }
  if (solids.x.empty()) return;
  save(frameName(FrameKind::solids, number, FrameFormat::vtp), vtkSolids(solids, run.time(), run.scene().output.view.stretch));
  addToIndex(solids_, folder_, run.time(), frameName(FrameKind::solids, number, FrameFormat::vtp));
}

}  // namespace meniscus::offline
