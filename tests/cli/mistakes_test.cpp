// What the command line does with mistakes: a message that names the place, the promised exit status, and no trace on the disk.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/build_info.h"
#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::writeText;

bool contains(const Outcome& o, const std::string& text) { return o.text.find(text) != std::string::npos; }

TEST(Cli, VersionHelpAndInfo) {
  EXPECT_EQ(meniscus("--version").status, 0);
  EXPECT_EQ(meniscus("--help").status, 0);
  EXPECT_EQ(meniscus("run --help").status, 0);
  const Outcome info = meniscus("info");
  EXPECT_EQ(info.status, 0);
  EXPECT_TRUE(contains(info, "cpu: usable"));
  EXPECT_TRUE(contains(info, "cuda: ")) << info.text;
}

TEST(Cli, BadCommandLinesEndWithTwo) {
  for (const char* line : {"", "fly", "run", "run a.json --device tpu", "run a.json --threads -1", "run a.json --dt 0",
                           "run a.json --dt x", "run a.json --dt nan", "run a.json --dt inf", "run a.json --duration nan",
                           "run a.json --every nan", "run a.json --checkpoint nan", "run a.json --steps 99999999999999999999",
                           "run a.json --steps 3 --duration 1", "run a.json --nonsense", "bench", "check"}) {
    const Outcome o = meniscus(line);
    EXPECT_EQ(o.status, 2) << line;
    EXPECT_FALSE(o.text.empty()) << line;
  }
}

TEST(Cli, MissingSceneIsNamed) {
  for (const char* command : {"run", "check", "bench"}) {
    const Outcome o = meniscus(std::string(command) + " no/such/scene.json");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(contains(o, "no/such/scene.json")) << o.text;
  }
}

// A mistake in the scene: place and remedy on standard error, exit status 2, and the output folder is not even made.
TEST(Cli, SceneMistakesLeaveNoTrace) {
  const TemporaryFolder folder;
  struct Case {
    const char *what, *scene, *expected;
  };
  const std::string misspelt = tankScene(R"(, "graviti": [0, 0, -9])");
  const std::string wrongExpect = tankScene(R"(, "expect": {"volume_eror": {"max": 1}})");
  const Case cases[] = {{"no JSON", "{", "scene.json:"},
                        {"unknown key", misspelt.c_str(), "gravity"},
                        {"unknown expectation", wrongExpect.c_str(), "volume_error"}};
  for (const Case& c : cases) {
    writeText(folder / "scene.json", c.scene);
    for (const std::string command : {"check ", "run "}) {
      const std::string out = command == "run " ? " --out " + (folder / "out") + " --summary " + (folder / "out/s.json") : "";
      const Outcome o = meniscus(command + (folder / "scene.json") + out);
      EXPECT_EQ(o.status, 2) << c.what;
      EXPECT_TRUE(contains(o, "scene.json:")) << c.what << ": " << o.text;
      EXPECT_TRUE(contains(o, c.expected)) << c.what << ": " << o.text;
      EXPECT_FALSE(std::filesystem::exists(folder / "out")) << c.what;
    }
  }
}

TEST(Cli, NumbersThatAreNoneAreNamed) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const std::string run = "run " + (folder / "scene.json");
  EXPECT_TRUE(contains(meniscus(run + " --dt nan"), "--dt: nan is not a finite number > 0"));
  EXPECT_TRUE(contains(meniscus(run + " --every -1"), "--every: -1 is not a finite number >= 0"));
  const Outcome o = meniscus(run + " --dt 1e-300");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o, "takes 4e+298 steps; shorten it or enlarge dt")) << o.text;
}

// What would be written needs a folder.
TEST(Cli, FramesAndCheckpointsWithoutAFolderAreRefused) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  for (const std::string option : {"--every 0.1", "--checkpoint 0.1"}) {
    const Outcome o = meniscus("run " + (folder / "scene.json") + " --steps 1 " + option);
    EXPECT_EQ(o.status, 2) << o.text;
    EXPECT_TRUE(contains(o, option.substr(0, option.find(' ')) + " writes nothing without a folder; give --out DIR")) << o.text;
  }
  EXPECT_EQ(meniscus("run " + (folder / "scene.json") + " --steps 1 --every 0").status, 0);
}

TEST(Cli, ThreadsThatCannotBeStartedAreAMistakeNotAHang) {
  if (*sanitizers()) GTEST_SKIP() << "sanitizers need more address space than the limit leaves";
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const Outcome o = testing::shell("ulimit -v 2000000; timeout 20 '" + testing::program() + "' run " + (folder / "scene.json") +
                                   " --threads 1024");
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_TRUE(contains(o, "of 1024 cannot be started")) << o.text;
}

// Not after hours of simulating.
TEST(Cli, SummaryThatIsAFolderIsRefusedBeforeTheRun) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const Outcome o = meniscus("run " + (folder / "scene.json") + " --out " + (folder / "out") + " --summary " + folder.path());
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o, "is a folder; give --summary the name of a file")) << o.text;
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

// The folders of a path that was mistyped are not made for it; that of --out is.
TEST(Cli, FilesIntoFoldersThatAreNotThereAreRefusedBeforeTheRun) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const std::string scene = folder / "scene.json", there = folder / "out/s.json", typo = folder / "typo/s.json";
  for (const std::string& line : {"run " + scene + " --summary " + typo, "bench " + scene + " --csv " + typo,
                                  "run " + scene + " --summary " + typo + " --out " + (folder / "out")}) {
    const Outcome o = meniscus(line);
    EXPECT_EQ(o.status, 2) << line;
    EXPECT_TRUE(contains(o, (folder / "typo") + ": there is no such folder; make it or choose another place")) << o.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "typo")) << line;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << line;
  }
  EXPECT_EQ(meniscus("run " + scene + " --steps 1 --summary " + there + " --out " + (folder / "out/")).status, 0);
  EXPECT_TRUE(std::filesystem::exists(there));
  EXPECT_EQ(meniscus("run " + scene + " --steps 1 --quiet --summary /dev/stdout").text.substr(0, 1), "{");
  // in the folder one is in
  const Outcome here =
      testing::shell("cd " + folder.path() + " && " + testing::program() + " run scene.json --steps 1 --out o --summary s.json");
  EXPECT_EQ(here.status, 0) << here.text;
  EXPECT_TRUE(std::filesystem::exists(folder / "s.json"));
}

TEST(Cli, EmptyNamesAreRefused) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  for (const char* option : {"--out", "--summary", "--resume", "--method", "--format"}) {
    const Outcome o = meniscus("run " + (folder / "scene.json") + " --steps 1 " + option + " ''");
    EXPECT_EQ(o.status, 2) << option;
    EXPECT_TRUE(contains(o, std::string(option) + ": is empty; give a name")) << o.text;
  }
  EXPECT_EQ(meniscus("bench " + (folder / "scene.json") + " --steps 1 --csv ''").status, 2);
}

// And the list of names does not swallow what follows it.
TEST(Cli, EmptyNamesInListsAreRefused) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  for (const char* list : {",,", ",", "vtk,", ",vtk", "vtk,,ply"}) {
    const Outcome o = meniscus("run " + (folder / "scene.json") + " --steps 1 --format " + list + " --quiet");
    EXPECT_EQ(o.status, 2) << list;
    EXPECT_TRUE(contains(o, std::string("--format: ") + list + " has an empty name")) << o.text;
    const Outcome methods = meniscus("compare " + (folder / "scene.json") + " --methods " + list);
    EXPECT_TRUE(contains(methods, std::string("--methods: ") + list + " has an empty name")) << methods.text;
  }
  const Outcome o = meniscus("run --format vtk,ply " + (folder / "scene.json") + " --steps 1 --quiet");
  EXPECT_EQ(o.status, 0) << o.text;
  const Outcome twice = meniscus("run --format vtk --format=gif " + (folder / "scene.json") + " --steps 1 --quiet");
  EXPECT_TRUE(contains(twice, "the format \"gif\" is not available")) << twice.text;
}

// A file that may not grow stands for a full disk: a message, the files before it whole, and nothing half written.
TEST(Cli, FullDiskLeavesWholeFilesOnly) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const Outcome o = testing::shell("ulimit -f 10; '" + testing::program() + "' run " + (folder / "scene.json") +
                                   " --every 0.002 --out " + (folder / "out"));
  EXPECT_EQ(o.status, 2) << o.text;
  EXPECT_TRUE(contains(o, "cannot be written: it would be larger than files may be here")) << o.text;
  for (const auto& e : std::filesystem::recursive_directory_iterator(folder.path()))
    EXPECT_NE(e.path().extension(), ".part") << e.path();
}

TEST(Cli, LostOutputIsSaidAndAClosedPipeIsNot) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const std::string run = "'" + testing::program() + "' run " + (folder / "scene.json") + " --steps 1";
  const Outcome full = testing::shell(run + " > /dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_TRUE(contains(full, "standard output cannot be written")) << full.text;
  const Outcome closed =
      testing::shell("{ " + run + "; echo status $? > " + (folder / "status") + "; } | true; cat " + (folder / "status"));
  EXPECT_EQ(closed.text, "status 0\n");
}

TEST(Cli, UnavailableDeviceMethodAndFormat) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  const std::string run = "run " + (folder / "scene.json") + " --steps 1 --out " + (folder / "out");
  const Outcome device = meniscus(run + " --device cuda");
  EXPECT_EQ(device.status, 4);
  EXPECT_TRUE(contains(device, "CUDA cannot be used: ")) << device.text;
  const Outcome method = meniscus(run + " --method monolithic");
  EXPECT_EQ(method.status, 2);
  EXPECT_TRUE(contains(method, "isph-pbd")) << method.text;
  const Outcome format = meniscus(run + " --format vdb");
  EXPECT_EQ(format.status, 2);
  EXPECT_TRUE(contains(format, "vtk")) << format.text;
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Cli, UnwritableOutputIsAnErrorBeforeTheFirstStep) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  writeText(folder / "file", "in the way");
  const Outcome o = meniscus("run " + (folder / "scene.json") + " --steps 1 --out " + (folder / "file"));
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o, folder / "file")) << o.text;
  EXPECT_TRUE(contains(o, "; choose another place")) << o.text;
  const Outcome s = meniscus("run " + (folder / "scene.json") + " --steps 1 --summary " + (folder / "file/summary.json"));
  EXPECT_EQ(s.status, 2);
}

TEST(Cli, DamagedSnapshotIsRefused) {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", tankScene());
  writeText(folder / "bad.snapshot", "nonsense");
  const Outcome o =
      meniscus("run " + (folder / "scene.json") + " --resume " + (folder / "bad.snapshot") + " --out " + (folder / "out"));
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o, "bad.snapshot: not a snapshot")) << o.text;
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace meniscus
