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
  const std::regex path("(kernels|engine|apps|assets|tests|scripts)/[a-z_./]*[a-z/]");
  int seen = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), path), end; m != end; ++m, ++seen)
    EXPECT_TRUE(std::filesystem::exists(std::string(MENISCUS_SOURCE_DIR) + "/" + m->str())) << m->str();
  EXPECT_GT(seen, 12);
}

// Every option of `run`, `check` and `bench` that the README lists is one, and every option there is stands in the README.
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
  for (const char* command : {"run", "check", "bench"}) help += testing::meniscus(std::string(command) + " --help").text;
  EXPECT_EQ(optionsOf(list), optionsOf(help));
}

}  // namespace
}  // namespace meniscus
