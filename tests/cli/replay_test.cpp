// meniscus render of a run's folder: the pictures are those of the scene, whatever is missing or damaged is named.
#include <set>

#include "tests/cli/replay_fixture.h"

namespace meniscus {
namespace {

#ifdef MENISCUS_HAVE_RENDERER
// 0, 10 .. 40 ms; fluid and a body that is in it.
TEST_F(CliReplay, PicturesAreThoseOfTheScene) {
  run("0.01");
  const Outcome o = render("run", (folder / "a") + " --fps 100");
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(o.text, "");
  ASSERT_EQ(render("scene.json", (folder / "b") + " --fps 100").status, 0);
  expectSamePictures("a", "b", 5);
  const std::vector<std::string> bytes = bytesOf("a");
  EXPECT_NE(bytes.front(), bytes.back());
  EXPECT_FALSE(fs::exists(folder / "a/next.txt"));
}

// The frames hold what the view colours by; cameras, cloth, a box with sharp edges, no walls to see.
TEST_F(CliReplay, LookAndCamerasOfTheScene) {
  writeText(scene(), R"({
    "meniscus": 1, "name": "cloth", "duration": 0.03, "domain": {"min": [-0.2, -0.2, 0], "max": [0.2, 0.2, 0.3]},
    "fluids": [{"name": "water", "spacing": 0.01, "relax": false, "shapes": [{"sphere": {"radius": 0.03}, "position": [0, 0, 0.2]}]}],
    "solids": [
      {"name": "box", "kind": "rigid", "shape": {"box": {"size": [0.05, 0.05, 0.05]}}, "position": [0.1, 0, 0.2],
       "angular_velocity": [0, 3, 5]},
      {"name": "sheet", "kind": "cloth", "shape": {"sheet": {"size": [0.2, 0.2], "resolution": 0.02}}, "position": [0, 0, 0.15],
       "velocity": [0, 0, 0.5], "material": {"areal_density": 0.3, "stretch": {"compliance": 1e-4}}}],
    "output": {"view": {"fluid": "spheres", "colour": "vorticity", "stretch": true, "dark": true, "tank": false,
      "camera": [{"eye": [0.3, -0.5, 0.4], "target": [0, 0, 0.15]},
                 {"time": 0.03, "eye": [0.5, -0.3, 0.3], "target": [0, 0, 0.15]}]}}
  })");
  run("0.01");
  const Outcome o = render("run", (folder / "a") + " --fps 100");
  ASSERT_EQ(o.status, 0) << o.text;
  ASSERT_EQ(render("scene.json", (folder / "b") + " --fps 100").status, 0);
  expectSamePictures("a", "b", 4);
  ASSERT_EQ(render("run", (folder / "c") + " --fps 100 --fluid hidden --colour speed").status, 0);
  ASSERT_EQ(render("scene.json", (folder / "d") + " --fps 100 --fluid hidden --colour speed").status, 0);
  expectSamePictures("c", "d", 4);
  EXPECT_NE(bytesOf("a")[0], bytesOf("c")[0]);
}
#endif

// A folder can be taken elsewhere, without the scene and its meshes.
TEST_F(CliReplay, NeedsNothingBesideTheFolder) {
  std::string text = testing::tankScene();
  const std::string sphere = R"({"sphere": {"radius": 0.015}})";
  text.replace(text.find(sphere), sphere.size(), R"({"mesh": {"file": "tetrahedron.off"}})");
  writeText(scene(), text);
  writeText(folder / "tetrahedron.off", "OFF\n4 4 0\n0 0 0\n.02 0 0\n0 .02 0\n0 0 .02\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  run("0.02");
  ASSERT_EQ(render("run", (folder / "a") + " --fps 50").status, 0);
  fs::create_directory(folder / "elsewhere");
  fs::rename(folder / "run", folder / "elsewhere/moved");
  fs::remove(folder / "tetrahedron.off");
  fs::remove(scene());
  const Outcome o = render("elsewhere/moved/", (folder / "b") + " --fps 50");
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(bytesOf("a").size(), 3u);
  EXPECT_TRUE(bytesOf("a") == bytesOf("b"));
}

// Film frames between two of the run's differ from both: things are on their way.
TEST_F(CliReplay, MovesBetweenFrames) {
  run("0.02");
  ASSERT_EQ(render("run", (folder / "a") + " --fps 200").status, 0);
  const std::vector<std::string> bytes = bytesOf("a");
  ASSERT_EQ(bytes.size(), 9u);
  EXPECT_EQ(std::set<std::string>(bytes.begin(), bytes.end()).size(), 9u);
  ASSERT_EQ(render("run", (folder / "b") + " --fps 50").status, 0);
  EXPECT_EQ(bytesOf("b")[1], bytes[4]);  // the same time
  ASSERT_EQ(render("run", (folder / "c") + " --fps 50 --duration 0.02").status, 0);
  EXPECT_EQ(bytesOf("c").size(), 2u);
}

TEST_F(CliReplay, ScenesOfSolidsAlone) {
  writeText(scene(), R"({"meniscus": 1, "duration": 0.02, "domain": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.3]},
    "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.02}}, "position": [0.1, 0.1, 0.2]}]})");
  run("0.01");
  const Outcome o = render("run", (folder / "a") + " --fps 100");
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(bytesOf("a").size(), 3u);
  fs::remove(folder / "run/solids.pvd");
  expectRefused("", {"run", "--every"});
}

// The same command goes on, and ends in the same pictures: seen from the same place, though what is seen has moved, and in colours
// of ranges that have changed.
TEST_F(CliReplay, GoesOnWhereItWasInterrupted) {
  std::string tall = testing::tankScene();
  tall.replace(tall.find("0.12]"), 4, "0.5");
  writeText(scene(), tall);
  run("0.02");
  const std::string command = "'" + testing::program() + "' render '" + (folder / "run") +
                              "' --fps 200 --speed 0.2 --size 160x90 --colour speed --out ";  // 41 frames
  const Outcome cut = testing::interruptedAt(folder / "cut/frame-00002.png", command + (folder / "cut"));
  ASSERT_EQ(cut.status, 0) << cut.text;
  EXPECT_NE(cut.text.find("the same command goes on"), std::string::npos) << cut.text;
  EXPECT_TRUE(fs::exists(folder / "cut/next.txt"));
  ASSERT_LT(picturesOf("cut").size(), 41u);
  const Outcome rest = shell(command + (folder / "cut"));
  ASSERT_EQ(rest.status, 0) << rest.text;
  EXPECT_NE(rest.text.find("goes on with frame"), std::string::npos) << rest.text;
  ASSERT_EQ(shell(command + (folder / "whole") + " --quiet").status, 0);
  EXPECT_TRUE(bytesOf("cut") == bytesOf("whole"));
}

// An index names whole frames only. One that has grown since is of the same film; one of another run is not.
TEST_F(CliReplay, RunsInProgress) {
  run("0.01");
  const std::string whole = readText(folder / "run/solids.pvd");
  const std::size_t third = whole.find("    <DataSet timestep=\"0.02\"");
  const std::size_t end = whole.find("  </Collection>");
  ASSERT_TRUE(third != std::string::npos && end != std::string::npos);
  writeText(folder / "run/solids.pvd", whole.substr(0, third) + whole.substr(end));
  ASSERT_EQ(render("run", (folder / "a") + " --fps 100").status, 0);
  EXPECT_EQ(picturesOf("a").size(), 2u);
  writeText(folder / "run/solids.pvd", whole);
  const Outcome grown = render("run", (folder / "a") + " --fps 100");
  ASSERT_EQ(grown.status, 0) << grown.text;
  EXPECT_EQ(picturesOf("a").size(), 5u);
  run("0.02");
  const Outcome other = render("run", (folder / "a") + " --fps 100");
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.text.find("--restart"), std::string::npos) << other.text;
}

TEST_F(CliReplay, DamagedFramesAreNamed) {
  run("0.02");
  for (const char* kind : {"particles", "solids"}) {
    const std::string file = folder / (std::string("run/frames/") + kind + "-00001.vtp"), whole = readText(file);
    for (const double share : {0., 0.01, 0.1, 0.5, 0.9, 0.999}) {
      writeText(file, whole.substr(0, std::size_t(share * double(whole.size()))));
      const Outcome o = render("run", (folder / "none") + " --restart");
      EXPECT_EQ(o.status, 2) << share << ": " << o.text;
      EXPECT_NE(o.text.find(file), std::string::npos) << share << ": " << o.text;
    }
    writeText(file, whole);
  }
  EXPECT_EQ(render("run", (folder / "none") + " --restart").status, 0);
}

TEST_F(CliReplay, WhatIsMissingIsNamed) {
  fs::create_directory(folder / "run");
  expectRefused("", {folder / "run", "meniscus run SCENE.json"});
  run("0.02", " --format ply");
  expectRefused("", {folder / "run", "--format vtk"});
  run("0.02");
  expectRefused(" --colour deficiency", {"particles-00000.vtp", "deficiency", "none, speed, pressure, density_error"});
  const auto without = [&](const std::string& file, const std::vector<std::string>& words) {
    fs::rename(folder / ("run/" + file), folder / "away");
    expectRefused("", words);
    fs::rename(folder / "away", folder / ("run/" + file));
  };
  without("particles.pvd", {"particles.pvd", "is missing"});
  without("frames/scene.json", {"frames/scene.json", "is missing"});
  without("frames/solids-00002.vtp", {"frames/solids-00002.vtp", "is missing"});
  for (const char* file : {"run/solids.pvd", "run/frames/scene.json"}) {
    const std::string whole = readText(folder / file);
    writeText(folder / file, whole.substr(0, whole.size() / 2));
    expectRefused("", {folder / file});
    writeText(folder / file, whole);
  }
  EXPECT_EQ(render("run", (folder / "none")).status, 0);
}

// A frame in another's place is of another time than the index says.
TEST_F(CliReplay, AFrameOfAnotherTimeIsNamed) {
  run("0.02");
  for (const std::string kind : {"particles", "solids"}) {
    const std::string file = folder / ("run/frames/" + kind + "-00001.vtp"), whole = readText(file);
    writeText(file, readText(folder / ("run/frames/" + kind + "-00002.vtp")));
    const Outcome o = render("run", (folder / "none") + " --restart");
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find(file), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("it is of 0.04 s, and the index says 0.02 s"), std::string::npos) << o.text;
    writeText(file, whole);
  }
}

// Pictures beside a run would take its files for theirs, and --restart remove them.
TEST_F(CliReplay, NotIntoTheFolderOfARun) {
  run("0.02", " --checkpoint 0.02");
  ASSERT_TRUE(fs::exists(folder / "run/checkpoint.snapshot"));
  for (const char* what : {"run", "scene.json"}) {
    const Outcome o = render(what, (folder / "run") + " --restart");
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find("is the folder of a run"), std::string::npos) << o.text;
  }
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint.snapshot"));
  EXPECT_TRUE(picturesOf("run").empty());
}

// Without --out: beside where the command is given, named after the folder.
TEST_F(CliReplay, NamedAfterTheFolder) {
  run("0.04");
  const std::string render = "cd '" + folder.path() + "' && '" + testing::program() + "' render --size 32x32 --fps 25 ";
  EXPECT_EQ(shell(render + "run").text, "2 frames in run-frames\n");
  EXPECT_EQ(shell(render + "--restart ./run/").text, "2 frames in run-frames\n");
}

}  // namespace
}  // namespace meniscus
