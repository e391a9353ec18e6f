// Scenes on a grid in the window.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::Outcome;
using testing::readText;
using testing::TemporaryFolder;
using testing::view;

// A copy, beside which a changed one may be written.
std::string openCopy(const TemporaryFolder& folder, const std::string& name) {
  const std::string copy = folder / (name + ".json");
  std::filesystem::copy_file(std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/" + name + ".json", copy);
  return "open " + copy + "\nwait loaded\nwait frames 5\nexpect no error\nexpect scene " + name + "\n";
}

const std::string kPause = "\nwait frames 5\n";

// Opened, stepped, changed, played, put back, filmed, saved; what is saved runs.
TEST(ViewerGridSlow, AJetOfSmokeIsOpenedPlayedChangedFilmedAndSaved) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, openCopy(folder, "grid-jet") + "expect view varied 20\nremember\nkey Right\nwait idle" + kPause +
                         "expect steps 1\nexpect view changed 0.005\nremember\n"
                         "slider fluids.air.inflows.0.speed 0.7\nwait idle\nexpect parameter fluids.air.inflows.0.speed changed\n"
                         "slider fluids.air.buoyancy.z 0.8\nwait idle\nexpect parameter fluids.air.buoyancy.z changed\n"
                         "key Space\nwait steps 5\nkey Space\nwait idle" +
                         kPause + "expect playing no\nexpect no error\nkey Left\nwait idle\nkey r\nwait idle" + kPause +
                         "expect time below 1e-9\nexpect parameter fluids.air.inflows.0.speed changed\n"
                         "set " +
                         folder.path() + "\nfilm png 1 4 160 90\nkey F9\nwait recorded 4\nexpect recorded 4\nkey Ctrl+S" + kPause +
                         "key Enter\nwait file " + (folder / "grid-jet-changed.json") + "\nwait idle\nexpect no error\n"));
  const Outcome run = testing::meniscus("run '" + (folder / "grid-jet-changed.json") + "' --steps 1 --quiet");
  EXPECT_EQ(run.status, 0) << run.text;
}

TEST(ViewerGridSlow, ASliceIsCutWhereItIsAskedForAndKeptInTheFile) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder,
             openCopy(folder, "grid-jet") + "key Right\nwait idle\nclick tab Look" + kPause +
                 "expect seen hint slice\nexpect unseen combo Fluid\nexpect unseen range\nremember\nclick look Y" + kPause +
                 "expect view changed 0.05\nexpect seen slice position\nexpect unseen hint slice\nremember\n" +
                 "click combo Fluid" + kPause + "expect unseen choose Density error\nclick choose Speed" + kPause +
                 "expect colours speed none\nexpect view changed 0.02\nkey Ctrl+S" + kPause + "key Enter\nwait file " +
                 (folder / "grid-jet-changed.json") + "\nwait idle\nexpect no error\n",
             "--size 900x800"));
  const auto saved = nlohmann::json::parse(readText(folder / "grid-jet-changed.json"))["output"]["view"];
  EXPECT_EQ(saved["colour"], "speed") << saved;
  EXPECT_EQ(saved["slice"]["axis"], "y") << saved;
  EXPECT_NEAR(double(saved["slice"]["position"]), 0.5, 1e-6) << saved;
  const Outcome run = testing::meniscus("run '" + (folder / "grid-jet-changed.json") + "' --steps 1 --quiet");
  EXPECT_EQ(run.status, 0) << run.text;
}

// A click in the view takes the cloth, and a film of sixty frames is made while the jet moves it.
TEST(ViewerGridSlow, ClothInAPlaneIsPickedAndFilmed) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder,
             openCopy(folder, "grid-jet-2d") + "grab cloth 0 0\nrelease left\nwait idle" + kPause +
                 "expect selected cloth\nremember\nset " + folder.path() +
                 "\nfilm png 1 60 160 90\nkey F9\nwait recorded 60\nexpect recorded 60\nexpect no error\n"
                 "expect body cloth moved 0.005\n",
             "--size 640x400"));
  EXPECT_TRUE(std::filesystem::exists(folder / "grid-jet-2d-0001/frame-00060.png"));
}

// In two dimensions there is one plane: nothing to choose, and the tool says nothing of particles.
TEST(ViewerGridSlow, APlaneIsShownAsItIs) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, openCopy(folder, "grid-jet-2d") + "click tab Look" + kPause +
                         "expect unseen look Y\nexpect unseen look Spheres\nexpect unseen check Edges\nremember\nkey Right\n"
                         "wait idle\nkey Right\nwait idle" +
                         kPause + "expect view changed 0.01\nkey p" + kPause +
                         "expect seen plot Coupling solves\nexpect unseen plot Density error\n"));
}

}  // namespace
}  // namespace meniscus
