// Solids of grid scenes touch one another and the walls, in every method, with the same bits.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using offline::OfflineRun;

// Two discs over one another, the heavier on top, that fall on the floor of a room of air.
SceneDef fallingDiscs(const char* method, const char* tolerance = "1e-3") {
  const auto disc = [](const char* name, double x, double z, double density) {
    return std::string(R"({"name": ")") + name + R"(", "kind": "rigid", "shape": {"sphere": {"radius": 0.121}}, "position": [)" +
           std::to_string(x) + ", 0, " + std::to_string(z) +
           R"(], "velocity": [0, 0, -0.5], "material": {"friction": 0.3, "density": )" + std::to_string(density) + "}}";
  };
  SceneDef scene = testing::offlineScene(
      testing::planeRoom("[" + disc("low", 0.5, 0.15, 4) + ", " + disc("high", 0.51, 0.42, 8) + "]",
                         std::string(R"(, "coupling": {"max_iterations": 60, "tolerance": )") + tolerance + "}"));
  scene.gravity = {0, 0, -1};
  scene.fluids[0].inflows.clear();
  scene.solver.method = method;
  return scene;
}

TEST(OfflineContact, DiscsComeToRestOnTheFloorAndOnOneAnother) {
  Exec exec(2);
  const auto run = testing::started(fallingDiscs("xpm"), exec);
  int touching = 0;
  for (int k = 0; k < 40; ++k) {
    const offline::StepReport step = run->step(0.02);
    EXPECT_TRUE(step.converged()) << k << ' ' << step.coupling.text() << ' ' << step.contacts.error;
    touching += step.contacts.contacts > 0;
    double lowest = 1, between = 1;
    const offline::SolidFields f = run->solidFields();
    for (std::size_t i = 0; i < f.x.size(); ++i) {
      lowest = std::min(lowest, double(f.x[i].z));
      if (f.body[i] == 1) between = std::min(between, norm(Vec3d(f.x[i]) - run->solids()[0].x));
    }
    EXPECT_GT(lowest, 0.04 * 0.05) << k;
    EXPECT_GT(between, 0.115) << k;  // the chord of an edge is nearer to the middle than its ends
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(run->solids()[0].x.z, 0.13);
  // the floor's impulses are counted among what the solids took up
  EXPECT_GE(run->momentumError(), 0);
  EXPECT_LT(run->momentumError(), 1e-12);
}

// With contacts, too, the two ways lead to one end.
TEST(OfflineContact, XpmEndsWhereTheMonolithicStepDoes) {
  Exec exec(2);
  const auto one = testing::started(fallingDiscs("xpm", "1e-5"), exec),
             two = testing::started(fallingDiscs("monolithic", "1e-5"), exec);
  int touching = 0;
  for (int k = 0; k < 12; ++k) {
    const offline::StepReport a = one->step(0.02), b = two->step(0.02);
    EXPECT_TRUE(a.converged()) << k << ' ' << a.coupling.text();
    EXPECT_TRUE(b.converged()) << k << ' ' << b.coupling.text();
    touching += b.contacts.contacts > 0;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(norm(one->solids()[i].x - two->solids()[i].x), 2e-3 * 0.05) << k << ' ' << i;
  }
  EXPECT_GT(touching, 3);
}

TEST(OfflineContact, ThreadsAndAResumedStateGiveTheSameBits) {
  Exec exec(1), more(2);
  const SceneDef scene = fallingDiscs("xpm");
  const auto one = testing::started(scene, exec), two = testing::started(scene, more);
  OfflineRun::State kept;
  for (int k = 0; k < 14; ++k) {
    if (k == 8) kept = one->state();
    const offline::StepReport a = one->step(0.02);
    two->step(0.02);
    if (k == 8) { EXPECT_GT(a.contacts.contacts, 0); }
  }
  EXPECT_EQ(one->hash(), two->hash());
  const auto resumed = testing::started(scene, exec);
  resumed->setState(kept);
  for (int k = 8; k < 14; ++k) resumed->step(0.02);
  EXPECT_EQ(one->hash(), resumed->hash());
}

// The boat carries both balls, and the end with the heavy one is the lower.
TEST(OfflineContact, ABoatCarriesTwoBalls) {
  Exec exec(2);
  for (const char* method : {"xpm", "monolithic"}) {
    SceneDef scene = testing::assetScene("grid-boat");
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    int touching = 0;
    for (int k = 0; k < 15; ++k) {
      const offline::StepReport step = run->step(0.01);
      EXPECT_TRUE(step.converged()) << method << ' ' << k << ' ' << step.coupling.text();
      touching += step.contacts.contacts > 0;
    }
    const std::vector<offline::SolidReport> all = run->solids();
    EXPECT_GT(touching, 3) << method;
    for (std::size_t ball : {1, 2}) EXPECT_GT(all[ball].x.z - all[0].x.z, 0.05) << method;  // above its bottom
    EXPECT_LT(all[2].x.z, all[1].x.z) << method;
    EXPECT_GE(run->momentumError(), 0) << method;
    EXPECT_LT(run->momentumError(), 1e-12) << method;
  }
}

// A room of 1 m^3 of air in space, with ten cells along each side.
std::string spaceRoom(const std::string& solids, const char* method = "xpm") {
  return std::string(R"({
  "meniscus": 1, "name": "room", "gravity": [0, 0, -1], "duration": 0.5,
  "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "walls": ["-x", "+x", "-y", "+y", "-z"]},
  "solver": {"method": ")") +
         method + R"(", "dt": 0.02, "grid": {"cells": 10}, "coupling": {"max_iterations": 60, "tolerance": 1e-5}},
  "fluids": [{"name": "air", "kind": "smoke", "density": 1}],
  "solids": [)" +
         solids + "]}";
}

// A bar falls across another one, which is fixed, and only its middle nodes are before that one's face: in every method it stays
// on it, by its edges.
TEST(OfflineContact, BarsThatCrossEndWhereTheMonolithicStepDoes) {
  Exec exec(2);
  const auto scene = [](const char* method) {
    const auto bar = [](const char* name, const char* kind, const char* size, double z, const char* more) {
      return std::string(R"({"name": ")") + name + R"(", "kind": ")" + kind + R"(", "shape": {"box": {"size": )" + size +
             R"(, "resolution": 0.14}}, "position": [0.51, 0.49, )" + std::to_string(z) + R"(], "material": {"friction": 0.3)" +
             more + "}}";
    };
    return testing::offlineScene(spaceRoom(bar("low", "static", "[0.8, 0.1, 0.1]", 0.4, "") + ", " +
                                               bar("high", "rigid", "[0.1, 0.8, 0.1]", 0.515, R"(, "density": 8)"),
                                           method));
  };
  const auto one = testing::started(scene("xpm"), exec), two = testing::started(scene("monolithic"), exec);
  int touching = 0;
  for (int k = 0; k < 25; ++k) {
    const offline::StepReport a = one->step(0.02), b = two->step(0.02);
    EXPECT_TRUE(a.converged()) << k << ' ' << a.coupling.text();
    EXPECT_TRUE(b.converged()) << k << ' ' << b.coupling.text();
    touching += b.contacts.contacts > 0;
    EXPECT_LT(norm(one->solids()[1].x - two->solids()[1].x), 2e-3 * 0.1) << k;
    EXPECT_GT(one->solids()[1].x.z, 0.5 + 0.048 * 0.1) << k;
  }
  EXPECT_GT(touching, 10);
}

std::string refusalOf(const std::string& text) {
  Exec exec(1);
  try {
    testing::started(testing::offlineScene(text), exec);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    return e.what();
  }
  return "";
}
void expectIn(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& p : parts) EXPECT_NE(text.find(p), std::string::npos) << "no \"" << p << "\" in: " << text;
}

// Sheets that cross one another, and one that crosses itself, have no side to be on.
TEST(OfflineContact, ClothsThatCrossAtTheStartAreRefusedByName) {
  const auto cloth = [](const char* name, const char* at, const char* rotation) {
    return std::string(R"({"name": ")") + name + R"(", "kind": "cloth", "shape": {"sheet": {"size": [0.4, 0.4], "resolution": 0.1}},
      "material": {"areal_density": 1, "youngs_modulus": 1e4, "thickness": 0.001}, "position": )" +
           at + rotation + "}";
  };
  const char* upright = R"(, "rotation": {"axis": [1, 0, 0], "degrees": 90})";
  expectIn(refusalOf(spaceRoom(cloth("flat", "[0.5, 0.5, 0.5]", "") + ", " + cloth("upright", "[0.53, 0.52, 0.53]", upright))),
           {"\"upright\"", "crosses solid \"flat\" at the start", "by 0.0"});
  EXPECT_EQ(refusalOf(spaceRoom(cloth("flat", "[0.5, 0.5, 0.5]", "") + ", " + cloth("upright", "[0.53, 0.52, 0.72]", upright))),
            "");
}

// Through nodes and along lines of both no edge of one passes through an element of the other; nor in one place.
TEST(OfflineContact, ClothsThatCrossThroughNodesAndThoseInOnePlaceAreRefusedByName) {
  const auto cloth = [](const char* name, const char* at, const char* rotation = "", const char* size = "[0.4, 0.4]") {
    return std::string(R"({"name": ")") + name + R"(", "kind": "cloth", "shape": {"sheet": {"resolution": 0.1, "size": )" + size +
           R"(}}, "material": {"areal_density": 1, "youngs_modulus": 1e4, "thickness": 0.001}, "position": )" + at + rotation + "}";
  };
  const char *upright = R"(, "rotation": {"axis": [1, 0, 0], "degrees": 90})",
             *turned = R"(, "rotation": {"axis": [0, 0, 1], "degrees": 30})";
  const std::string flat = cloth("flat", "[0.5, 0.5, 0.5]") + ", ";
  const auto inPlane = [&](const std::string& other) {
    return refusalOf(testing::planeRoom("[" + cloth("flat", "[0.5, 0, 0.5]", "", "[0.4, 1]") + ", " + other + "]"));
  };
  const std::vector<std::string> crosses = {"\"b\"", "crosses solid \"flat\" at the start", "by 0.1 m", "move one of them"},
                                 lies = {"\"b\"", "lies in one place with solid \"flat\" at the start", "move one of them"};
  expectIn(refusalOf(spaceRoom(flat + cloth("b", "[0.5, 0.5, 0.5]", upright))), crosses);
  expectIn(refusalOf(spaceRoom(flat + cloth("b", "[0.5, 0.5, 0.5]"))), lies);
  expectIn(refusalOf(spaceRoom(flat + cloth("b", "[0.52, 0.53, 0.5]", turned, "[0.6, 0.5]"))), lies);
  expectIn(inPlane(cloth("b", "[0.5, 0, 0.5]", R"(, "rotation": {"axis": [0, 1, 0], "degrees": 90})", "[0.4, 1]")), crosses);
  expectIn(inPlane(cloth("b", "[0.55, 0, 0.5]", "", "[0.4, 1]")), lies);
  // beside one another, rim to rim, and one over the other
  EXPECT_EQ(refusalOf(spaceRoom(flat + cloth("b", "[0.5, 0.8, 0.5]", "", "[0.4, 0.2]"))), "");
  EXPECT_EQ(refusalOf(spaceRoom(flat + cloth("b", "[0.5, 0.5, 0.51]"))), "");
  EXPECT_EQ(inPlane(cloth("b", "[0.8, 0, 0.5]", "", "[0.2, 1]")), "");
}

// Folded flat on itself, in space by a mesh and in the plane likewise; bent, it is not.
TEST(OfflineContact, AClothFoldedFlatIsRefusedByName) {
  const testing::TemporaryFolder folder;
  const auto folded = [&](double up) {
    // two rows of four squares, the second one folded back over the first one
    std::string off = "OFF\n15 16 0\n";
    const double y[3] = {0.3, 0.5, 0.31}, z[3] = {0.5, 0.5, 0.5 + up};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 5; ++i)
        off += std::to_string(0.3 + 0.1 * i) + " " + std::to_string(y[j]) + " " + std::to_string(z[j]) + "\n";
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i) {
        const int a = 5 * j + i;
        for (const std::array<int, 3>& t : {std::array<int, 3>{a, a + 1, a + 6}, {a, a + 6, a + 5}})
          off += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + "\n";
      }
    testing::writeText(folder / "folded.off", off);
    return refusalOf(spaceRoom(R"({"name": "sheet", "kind": "cloth", "shape": {"mesh": {"file": ")" + (folder / "folded.off") +
                               R"("}}, "material": {"areal_density": 1, "youngs_modulus": 1e4, "thickness": 0.001}})"));
  };
  expectIn(folded(0), {"\"sheet\"", "lies in one place with itself at the start", "lay it without folds"});
  EXPECT_EQ(folded(0.05), "");
}

// By a node of one in the other, and by edges that pass through it.
TEST(OfflineContact, SolidsThatOverlapAtTheStartAreRefusedByName) {
  const char* ball = R"({"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.2}}, "position": [0.5, 0.5, 0.5]})";
  const auto box = [](const char* name, const char* kind, const char* size, const char* at) {
    return std::string(R"({"name": ")") + name + R"(", "kind": ")" + kind + R"(", "shape": {"box": {"size": )" + size +
           R"(}}, "position": )" + at + "}";
  };
  const std::string deep = refusalOf(spaceRoom(ball + (", " + box("block", "static", "[0.2, 0.2, 0.2]", "[0.5, 0.5, 0.75]"))));
  expectIn(deep, {"s.json:", "\"block\"", "overlaps solid \"ball\"", "0.046", "move one of them"});
  expectIn(refusalOf(spaceRoom(box("one", "rigid", "[0.8, 0.1, 0.1]", "[0.5, 0.5, 0.5]") + ", " +
                               box("two", "static", "[0.1, 0.8, 0.1]", "[0.5, 0.5, 0.52]"))),
           {"\"two\"", "overlaps solid \"one\"", "cells"});
  expectIn(refusalOf(testing::planeRoom("[" + box("one", "rigid", "[0.6, 1, 0.1]", "[0.5, 0, 0.5]") + ", " +
                                        box("two", "rigid", "[0.1, 1, 0.6]", "[0.5, 0, 0.5]") + "]")),
           {"\"two\"", "overlaps solid \"one\"", "cells"});
  expectIn(refusalOf(spaceRoom(box("low", "static", "[0.4, 0.4, 0.2]", "[0.5, 0.5, 0.3]") + ", " +
                               box("high", "rigid", "[0.2, 0.2, 0.2]", "[0.47, 0.52, 0.4995]"))),
           {"\"high\"", "overlaps solid \"low\"", "0.005 cells"});
  // in one and the same place, and with faces in one plane: no node is in the other, and no edge passes through it
  const std::string cube = "[0.2, 0.2, 0.2]", middle = "[0.5, 0.5, 0.5]";
  expectIn(refusalOf(spaceRoom(box("one", "rigid", cube.c_str(), middle.c_str()) + ", " +
                               box("two", "static", cube.c_str(), middle.c_str()))),
           {"\"two\"", "overlaps solid \"one\"", "by 0.2 m"});
  expectIn(refusalOf(spaceRoom(box("one", "rigid", cube.c_str(), middle.c_str()) + ", " +
                               box("two", "rigid", cube.c_str(), "[0.62, 0.5, 0.5]"))),
           {"\"two\"", "overlaps solid \"one\"", "by 0.08 m"});
  expectIn(refusalOf(testing::planeRoom("[" + box("one", "rigid", cube.c_str(), "[0.5, 0, 0.5]") + ", " +
                                        box("two", "rigid", cube.c_str(), "[0.5, 0, 0.5]") + "]")),
           {"\"two\"", "overlaps solid \"one\"", "by 0.2 m"});
  // what does not move may overlap, and what touches does not
  EXPECT_EQ(refusalOf(spaceRoom(box("one", "static", "[0.2, 0.2, 0.2]", "[0.5, 0.5, 0.5]") + ", " +
                                box("two", "static", "[0.2, 0.2, 0.2]", "[0.5, 0.5, 0.6]") + ", " +
                                box("three", "rigid", "[0.2, 0.2, 0.2]", "[0.5, 0.5, 0.8]"))),
            "");
}

// Whatever their nodes are, round solids have the volume of the shape that the scene asks for.
TEST(OfflineContact, RoundSolidsHaveTheMassOfTheirShape) {
  Exec exec(1);
  const double pi = std::acos(-1.0);
  const auto massOf = [&](const std::string& shape) {
    return testing::started(testing::offlineScene(spaceRoom(R"({"name": "it", "kind": "rigid", "shape": {)" + shape +
                                                            R"(}, "position": [0.5, 0.5, 0.5], "material": {"density": 3}})")),
                            exec)
        ->solids()[0]
        .mass;
  };
  for (const char* resolution : {"", R"(, "resolution": 0.1)", R"(, "resolution": 0.03)"}) {
    const std::string more = resolution;
    EXPECT_NEAR(massOf(R"("sphere": {"radius": 0.1)" + more + "}"), 4 * pi * 1e-3, 1e-9) << more;
    EXPECT_NEAR(massOf(R"("cylinder": {"radius": 0.1, "height": 0.3)" + more + "}"), 9 * pi * 1e-3, 1e-9) << more;
    EXPECT_NEAR(massOf(R"("capsule": {"radius": 0.1, "height": 0.3)" + more + "}"), 9 * pi * 1e-3 + 4 * pi * 1e-3, 1e-9) << more;
  }
  const auto disc = testing::started(testing::offlineScene(testing::planeRoom(testing::planeBall(4))), exec);
  EXPECT_NEAR(disc->solids()[0].mass, 4 * pi * 0.12 * 0.12, 1e-9);
}

// A ball on the ground, two that touch, and a free one: only the last one's nodes may stand out of its shape.
TEST(OfflineContact, RoundSolidsThatTouchSomethingAtTheStartStayWithinTheirShapes) {
  Exec exec(1);
  const auto ball = [](const char* name, const char* at) {
    return std::string(R"({"name": ")") + name + R"(", "kind": "rigid", "shape": {"sphere": {"radius": 0.1}}, "position": )" + at +
           "}";
  };
  const SceneDef scene =
      testing::offlineScene(spaceRoom(ball("ground", "[0.2, 0.2, 0.1]") + ", " + ball("left", "[0.4, 0.5, 0.6]") + ", " +
                                      ball("right", "[0.6, 0.5, 0.6]") + ", " + ball("free", "[0.8, 0.2, 0.8]")));
  std::vector<std::string> notes;
  const auto run = offline::OfflineRun::build(scene, exec, &notes);
  ASSERT_EQ(notes.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = "\"" + run->solids()[k].name + "\"";
    EXPECT_EQ(std::count_if(notes.begin(), notes.end(), [&](const std::string& n) { return n.find(name) != std::string::npos; }), 1)
        << name;
  }
  expectIn(notes[0], {"touches something at the start", "of its volume", "resolution"});
  EXPECT_TRUE(run->step(0.01).converged());
}

std::string boxOf(const char* name, const char* kind, const char* size, const char* at) {
  return std::string(R"({"name": ")") + name + R"(", "kind": ")" + kind + R"(", "shape": {"box": {"size": )" + size +
         R"(}}, "position": )" + at + (std::string(kind) == "rigid" ? R"(, "material": {"density": 2000}})" : "}");
}

// A box's nodes in the plane of a cloth have no side by their distance: the cloth stays outside of the box that it starts on.
TEST(OfflineContact, AClothThatStartsOnAFaceStaysOnItSlow) {
  Exec exec(2);
  for (const char* kind : {"static", "rigid"}) {
    const std::string cloth = R"({"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.4, 0.3], "resolution": 0.1}},
      "position": [0.5, 0.25, 0.2], "material": {"areal_density": 5, "youngs_modulus": 1e5, "thickness": 0.001}})";
    SceneDef scene = testing::offlineScene(spaceRoom(cloth + ", " + boxOf("box", kind, "[0.2, 0.2, 0.2]", "[0.5, 0.25, 0.1]")));
    scene.gravity = {0, 0, -9.81};
    const auto run = testing::started(scene, exec);
    for (int k = 0; k < 20; ++k) {
      const offline::StepReport step = run->step(0.01);
      EXPECT_TRUE(step.contacts.converged) << kind << ' ' << k << ' ' << step.contacts.error;
    }
    const offline::SolidFields f = run->solidFields();
    int over = 0;
    for (std::size_t i = 0; i < f.x.size(); ++i) {
      if (f.body[i] != 0 || std::fabs(f.x[i].x - 0.5f) > 0.09f || std::fabs(f.x[i].y - 0.25f) > 0.09f) continue;
      ++over;
      EXPECT_GT(f.x[i].z, 0.2f) << kind;
    }
    EXPECT_GT(over, 0) << kind;
  }
}

// As wide as the room, the two of them as wide as it, and as high as the gap between two plates: the thickness fits on neither
// side, and they stay between its sides.
TEST(OfflineContact, SolidsAsWideAsWhatTheyAreInStayBetweenItsSides) {
  Exec exec(2);
  const std::string one = boxOf("a", "rigid", "[1, 1, 0.2]", "[0.5, 0, 0.8]"),
                    two = boxOf("a", "rigid", "[0.5, 1, 0.2]", "[0.25, 0, 0.8]") + ", " +
                          boxOf("b", "rigid", "[0.5, 1, 0.2]", "[0.75, 0, 0.8]"),
                    plates = boxOf("a", "rigid", "[0.2, 1, 0.2]", "[0.5, 0, 0.4]") + ", " +
                             boxOf("low", "static", "[0.4, 1.2, 0.1]", "[0.5, 0, 0.25]") + ", " +
                             boxOf("high", "static", "[0.4, 1.2, 0.1]", "[0.5, 0, 0.55]");
  for (const std::string& solids : {one, two, plates}) {
    const auto run = testing::started(testing::offlineScene(testing::planeTank("[" + solids + "]")), exec);
    const std::vector<offline::SolidReport> start = run->solids();
    for (int k = 0; k < 10; ++k) {
      const offline::StepReport step = run->step(0.01);
      EXPECT_TRUE(step.converged()) << solids << ' ' << k << ' ' << step.coupling.text() << ' ' << step.contacts.error;
    }
    for (std::size_t b = 0; b < start.size(); ++b) {
      const Vec3d moved = run->solids()[b].x - start[b].x;
      EXPECT_LT(std::fabs(solids == plates ? moved.z : moved.x), 2e-3 * 0.05) << solids;
    }
  }
}

}  // namespace
}  // namespace meniscus
