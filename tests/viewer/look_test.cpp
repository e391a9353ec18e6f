// How scenes look in the window: pixels of the view, and what a scene file says of them.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::opened;
using testing::Outcome;
using testing::readText;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::view;
using testing::writeText;

TEST(ViewerPixelsSlow, SpheresShowTheFluidAndHiddenDoesNot) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  // half of the tank is water, the tank fills much of the view; lit water is blue to that tolerance, grey and orange are not
  const std::string blue = "view colour 50 120 190 45", look = "click tab Look\nwait frames 3\n";
  holds(
      view(folder, opened(folder) + look + "click look Spheres\nwait frames 5\nexpect " + blue + " 0.02\nexpect view varied 30\n"));
  const Outcome hidden = view(folder, opened(folder) + look + "click look Hidden\nwait frames 5\nexpect " + blue + " 0.005\n");
  EXPECT_EQ(hidden.status, 1);
  EXPECT_NE(hidden.text.find("of the view has this colour"), std::string::npos) << hidden.text;
}

// What a scene says holds as long as it is open; what the user has chosen comes back after it.
TEST(ViewerLookSlow, ASceneIsShownAsItSaysAndSavedAsItIsShown) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "seen.json", tankScene(R"(, "output": {"view": {"colour": "vorticity", "stretch": true, "sky": true,
            "fluid": "spheres", "dark": true, "camera": [{"eye": [0.05, -0.3, 0.1], "target": [0.05, 0.03, 0.05]}]}})"));
  const std::string tank = "open " + (folder / "tank.json") + "\nwait loaded\nwait frames 5\n";
  holds(view(folder, opened(folder) + "expect colours none none\nexpect look surface bright\nopen " + (folder / "seen.json") +
                         "\nwait loaded\nwait frames 5\nexpect colours vorticity stretch\nexpect eye 0.05 -0.3 0.1\n"
                         "expect look spheres dark\n"
                         "orbit 40 0\nwait frames 3\nkey Ctrl+S\nwait frames 5\nkey Enter\nwait file " +
                         (folder / "seen-changed.json") + "\nwait idle\nexpect no error\n" + tank +
                         "expect look surface bright\nexpect colours none none\n"));
  // and from one start to the next
  holds(view(folder, tank + "expect look surface bright\n"));
  const auto saved = nlohmann::json::parse(readText(folder / "seen-changed.json"))["output"]["view"];
  EXPECT_EQ(saved["colour"], "vorticity") << saved;
  EXPECT_EQ(saved["fluid"], "spheres") << saved;
  EXPECT_EQ(saved["stretch"], true) << saved;
  EXPECT_EQ(saved["sky"], true) << saved;
  EXPECT_EQ(saved["dark"], true) << saved;
  ASSERT_EQ(saved["camera"].size(), 1u) << saved;
  // turned about the target by the drag, at the same height
  EXPECT_GT(std::abs(double(saved["camera"][0]["eye"][0]) - 0.05), 0.01) << saved;
  EXPECT_NEAR(double(saved["camera"][0]["eye"][2]), 0.1, 1e-5) << saved;
}

// Both lists open and are chosen from, though headings of the same panel have the same names; the headings stay open.
// A path of cameras is gone along, in the window and in its films, until the camera is moved by hand: the film is that of `render`.
TEST(ViewerLookSlow, TheCameraGoesAlongTheScenesPath) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "tank.json", tankScene(R"(, "output": {"view": {"fluid": "spheres", "camera": [
              {"time": 0, "eye": [0.4, -0.1, 0.2], "target": [0.05, 0.03, 0.05]},
              {"time": 0.02, "eye": [0.1, -0.5, 0.1], "target": [0.05, 0.03, 0.05]}]}})"));
  holds(
      view(folder, "open " + (folder / "tank.json") +
                       "\nwait loaded\nwait frames 5\nexpect no error\nexpect eye 0.4 -0.1 0.2\nset " + folder.path() +
                       "\nfilm png 1 12 160 90\nkey F9\nwait recorded 12\nwait frames 3\nexpect eye 0.1 -0.5 0.1\n"
                       "orbit 90 10\nwait frames 3\nexpect notice no longer goes along\nremember\nkey r\nwait idle\nwait frames 3\n"
                       "expect camera same\nclick menu View\nwait frames 3\nclick menu Along the scene's path\nwait frames 3\n"
                       "expect eye 0.4 -0.1 0.2\n"));
  const Outcome render = testing::meniscus("render '" + (folder / "tank.json") +
                                           "' --quiet --fps 500 --duration 0.024 --size 160x90 --out '" + (folder / "drawn") + "'");
  if (render.status == 4) GTEST_SKIP() << render.text;
  for (const char* number : {"00001", "00006", "00012"})
    EXPECT_TRUE(readText(folder / (std::string("tank-0001/frame-") + number + ".png")) ==
                readText(folder / (std::string("drawn/frame-") + number + ".png")))
        << number;
}

TEST(ViewerLookSlow, WhatColoursIsChosenFromLists) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string pause = "\nwait frames 4\n";
  holds(view(folder,
             opened(folder) + "click tab Look" + pause + "click combo Fluid" + pause + "click choose Pressure" + pause +
                 "expect colours pressure none\nclick combo Bodies" + pause + "click choose Speed" + pause +
                 "expect colours pressure speed\nclick look Spheres" + pause + "expect look spheres bright\n",
             "--size 900x700"));
}

// The range is the fluid's: without its colours there is none to choose.
TEST(ViewerLookSlow, TheRangeIsThereForTheFluidsColours) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string pause = "\nwait frames 4\n";
  holds(view(folder,
             opened(folder) + "click tab Look" + pause + "expect unseen range\nclick combo Bodies" + pause + "click choose Speed" +
                 pause + "expect unseen range\nexpect seen combo Map\nclick combo Fluid" + pause + "click choose Speed" + pause +
                 "expect seen range\n",
             "--size 900x700"));
}

// A cloth seen from above, and the switch "Edges" pressed or not.
Outcome edges(const std::string& press, const std::string& expected) {
  const TemporaryFolder folder;
  writeText(folder / "cloth.json", R"({"meniscus": 1, "name": "cloth", "duration": 0.04,
    "domain": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.1]}, "solver": {"dt": 0.002},
    "solids": [{"name": "sheet", "kind": "cloth", "shape": {"sheet": {"size": [0.16, 0.16], "resolution": 0.02}},
                "position": [0.1, 0.1, 0.05], "material": {"areal_density": 0.2, "stretch": {"compliance": 1e-4}}}],
    "output": {"view": {"camera": [{"eye": [0.1, 0.05, 0.4], "target": [0.1, 0.1, 0.05]}]}}})");
  return view(folder, "open " + (folder / "cloth.json") +
                          "\nwait loaded\nwait frames 5\nclick tab Look\nwait frames 5\nremember\n" + press + "wait frames 5\n" +
                          expected);
}

// Constraints are lines in the colours of their classes: the first two of the palette are seen, and nothing of them without the
// switch, which must then be noticed.
TEST(ViewerPixelsSlow, EdgesAreDrawnWhereTheyAreSwitchedOn) {
  MENISCUS_NEEDS_DISPLAY();
  const std::string orange = "expect view colour 255 128 13 40 0.002\n", lines = "expect view changed 0.01\n";
  holds(edges("click check Edges\n", lines + orange));
  const Outcome off = edges("", lines);
  EXPECT_EQ(off.status, 1);
  EXPECT_NE(off.text.find("of the view has changed"), std::string::npos) << off.text;
  EXPECT_EQ(edges("", orange).status, 1);
  holds(edges("click check Edges\nwait frames 5\nclick check Edges\n", "expect view same\n"));
}

// Names of curves where there are no steps yet, and thus no curves: the first are there also where there is no room for all.
TEST(ViewerPlotsSlow, TheFirstCurveIsNamed) {
  MENISCUS_NEEDS_DISPLAY();
  const std::string blue = "expect item colour 86 156 230 60 0.0005 plot ";
  for (const char* size : {"--size 900x600", "--size 1280x800"}) {
    const TemporaryFolder folder;
    holds(view(folder, opened(folder) + "key p\nwait frames 5\n" + blue + "Iterations\n", size));
    // with one curve the title is its name
    EXPECT_EQ(view(folder, opened(folder) + "key p\nwait frames 5\n" + blue + "Volume change\n", size).status, 1);
  }
}

// The line around what is selected is orange; the ball is rust, the water blue.
TEST(ViewerPixelsSlow, TheSelectedBodyHasAnOutline) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string line = "expect view colour 255 158 38 12 0.001\n";
  const std::string body = "whole pixels\nclick tab Body\nwait frames 3\n";  // also on a machine that is busy
  holds(view(folder, opened(folder) + body + "click body ball\nwait frames 5\nexpect selected ball\n" + line));
  EXPECT_EQ(view(folder, opened(folder) + body + line).status, 1);
}

TEST(ViewerDriverSlow, AnErrorOfOpenGlEndsAScript) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const Outcome o = view(folder, "wait frames 3\ngl error\nwait frames 3\n");
  EXPECT_EQ(o.status, 1) << o.text;
  EXPECT_NE(o.text.find("OpenGL: GL_INVALID_ENUM"), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
