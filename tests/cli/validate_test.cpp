// The command `validate`: its table and files, and the short forms of cases with a closed form.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::TemporaryFolder;

TEST(CliValidate, ListsItsCases) {
  const Outcome o = meniscus("validate --list");
  EXPECT_EQ(o.status, 0) << o.text;
  for (const char* name : {"still-water", "standing-wave", "dam-break", "marin", "taylor-green", "spin-up", "poiseuille", "couette",
                           "elastic-plate", "plate-under-water", "draft", "released-sphere", "droplet", "cantilever", "balloon"})
    EXPECT_NE(("\n" + o.text).find("\n" + std::string(name) + " "), std::string::npos) << name;
}

// What several jobs of a scheduler share: each case is in one shard, in the order of the list.
TEST(CliValidate, ShardsTogetherAreTheWhole) {
  const auto linesOf = [](const std::string& options) {
    const Outcome o = meniscus("validate --list " + options);
    EXPECT_EQ(o.status, 0) << o.text;
    std::vector<std::string> lines;
    std::istringstream in(o.text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> whole = linesOf("");
  std::vector<std::vector<std::string>> parts;
  for (const char* part : {"1/3", "2/3", "3/3"}) parts.push_back(linesOf(std::string("--shard ") + part));
  ASSERT_EQ(parts[0].size() + parts[1].size() + parts[2].size(), whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(parts[k % 3][k / 3], whole[k]);
  EXPECT_EQ(linesOf("--shard 999/1000"),
            std::vector<std::string>{"shard 999/1000: nothing to do, the number of cases is " + std::to_string(whole.size())});
  EXPECT_EQ(linesOf("--shard 1/1"), whole);
  for (const char* wrong : {"0/3", "4/3", "1", "1/0", "-1/3", "1/3x", "a/b", "''"}) {
    const Outcome o = meniscus(std::string("validate --list --shard ") + wrong);
    EXPECT_EQ(o.status, 2) << wrong;
    EXPECT_NE(o.text.find("1/4"), std::string::npos) << o.text;
  }
}

TEST(CliValidate, AnUnknownCaseIsRefused) {
  const Outcome o = meniscus("validate still-waters");
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.text.find("no validation case \"still-waters\""), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("--list"), std::string::npos) << o.text;
}

TEST(CliValidate, AFolderThatCannotBeMadeIsRefusedBeforeTheWork) {
  const Outcome o = meniscus("validate cantilever --out /proc/nothing");
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.text.find("/proc/nothing"), std::string::npos) << o.text;
}

// case,figure,unit,... verdict: by figure, whether it holds.
std::map<std::string, bool> verdicts(const std::string& csv) {
  std::map<std::string, bool> all;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t from = line.find('"') + 1, to = line.find('"', from);
    all[line.substr(from, to - from)] = line.size() > 6 && line.compare(line.size() - 6, 6, ",holds") == 0;
  }
  return all;
}

std::map<std::string, bool> run(const std::string& name, const TemporaryFolder& folder) {
  const Outcome o = meniscus("validate " + name + " --quiet --out " + (folder / "out"));
  EXPECT_TRUE(o.status == 0 || o.status == 3) << o.text;
  const auto found = verdicts(readText(folder / "out/validation.csv"));
  bool all = true;
  for (const auto& [figure, holds] : found) all = all && holds;
  EXPECT_EQ(o.status, all ? 0 : 3) << o.text;
  EXPECT_EQ(o.text.find("DOES NOT HOLD") == std::string::npos, all) << o.text;
  return found;
}

TEST(CliValidate, WritesTableCurvesAndScenes) {
  const TemporaryFolder folder;
  const auto found = run("spin-up", folder);
  ASSERT_EQ(found.size(), 2u);
  for (const auto& [figure, holds] : found) EXPECT_TRUE(holds) << figure;
  const std::string curves = readText(folder / "out/spin-up.csv");
  EXPECT_NE(curves.find("\n\"exact, 0.1 s\","), std::string::npos) << curves;
  EXPECT_NE(curves.find("\n\"Meniscus, 0.2 s\","), std::string::npos) << curves;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/spin-up.gp"));
  EXPECT_EQ(meniscus("check " + (folder / "out/spin-up.json")).status, 0);
}

TEST(CliValidateSlow, ClosedFormsThatHold) {
  const TemporaryFolder folder;
  for (const char* name : {"draft", "droplet", "balloon", "cantilever", "poiseuille", "couette"})
    for (const auto& [figure, holds] : run(name, folder)) EXPECT_TRUE(holds) << name << ": " << figure;
  auto water = run("still-water", folder);
  for (const char* figure : {"kinetic energy", "change of volume", "mean density error"}) {
    ASSERT_EQ(water.count(figure), 1u) << figure;
    EXPECT_TRUE(water[figure]) << figure;
  }
}

// Where the figures are those of a fluid without viscosity: beside the level set, and beside the larger of the experiments.
TEST(CliValidateSlow, FrontsOfCollapsingColumns) {
  const TemporaryFolder folder;
  int compared = 0;
  for (const auto& [figure, holds] : run("dam-break", folder)) {
    if (figure.find("level set") == std::string::npos && figure.find("114 mm") == std::string::npos) continue;
    EXPECT_TRUE(holds) << figure;
    ++compared;
  }
  EXPECT_EQ(compared, 11);
}

// A folder's name is a name, whatever a shell would make of it.
TEST(CliValidate, FoldersOfAnyNameAreOnlyWrittenTo) {
  const TemporaryFolder folder;
  const std::string name = folder / "a'; touch HARM; $(touch HARM) '";
  testing::writeText(folder / "name", name);
  const Outcome o =
      testing::shell("cd '" + (folder / "") + "' && '" + testing::program() + "' validate spin-up --quiet --out \"$(cat name)\"");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_TRUE(std::filesystem::exists(name + "/validation.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "HARM"));
}

TEST(CliValidate, ALaterRunKeepsTheRowsOfOtherCases) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "out");
  testing::writeText(folder / "out/validation.csv",
                     "case,figure,unit,reference,ours,error,bound,kind,verdict\ndraft,\"kept\",\"R\",1,1,0,1,absolute,holds\n"
                     "spin-up,\"of before\",\"R\",1,1,0,1,absolute,holds\n");
  const Outcome o = meniscus("validate spin-up spin-up --quiet --out " + (folder / "out"));
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find("2 of 2 figures hold"), std::string::npos) << "named twice, run once: " << o.text;
  const auto found = verdicts(readText(folder / "out/validation.csv"));
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(found.count("kept"), 1u);
  EXPECT_EQ(found.count("of before"), 0u);
}

TEST(CliValidate, TwoAtOnceIntoOneFolderAreRefused) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const Outcome o = testing::shell("'" + testing::program() + "' validate cantilever --full --quiet --out " + out +
                                   " & child=$!; for i in $(seq 200); do [ -s " + out + "/.lock ] && break; sleep 0.02; done; '" +
                                   testing::program() + "' validate spin-up --quiet --out " + out +
                                   "; echo status $?; kill -TERM $child; wait $child");
  EXPECT_NE(o.text.find("another run (process "), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("status 2"), std::string::npos) << o.text;
}

// In the foreground, or timeout signals twice, and the second one ends the program at once.
TEST(CliValidate, StopsWhenAsked) {
  const Outcome o = testing::shell("timeout --foreground -s INT 0.5 '" + testing::program() +
                                   "' validate cantilever --full --quiet; echo status $?");
  EXPECT_NE(o.text.find("stopped"), std::string::npos) << o.text;
  EXPECT_EQ(o.text.find("checkpoint"), std::string::npos) << o.text;
}

TEST(CliBenchModes, StopsWhenAskedInALongStep) {
  const TemporaryFolder folder;
  testing::writeText(folder / "s.json", R"({"meniscus": 1, "name": "s", "domain": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3]},
    "solver": {"pressure": "weakly-compressible", "sound_speed": 1e5}, "fluids": [{"name": "w", "spacing": 0.03, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.15]}}]}]})");
  const Outcome o = testing::shell("timeout --foreground -s INT 3 '" + testing::program() + "' bench pressure-modes " +
                                   (folder / "s.json") + " --steps 3; echo status $?");
  EXPECT_NE(o.text.find("  compatible "), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("stopping; the modes that are finished are above"), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
