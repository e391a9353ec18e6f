// A step that takes long, and pictures of scenes that are still to be made: the window goes on all the same.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::TemporaryFolder;
using testing::view;
using testing::writeText;

// One step is 1000 s of a tank: hundreds of thousands of sub-steps, a minute of work and more on any machine.
std::string slowScene() {
  return R"({"meniscus": 1, "name": "slow", "duration": 2000, "gravity": [3, 0, -9.81],
    "domain": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.12]}, "solver": {"dt": 1000, "max_substeps": 1000000},
    "fluids": [{"name": "water", "spacing": 0.008, "relax": false,
                "shapes": [{"box": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.05]}}]}]})";
}

// Ten frames a second, the help comes and Escape takes it away, and a pause ends the step: all while it goes on. The quit that
// follows leaves another step behind.
TEST(ViewerPaceSlow, AStepThatTakesLongLeavesTheWindowItsPace) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "slow.json", slowScene());
  const auto begin = std::chrono::steady_clock::now();
  holds(view(folder,
             "open " + (folder / "slow.json") +
                 "\nwait loaded\nwait frames 10\nkey Space\nwait seconds 4\nexpect pace 10\nexpect busy 1\nexpect playing yes\n"
                 "remember\nkey F1\nwait frames 4\nexpect view changed 0.05\nkey Escape\nwait frames 4\nexpect view same\n"
                 "key Space\nwait frames 2\nexpect playing no\nwait idle\nexpect waited 3\nexpect time below 1e-9\n"
                 "key Space\nwait seconds 2\nexpect busy 1\nkey Ctrl+q\nwait frames 100\n",
             "--threads 1"));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 40);
}

// What is saved during a long step is saved although the program ends at once, with the parameters as they are; of two both are.
TEST(ViewerSaveSlow, AQuitDuringALongStepSavesFirst) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "slow.json", slowScene());
  const std::string begun = "open " + (folder / "slow.json") +
                            "\nwait loaded\nwait frames 5\nkey Space\nwait seconds 2\nexpect busy 1\n",
                    saved = "key Ctrl+s\nwait frames 5\nkey Enter\nwait frames 2\n";
  holds(view(folder, begun + "slider gravity.z 0.3\nexpect busy 2\n" + saved + "expect unsaid Saved\nkey Ctrl+q\nwait frames 100\n",
             "--threads 1"));
  const std::string path = folder / "slow-changed.json";
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_NE(nlohmann::json::parse(testing::readText(path))["gravity"][2], -9.81);
  EXPECT_NE(testing::readText(folder / "meniscus/viewer.json").find("slow-changed.json"), std::string::npos);  // of the recent ones
  // asked for twice before the first is done: each is told
  const auto savedAs = [&](const std::string& name) {
    return "key Ctrl+s\nwait frames 5\nkey Ctrl+a\ntype " + (folder / name) + "\nwait frames 2\nkey Enter\nwait frames 2\n";
  };
  holds(view(folder,
             begun + savedAs("a.json") + savedAs("b.json") + "expect unsaid Saved\nkey Space\nwait notice " + (folder / "b.json") +
                 "\nexpect notice Saved " + (folder / "a.json") + "\nexpect notice Saved " + (folder / "b.json") + "\n",
             "--threads 1"));
}

// One that cannot be written is told where the window is gone, with a status.
TEST(ViewerSaveSlow, AQuitTellsWhatCouldNotBeSaved) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "slow.json", slowScene());
  std::filesystem::create_directories(folder / "slow-changed.json/full");
  const testing::Outcome o =
      view(folder,
           "open " + (folder / "slow.json") +
               "\nwait loaded\nwait frames 5\nkey Space\nwait seconds 2\nexpect busy 1\nkey Ctrl+s\nwait frames 5\n"
               "key Enter\nwait frames 3\nkey Enter\nwait frames 2\nkey Ctrl+q\nwait frames 100\n",
           "--threads 1");
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_NE(o.text.find("slow-changed.json: cannot be written"), std::string::npos) << o.text;
}

// Made once and kept: pictures of all example scenes that are in sight, then as many from the cache and none made anew.
TEST(ViewerThumbnailsSlow, PicturesOfScenesAreKeptFromOneStartToTheNext) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const auto kept = [&] {
    std::map<std::string, std::filesystem::file_time_type> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "meniscus/thumbnails", none))
      files[entry.path().filename().string()] = entry.last_write_time();
    return files;
  };
  holds(view(folder, "wait frames 5\nwait seconds 2\nexpect pace 3\nwait thumbnails\n"));
  const auto first = kept();
  EXPECT_GE(first.size(), 4u);
  holds(view(folder, "wait frames 5\nwait thumbnails\nexpect waited 10\n"));
  EXPECT_EQ(kept(), first);
}

}  // namespace
}  // namespace meniscus
