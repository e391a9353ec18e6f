// What a grid method cannot take is refused by name, with its place and what to do.
#include <algorithm>
#include <cmath>

#include "tests/offline/scenes.h"
#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string mistakesOf(const std::string& text) { return formatAll(checkSceneText(text, "s.json", nullptr)); }

struct Case {
  const char *what, *with, *expected;
};

class OfflineMistake : public ::testing::TestWithParam<Case> {};

TEST_P(OfflineMistake, IsNamedWithItsPlace) {
  const std::string found = mistakesOf(replaced(testing::planeRoom(testing::planeCloth()), GetParam().what, GetParam().with));
  EXPECT_NE(found.find(GetParam().expected), std::string::npos) << "expected: " << GetParam().expected << "\nfound: " << found;
}

INSTANTIATE_TEST_SUITE_P(
    All, OfflineMistake,
    ::testing::Values(
        // the grid
        Case{"\"cells\": 20", "\"cels\": 20", "s.json:4:68: unknown key \"cels\" in grid; did you mean \"cells\"?"},
        Case{"\"cells\": 20", "\"cells\": 20, \"cell_size\": 0.05", "give \"cells\" or \"cell_size\", not both"},
        Case{"\"cells\": 20", "\"cfl\": 1", "s.json:4:51: the method \"xpm\" needs a \"grid\" with \"cells\" or \"cell_size\""},
        Case{"\"cells\": 20", "\"cells\": 17",
             "s.json:3:13: the domain is 1.5 m along z, which is 25.5 cells of 0.0588235 m; make it 1.5"},
        Case{"\"cells\": 20", "\"cells\": 0", "\"cells\" is 0, but must be in [1, 2147483647]"},
        Case{"\"dimension\": 2", "\"dimension\": 4", "\"dimension\" is 4, but must be in [2, 3]"},
        // the coupling
        Case{"\"cells\": 20}", "\"cells\": 20}, \"coupling\": {\"w0\": 1.5}", "s.json:4:101: \"w0\" is 1.5, but must be in (0, 1]"},
        Case{"\"cells\": 20}", "\"cells\": 20}, \"coupling\": {\"tolerence\": 1}", "did you mean \"tolerance\"?"},
        Case{"\"cells\": 20}", "\"cells\": 20}, \"coupling\": {\"preset\": \"papr\"}", "did you mean \"paper\"?"},
        Case{"\"cells\": 20}", "\"cells\": 20}, \"coupling\": {\"pressure_scale\": 2}",
             "\"pressure_scale\" does nothing beside \"load\": \"impulse\""},
        Case{"\"xpm\"", "\"direct\"", "must be one of: isph-pbd, partitioned, iqn-ils, xpm, monolithic"},
        Case{"\"method\": \"xpm\"", "\"method\": \"monolithic\", \"coupling\": {\"load\": \"force\"}",
             "the method \"monolithic\" takes impulses"},
        Case{
            "\"kind\": \"smoke\", \"density\": 1,\n              \"inflows\": [{\"side\": \"-z\", \"box\": {\"min\": [0.4, -1, 0], "
            "\"max\": [0.6, 1, 0]}, \"speed\": 0.5, \"smoke\": 1}]",
            "\"kind\": \"water\"", "fluid \"air\" has neither shapes nor inflows"},
        // what is of particles
        Case{"\"dt\": 0.05", "\"dt\": 0.05, \"xsph\": 0.1", "\"xsph\" does nothing in the method \"xpm\"; remove it"},
        Case{"\"kind\": \"smoke\"", "\"kind\": \"particles\", \"spacing\": 0.1",
             "fluid \"air\" is of particles, but the method \"xpm\" has a grid"},
        Case{"\"density\": 1", "\"density\": 1, \"spacing\": 0.1", "\"spacing\" does nothing in the method \"xpm\""},
        Case{"\"solids\":", "\"emitters\": [], \"solids\":",
             "\"emitters\" means nothing to the method \"xpm\": fluid flows in through \"inflows\""},
        Case{"\"solids\":", "\"drains\": [], \"solids\":", "\"drains\" means nothing to the method \"xpm\""},
        Case{"\"method\": \"xpm\"", "\"method\": \"isph-pbd\"", "\"grid\" is for the grid methods"},
        Case{"\"method\": \"xpm\"", "\"method\": \"isph-pbd\"", "\"kind\" is smoke, which needs a grid method"},
        Case{"\"method\": \"xpm\"", "\"method\": \"isph-pbd\"", "\"damping\" does nothing in the method \"isph-pbd\""},
        Case{"\"-z\", \"box\"", "\"-y\", \"box\"", "in two dimensions there are no sides -y and +y"},
        // solids
        Case{"\"kind\": \"cloth\"", "\"kind\": \"soft\"", "soft solids need dimension 3"},
        Case{"\"sheet\": {\"size\": [0.5, 1], \"resolution\": 0.0125}", "\"capsule\": {\"radius\": 0.1, \"height\": 0.1}",
             "in two dimensions a solid is a sphere, a cylinder about y, or a box or sheet"},
        Case{"\"position\": [0.5, 0, 0.615]", "\"position\": [0.5, 0, 0.615], \"rotation\": {\"axis\": [1, 0, 0], \"degrees\": 9}",
             "that is turned about y only"},
        Case{"\"youngs_modulus\": 30, \"thickness\": 0.035, \"poisson_ratio\": 0, ", "",
             "solid \"cloth\" needs \"youngs_modulus\" > 0 Pa and \"thickness\" > 0 m in the method \"xpm\""},
        Case{"\"damping\": 0.01", "\"damping\": 0.01, \"bend\": {\"compliance\": 1}", "\"bend\" is of the particles' constraints"},
        Case{"\"position\": [0.5, 0, 0.615]", "\"position\": [0.5, 0, 0.615], \"guide\": {}", "\"guide\" is for rigid solids only"},
        // what the plane has no room for
        Case{"\"gravity\": [0, 0, 0]", "\"gravity\": [0, 5, 0]",
             "s.json:2:34: \"gravity\" has the part 5 along y, but in two dimensions nothing moves along y"},
        Case{"\"density\": 1", "\"density\": 1, \"velocity\": [0, 1, 0]", "\"velocity\" has the part 1 along y"},
        Case{"\"density\": 1", "\"density\": 1, \"buoyancy\": [0, 1, 0]", "\"buoyancy\" has the part 1 along y"},
        Case{"\"name\": \"cloth\"", "\"name\": \"cloth\", \"velocity\": [1, -2, 0]", "\"velocity\" has the part -2 along y"},
        Case{"\"name\": \"cloth\"", "\"name\": \"cloth\", \"angular_velocity\": [1, 0, 0]",
             "\"angular_velocity\" is not about y, but in two dimensions nothing turns about another axis"},
        Case{"{\"rim\": true}", "{\"rim\": true, \"motion\": [{\"time\": 0}, {\"time\": 1, \"displacement\": [0, 1, 0]}]}",
             "\"motion\" has a displacement along y, or a rotation about another axis"},
        Case{"{\"rim\": true}",
             "{\"rim\": true, \"motion\": [{\"time\": 0}, {\"time\": 1, \"rotation\": {\"axis\": [1, 0, 0], \"degrees\": 700}}]}",
             "\"motion\" has a displacement along y, or a rotation about another axis"},
        // water
        Case{"\"kind\": \"smoke\"", "\"kind\": \"water\"", "s.json:3:13: the side +z is open, which water does not take"},
        Case{"\"kind\": \"smoke\", \"density\": 1", "\"kind\": \"water\", \"density\": 1, \"buoyancy\": [0, 0, 1]",
             "\"buoyancy\" is for fluids of kind \"smoke\"; remove it"},
        Case{"\"kind\": \"smoke\"", "\"kind\": \"water\"", "\"smoke\" is for fluids of kind \"smoke\"; remove it"},
        // runs without an end
        Case{"\"speed\": 0.5", "\"speed\": 1e9", "a fluid that starts or flows in at 1e+09 m/s takes 1.11e+10 steps of 0.9 cells"},
        Case{"\"density\": 1", "\"density\": 1, \"velocity\": [1e9, 0, 0]", "lower its speed"},
        // keys of other couplings
        Case{"\"cells\": 20}", "\"cells\": 20}, \"coupling\": {\"aitken\": true}",
             "s.json:4:95: \"aitken\" belongs to the method \"partitioned\", and means nothing in \"xpm\"; remove it"},
        Case{"\"method\": \"xpm\"", "\"method\": \"monolithic\", \"coupling\": {\"w0\": 0.2}",
             "\"w0\" belongs to the methods \"iqn-ils\" and \"xpm\", and means nothing in \"monolithic\""},
        Case{"\"method\": \"xpm\"", "\"method\": \"monolithic\", \"coupling\": {\"preset\": \"paper\"}", "\"preset\" belongs to"},
        Case{"\"method\": \"xpm\"", "\"method\": \"partitioned\", \"coupling\": {\"reuse\": 1}", "\"reuse\" belongs to"}));

// A guide that leads nothing is none.
TEST(OfflineRefusal, GuidesThatLeadNothing) {
  const auto guided = [](const char* guide) {
    return mistakesOf(testing::planeRoom(
        replaced(testing::planeBall(), "\"name\": \"ball\"", std::string("\"name\": \"ball\", \"guide\": ") + guide)));
  };
  EXPECT_NE(guided("{}").find("guide leads and drives nothing; give \"slide\", \"force\" or \"springs\""), std::string::npos);
  EXPECT_NE(guided("{\"springs\": []}").find("guide leads and drives nothing"), std::string::npos);
  EXPECT_NE(guided("{\"slide\": [0, 0, 0]}").find("\"slide\" has an axis of length zero"), std::string::npos);
  EXPECT_NE(guided("{\"force\": [0, 1, 0]}").find("\"force\" has the part 1 along y"), std::string::npos);
  EXPECT_EQ(guided("{\"force\": [1, 0, 0]}"), "");
}

// What shows only where the solids are made.
std::string buildError(const std::string& text) {
  Exec exec(1);
  const SceneDef scene = testing::offlineScene(text);
  return testing::errorOf([&] { testing::started(scene, exec); });
}

void expectRefused(const std::string& text, const std::string& expected) {
  const std::string found = buildError(text);
  EXPECT_NE(found.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << found;
}

TEST(OfflineRefusal, SolidsOutOfTheDomain) {
  const std::string cloth = testing::planeCloth();
  expectRefused(testing::planeRoom(replaced(cloth, "[0.5, 0, 0.615]", "[0.9, 0, 0.615]")),
                "s.json:7:14: solid \"cloth\": sticks out of the domain: along x its free nodes go from 0.6625 to 1.1375 m");
  expectRefused(testing::planeRoom(replaced(cloth, "\"size\": [0.5, 1]", "\"size\": [2, 1]")),
                "is larger than the domain: along x");
  expectRefused(testing::planeRoom(replaced(cloth, "\"resolution\": 0.0125", "\"resolution\": 1e-9")),
                "has more than 1e+06 of them; give its shape a larger \"resolution\"");
  expectRefused(testing::planeRoom(replaced(cloth, "[0.5, 0, 0.615]", "[0.5, 3, 0.615]")), "is not in the plane y = 0 m");
}

// What does not move may reach beyond the domain, but not lie beside it.
TEST(OfflineRefusal, StaticSolidsBesideTheDomain) {
  expectRefused(
      testing::planeRoom(R"([{"name": "lid", "kind": "static", "shape": {"sheet": {"size": [2, 1]}}, "position": [0.5, 0, 1.8]}])"),
      "s.json:7:14: solid \"lid\": is wholly outside of the domain: along z it goes from 1.8 to 1.8 m");
}

TEST(OfflineRefusal, WaterWhereThereIsNoRoomForIt) {
  std::string text = testing::planeRoom(testing::planeBall());
  text = replaced(text, ", \"walls\": [\"-x\", \"+x\", \"-z\"]", "");
  text =
      replaced(text, "\"kind\": \"smoke\", \"density\": 1",
               "\"kind\": \"water\", \"density\": 1, \"shapes\": [{\"sphere\": {\"radius\": 0.05}, \"position\": [0.52, 0, 0.6]}]");
  text = replaced(text, ", \"smoke\": 1", "");
  expectRefused(text, "no cell of the grid, whose edges are 0.05 m, has its centre in this shape beside solids");
}

TEST(OfflineRefusal, TheInsideOfWhatIsOpen) {
  expectRefused(testing::planeTank(testing::planeCloth(), "", R"([{"inside": "cloth"}])"),
                "solid \"cloth\" is open and has no inside; close it, or fill a box");
}

// One mistake, one message.
TEST(OfflineRefusal, NumbersThatCannotBeComputedWith) {
  const std::string found =
      mistakesOf(testing::planeRoom(replaced(testing::planeCloth(), "\"youngs_modulus\": 30", "\"youngs_modulus\": 1e20")));
  EXPECT_NE(found.find("\"youngs_modulus\" is 1e+20"), std::string::npos) << found;
  EXPECT_EQ(found.find("needs \"youngs_modulus\""), std::string::npos) << found;
}

TEST(OfflineRefusal, MassesThatThereAreNot) {
  EXPECT_NE(mistakesOf(testing::planeRoom(replaced(testing::planeBall(), "\"density\": 4", "\"density\": 0")))
                .find("\"density\" is 0, but must be > 0"),
            std::string::npos);
  EXPECT_NE(mistakesOf(testing::planeRoom(replaced(testing::planeCloth(), "\"areal_density\": 0.1, ", "")))
                .find("cloth needs \"areal_density\" > 0 kg/m^2"),
            std::string::npos);
}

TEST(OfflineRefusal, GridsThatNoMachineHolds) {
  expectRefused(replaced(testing::planeRoom("[]"), "\"dimension\": 2, \"cells\": 20", "\"cells\": 800"),
                "s.json:4:13: a grid of 7.68e+08 cells needs 384 GB, but the machine has");
}

TEST(OfflineRefusal, PinsAndInflowsThatHoldNothing) {
  expectRefused(testing::planeRoom(replaced(testing::planeCloth(), "[{\"rim\": true}]", "[{\"indices\": [400]}]")),
                "a pin names node 400, but there are 41");
  expectRefused(replaced(testing::planeRoom("[]"), "\"min\": [0.4, -1, 0], \"max\": [0.6, 1, 0]",
                         "\"min\": [0.41, -1, 0], \"max\": [0.42, 1, 0]"),
                "s.json:6:27: this inflow covers the centre of no face");
}

// Nothing lets the room grow that air flows into.
TEST(OfflineRefusal, ClosedRoomsWithInflow) {
  const std::string shut = "\"walls\": [\"-x\", \"+x\", \"-z\", \"+z\"]";
  const std::string open = "\"walls\": [\"-x\", \"+x\", \"-z\"]";
  expectRefused(replaced(testing::planeRoom("[]"), open, shut),
                "s.json:5:14: fluid \"air\": 0.1 m^2/s more flow into than out of a region");
  // a static lid over the fan shuts it too
  expectRefused(
      testing::planeRoom(R"([{"name": "lid", "kind": "static", "shape": {"sheet": {"size": [2, 1]}}, "position": [0.5, 0, 0.3]}])"),
      "a region that walls and solids enclose, none of which can make room");
}

// Nor the full tank, where balls move but make no room; with air over the water there is room.
TEST(OfflineRefusal, FullTanksWithInflow) {
  const std::string inflow =
      R"("density": 1000, "inflows": [{"side": "-x", "box": {"min": [0, -1, 0.1], "max": [0, 1, 0.4]}, "speed": 1}])";
  const std::string text = replaced(testing::planeTank(testing::planeBall(500)), "\"density\": 1000", inflow);
  expectRefused(replaced(text, "[1, 0.5, 0.61]", "[1, 0.5, 1]"),
                "s.json:5:14: fluid \"water\": 0.3 m^2/s more flow into than out of a region that walls and solids enclose");
  EXPECT_EQ(buildError(text), "");
}

// A tank that has filled while it ran: it ends by name, and nothing that flows in is lost in silence.
TEST(OfflineRefusal, TanksThatFill) {
  const std::string inflow =
      R"("density": 1000, "inflows": [{"side": "-x", "box": {"min": [0, -1, 0.1], "max": [0, 1, 0.4]}, "speed": 4}])";
  const std::string text =
      replaced(replaced(testing::planeTank("[]"), "\"density\": 1000", inflow), "[1, 0.5, 0.61]", "[1, 0.5, 0.9]");
  Exec exec(1);
  const auto run = offline::OfflineRun::build(testing::offlineScene(text), exec, nullptr);
  const double full = 0.95;  // m^2 of water of the tank's 1: one step fills less than the rest
  std::string said;
  try {
    for (int k = 0; k < 100; ++k) run->step(run->timeStep());
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::simulation);
    said = e.what();
  }
  EXPECT_NE(said.find("more flow into than out of a region that walls and solids enclose"), std::string::npos) << said;
  EXPECT_GT(run->water().volume, full);
  EXPECT_NEAR(run->water().volume, run->water().expected, 0.02);
}

// A piston that its key frames drive into water which fills all that there is beside it is told by its name; one that pushes air,
// or water with air over it, is not.
TEST(OfflineRefusal, APistonThatShutsWaterIn) {
  const std::string piston = R"([{"name": "piston", "kind": "kinematic", "shape": {"box": {"size": [0.3, 1, 1.4]}},
    "position": [0, 0, 0.5], "motion": [{"time": 0}, {"time": 0.1, "displacement": [0.05, 0, 0]}]}])";
  const std::string full = R"([{"box": {"min": [0, -0.5, 0], "max": [1, 0.5, 1]}}])";
  Exec exec(1);
  for (const char* method : {"xpm", "monolithic"}) {
    SceneDef scene = testing::offlineScene(testing::planeTank(piston, "", full));
    scene.solver.method = method;
    const auto run = testing::started(scene, exec);
    std::string said;
    try {
      run->step(0.01);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::simulation);
      said = e.what();
    }
    EXPECT_NE(said.find("solid \"piston\" moves into fluid that walls and solids enclose"), std::string::npos) << said;
    scene = testing::offlineScene(testing::planeTank(piston));
    scene.solver.method = method;
    const auto open = testing::started(scene, exec);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(open->step(0.01).converged()) << method;
  }
}

TEST(OfflineRefusal, SolidsThatLeaveNoRoomForWater) {
  const std::string box =
      R"([{"name": "block", "kind": "static", "shape": {"box": {"size": [SIZE, 1, SIZE]}}, "position": [0.5, 0, 0.5]}])";
  expectRefused(testing::planeTank(replaced(replaced(box, "SIZE", "3"), "SIZE", "3")),
                "s.json:6:14: solid \"block\" covers the whole domain");
  expectRefused(testing::planeTank(replaced(replaced(box, "SIZE", "0.97"), "SIZE", "0.97")), "covers the whole domain");
  expectRefused(testing::planeTank(replaced(replaced(replaced(box, "SIZE", "3"), "SIZE", "1.4"), "[0.5, 0, 0.5]", "[0.5, 0, 0.1]")),
                "has its centre in this shape");
  const std::string cube =
      R"([{"name": "block", "kind": "static", "shape": {"box": {"size": [3, 3, 3]}}, "position": [0.5, 0, 0.5]}])";
  std::string space = replaced(testing::planeTank(cube), "\"dimension\": 2, \"cells\": 20", "\"cells\": 5");
  expectRefused(space, "solid \"block\" covers the whole domain");
}

// Slower ones take more steps.
TEST(OfflineRefusal, KeyFramesThatNoRunCanFollow) {
  const std::string paddle = testing::planePaddle(), slow = "\"time\": 0.2", fast = "\"time\": 1e-12";
  expectRefused(testing::planeTank(replaced(paddle, slow, fast)), "solid \"paddle\": moves by its key frames, and at ");
  Exec exec(1);
  const SceneDef scene = testing::offlineScene(testing::planeTank(replaced(paddle, slow, "\"time\": 0.002")));
  const auto run = testing::started(scene, exec);
  // 0.1 m and half a radian of the farthest corner, 0.206 m off, in 2 ms; 0.9 cells of 0.05 m a step
  EXPECT_NEAR(run->timeStep(), 0.9 * 0.05 / ((0.1 + 0.5235988 * std::hypot(std::hypot(0.05, 0.2), 0.5)) / 0.002), 2e-4);
  EXPECT_LT(run->timeStep(), 1e-3);
}

TEST(OfflineRefusal, MeshesWithHolesWhereAVolumeIsNeeded) {
  const testing::TemporaryFolder folder;
  testing::writeText(folder / "open.off", "OFF\n4 3 0\n0 0 0\n0.2 0 0\n0 0.2 0\n0 0 0.2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
  for (const char* kind : {"rigid", "soft", "inflatable"}) {
    const std::string material = std::string(kind) == "inflatable"
                                     ? R"("areal_density": 1, "youngs_modulus": 1e3, "thickness": 0.01)"
                                 : std::string(kind) == "soft" ? R"("density": 5, "youngs_modulus": 1e3)"
                                                               : R"("density": 5)";
    const std::string solids = std::string("[{\"name\": \"thing\", \"kind\": \"") + kind +
                               "\", \"shape\": {\"mesh\": {\"file\": \"" + (folder / "open.off") +
                               "\"}}, \"position\": [0.4, 0, 0.6], \"material\": {" + material + "}}]";
    expectRefused(replaced(testing::planeRoom(solids), "\"dimension\": 2", "\"dimension\": 3"),
                  "the surface must enclose a volume, but has holes");
  }
}

TEST(OfflineScene, IsSavedToTheSameScene) {
  const std::string coupling =
      R"(, "coupling": {"preset": "paper", "tolerance": 0.01, "load": "force", "reuse": 2, "weights": "crossing", "p0_mode": "off"})";
  SceneDef first = testing::offlineScene(testing::planeRoom(testing::planeCloth(), coupling)), second;
  EXPECT_EQ(first.solver.coupling.w0, 1);
  EXPECT_EQ(first.solver.coupling.pressureScale, 2);
  EXPECT_EQ(first.solver.coupling.residual, CouplingResidual::successive);
  const std::string saved = saveScene(first);
  ASSERT_EQ(formatAll(checkSceneText(saved, "s.json", &second)), "");
  EXPECT_EQ(saveScene(second), saved);
  EXPECT_EQ(second.solver.coupling.w0, 1);
  EXPECT_EQ(second.solver.coupling.stepCap, 0);
  EXPECT_EQ(second.fluids[0].inflows[0].boxMax, (Vec3d{0.6, 1, 0}));
  EXPECT_EQ(second.solids[0].material.damping, 0.01);
}

// The command line may name another method than the scene was written for: what is saved is a scene of it.
TEST(OfflineScene, IsSavedToASceneOfItsMethod) {
  SceneDef scene =
      testing::offlineScene(testing::planeRoom(testing::planeCloth(), R"(, "coupling": {"w0": 0.2, "tolerance": 0.01})"));
  scene.solver.method = "partitioned";
  SceneDef second;
  ASSERT_EQ(formatAll(checkSceneText(saveScene(scene), "s.json", &second)), "");
  EXPECT_EQ(second.solver.coupling.tolerance, 0.01);
  EXPECT_EQ(second.solver.coupling.w0, CouplingDef{}.w0);
}

TEST(OfflineScene, GuidesAndWaterAreSavedToo) {
  const std::string text = R"({"meniscus": 1, "name": "tank", "domain": {"min": [0, 0, 0], "max": [1, 1, 1]},
    "solver": {"method": "xpm", "grid": {"cells": 10}},
    "fluids": [{"name": "water", "kind": "water", "shapes": [{"box": {"min": [0, 0, 0], "max": [1, 1, 0.5]}}]}],
    "solids": [{"name": "piston", "kind": "rigid", "shape": {"box": {"size": [1, 1, 0.1]}}, "position": [0.5, 0.5, 0.6],
                "guide": {"slide": [0, 0, 1], "force": [0, 0, -3], "springs": [{"point": [0, 0, 1], "anchor": [0, 0, 2], "stiffness": 4}]}}]})";
  const SceneDef first = testing::offlineScene(text);
  SceneDef second;
  ASSERT_EQ(formatAll(checkSceneText(saveScene(first), "s.json", &second)), "");
  EXPECT_EQ(saveScene(second), saveScene(first));
  EXPECT_EQ(second.fluids[0].kind, FluidKind::water);
  EXPECT_EQ(second.solids[0].guide.slide, (Vec3d{0, 0, 1}));
  ASSERT_EQ(second.solids[0].guide.springs.size(), 1u);
  EXPECT_EQ(second.solids[0].guide.springs[0].stiffness, 4);
}

}  // namespace
}  // namespace meniscus
