// meniscus run --format png: pictures beside the other frames, the same that render makes of the scene.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;
using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::TemporaryFolder;
using testing::writeText;

class CliFramePictures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (meniscus("render --help").status != 0) GTEST_SKIP() << "built without the renderer";
    // coloured by a quantity whose range is found from the first picture, by a camera that is found for it
    writeText(scene, testing::tankScene(R"(, "output": {"view": {"fluid": "spheres", "colour": "speed"}})"));
    const Outcome first = meniscus("render " + scene + " --quiet --duration 0.001 --size 32x32 --out " + (folder / "probe"));
    if (first.status == 4) GTEST_SKIP() << first.text;  // no OpenGL here
    ASSERT_EQ(first.status, 0) << first.text;
  }
  void run(const std::string& options) {
    const Outcome o = meniscus("run " + scene + " --quiet --format png " + options);
    ASSERT_EQ(o.status, 0) << o.text;
  }
  std::string picture(const std::string& out, int number) {
    return readText(folder / (out + "/frames/picture-0000" + std::to_string(number) + ".png"));
  }

  TemporaryFolder folder;
  std::string scene = folder / "scene.json";
};

TEST_F(CliFramePictures, AreThoseThatRenderMakes) {
  run("--every 0.02 --out " + (folder / "run"));
  ASSERT_EQ(meniscus("render " + scene + " --quiet --fps 50 --out " + (folder / "drawn")).status, 0);
  for (int k = 0; k < 3; ++k)
    EXPECT_TRUE(picture("run", k) == readText(folder / ("drawn/frame-0000" + std::to_string(k) + ".png"))) << k;
  EXPECT_FALSE(picture("run", 0) == picture("run", 2));    // the ball falls
  EXPECT_FALSE(fs::exists(folder / "run/particles.pvd"));  // no other format was asked for
  EXPECT_FALSE(fs::exists(folder / "run/frames/picture-00003.png"));
  run("--steps 1 --every 0.02 --format vtk --out " + (folder / "both"));
  EXPECT_TRUE(fs::exists(folder / "both/particles.pvd"));
  EXPECT_TRUE(picture("both", 0) == picture("run", 0));
}

// Seen from the same place, though the ball, by which it was found, has fallen a good way meanwhile.
TEST_F(CliFramePictures, GoOnAsTheyBegan) {
  std::string tall = readText(scene);
  tall.replace(tall.find("0.12]"), 4, "0.5");
  tall.replace(tall.find("0.075]"), 5, "0.45");
  tall.replace(tall.find("\"duration\": 0.04"), 16, "\"duration\": 0.2");
  writeText(scene, tall);
  const std::string options = " --every 0.1 --out ";
  run(options + (folder / "whole"));
  run("--steps 80 --checkpoint 1e-9" + options + (folder / "cut"));
  EXPECT_FALSE(fs::exists(folder / "cut/frames/picture-00002.png"));
  run("--resume " + (folder / "cut/checkpoint.snapshot") + options + (folder / "cut"));
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(picture("cut", k) == picture("whole", k)) << k;
}

// A folder holds the frames of one run, of all kinds: a film made of them has nothing of the run before.
TEST_F(CliFramePictures, ThoseOfAnEarlierRunAreTakenAway) {
  const std::string out = folder / "run";
  run("--every 0.01 --format vtk,ply,surface,png --out " + out);
  ASSERT_TRUE(fs::exists(out + "/frames/picture-00004.png"));
  ASSERT_TRUE(fs::exists(out + "/surface.pvd"));
  writeText(out + "/frames/mine-00004.png", "");
  writeText(out + "/frames/picture-00004.png.old", "");
  const Outcome again = meniscus("run " + scene + " --duration 0.02 --every 0.01 --format vtk,png --out " + out);
  ASSERT_EQ(again.status, 0) << again.text;
  EXPECT_NE(again.text.find("/frames: 35 files of an earlier run were taken away"), std::string::npos) << again.text;
  for (const char* name :
       {"picture-00003.png", "particles-00004.vtp", "particles-00001.ply", "solids-00003.vtp", "surface-00000.vtp"})
    EXPECT_FALSE(fs::exists(out + "/frames/" + name)) << name;
  EXPECT_FALSE(fs::exists(out + "/surface.pvd"));
  EXPECT_EQ(readText(out + "/particles.pvd").find("00003"), std::string::npos);
  for (const char* name : {"picture-00002.png", "particles-00002.vtp", "scene.json", "mine-00004.png", "picture-00004.png.old"})
    EXPECT_TRUE(fs::exists(out + "/frames/" + name)) << name;
  // a run that writes none leaves those that are there
  const Outcome none = meniscus("run " + scene + " --steps 1 --quiet --out " + out);
  ASSERT_EQ(none.status, 0) << none.text;
  EXPECT_TRUE(fs::exists(out + "/frames/picture-00002.png"));
}

// What a run wrote after its last checkpoint goes where it is gone on with, also where it then ends sooner.
TEST_F(CliFramePictures, AResumedRunTakesAwayWhatComesAfterItsEnd) {
  const std::string out = folder / "run", options = " --every 0.01 --format vtk,png --out " + out;
  run("--duration 0.02 --checkpoint 0.01" + options);
  fs::copy(out + "/checkpoint.snapshot", folder / "early.snapshot");
  run(options);  // five frames
  ASSERT_TRUE(fs::exists(out + "/frames/picture-00004.png"));
  run("--resume " + (folder / "early.snapshot") + " --duration 0.03" + options);
  EXPECT_TRUE(fs::exists(out + "/frames/picture-00003.png"));
  EXPECT_FALSE(fs::exists(out + "/frames/picture-00004.png"));
  EXPECT_FALSE(fs::exists(out + "/frames/solids-00004.vtp"));
  EXPECT_EQ(readText(out + "/solids.pvd").find("00004"), std::string::npos);
  EXPECT_NE(readText(out + "/solids.pvd").find("00003"), std::string::npos);
}

TEST_F(CliFramePictures, OfAGrid) {
  scene = MENISCUS_SOURCE_DIR "/assets/scenes/grid-balls.json";
  run("--steps 2 --every 0.02 --out " + (folder / "run"));
  ASSERT_EQ(meniscus("render " + scene + " --quiet --duration 1e-4 --out " + (folder / "drawn")).status, 0);
  EXPECT_TRUE(picture("run", 0) == readText(folder / "drawn/frame-00000.png"));
  ASSERT_TRUE(fs::exists(folder / "run/frames/picture-00001.png"));
  run("--steps 1 --every 0.05 --format vtk --out " + (folder / "run"));
  EXPECT_FALSE(fs::exists(folder / "run/frames/picture-00001.png"));
  EXPECT_TRUE(fs::exists(folder / "run/frames/grid-00000.vti"));
}

}  // namespace
}  // namespace meniscus
