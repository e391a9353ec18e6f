// Frames read back: what was written, or an error that names the file, however it is damaged.
#include <gtest/gtest.h>

#include <random>

#include "engine/base/error.h"
#include "engine/output/vtk.h"
#include "engine/output/vtk_file.h"
#include "tests/shared/error_of.h"
#include "tests/shared/small_world.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::errorOf;
using testing::smallWorld;
using testing::TemporaryFolder;
using testing::writeText;

// All that pictures read of it.
void readAll(const std::string& bytes) {
  const VtkFile file("a.vtp", bytes);
  file.array<float>("position", 3, file.points());
  if (file.has("body")) {
    file.array<std::int32_t>("body", 1, file.points());
    file.array<std::int32_t>("connectivity", 1, 3 * file.triangles());
    file.names("bodies");
  } else {
    file.array<float>("velocity", 3, file.points());
    file.array<float>("pressure", 1, file.points());
    file.array<std::uint32_t>("id", 1, file.points());
    file.array<std::uint8_t>("fluid", 1, file.points());
  }
}

TEST(VtkFile, ParticlesAsTheyWereWritten) {
  World w = smallWorld();
  w.time = 0.1;
  const TemporaryFolder folder;
  writeText(folder / "a.vtp", vtkParticles(w));
  const VtkFile file(folder / "a.vtp");
  EXPECT_EQ(file.time(), 0.1);
  ASSERT_EQ(file.points(), 3u);
  EXPECT_EQ(file.triangles(), 0u);
  EXPECT_FLOAT_EQ(file.array<float>("position", 3, 3)[8], -2.7f);
  EXPECT_EQ(file.array<float>("pressure", 1, 3), (std::vector<float>{1000, 1001, 1002}));
  EXPECT_EQ(file.array<std::uint32_t>("id", 1, 3), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(file.array<std::uint8_t>("leaked", 1, 3), (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_FALSE(file.has("deficiency"));
  EXPECT_FALSE(file.has("vorticity"));
}

TEST(VtkFile, HoldsWhatTheViewColoursBy) {
  World w = smallWorld();
  const TemporaryFolder folder;
  w.scene.output.view.colour = FluidColour::deficiency;
  writeText(folder / "a.vtp", vtkParticles(w));
  EXPECT_EQ(VtkFile(folder / "a.vtp").array<float>("deficiency", 1, 3).size(), 3u);
  w.scene.output.view.stretch = true;
  const Surfaces s = collectSurfaces(w);
  ASSERT_EQ(s.stretch.size(), s.x.size());
  writeText(folder / "b.vtp", vtkSurfaces(s, 0));
  EXPECT_EQ(VtkFile(folder / "b.vtp").array<float>("stretch", 1, s.x.size()), s.stretch);
}

TEST(VtkFile, SurfacesWithTheNamesOfBodies) {
  const World w = smallWorld();
  Surfaces s = collectSurfaces(w);
  s.names[1] = "a \"ball\" <ü>";
  const TemporaryFolder folder;
  writeText(folder / "a.vtp", vtkSurfaces(s, 2));
  const VtkFile file(folder / "a.vtp");
  EXPECT_EQ(file.time(), 2);
  EXPECT_EQ(file.names("bodies"), s.names);
  EXPECT_EQ(file.points(), s.x.size());
  EXPECT_EQ(file.array<std::int32_t>("connectivity", 1, 3 * file.triangles()), s.tri);
  EXPECT_EQ(file.array<std::int32_t>("body", 1, file.points()), s.body);
}

TEST(VtkFile, CutOffAnywhereIsRefused) {
  const World w = smallWorld();
  for (const std::string& whole : {vtkParticles(w), vtkSurfaces(collectSurfaces(w), 0)}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string error = errorOf([&] { readAll(whole.substr(0, length)); });
      ASSERT_NE(error.find("a.vtp"), std::string::npos) << length << ": " << error;
    }
    EXPECT_EQ(errorOf([&] { readAll(whole); }), "");
  }
}

// Whatever bytes are others than were written, of the text or of the numbers.
TEST(VtkFile, AnyWrongByteIsRefused) {
  const World w = smallWorld();
  std::mt19937 rng(7);
  for (const std::string& whole : {vtkParticles(w), vtkSurfaces(collectSurfaces(w), 0)}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string wrong = whole;
      wrong[at] = char(wrong[at] ^ (1 << rng() % 8));
      const std::string error = errorOf([&] { VtkFile("a.vtp", wrong); });
      ASSERT_NE(error.find("a.vtp: is damaged"), std::string::npos) << "byte " << at << ": " << error;
    }
  }
}

// Files that are whole, but not of this program's making: read, or refused with the file's name.
TEST(VtkFile, StrangeContentsNeverDoHarm) {
  const World w = smallWorld();
  std::mt19937 rng(7);
  int refused = 0;
  for (const std::string& whole : {vtkParticles(w), vtkSurfaces(collectSurfaces(w), 0)}) {
    const std::string content = whole.substr(0, whole.rfind("<!--"));
    for (int k = 0; k < 20000; ++k) {
      std::string wrong = content;
      for (unsigned n = 1 + rng() % 4; n > 0; --n) wrong[rng() % std::min<std::size_t>(wrong.size(), 3000)] = char(rng());
      wrong += vtkChecksum(wrong);
      const std::string error = errorOf([&] { readAll(wrong); });
      if (error.empty()) continue;
      ++refused;
      ASSERT_NE(error.find("a.vtp"), std::string::npos) << error;
    }
  }
  EXPECT_GT(refused, 4000);
}

TEST(VtkFile, ArraysOfAnotherShapeAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.vtp";
  writeText(path, vtkParticles(smallWorld()));
  const VtkFile file(path);
  EXPECT_NE(errorOf([&] { file.array<float>("position", 3, 4); }).find("\"position\""), std::string::npos);
  EXPECT_NE(errorOf([&] { file.array<float>("position", 1, 9); }).find("\"position\""), std::string::npos);
  EXPECT_NE(errorOf([&] { file.array<std::int32_t>("id", 1, 3); }).find("\"id\""), std::string::npos);
  EXPECT_NE(errorOf([&] { file.array<float>("nothing", 1, 3); }).find("\"nothing\""), std::string::npos);
  EXPECT_NE(errorOf([&] { file.names("bodies"); }).find("\"bodies\""), std::string::npos);
  EXPECT_NE(errorOf([] { VtkFile("/nowhere/a.vtp"); }).find("/nowhere/a.vtp"), std::string::npos);
}

}  // namespace
}  // namespace meniscus
