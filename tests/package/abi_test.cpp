// The binary interface: what the library exports, and that programs compiled against the last release go on working. The lists of
// that release are in cmake/abi; a release writes them anew: MENISCUS_WRITE_ABI=1 scripts/test.sh -R package.Abi
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "meniscus/meniscus.h"
#include "tests/package/header.h"
#include "tests/package/shell.h"

namespace {

std::string abiFile(const char* list) {
  return std::string(MENISCUS_SOURCE_DIR "/cmake/abi/") + list + "-" + std::to_string(MNS_VERSION_MAJOR) + ".txt";
}

std::set<std::string> exported() {
  const Output nm = sh("nm -D --defined-only " MENISCUS_BINARY_DIR "/bin/libmeniscus.so");
  EXPECT_EQ(nm.status, 0) << nm.text;
  std::set<std::string> names;
  std::istringstream in(nm.text);
  for (std::string address, type, name; in >> address >> type >> name;) names.insert(name);
  return names;
}

// What is in a and not in b.
std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string names;
  for (const std::string& name : a)
    if (!b.count(name)) names += "\n  " + name;
  return names;
}

std::set<std::string> readNames(const std::string& file) {
  std::ifstream in(file);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

bool writing() { return std::getenv("MENISCUS_WRITE_ABI") != nullptr; }

// cmake/abi/pending names functions that are declared and not there yet; when all are, the file must go.
TEST(Abi, LibraryExportsAllThatIsDeclared) {
  const std::set<std::string> declared = readHeaders().functions, now = exported(), pending = readNames(abiFile("pending"));
  ASSERT_TRUE(declared.count("mnsCreateContext"));
  std::set<std::string> excused = now;
  excused.insert(pending.begin(), pending.end());
  EXPECT_EQ(difference(declared, excused), "") << "declared in a header, but not in the library";
  EXPECT_EQ(difference(pending, declared), "") << "pending, but not declared";
  if (!pending.empty()) { EXPECT_NE(difference(pending, now), "") << "all is there: remove " << abiFile("pending"); }
}

TEST(Abi, LibraryExportsNothingThatIsNotDeclared) { EXPECT_EQ(difference(exported(), readHeaders().functions), ""); }

TEST(Abi, NoFunctionOfTheLastReleaseIsGone) {
  const std::set<std::string> now = exported();
  if (writing()) {
    std::ofstream out(abiFile("symbols"));
    std::copy(now.begin(), now.end(), std::ostream_iterator<std::string>(out, "\n"));
  }
  const std::set<std::string> before = readNames(abiFile("symbols"));
  ASSERT_FALSE(before.empty()) << "no list of the last release: " << abiFile("symbols");
  EXPECT_EQ(difference(before, now), "");
}

TEST(Abi, StructsAndConstantsAreThoseOfTheLastRelease) {
  const TemporaryFolder folder;
  const Header header = readHeaders();
  std::ofstream(folder / "layout.c") << layoutProgram(header);
  const std::string program = (folder / "layout").string();
  const Output built =
      sh("cc -std=c99 -Wall -Werror -I" MENISCUS_SOURCE_DIR "/engine/include -o " + program + " " + program + ".c");
  ASSERT_EQ(built.status, 0) << built.text;
  const Output now = sh(program);
  ASSERT_EQ(now.status, 0) << now.text;
  if (writing()) std::ofstream(abiFile("layout")) << now.text;
  const std::string before = readText(abiFile("layout"));
  ASSERT_NE(before, "") << "no list of the last release: " << abiFile("layout");
  EXPECT_EQ(layoutBreaks(before, now.text, header.growing), std::vector<std::string>());
}

// mnsView as an example of all that the parser must know, and of both ways to say a struct's size.
TEST(Abi, HeadersAreReadAsTheCompilerReadsThem) {
  const Header header = parseHeader(R"(
#define MNS_API __attribute__((visibility("default")))
/* MNS_API int mnsNotThis(void); */
typedef enum mnsKind { MNS_A = 0, MNS_B /* two */ } mnsKind;
typedef struct mnsDef {
  uint32_t structSize, cookie; /* a; b */
  const char* name;
  void* (*allocate)(void* user, size_t bytes);
  char text[16];
} mnsDef;
typedef struct mnsItem { double value; } mnsItem;
typedef struct mnsFixed { double value; } mnsFixed;
static inline mnsDef mnsDefaultDef(void) { mnsDef d; return d; }
MNS_API const char* mnsName(mnsKind kind);
MNS_API int mnsGetItems(mnsItem* items, size_t stride,
                        int count);
)");
  EXPECT_EQ(header.functions, (std::set<std::string>{"mnsName", "mnsGetItems"}));
  ASSERT_EQ(header.structs.size(), 3u);
  EXPECT_EQ(header.structs[0].first, "mnsDef");
  EXPECT_EQ(header.structs[0].second, (std::vector<std::string>{"structSize", "cookie", "name", "allocate", "text"}));
  EXPECT_EQ(header.constants, (std::vector<std::string>{"MNS_A", "MNS_B"}));
  EXPECT_EQ(header.growing, (std::set<std::string>{"mnsDef", "mnsItem"}));
}

TEST(Abi, FieldsMayComeAtTheEndOnly) {
  const std::string before = "struct mnsDef 16\nfield mnsDef.structSize 0 4\nfield mnsDef.value 8 8\nconstant MNS_A 1\n";
  const std::set<std::string> growing{"mnsDef"};
  const auto count = [&](const std::string& now, const std::set<std::string>& g) { return layoutBreaks(before, now, g).size(); };
  EXPECT_EQ(count(before, growing), 0u);
  const std::string atEnd =
      "struct mnsDef 24\nfield mnsDef.structSize 0 4\nfield mnsDef.value 8 8\nfield mnsDef.more 16 8\nconstant MNS_A 1\n";
  EXPECT_EQ(count(atEnd, growing), 0u);
  EXPECT_EQ(count(atEnd, {}), 1u) << "grown, but nobody tells its size";
  const std::string inMiddle =
      "struct mnsDef 24\nfield mnsDef.structSize 0 4\nfield mnsDef.more 8 8\nfield mnsDef.value 16 8\nconstant MNS_A 1\n";
  EXPECT_EQ(count(inMiddle, growing), 2u) << "`value` has moved, `more` is where it was";
  const std::string inPadding =
      "struct mnsDef 16\nfield mnsDef.structSize 0 4\nfield mnsDef.more 4 4\nfield mnsDef.value 8 8\nconstant MNS_A 1\n";
  EXPECT_EQ(count(inPadding, growing), 1u) << "callers of before left it uninitialised";
  EXPECT_EQ(count("struct mnsDef 8\nfield mnsDef.structSize 0 4\nconstant MNS_A 2\n", growing), 3u)
      << "smaller, a field gone, a value changed";
}

}  // namespace
