// The README's first program is what it prints: it is taken from there, compiled as C99, linked and run; the packages have it, too.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/package/shell.h"

namespace {

// The first indented block below "## Embedding" that begins with an include.
std::string helloOfReadme() {
  std::istringstream lines(readText(MENISCUS_SOURCE_DIR "/README.md"));
  std::string program;
  bool in = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "## Embedding") in = true;
    if (!in) continue;
    const bool code = line.empty() || line.rfind("    ", 0) == 0;
    if (program.empty() && line.rfind("    #include", 0) != 0) continue;
    if (!code) break;
    program += (line.empty() ? line : line.substr(4)) + "\n";
  }
  return program;
}

TEST(Readme, HelloCompilesAsCAndRuns) {
  const TemporaryFolder folder;
  std::ofstream(folder / "hello.c") << helloOfReadme();
  const std::string program = (folder / "hello").string();
  const Output built = sh("cc -std=c99 -Wall -Wextra -pedantic -Werror -I" MENISCUS_SOURCE_DIR "/engine/include -o " + program +
                          " " + program + ".c -L" MENISCUS_BINARY_DIR "/bin -lmeniscus -Wl,-rpath," MENISCUS_BINARY_DIR "/bin");
  ASSERT_EQ(built.status, 0) << built.text;
  const Output run = sh(program);
  EXPECT_EQ(run.status, 0);
  // a block of 10 x 10 x 10 spacings
  EXPECT_EQ(run.text.rfind("1000 particles, the first at x = ", 0), 0u) << run.text;
}

TEST(Readme, HelloIsThePackagesExample) {
  std::string hello = helloOfReadme();
  while (hello.size() > 1 && hello[hello.size() - 2] == '\n') hello.pop_back();
  EXPECT_EQ(hello, readText(MENISCUS_SOURCE_DIR "/apps/hello/hello.c"));
}

}  // namespace
