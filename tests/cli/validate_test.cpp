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
  for (const char* name : {"still-water", "standing-wave", "dam-break", "marin", "taylor-green", "spin-up", "draft",
                           "released-sphere", "cantilever", "balloon"})
    EXPECT_NE(("\n" + o.text).find("\n" + std::string(name) + " "), std::string::npos) << name;
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
  for (const char* name : {"draft", "balloon", "cantilever"})
    for (const auto& [figure, holds] : run(name, folder)) EXPECT_TRUE(holds) << name << ": " << figure;
  auto water = run("still-water", folder);
  for (const char* figure : {"kinetic energy", "change of volume", "mean density error"}) {
    ASSERT_EQ(water.count(figure), 1u) << figure;
    EXPECT_TRUE(water[figure]) << figure;
  }
}

TEST(CliValidate, StopsWhenAsked) {
  const Outcome o =
      testing::shell("timeout -s INT 0.5 '" + testing::program() + "' validate cantilever --full --quiet; echo status $?");
  EXPECT_NE(o.text.find("stopped"), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
