// meniscus render of scenes on a grid and of their runs: slices, smoke, solids, in space and in a plane.
#include "tests/cli/replay_fixture.h"

namespace meniscus {
namespace {

#ifdef MENISCUS_HAVE_RENDERER

// A jet of smoke against a ball, so slow that no step is cut; `view` is of the output.
std::string jetScene(int dimension, const std::string& view) {
  return R"({"meniscus": 1, "name": "jet", "gravity": [0, 0, 0], "duration": 0.2,
    "domain": {"min": [0, 0, 0], "max": [1, 0.8, 1], "walls": ["-x", "+x", "-y", "+y", "-z"]},
    "solver": {"method": "xpm", "dt": 0.1, "grid": {"cells": 10, "dimension": )" +
         std::to_string(dimension) + R"(}},
    "fluids": [{"name": "air", "kind": "smoke", "density": 1, "smoke": 0.6, "shapes": [{"box": {"size": [0.4, 0.8, 0.4]},
                "position": [0.5, 0.4, 0.2]}],
                "inflows": [{"side": "-z", "box": {"min": [0.3, 0.2, 0], "max": [0.7, 0.6, 0]}, "speed": 0.2, "smoke": 1}]}],
    "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.15}}, "position": [0.5, 0.4, 0.6],
                "material": {"density": 3}}],
    "output": {"view": {)" +
         view + "}}}";
}

class CliReplayGrid : public CliReplay {
 protected:
  // The run's pictures and the scene's, three of each, with the same options.
  void expectSame(const std::string& options = "") {
    run("0.1");
    const Outcome o = render("run", (folder / "a") + " --fps 10 " + options);
    ASSERT_EQ(o.status, 0) << o.text;
    EXPECT_EQ(o.text, "");
    const Outcome s = render("scene.json", (folder / "b") + " --fps 10 " + options);
    ASSERT_EQ(s.status, 0) << s.text;
    expectSamePictures("a", "b", 3);
    EXPECT_NE(bytesOf("a").front(), bytesOf("a").back());
  }
};

TEST_F(CliReplayGrid, SmokeInSpace) {
  writeText(scene(), jetScene(3, R"("dark": true)"));
  expectSame();
}

TEST_F(CliReplayGrid, ASliceOfTheScene) {
  writeText(scene(), jetScene(3, R"("fluid": "hidden", "colour": "speed", "slice": {"axis": "y", "position": 0.4})"));
  expectSame();
}

TEST_F(CliReplayGrid, ASliceOfTheCommandLine) {
  writeText(scene(), jetScene(3, R"("fluid": "hidden")"));
  expectSame("--slice x=0.5 --colour pressure");
  ASSERT_EQ(render("run", (folder / "c") + " --fps 10 --slice x=0.5").status, 0);
  EXPECT_NE(bytesOf("a")[2], bytesOf("c")[2]);  // coloured by its smoke
  ASSERT_EQ(render("run", (folder / "d") + " --fps 10").status, 0);
  EXPECT_NE(bytesOf("c")[2], bytesOf("d")[2]);
}

TEST_F(CliReplayGrid, APlaneAsOnePicture) {
  writeText(scene(), jetScene(2, R"("colour": "speed")"));
  expectSame();
}

TEST_F(CliReplayGrid, GoesOnWhereItWasInterrupted) {
  writeText(scene(), jetScene(3, ""));
  ASSERT_EQ(render("scene.json", (folder / "a") + " --fps 10").status, 0);
  ASSERT_EQ(render("scene.json", (folder / "b") + " --fps 10 --duration 0.1").status, 0);
  const std::vector<std::string> all = bytesOf("a"), some = bytesOf("b");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(std::vector<std::string>(all.begin(), all.begin() + 2), some);
}

TEST_F(CliReplayGrid, WhatIsWrongIsNamed) {
  for (const auto& [slice, words] : std::vector<std::pair<std::string, std::string>>{
           {"q=1", "give AXIS=METRES"}, {"x=", "give AXIS=METRES"}, {"x=3", "the domain reaches from 0 to 1 m"}}) {
    writeText(scene(), jetScene(3, ""));
    const Outcome o = render("scene.json", (folder / "none") + " --slice " + slice);
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find(words), std::string::npos) << o.text;
  }
  for (const auto& [view, words] :
       std::vector<std::pair<std::string, std::string>>{{R"("slice": {"axis": "x", "position": 7})", "is outside of the domain"},
                                                        {R"("slice": {"axis": "x"})", "position"},
                                                        {R"("fluid": "spheres")", "there are no particles on a grid"},
                                                        {R"("colour": "vorticity")", "is known of particles only"}}) {
    writeText(scene(), jetScene(3, view));
    const Outcome o = testing::meniscus("check " + scene());
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find(words), std::string::npos) << o.text;
  }
  writeText(scene(), testing::tankScene(R"(, "output": {"view": {"colour": "smoke", "slice": {"axis": "x", "position": 0.01}}})"));
  const Outcome tank = testing::meniscus("check " + scene());
  EXPECT_NE(tank.text.find("\"slice\" is of a grid, and this scene is of particles"), std::string::npos) << tank.text;
  EXPECT_NE(tank.text.find("\"colour\" is smoke, and this scene is of particles"), std::string::npos) << tank.text;
  writeText(scene(), testing::tankScene());
  EXPECT_NE(render("scene.json", (folder / "none") + " --slice x=0.01").text.find("has no grid in three dimensions"),
            std::string::npos);
}

// Cloth in the jet, by its stretch: the run's pictures are the scene's, and others than without.
TEST_F(CliReplayGrid, StretchOfCloth) {
  for (const int dimension : {2, 3}) {
    const auto sceneOf = [&](const std::string& view) {
      std::string text = jetScene(dimension, view);
      const std::size_t at = text.find(R"({"name": "ball")"), end = text.find("}],", at) + 1;
      text.replace(at, end - at,
                   R"({"name": "cloth", "kind": "cloth", "position": [0.5, 0.4, 0.5], "shape": {"sheet": {"size": [0.6, 0.5]}},
                "material": {"areal_density": 0.5, "youngs_modulus": 30, "thickness": 0.01}, "pins": [{"rim": true}]})");
      return text;
    };
    writeText(scene(), sceneOf(R"("fluid": "hidden", "stretch": true)"));
    expectSame();
    writeText(scene(), sceneOf(R"("fluid": "hidden")"));
    ASSERT_EQ(render("scene.json", (folder / "c") + " --fps 10").status, 0);
    EXPECT_NE(bytesOf("b")[2], bytesOf("c")[2]);
    for (const char* name : {"a", "b", "c", "run"}) std::filesystem::remove_all(folder / name);
  }
}

TEST_F(CliReplayGrid, AFrameThatIsDamagedIsNamed) {
  writeText(scene(), jetScene(3, ""));
  run("0.1");
  std::string bytes = readText(folder / "run/frames/grid-00001.vti");
  bytes[bytes.size() / 2] ^= 1;
  writeText(folder / "run/frames/grid-00001.vti", bytes);
  const Outcome o = render("run", (folder / "a") + " --fps 10");
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("grid-00001.vti"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("is damaged"), std::string::npos) << o.text;
}

#endif

}  // namespace
}  // namespace meniscus
