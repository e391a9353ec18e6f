// What simulates is chosen in the menu or on the command line; a device that cannot be used says why, and nothing changes.
#include <meniscus/meniscus.h>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::opened;
using testing::Outcome;
using testing::TemporaryFolder;
using testing::view;

bool haveCard() {
  mnsDeviceInfo infos[4] = {};
  for (mnsDeviceInfo& info : infos) info.structSize = sizeof info;
  std::int32_t count = 0;
  if (mnsGetDevices(infos, sizeof infos[0], 4, &count) < 0) return false;
  for (std::int32_t k = 0; k < count && k < 4; ++k)
    if (infos[k].device == MNS_DEVICE_CUDA && infos[k].usable) return true;
  return false;
}

const char kMenu[] = "click menu Simulation\nwait frames 3\nclick menu Device\nwait frames 3\n";

// Another device loads the scene again: the ball is where it was at first, time is 0, and it goes on from there.
TEST(ViewerSlow, AnotherDeviceBeginsTheSceneAnew) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string steps = "key Space\nwait steps 3\nkey Space\nwait idle\nexpect time above 0\n";
  holds(view(folder, opened(folder) + steps + kMenu +
                         "expect seen device CPU\nexpect seen device now\nclick device CPU\nwait idle\nwait frames 5\n"
                         "expect no error\nexpect time below 1e-9\nkey Escape\nwait frames 3\n" +
                         steps + "expect no error\n"));
}

// A film goes on where the device is chosen that is chosen already.
TEST(ViewerSlow, TheSameDeviceAgainChangesNothing) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) + "set " + folder.path() + "\nfilm png 1 80 160 90\nkey F9\n" + kMenu +
                         "click device Automatic\nwait frames 3\nkey Escape\nwait recorded 80\nexpect recorded 80\n"
                         "expect time above 0.159\nexpect no error\n"));
}

TEST(ViewerSlow, ADeviceThatIsNotThereSaysWhy) {
  MENISCUS_NEEDS_DISPLAY();
  if (haveCard()) GTEST_SKIP() << "this machine has a card";
  const TemporaryFolder folder;
  holds(view(folder,
             opened(folder) + kMenu + "expect seen device reason\nclick device CUDA\nwait idle\nwait frames 3\nexpect no error\n"));
  const Outcome o = view(folder, opened(folder), "--device cuda");
  EXPECT_EQ(o.status, 4) << o.text;
  EXPECT_NE(o.text.find("CUDA"), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
