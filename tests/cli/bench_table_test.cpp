// The tables of `meniscus bench`: written, read and compared.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::TemporaryFolder;
using testing::writeText;

constexpr const char* kHeader = "machine,threads,version,name,value,unit,state_hash\n";

bool contains(const Outcome& o, const std::string& text) { return o.text.find(text) != std::string::npos; }

class CliBenchTable : public ::testing::Test {
 protected:
  void SetUp() override { writeText(folder / "tank.json", testing::tankScene()); }
  Outcome bench(const std::string& more) const {
    return meniscus("bench " + (folder / "tank.json") + " --repeat 1 --steps 2 --warm-up 0 --threads 1 " + more);
  }
  // The table of a run, with the value of one figure replaced.
  std::string withValue(const std::string& csv, const std::string& name, const std::string& value) const {
    const std::size_t at = csv.find("," + name + ",") + name.size() + 2;
    return csv.substr(0, at) + value + csv.substr(csv.find(',', at));
  }
  TemporaryFolder folder;
};

TEST_F(CliBenchTable, SaysWhatItWasMeasuredOn) {
  const Outcome o = bench("--csv " + (folder / "a.csv") + " --note 'beside a build'");
  ASSERT_EQ(o.status, 0) << o.text;
  const std::string csv = readText(folder / "a.csv");
  EXPECT_EQ(csv.rfind(std::string("# beside a build\n") + kHeader, 0), 0u) << csv;
  const std::size_t from = csv.find('"') + 1;
  const std::string machine = csv.substr(from, csv.find('"', from) - from);
  EXPECT_NE(machine.find(" processor"), std::string::npos) << machine;
  EXPECT_NE(csv.find("\",1,0.1.0"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",tank: median,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",ms a step,"), std::string::npos) << csv;
}

TEST_F(CliBenchTable, AShardIsPartOfTheScenes) {
  writeText(folder / "other.json", testing::tankScene());
  const auto timed = [&](const std::string& shard) {
    return bench((folder / "other.json") + " --shard " + shard + " --csv " + (folder / "s.csv"));
  };
  const auto has = [](const Outcome& o, const std::string& scene) { return contains(o, scene + ".json: "); };
  const Outcome first = timed("1/2");
  ASSERT_EQ(first.status, 0) << first.text;
  EXPECT_TRUE(has(first, "tank") && !has(first, "other")) << first.text;
  const Outcome second = timed("2/2");
  EXPECT_TRUE(!has(second, "tank") && has(second, "other")) << second.text;
  const Outcome none = timed("5/5");
  EXPECT_EQ(none.status, 0) << none.text;
  EXPECT_TRUE(contains(none, "shard 5/5: nothing to do, the number of scenes is 2")) << none.text;
}

// The same program on the same scene: the same state, and no ratio above an enormous limit.
TEST_F(CliBenchTable, ComparesWithAStoredTable) {
  ASSERT_EQ(bench("--csv " + (folder / "a.csv")).status, 0);
  const Outcome o = bench("--compare " + (folder / "a.csv") + " --fail-above 1e6");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_TRUE(contains(o, "0 not comparable, 0 new, 0 of the file not measured, 0 of another state")) << o.text;
  EXPECT_TRUE(contains(o, "ratio   1.000")) << "the number of particles: " << o.text;
}

// As a spreadsheet leaves it: with a mark before its text, and ends of lines of two characters.
TEST_F(CliBenchTable, ComparesWithATableThatASpreadsheetSaved) {
  ASSERT_EQ(bench("--csv " + (folder / "a.csv")).status, 0);
  std::string text = "\xEF\xBB\xBF";
  for (const char c : readText(folder / "a.csv")) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  writeText(folder / "b.csv", text.substr(0, 3) + text.substr(text.find("machine,")));
  const Outcome o = bench("--compare " + (folder / "b.csv") + " --fail-above 1e6");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_TRUE(contains(o, "0 not comparable, 0 new, 0 of the file not measured, 0 of another state")) << o.text;
}

TEST_F(CliBenchTable, FailsAboveTheLimit) {
  ASSERT_EQ(bench("--csv " + (folder / "a.csv")).status, 0);
  writeText(folder / "fast.csv", withValue(readText(folder / "a.csv"), "tank: median", "1e-6"));
  const Outcome o = bench("--compare " + (folder / "fast.csv") + " --fail-above 1e3");
  EXPECT_EQ(o.status, 3) << o.text;
  EXPECT_TRUE(contains(o, "ABOVE 1000")) << o.text;
  EXPECT_TRUE(contains(o, "1 figure above 1000 times the stored value")) << o.text;
  EXPECT_EQ(bench("--compare " + (folder / "fast.csv")).status, 0) << "a limit is asked for, or there is none";
}

TEST_F(CliBenchTable, FlagsAnotherStateAndAnotherMachine) {
  ASSERT_EQ(bench("--csv " + (folder / "a.csv")).status, 0);
  const std::string csv = readText(folder / "a.csv");
  const std::size_t hash = csv.find("ms a step,") + 10;
  std::string other = csv;
  other.replace(hash, 16, "0123456789abcdef");
  writeText(folder / "state.csv", other);
  const std::string told = bench("--compare " + (folder / "state.csv")).text;
  const std::size_t particles = told.find("  tank: particles");  // a figure without a hash of its own
  ASSERT_NE(particles, std::string::npos) << told;
  EXPECT_NE(told.substr(particles, told.find('\n', particles) - particles).find("OTHER STATE: "), std::string::npos) << told;

  std::string elsewhere = csv;
  for (std::size_t at; (at = elsewhere.find(" processor")) != std::string::npos;) elsewhere.replace(at, 10, " abacus");
  writeText(folder / "machine.csv", withValue(elsewhere, "tank: median", "1e-6"));
  const Outcome o = bench("--compare " + (folder / "machine.csv") + " --fail-above 1.1");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_TRUE(contains(o, "not comparable: measured on ")) << o.text;
  EXPECT_TRUE(contains(o, "--fail-above has nothing to hold")) << o.text;
  EXPECT_TRUE(contains(o, "0 figures compared")) << o.text;
}

// Before any time is spent, with the line.
TEST_F(CliBenchTable, BadFilesAreNamedWithTheLine) {
  const std::string row = "\"AMD, 2 processors\",2,0.1.0,a,1,ms,\n";
  const struct {
    const char* what;
    std::string text, expected;
  } cases[] = {{"another file", "time,energy\n1,2\n", "bad.csv:1: this is not a table"},
               {"nothing", "", "bad.csv:1: the table has no figures"},
               {"no figures", std::string("# note\n") + kHeader, "bad.csv:2: the table has no figures"},
               {"a word", kHeader + row + "x,2,0.1.0,b,fast,ms,\n", "bad.csv:3: \"fast\" in the column value"},
               {"not a number", kHeader + row + "x,2,0.1.0,b,nan,ms,\n", "bad.csv:3: \"nan\" in the column value"},
               {"threads", kHeader + std::string("x,0,0.1.0,b,1,ms,\n"), "bad.csv:2: \"0\" is no number of threads"},
               {"cells", kHeader + row + "x,2,0.1.0,b\n", "bad.csv:3: 4 cells instead of 7"},
               {"a quote", kHeader + std::string("\"x,2,0.1.0,b,1,ms,\n"), "bad.csv:2: a quote is not closed"},
               {"a hash", kHeader + std::string("x,2,0.1.0,b,1,ms,12\n"), "bad.csv:2: \"12\" is no state hash"},
               {"twice", kHeader + row + row, "bad.csv:3: \"a\" is there already, in line 2"}};
  for (const auto& c : cases) {
    writeText(folder / "bad.csv", c.text);
    const Outcome o = bench("--compare " + (folder / "bad.csv"));
    EXPECT_EQ(o.status, 2) << c.what << ": " << o.text;
    EXPECT_TRUE(contains(o, c.expected)) << c.what << ": " << o.text;
    EXPECT_FALSE(contains(o, "median")) << c.what << ": " << o.text;
  }
  EXPECT_EQ(bench("--compare " + (folder / "none.csv")).status, 2);
  EXPECT_EQ(bench("--fail-above 1.1").status, 2) << "above what";
}

// Every launch that it asks for is one of the step's, and every figure is there.
TEST(CliBenchKernelsSlow, TimesThePartsOfAStep) {
  const TemporaryFolder folder;
  const Outcome o = meniscus("bench kernels --particles 1000,2000 --repeat 1 --csv " + (folder / "k.csv"));
  ASSERT_EQ(o.status, 0) << o.text;
  const std::string csv = readText(folder / "k.csv");
  for (const char* figure :
       {",\"cube, support 2.0: pressure operator, both passes\",", ",\"cube, support 2.4: neighbours: search and lists\",",
        ",tank of 1024 particles: pressure iterations,", ",cloth: sweeps of constraints,", ",water on cloth: contacts on the way,"})
    EXPECT_NE(csv.find(figure), std::string::npos) << figure << " in " << csv;
}

}  // namespace
}  // namespace meniscus
