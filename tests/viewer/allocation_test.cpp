// A frame of the window takes no memory by operator new once everything in it has been seen: paused and playing, whatever is open.
#include <gtest/gtest.h>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::Outcome;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::view;
using testing::writeText;

// A tank whose names, and with them those of its parameters, do not fit into a std::string itself; it plays on.
std::string openedWithLongNames(const TemporaryFolder& folder) {
  std::string scene = tankScene();
  scene.replace(scene.find("\"ball\""), 6, "\"ball-with-a-name-of-many-words\"");
  scene.replace(scene.find("0.04"), 4, "9999");
  const std::string file = folder / "a tank with a name of many words.json";
  writeText(file, scene);
  return "open " + file + "\nwait loaded\nwait frames 5\nexpect no error\n";
}

// Frames after the ones in which something comes up for the first time.
const std::string kNothingNew = "wait frames 12\nwait frames 40\nexpect allocations 0\n";

const char* const kSize = "--size 900x900";  // every item is to be seen

// Every panel beside the view and below it, every look of the fluid, and colours with a legend.
std::string everythingInTurn() {
  std::string script;
  for (const char* name : {"tab Body", "tab Record", "tab Parameters", "tab Look", "tab Log", "tab Plots", "look Spheres",
                           "look Surface", "look Hidden", "look Sky", "check Wireframe", "check Edges"})
    script += std::string("click ") + name + "\n" + kNothingNew;
  return script + "click look Spheres\nwait frames 3\nclick combo Fluid\nwait frames 3\nclick choose Kernel deficiency\n" +
         kNothingNew;
}

std::string prepared(const TemporaryFolder& folder) {
  return openedWithLongNames(folder) +
         "key p\nwait frames 3\nclick tab Body\nwait frames 3\nclick body ball-with-a-name-of-many-words\nwait idle\n"
         "expect selected ball-with-a-name-of-many-words\nwait thumbnails\n";
}

TEST(ViewerAllocationsSlow, NoneInAFrameOfAPausedScene) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, prepared(folder) + everythingInTurn() + "key F1\n" + kNothingNew, kSize));
}

TEST(ViewerAllocationsSlow, NoneInAFrameOfAScenePlaying) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder,
             prepared(folder) + "key Space\nwait steps 20\n" + everythingInTurn() + "key F1\n" + kNothingNew +
                 "wait steps 20\nexpect allocations 0\nexpect playing yes\n",
             kSize));
}

// What is under the mouse, tooltips of sliders and plots and the marks of the time line, an open menu, the dialog for files.
TEST(ViewerAllocationsSlow, NoneWhereTheMouseRests) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string script = prepared(folder) + "key Space\nwait steps 20\nclick tab Parameters\nwait frames 5\n";
  for (const char* name : {"slider gravity.z", "plot Time", "scrub", "play", "pace", "view"})
    script += std::string("move ") + name + "\n" + kNothingNew;
  for (const char* menu : {"File", "Edit", "View", "Simulation"})
    script += std::string("click menu ") + menu + "\n" + kNothingNew + "click menu " + menu + "\nwait frames 3\n";
  holds(view(folder, script + "key Ctrl+o\nwait frames 5\n" + kNothingNew, kSize));
}

// The count itself: a frame in which a scene comes up is not free. The frame that is looked at may be the next one; of ten scenes
// one at least is caught.
TEST(ViewerAllocationsSlow, TheyAreCounted) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "tank.json", tankScene());
  std::string script = openedWithLongNames(folder);
  for (int k = 0; k < 10; ++k) script += "open " + (folder / "tank.json") + "\nwait loaded\nexpect allocations 0\n";
  const Outcome o = view(folder, script);
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.text.find("expect allocations 0: there were "), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
