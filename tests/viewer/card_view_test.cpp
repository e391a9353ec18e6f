// A graphics card steps the scene, here the serial device in its place: particles are drawn from where it writes them.
#include <cmath>
#include <filesystem>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::opened;
using testing::Outcome;
using testing::readText;
using testing::rowsOf;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::writeText;

// The library with the plug-in beside it, as it is installed on a machine with a card. door: see plugin/calls_with_door.cpp.
Outcome viewOnCard(const TemporaryFolder& folder, const std::string& script, const std::string& door = "open",
                   const std::string& device = "cuda") {
  const std::string library = folder / MENISCUS_LIBRARY_NAME, plugin = folder / "meniscus_cuda.so";
  constexpr auto kOver = std::filesystem::copy_options::overwrite_existing;
  std::filesystem::copy_file(MENISCUS_LIBRARY, library, kOver);
  std::filesystem::copy_file(MENISCUS_CARD_PLUGIN, plugin, kOver);
  std::filesystem::remove_all(folder / "meniscus");  // settings of a run before
  return testing::view(folder, script, "--size 640x480 --device " + device, 1,
                       "LD_LIBRARY_PATH='" + folder.path() + "' MENISCUS_TEST_DOOR=" + door);
}

const std::string kPause = "\nwait frames 5\n";
const std::string kSteps = "key Right\nwait idle\nkey Right\nwait idle\nkey Right\nwait idle" + kPause + "expect steps 3\n";
const std::string kDrawnThere = "expect device it writes the particles where they are drawn from\n";

// Both looks, from all around and from a view that is found by the particles: the same as of positions that were copied. A device
// that writes elsewhere is noticed.
TEST(ViewerCardSlow, ParticlesAreDrawnFromWhereTheCardWritesThem) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const auto script = [&](const std::string& device, const std::string& picture) {
    return "whole pixels\n" + opened(folder) + device + kSteps + device + picture + (folder / "surface.png") + "\nkey v" + kPause +
           "key v" + kPause + "expect look spheres bright\n" + picture + (folder / "spheres.png") + "\norbit 60 20" + kPause +
           "key f\nwait seconds 1\n" + picture + (folder / "framed.png") + "\nexpect no error\n";
  };
  const std::string like = "expect view like ";
  holds(viewOnCard(folder,
                   script("expect device CUDA device 0; particles are copied, because the serial device shares no\n",
                          "expect view varied 20\nscreenshot "),
                   "closed"));
  holds(viewOnCard(folder, script(kDrawnThere, like)));
  const Outcome elsewhere = viewOnCard(folder, script(kDrawnThere, like), "scratch");
  EXPECT_EQ(elsewhere.status, 1) << elsewhere.text;
  EXPECT_NE(elsewhere.text.find("of the view is different"), std::string::npos) << elsewhere.text;
}

// Registrations end with their scene: another one, the same again, another device and back, a film, the end in the middle of it.
// OpenGL has nothing to say in either context.
TEST(ViewerCardSlow, ScenesAndDevicesFollowEachOther) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "other.json", tankScene(R"(, "gravity": [0, 0, -5])"));
  const std::string play = "key Space\nwait steps 5\nkey Space\nwait idle" + kPause,
                    menu = "click menu Simulation" + kPause + "click menu Device" + kPause;
  const std::string nothingNew = "wait frames 12\nwait frames 30\nexpect allocations 0\n";
  holds(viewOnCard(folder, opened(folder) + play + kDrawnThere + "key Space\nwait steps 3\n" + nothingNew + "key Space\nwait idle" +
                               kPause + "open " + (folder / "other.json") + "\nwait loaded\nwait frames 5\n" + play + kDrawnThere +
                               "key Ctrl+r\nwait loaded" + kPause + kDrawnThere + menu +
                               "click device CPU\nwait idle\nwait frames 5\nkey Escape" + kPause +
                               "expect device the scene runs on the CPU\nexpect time below 1e-9\n" + play + menu +
                               "click device CUDA\nwait idle\nwait frames 5\nkey Escape" + kPause + play + kDrawnThere + "set " +
                               folder.path() + "\nfilm png 1 6 160 90\nkey F9\nwait recorded 6\nexpect recorded 6\n" +
                               "key r\nwait idle" + kPause + kDrawnThere + "expect no error\nkey Space\nwait steps 3\n"));
}

// A device that cannot step the scene that is open is refused, with a reason: the scene goes on from where it was, on its device.
TEST(ViewerCardSlow, ADeviceThatRefusesTheSceneChangesNothing) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string scene = tankScene();
  scene.replace(scene.find("\"dt\""), 4, "\"pressure\": \"weakly-compressible\", \"dt\"");
  writeText(folder / "other.json", scene);
  const std::string onCpu = "expect device the scene runs on the CPU\n";
  holds(viewOnCard(folder,
                   "open " + (folder / "other.json") + "\nwait loaded\nwait frames 5\nexpect no error\n" + onCpu + kSteps +
                       "click menu Simulation" + kPause + "click menu Device" + kPause +
                       "click device CUDA\nwait notice does not step this pressure mode\nkey Escape" + kPause + onCpu +
                       "expect steps 3\nkey Right\nwait idle" + kPause + "expect steps 4\nexpect no error\n" + onCpu,
                   "open", "auto"));
}

// A card has no part in grids, and the menu says so.
TEST(ViewerCardSlow, AGridRunsOnTheCpu) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string file = std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/grid-jet-2d.json";
  holds(viewOnCard(folder,
                   "open " + file + "\nwait loaded\nwait frames 5\nexpect no error\nexpect device the scene runs on the CPU, " +
                       "because fluids on a grid do\n",
                   "open", "auto"));
}

// Positions come to the host for the energies, where these are looked at.
TEST(ViewerCardSlow, EnergiesAreThereWhereTheyAreLookedAt) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(viewOnCard(folder, opened(folder) + kSteps + "key p\nwait frames 5\nkey Right\nwait idle\nkey Right\nwait idle" + kPause +
                               kDrawnThere + "set " + folder.path() + "\nclick save csv" + kPause + "key Enter\nwait file " +
                               (folder / "tank.csv") + "\n"));
  const auto rows = rowsOf(readText(folder / "tank.csv"));
  ASSERT_GE(rows.size(), 6u);
  std::size_t kinetic = 0;
  while (rows[0][kinetic] != "kinetic energy [J]") ++kinetic;
  EXPECT_TRUE(std::isnan(std::stod(rows[1][kinetic])));
  EXPECT_GT(std::stod(rows[5][kinetic]), 0);
  EXPECT_LT(std::stod(rows[5][kinetic]), 0.1);
}

}  // namespace
}  // namespace meniscus
