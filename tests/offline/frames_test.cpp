// Frames of a run on a grid hold what the run has.
#include "engine/offline/frames.h"
#include "engine/offline/vdb.h"
#include "engine/offline/water_surface.h"
#include "engine/output/vtk_file.h"
#include "tests/offline/scenes.h"
#include "tests/shared/error_of.h"

namespace meniscus {
namespace {

// Three by one by two cells, each with values of its own.
offline::GridFields fields() {
  offline::GridFields f;
  f.cells = {3, 1, 2};
  f.dx = 0.5;
  f.origin = {1, 2, 3};
  for (int k = 0; k < 6; ++k) {
    f.smoke.push_back(0.25f * float(k));
    f.velocity.push_back({float(k), -float(k), 0.5f});
    f.pressure.push_back(100 + float(k));
  }
  return f;
}

// Water up to z = 3.3 m in a layer of 4 x 3 x 4 cells.
offline::GridFields waterFields() {
  offline::GridFields f;
  f.cells = {4, 3, 4};
  f.dx = 0.5;
  f.origin = {1, 2, 2};
  for (int k = 0; k < 48; ++k) {
    f.levelSet.push_back(2.25f + 0.5f * float(k / 12) - 3.3f);
    f.velocity.push_back({0, 0, float(k / 12)});
    f.pressure.push_back(0);
  }
  return f;
}

TEST(OfflineFrames, WaterIsItsLevelSetAndASurface) {
  const offline::GridFields f = waterFields();
  const VtkFile file("grid.vti", offline::vtkGrid(f, 0.5));
  EXPECT_EQ(file.array<float>("level_set", 1, 48), f.levelSet);
  const FluidSurface s = offline::waterSurface(f);
  float top = 0, bottom = 9;
  double volume = 0;
  for (std::size_t t = 0; t < s.tri.size(); t += 3) {
    const Vec3d a(s.x[std::size_t(s.tri[t])]), b(s.x[std::size_t(s.tri[t + 1])]), c(s.x[std::size_t(s.tri[t + 2])]);
    volume += dot(a, cross(b, c)) / 6;
  }
  for (const Vec3f& x : s.x) top = std::max(top, x.z), bottom = std::min(bottom, x.z);
  EXPECT_NEAR(top, 3.3, 1e-5);
  EXPECT_NEAR(bottom, 2, 1e-5);
  EXPECT_NEAR(volume, 2 * 1.5 * 1.3, 0.4);  // but for its edges, which marching cubes cut off
  ASSERT_EQ(s.v.size(), s.x.size());
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.x[i].z == top) { EXPECT_NEAR(s.v[i].z, (3.3 - 2.25) / 0.5, 1e-4); }
}

TEST(OfflineFrames, ImageDataIsReadBack) {
  const std::string bytes = offline::vtkGrid(fields(), 0.75);
  const VtkFile file("grid.vti", bytes);
  EXPECT_EQ(file.time(), 0.75);
  EXPECT_EQ(file.cells(), 6u);
  EXPECT_EQ(file.array<float>("smoke", 1, 6), fields().smoke);
  EXPECT_EQ(file.array<float>("pressure", 1, 6), fields().pressure);
  EXPECT_EQ(file.array<float>("velocity", 3, 6)[3 * 4 + 1], -4);
  EXPECT_NE(bytes.find("<ImageData WholeExtent=\"0 3 0 1 0 2\" Origin=\"1 2 3\" Spacing=\"0.5 0.5 0.5\">"), std::string::npos);
  EXPECT_NE(testing::errorOf([&] { VtkFile("cut.vti", bytes.substr(0, bytes.size() - 60)); }).find("is damaged"),
            std::string::npos);
}

TEST(OfflineFrames, SolidsOfAPlaneAreLinesAndThoseOfSpaceTriangles) {
  Exec exec(1);
  const auto plane = testing::started(testing::offlineScene(testing::planeRoom(testing::planeBall())), exec);
  const offline::SolidFields lines = plane->solidFields();
  EXPECT_TRUE(lines.tri.empty());
  EXPECT_EQ(lines.line.size(), 2 * lines.x.size());  // closed
  const VtkFile file("solids.vtp", offline::vtkSolids(lines, 0));
  EXPECT_EQ(file.points(), lines.x.size());
  EXPECT_EQ(file.names("bodies"), std::vector<std::string>{"ball"});
  for (const Vec3f& x : lines.x) EXPECT_EQ(x.y, 0);

  const auto space = testing::started(testing::assetScene("grid-plank"), exec);
  const offline::SolidFields triangles = space->solidFields();
  EXPECT_TRUE(triangles.line.empty());
  EXPECT_EQ(VtkFile("solids.vtp", offline::vtkSolids(triangles, 0)).triangles(), triangles.tri.size() / 3);
}

// An OpenVDB file begins with its magic number; without the library the reason is said.
TEST(OfflineFrames, OpenVdbIsWrittenWhereItIs) {
  if (!offline::vdbMissing().empty()) {
    EXPECT_NE(testing::errorOf([] { offline::checkOfflineFormats({"vdb"}); }).find("without OpenVDB (Debian: libopenvdb-dev)"),
              std::string::npos);
    return;
  }
  offline::checkOfflineFormats({"vtk", "vdb"});
  const std::string bytes = offline::vdbFluid(fields(), 0.5);
  ASSERT_GT(bytes.size(), 100u);
  EXPECT_EQ(bytes.substr(0, 4), " BDV");
  EXPECT_NE(bytes.find("density"), std::string::npos);
  const std::string water = offline::vdbFluid(waterFields(), 0.5);
  EXPECT_NE(water.find("surface"), std::string::npos);
  EXPECT_EQ(water.find("density"), std::string::npos);
}

}  // namespace
}  // namespace meniscus
