// VTK, PLY, the frame series and the step CSV, read back by readers written here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>

#include "engine/base/error.h"
#include "engine/output/ply.h"
#include "engine/output/series.h"
#include "engine/output/step_csv.h"
#include "engine/output/vtk.h"
#include "tests/shared/error_of.h"
#include "tests/shared/small_world.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::readText;
using testing::smallWorld;
using testing::TemporaryFolder;
using testing::writeText;

// The named array of a VTK file with raw appended data.
template <class T>
std::vector<T> vtkArray(const std::string& file, const std::string& name) {
  const std::regex entry("Name=\"" + name + "\" NumberOfComponents=\"[0-9]+\" format=\"appended\" offset=\"([0-9]+)\"");
  std::smatch m;
  const std::string head = file.substr(0, file.find("<AppendedData"));
  if (!std::regex_search(head, m, entry)) return {};
  const std::size_t data = file.find("_", file.find("<AppendedData")) + 1 + std::stoul(m[1]);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &file[data], sizeof bytes);
  std::vector<T> values(bytes / sizeof(T));
  if (bytes) std::memcpy(values.data(), &file[data + sizeof bytes], bytes);
  return values;
}

TEST(Vtk, ParticlesReadBackInTheWorldFrame) {
  const World w = smallWorld();  // the domain's corner is (-1, -2, -3)
  const std::string file = vtkParticles(w);
  EXPECT_NE(file.find("NumberOfPoints=\"3\" NumberOfVerts=\"3\""), std::string::npos);
  const auto x = vtkArray<float>(file, "position");
  ASSERT_EQ(x.size(), 9u);
  EXPECT_FLOAT_EQ(x[6], -0.8f);
  EXPECT_FLOAT_EQ(x[7], -1.8f);
  EXPECT_FLOAT_EQ(x[8], -2.7f);
  EXPECT_EQ(vtkArray<float>(file, "velocity"), (std::vector<float>{1, 0, 0.25f, 1, -0.5f, 0.25f, 1, -1, 0.25f}));
  EXPECT_EQ(vtkArray<float>(file, "pressure"), (std::vector<float>{1000, 1001, 1002}));
  EXPECT_EQ(vtkArray<float>(file, "density_error"), (std::vector<float>{0, 0.001f, 0.002f}));
  EXPECT_EQ(vtkArray<std::uint32_t>(file, "id"), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(vtkArray<std::uint8_t>(file, "leaked"), (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_EQ(vtkArray<std::int32_t>(file, "offsets"), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(Vtk, NoParticlesIsAnEmptyPiece) {
  World w = smallWorld(0);
  const std::string file = vtkParticles(w);
  EXPECT_NE(file.find("NumberOfPoints=\"0\""), std::string::npos);
  EXPECT_TRUE(vtkArray<float>(file, "position").empty());
}

TEST(Vtk, SurfacesHaveClothAndBallWithVelocities) {
  const World w = smallWorld();
  const Surfaces s = collectSurfaces(w);
  const std::string file = vtkSurfaces(s, w.time);
  const auto x = vtkArray<float>(file, "position"), v = vtkArray<float>(file, "velocity");
  const auto body = vtkArray<std::int32_t>(file, "body"), tri = vtkArray<std::int32_t>(file, "connectivity");
  ASSERT_EQ(x.size(), 3 * body.size());
  EXPECT_EQ(s.names, (std::vector<std::string>{"cloth", "ball"}));
  EXPECT_EQ(v[8], -2.f);  // node 2 of the cloth
  // every point of the ball: v = v_centre + omega x arm, with omega = 2 about z
  for (std::size_t i = 3; i < body.size(); ++i) {
    EXPECT_NEAR(v[3 * i], 0.5 - 2 * (x[3 * i + 1] - 1), 1e-5);
    EXPECT_NEAR(v[3 * i + 1], 2 * (x[3 * i] - 1), 1e-5);
  }
  for (const std::int32_t k : tri) ASSERT_LT(std::size_t(k), body.size());
}

// Volume by the divergence theorem: positive only if every triangle is wound outwards and the surface is closed.
double volumeOf(const Surfaces& s) {
  double volume = 0;
  for (std::size_t t = 0; t < s.tri.size(); t += 3) {
    const Vec3d a(s.x[std::size_t(s.tri[t])]), b(s.x[std::size_t(s.tri[t + 1])]), c(s.x[std::size_t(s.tri[t + 2])]);
    volume += dot(a, cross(b, c)) / 6;
  }
  return volume;
}

TEST(Surfaces, PrimitivesEncloseTheirVolume) {
  const double pi = std::acos(-1.0);
  const auto volume = [](ShapeKind kind) {
    World w;
    w.scene.domain.max = {1, 1, 1};
    RigidBody r;
    r.shape.kind = kind;
    r.shape.size = {1, 2, 3};
    r.shape.radius = 0.5;
    r.shape.height = 2;
    r.x = {5, 6, 7};
    r.q = Quatd::axisAngle({1, 1, 0}, 0.7);
    w.solid.rigid.push_back(r);
    return volumeOf(collectSurfaces(w));
  };
  EXPECT_NEAR(volume(ShapeKind::box), 6, 1e-4);
  // 32 segments: an inscribed circle's area is smaller by (2 pi / 32)^2 / 6 = 0.6 %, a sphere's volume by about twice that
  EXPECT_NEAR(volume(ShapeKind::cylinder), pi / 2, 0.01 * pi / 2);
  EXPECT_LT(volume(ShapeKind::cylinder), pi / 2);
  EXPECT_NEAR(volume(ShapeKind::sphere), pi / 6, 0.02 * pi / 6);
  EXPECT_NEAR(volume(ShapeKind::capsule), pi / 6 + pi / 2, 0.02 * (pi / 6 + pi / 2));
}

TEST(Ply, SizesAndValues) {
  const World w = smallWorld();
  const std::string file = plyParticles(w);
  const std::size_t data = file.find("end_header\n") + 11;
  ASSERT_EQ(file.size() - data, 3u * (8 * sizeof(float) + sizeof(std::uint32_t)));
  float first[8];
  std::memcpy(first, &file[data], sizeof first);
  EXPECT_FLOAT_EQ(first[0], -1.f);
  EXPECT_FLOAT_EQ(first[6], 1000.f);

  const Surfaces s = collectSurfaces(w);
  const std::string mesh = plySurfaces(s);
  EXPECT_EQ(mesh.size() - mesh.find("end_header\n") - 11, s.x.size() * 28 + s.tri.size() / 3 * 13);
}

int entries(const std::string& pvd) {
  int n = 0;
  for (std::size_t at = 0; (at = pvd.find("<DataSet", at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(FrameSeries, IndexIsWholeAfterEveryFrame) {
  const TemporaryFolder folder;
  World w = smallWorld();
  FrameSeries series(folder.path(), {"vtk", "ply"});
  for (int k = 0; k < 3; ++k) {
    w.time = 0.1 * k;
    series.write(w, k);
    const std::string pvd = readText(folder / "particles.pvd");
    EXPECT_EQ(entries(pvd), k + 1);
    EXPECT_NE(pvd.find("</VTKFile>"), std::string::npos);
    EXPECT_EQ(entries(readText(folder / "solids.pvd")), k + 1);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "frames/particles-00002.vtp"));
  EXPECT_TRUE(std::filesystem::exists(folder / "frames/solids-00002.ply"));
}

// The fluid's surface goes with the formats that are named, in VTK where none is.
TEST(FrameSeries, WritesTheFluidsSurface) {
  const World w = smallWorld();
  FluidSurface s;
  s.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  s.n = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  s.v = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  s.fluid = {0, 0, 1};
  s.tri = {0, 1, 2};
  for (const char* other : {"surface", "vtk", "ply"}) {
    const TemporaryFolder folder;
    FrameSeries series(folder.path(), {"surface", other});
    ASSERT_TRUE(series.wantsSurface());
    series.write(w, 0, &s);
    const bool ply = std::string(other) == "ply";
    EXPECT_EQ(std::filesystem::exists(folder / "frames/surface-00000.ply"), ply);
    EXPECT_EQ(std::filesystem::exists(folder / "surface.pvd"), !ply);
    if (ply) {
      const std::string file = readText(folder / "frames/surface-00000.ply");
      EXPECT_EQ(file.size() - file.find("end_header\n") - 11, 3 * 37u + 13);
    } else {
      const std::string file = readText(folder / "frames/surface-00000.vtp");
      EXPECT_EQ(vtkArray<float>(file, "velocity"), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
      EXPECT_EQ(vtkArray<float>(file, "normal"), (std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1}));
      EXPECT_EQ(vtkArray<std::int32_t>(file, "connectivity"), s.tri);
    }
  }
}

TEST(FrameSeries, GoesOnAndDropsLaterFrames) {
  const TemporaryFolder folder;
  World w = smallWorld();
  {
    FrameSeries series(folder.path(), {"vtk"});
    for (int k = 0; k < 5; ++k) {
      w.time = 0.1 * k;
      series.write(w, k);
    }
  }
  FrameSeries series(folder.path(), {"vtk"}, 0.2, 3, nullptr);  // resumed from t = 0.2: frames 3 and 4 are of another future
  w.time = 0.3;
  series.write(w, 3);
  const std::string pvd = readText(folder / "particles.pvd");
  EXPECT_EQ(entries(pvd), 4);
  EXPECT_EQ(pvd.find("00004"), std::string::npos);
}

// Times in the index have nine digits: 2/3 s is written as a little more.
TEST(FrameSeries, KeepsTheFrameAtWhichItGoesOn) {
  const TemporaryFolder folder;
  World w = smallWorld();
  w.time = 2.0 / 3;
  FrameSeries(folder.path(), {"vtk"}).write(w, 0);
  FrameSeries series(folder.path(), {"vtk"}, w.time, 1, nullptr);
  w.time = 1;
  series.write(w, 1);
  EXPECT_EQ(entries(readText(folder / "particles.pvd")), 2);
}

// Whatever has happened to the index, a resumed film is whole again.
TEST(FrameSeries, IndexThatIsDamagedIsMadeAnewFromTheFrames) {
  const TemporaryFolder folder;
  World w = smallWorld();
  const auto writeTo = [&](FrameSeries& series, int first, int last) {
    for (int k = first; k <= last; ++k) {
      w.time = k / 3.0;
      series.write(w, k);
    }
  };
  FrameSeries whole(folder.path(), {"vtk"});
  writeTo(whole, 0, 5);
  const std::string path = folder / "particles.pvd", right = readText(path);
  const std::size_t lines = std::size_t(std::count(right.begin(), right.end(), '\n'));
  std::vector<std::string> damaged = {"", "nonsense", std::string(300, '\0')};
  for (std::size_t size = 0; size < right.size(); size += 1 + right.size() / 50) damaged.push_back(right.substr(0, size));
  std::size_t at = 0;
  for (std::size_t k = 0; k < lines; ++k) damaged.push_back(right.substr(0, at = right.find('\n', at) + 1));
  damaged.pop_back();  // nothing is missing there
  for (const std::string& text : damaged) {
    writeText(path, text);
    std::vector<std::string> notes;
    FrameSeries resumed(folder.path(), {"vtk"}, 3 / 3.0, 4, &notes);
    ASSERT_EQ(notes.size(), 1u) << text;
    EXPECT_EQ(notes[0], path + ": was damaged and has been made anew from the 4 frames there are");
    EXPECT_EQ(entries(readText(path)), 4);
    writeTo(resumed, 4, 5);
    EXPECT_EQ(readText(path), right) << "from " << text;
  }
  std::filesystem::remove(path);
  std::vector<std::string> notes;
  FrameSeries resumed(folder.path(), {"vtk"}, 1, 4, &notes);
  writeTo(resumed, 4, 5);
  EXPECT_EQ(readText(path), right);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("was gone"), std::string::npos);
}

TEST(FrameSeries, FrameWithoutTimeIsNamedWhereTheIndexIsDamagedToo) {
  const TemporaryFolder folder;
  const World w = smallWorld();
  FrameSeries(folder.path(), {"vtk"}).write(w, 0);
  writeText(folder / "particles.pvd", "");
  writeText(folder / "frames/particles-00000.vtp", "TimeValue");
  const std::string found = testing::errorOf([&] { FrameSeries(folder.path(), {"vtk"}, 1, 1, nullptr); });
  EXPECT_NE(found.find("particles.pvd: is damaged or gone and cannot be made anew, for "), std::string::npos) << found;
  EXPECT_NE(found.find("frames/particles-00000.vtp does not say its time"), std::string::npos) << found;
}

TEST(StepCsv, OneLineAStepAndResumedWithoutRepeats) {
  const TemporaryFolder folder;
  World w = smallWorld();
  {
    StepCsv csv(folder / "steps.csv", 0);
    for (w.steps = 1; w.steps <= 5; ++w.steps) csv.add(w, 2.5);
  }
  {
    StepCsv csv(folder / "steps.csv", 3);
    w.steps = 4;
    csv.add(w, 7.5);
  }
  const std::string text = readText(folder / "steps.csv");
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  ASSERT_EQ(lines.size(), 5u);
  const auto columns = [](const std::string& l) { return std::count(l.begin(), l.end(), ','); };
  for (const std::string& l : lines) EXPECT_EQ(columns(l), columns(lines[0]));
  EXPECT_EQ(lines[3].substr(0, 2), "3,");
  EXPECT_EQ(lines[4].substr(0, 2), "4,");
  EXPECT_EQ(lines[4].substr(lines[4].rfind(',')), ",7.5");
}

TEST(StepCsv, ForeignFileIsStartedAnew) {
  const TemporaryFolder folder;
  writeText(folder / "steps.csv", "a,b\n1,2\n");
  { StepCsv csv(folder / "steps.csv", 10); }
  EXPECT_EQ(readText(folder / "steps.csv").substr(0, 12), "step,time_s,");
}

TEST(StepCsv, UnwritableFolderIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(StepCsv(folder / "none/steps.csv", 0), Error);
}

}  // namespace
}  // namespace meniscus
