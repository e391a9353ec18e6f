// The README is true: its scene runs, the folders and scripts it names exist, its options are the program's.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

std::string readme() { return testing::readText(std::string(MENISCUS_SOURCE_DIR) + "/README.md"); }

// The indented block that starts with a line of a single brace.
std::string sceneOfReadme() {
  std::istringstream in(readme());
  std::string line, scene;
  while (std::getline(in, line) && line != "    {") {}
  for (; in && line.rfind("    ", 0) == 0; std::getline(in, line)) scene += line.substr(4) + "\n";
  return scene;
}

TEST(Readme, SceneIsRightAndRuns) {
  const testing::TemporaryFolder folder;
  testing::writeText(folder / "scene.json", sceneOfReadme());
  const testing::Outcome check = testing::meniscus("check " + (folder / "scene.json"));
  EXPECT_EQ(check.status, 0) << check.text;
  EXPECT_NE(check.text.find("8000 particles"), std::string::npos) << check.text;
  const testing::Outcome run = testing::meniscus("run " + (folder / "scene.json") + " --steps 2 --out " + (folder / "out"));
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/particles.pvd"));
}

TEST(Readme, NamedPathsExist) {
  const std::string text = readme();
  const std::regex path("(kernels|engine|apps|assets|tests|scripts)/[a-z0-9_./-]*[a-z0-9/]");
  int seen = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), path), end; m != end; ++m, ++seen)
    EXPECT_TRUE(std::filesystem::exists(std::string(MENISCUS_SOURCE_DIR) + "/" + m->str())) << m->str();
  EXPECT_GT(seen, 12);
}

// Words in backticks between two places of the README.
std::set<std::string> quotedBetween(const std::string& from, const std::string& to) {
  const std::string text = readme();
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  EXPECT_NE(begin, std::string::npos) << from;
  EXPECT_NE(end, std::string::npos) << to;
  const std::string part = text.substr(begin, end - begin);
  const std::regex quoted("`([a-z_-]+)`");
  std::set<std::string> words;
  for (std::sregex_iterator m(part.begin(), part.end(), quoted), last; m != last; ++m) words.insert((*m)[1]);
  return words;
}

std::string source(const std::string& file) { return testing::readText(std::string(MENISCUS_SOURCE_DIR) + "/" + file); }

TEST(Readme, SummaryKeysAreThoseOfASummary) {
  const testing::TemporaryFolder folder;
  testing::writeText(folder / "scene.json", testing::tankScene());
  ASSERT_EQ(testing::meniscus("run " + (folder / "scene.json") + " --steps 1 --summary " + (folder / "s.json")).status, 0);
  const std::string summary = testing::readText(folder / "s.json");
  const std::set<std::string> keys = quotedBetween("The summary is one JSON object", "## A scene");
  EXPECT_GT(keys.size(), 6u);
  for (const std::string& key : keys) EXPECT_NE(summary.find("\"" + key + "\""), std::string::npos) << key;
}

TEST(Readme, PresetsAndVariablesOfTheBuildExist) {
  const std::string presets = source("CMakePresets.json");
  for (const std::string& name : quotedBetween("Presets:", "Options:"))
    EXPECT_NE(presets.find("\"name\": \"" + name + "\""), std::string::npos) << name;
  const std::string text = readme(), known = source("CMakeLists.txt") + source("tests/fuzz/mutate.h");
  const std::regex variable("MENISCUS_[A-Z_]+");
  int seen = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), variable), end; m != end; ++m, ++seen)
    EXPECT_NE(known.find(m->str()), std::string::npos) << m->str();
  EXPECT_GT(seen, 5);
}

// Every option of the commands that the README lists is one, and every option there is stands in the README.
TEST(Readme, OptionsAreTheProgramsOwn) {
  const std::string text = readme();
  const std::string list = text.substr(text.find("    meniscus run"), text.find("Exit status") - text.find("    meniscus run"));
  const std::regex option("--[a-z-]+");
  const auto optionsOf = [&](const std::string& s) {
    std::set<std::string> found;
    for (std::sregex_iterator m(s.begin(), s.end(), option), end; m != end; ++m) found.insert(m->str());
    found.erase("--help");
    return found;
  };
  std::string help;
  for (const char* command :
       {"run", "check", "bench", "bench kernels", "bench peer", "bench device", "bench pressure", "bench pressure-modes",
        "bench paper-table1", "bench paper-figures", "bench coupling", "compare", "validate", "render"}) {
    const testing::Outcome said = testing::meniscus(std::string(command) + " --help");
    if (said.status != 0) GTEST_SKIP() << "built without " << command;
    help += said.text;
  }
  EXPECT_EQ(optionsOf(list), optionsOf(help));
}

}  // namespace
}  // namespace meniscus
