// What goes wrong beside a run on a grid: disks that are full, kill -9. What is there then is whole, and the run can go on from it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/offline/vdb.h"
#include "engine/output/series_index.h"
#include "engine/output/vtk_file.h"
#include "tests/cli/command.h"
#include "tests/offline/scenes.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::writeText;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class CliGridFaults : public ::testing::Test {
 protected:
  void SetUp() override { writeText(scene, testing::planeRoom(testing::planeCloth())); }
  std::string run(const std::string& options) const { return "'" + testing::program() + "' run " + scene + " " + options; }
  std::string finalHash(const std::string& options) const {
    const Outcome o = testing::shell(run("--quiet --summary " + (folder / "s.json") + " " + options));
    EXPECT_EQ(o.status, 0) << o.text;
    return Json::parse(readText(folder / "s.json"))["state_hash"];
  }
  // Files of frames that can be read; what is there and cannot is an error.
  int wholeFrames(const std::string& out) const {
    int n = 0;
    for (const auto& e : fs::recursive_directory_iterator(out)) {
      EXPECT_NE(e.path().extension(), ".part") << e.path();
      if (e.path().extension() != ".vti" && e.path().extension() != ".vtp") continue;
      EXPECT_GE(VtkFile(e.path().string()).time(), 0) << e.path();
      ++n;
    }
    return n;
  }
  testing::TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
};

// A file that may not grow stands for a full disk. 20 x 30 cells take 12 KB, the cloth 2, the snapshot 40, rows of the table 100
// bytes: each in its turn is what does not fit.
TEST_F(CliGridFaults, AFullDiskLeavesWholeFilesOnly) {
  struct Case {
    const char *blocks, *options, *file;  // blocks of 512 bytes
  };
  std::vector<Case> cases{{"10", "--every 0.05 --format vtk", "grid-00000.vti"},
                          {"30", "--every 0.05 --checkpoint 1e-9 --format vtk", "checkpoint.snapshot"},
                          {"5", "--dt 0.005", "steps.csv"}};
  if (offline::vdbMissing().empty()) cases.push_back({"5", "--every 0.05 --format vdb", "smoke-00000.vdb"});
  for (const Case& c : cases) {
    const std::string out = folder / (std::string("out-") + c.file);
    const Outcome o = testing::shell(std::string("ulimit -f ") + c.blocks + "; " + run(std::string(c.options) + " --out " + out));
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_NE(o.text.find(c.file), std::string::npos) << o.text;
    EXPECT_TRUE(o.text.find("larger than files may be here") != std::string::npos ||
                o.text.find("File too large") != std::string::npos)
        << o.text;
    wholeFrames(out);
  }
}

// kill -9 while a checkpoint is written after every step: the last whole one is there, and the run goes on from it to the same
// bits, with frames and rows as one that was never killed.
TEST_F(CliGridFaults, AKilledRunGoesOnFromItsLastCheckpoint) {
  const std::string options = "--duration 1 --every 0.1 --checkpoint 1e-9 --out ";
  const std::string whole = finalHash(options + (folder / "whole"));
  const int frames = wholeFrames(folder / "whole");
  int resumed = 0;
  for (const char* at : {"frames/grid-00001.vti", "frames/solids-00003.vtp", "frames/grid-00006.vti", "checkpoint.snapshot"}) {
    const std::string out = folder / "out";
    fs::remove_all(out);
    const Outcome o = testing::interruptedAt(out + "/" + at, run(options + out), "KILL");
    EXPECT_TRUE(o.status == 128 + 9 || o.status == 0) << o.text;  // or it was done before
    if (!fs::exists(out + "/checkpoint.snapshot")) continue;
    ++resumed;
    EXPECT_EQ(finalHash(options + out + " --resume " + out + "/checkpoint.snapshot"), whole) << at;
    EXPECT_EQ(wholeFrames(out), frames) << at;
    EXPECT_EQ(testing::rowsOf(readText(out + "/steps.csv")).size(), testing::rowsOf(readText(folder / "whole/steps.csv")).size());
  }
  EXPECT_GE(resumed, 3);
}

}  // namespace
}  // namespace meniscus
