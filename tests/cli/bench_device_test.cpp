// The bench of the fluid's step on a device: on the serial one, and refused with the reason where there is no card.
#include <gtest/gtest.h>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;

std::string tank() {
  return R"({"meniscus": 1, "name": "tank", "domain": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.12]}, "solver": {"dt": 0.002},
  "fluids": [{"name": "water", "spacing": 0.01, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.05]}}]}]})";
}

TEST(CliBenchDevice, TimesStagesOnTheSerialDevice) {
  const testing::TemporaryFolder folder;
  testing::writeText(folder / "scene.json", tank());
  const Outcome o = meniscus("bench device " + (folder / "scene.json") +
                             " --serial --repeat 2 --steps 3 --warm-up 0 --threads 2 --csv " + (folder / "bench.csv"));
  ASSERT_EQ(o.status, 0) << o.text;
  for (const char* stage : {"sort", "neighbours", "solve pressure", "contacts", "measure"})
    EXPECT_NE(o.text.find(stage), std::string::npos) << o.text;
  const std::string csv = testing::readText(folder / "bench.csv");
  EXPECT_NE(csv.find("\"serial device on "), std::string::npos) << csv;
  EXPECT_NE(csv.find(",scene: solve pressure,"), std::string::npos) << csv;
  EXPECT_NE(o.text.find("its times say nothing of a card"), std::string::npos) << o.text;
}

TEST(CliBenchDevice, WithoutACardItSaysWhy) {
  const testing::TemporaryFolder folder;
  testing::writeText(folder / "scene.json", tank());
  const Outcome o = meniscus("bench device " + (folder / "scene.json") + " --repeat 1 --steps 1 --warm-up 1");
  if (o.status == 0) GTEST_SKIP() << "there is a card";
  EXPECT_EQ(o.status, 4) << o.text;
  EXPECT_NE(o.text.find("CUDA cannot be used: "), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("--serial"), std::string::npos) << o.text;
}

TEST(CliBenchDevice, WhatIsNotThereIsRefusedByName) {
  const testing::TemporaryFolder folder;
  std::string scene = tank();
  scene.replace(scene.find("\"dt\": 0.002"), 11, "\"dt\": 0.002, \"pressure\": \"weakly-compressible\"");
  testing::writeText(folder / "scene.json", scene);
  const Outcome o = meniscus("bench device " + (folder / "scene.json") + " --serial --repeat 1 --steps 1 --warm-up 1");
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("a device does not step this pressure mode"), std::string::npos) << o.text;
}

// Taps and drains are stepped, and what crosses the bus is counted.
TEST(CliBenchDevice, CountsLaunchesAndCopies) {
  const Outcome o = meniscus(std::string("bench device ") + MENISCUS_SOURCE_DIR +
                             "/assets/scenes/tap-on-cloth.json --serial --repeat 1 --steps 1 --warm-up 1");
  ASSERT_EQ(o.status, 0) << o.text;
  for (const char* counted : {" launches one by one and ", " recordings, ", " kB to the device in ", " copies and "})
    EXPECT_NE(o.text.find(counted), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
