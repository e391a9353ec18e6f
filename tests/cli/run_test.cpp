// Whole runs of a small tank through the command line.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using Json = nlohmann::ordered_json;
using testing::meniscus;
using testing::Outcome;
using testing::readText;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::writeText;

class CliRun : public ::testing::Test {
 protected:
  CliRun() { writeText(folder / "scene.json", tankScene()); }
  std::string scene() const { return folder / "scene.json"; }
  // Runs with a summary of its own and returns it; {} where the run fails.
  Json summaryOf(const std::string& options) {
    const std::string file = folder / "summary.json";
    std::filesystem::remove(file);
    const Outcome o = meniscus("run " + scene() + " --quiet --summary " + file + " " + options);
    EXPECT_EQ(o.status, 0) << options << ": " << o.text;
    EXPECT_EQ(o.text, "") << "--quiet says nothing";
    return std::filesystem::exists(file) ? Json::parse(readText(file)) : Json{};
  }
  TemporaryFolder folder;
};

TEST_F(CliRun, WritesSummaryFramesAndSteps) {
  const Json s = summaryOf("--out " + (folder / "out") + " --every 0.01 --format vtk,ply --threads 2");
  EXPECT_EQ(s["scene"], "tank");
  EXPECT_EQ(s["steps"], 20);
  EXPECT_NEAR(s["simulated_seconds"].get<double>(), 0.04, 1e-9);
  EXPECT_EQ(s["threads"], 2);
  EXPECT_EQ(s["particles"], 300);
  EXPECT_EQ(s["leaked_particles"], 0);
  const std::string csv = readText(folder / "out/steps.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 21);
  for (const char* file :
       {"particles.pvd", "solids.pvd", "frames/particles-00000.vtp", "frames/particles-00004.vtp", "frames/solids-00004.ply"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("out/" + std::string(file)))) << file;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/frames/particles-00005.vtp"));
}

TEST_F(CliRun, WithoutOutWritesNothing) {
  EXPECT_EQ(meniscus("run " + scene() + " --steps 2").status, 0);
  int files = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1);
}

// One hash for 1, 2 and 4 threads, for a second run, and for a run that is resumed in the middle.
TEST_F(CliRun, OneHashForThreadsRepeatsAndResume) {
  const std::string hash = summaryOf("--threads 1")["state_hash"];
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(summaryOf("--threads 1")["state_hash"], hash);
  EXPECT_EQ(summaryOf("--threads 2")["state_hash"], hash);
  EXPECT_EQ(summaryOf("--threads 4")["state_hash"], hash);
  // checkpoints at 0.018 s and 0.036 s; the last one is kept
  summaryOf("--out " + (folder / "out") + " --checkpoint 0.018 --steps 10");
  const Json resumed = summaryOf("--threads 2 --resume " + (folder / "out/checkpoint.snapshot"));
  EXPECT_EQ(resumed["steps"], 20);
  EXPECT_EQ(resumed["state_hash"], hash);
}

TEST_F(CliRun, ExpectationsDecideInStrictOnly) {
  writeText(scene(), tankScene(R"(, "expect": {"particles": {"min": 300, "max": 300}, "solids.ball.z": {"max": 0.001}})"));
  const Outcome loose = meniscus("run " + scene() + " --steps 2");
  EXPECT_EQ(loose.status, 0);
  EXPECT_NE(loose.text.find("holds: particles = 300"), std::string::npos) << loose.text;
  EXPECT_NE(loose.text.find("DOES NOT HOLD: solids.ball.z"), std::string::npos) << loose.text;
  EXPECT_EQ(meniscus("run " + scene() + " --steps 2 --strict --quiet").status, 3);
}

// A fluid faster than any number allows: the run fails with status 3, says why, and still leaves a summary that is JSON.
TEST_F(CliRun, RunThatIsNoLongerFiniteFails) {
  std::string text = tankScene();
  text.insert(text.find("\"relax\""), "\"velocity\": [3e9, 0, 0], ");
  writeText(scene(), text);
  const Outcome o = meniscus("run " + scene() + " --steps 3 --summary " + (folder / "s.json"));
  EXPECT_EQ(o.status, 3) << o.text;
  EXPECT_NE(o.text.find("finite"), std::string::npos) << o.text;
  ASSERT_TRUE(std::filesystem::exists(folder / "s.json"));
  EXPECT_EQ(Json::parse(readText(folder / "s.json"))["scene"], "tank");
}

TEST_F(CliRun, InterruptWritesACheckpointAndSaysHowToResume) {
  const std::string hash = summaryOf("--steps 400 --threads 1")["state_hash"];
  const std::string out = folder / "out", log = folder / "log";
  // started in the background, interrupted once it has written some steps
  const std::string command = "'" + testing::program() + "' run " + scene() + " --steps 400 --threads 1 --out " + out + " > " +
                              log + " 2>&1 & child=$!; for i in $(seq 200); do [ -s " + out + "/steps.csv ] && [ $(wc -l < " + out +
                              "/steps.csv) -gt 5 ] && break; sleep 0.02; done; kill -INT $child; wait $child";
  const Outcome o = testing::shell(command);
  const std::string text = readText(log);
  EXPECT_NE(text.find("press Ctrl-C again to end at once without a checkpoint\n"), std::string::npos) << text;
  ASSERT_NE(text.find("interrupted after step"), std::string::npos) << o.status << text;
  EXPECT_NE(text.find("--resume " + out + "/checkpoint.snapshot"), std::string::npos) << text;
  const Json resumed = summaryOf("--steps 400 --out " + out + " --resume " + out + "/checkpoint.snapshot");
  EXPECT_EQ(resumed["state_hash"], hash);
  const std::string csv = readText(out + "/steps.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 401);  // every step once, over both runs
}

// A step of many sub-steps does not keep whoever stops the run waiting for its end.
TEST_F(CliRun, InterruptDoesNotWaitForTheStep) {
  std::string text = tankScene();
  text.replace(text.find("\"dt\": 0.002"), 11, "\"dt\": 20, \"max_substeps\": 100000");
  text.insert(text.rfind('}'), ", \"expect\": {\"steps\": {\"min\": 5}}");
  writeText(scene(), text);
  const std::string out = folder / "out", log = folder / "log";
  testing::shell("'" + testing::program() + "' run " + scene() + " --steps 1 --out " + out + " > " + log +
                 " 2>&1 & child=$!; for i in $(seq 200); do [ -f " + out + "/steps.csv ] && break; sleep 0.02; done; sleep 0.1; " +
                 "kill -TERM $child; wait $child");
  EXPECT_NE(readText(log).find("interrupted after step 0, t = 0 s"), std::string::npos) << readText(log);
  EXPECT_EQ(readText(log).find("DOES NOT HOLD"), std::string::npos) << "its end was not reached: " << readText(log);
  EXPECT_TRUE(std::filesystem::exists(out + "/checkpoint.snapshot"));
}

// The command that an interrupted run prints goes on as the run would have, whatever the names of its files.
TEST_F(CliRun, PrintedCommandGoesOn) {
  const std::string hash = summaryOf("--steps 300 --threads 1")["state_hash"];
  const std::string odd = folder / "a scene's.json", out = folder / "out put";
  std::filesystem::copy_file(scene(), odd);
  const std::string command = "'" + testing::program() + "' run \"" + odd + "\" --steps 300 --threads 1 --out '" + out +
                              "' --every 0.1 --format ply --summary '" + out + "/s.json' > " + (folder / "log") +
                              " 2>&1 & child=$!; for i in $(seq 200); do [ -s '" + out + "/steps.csv' ] && [ $(wc -l < '" + out +
                              "/steps.csv') -gt 5 ] && break; sleep 0.02; done; kill -INT $child; wait $child";
  testing::shell(command);
  const std::string text = readText(folder / "log");
  const std::size_t begin = text.find("meniscus run ");
  ASSERT_NE(begin, std::string::npos) << text;
  const std::string rest = text.substr(begin + 8, text.find('\n', begin) - begin - 8);
  const Outcome o = meniscus(rest);
  EXPECT_EQ(o.status, 0) << rest << "\n" << o.text;
  EXPECT_EQ(Json::parse(readText(out + "/s.json"))["state_hash"], hash);
  EXPECT_TRUE(std::filesystem::exists(out + "/frames/particles-00006.ply"));
}

TEST_F(CliRun, FramesNoMoreThanSteps) {
  summaryOf("--steps 3 --every 1e-300 --out " + (folder / "out"));
  for (int k = 0; k <= 3; ++k)
    EXPECT_TRUE(std::filesystem::exists(folder / ("out/frames/particles-0000" + std::to_string(k) + ".vtp")));
}

TEST_F(CliRun, SaysHowManyInPlainEnglish) {
  const Outcome one = meniscus("run " + scene() + " --steps 1 --threads 1");
  EXPECT_NE(one.text.find("\n1 step in "), std::string::npos) << one.text;
  EXPECT_NE(one.text.find(" on 1 thread;"), std::string::npos) << one.text;
  const Outcome two = meniscus("run " + scene() + " --steps 2 --threads 2");
  EXPECT_NE(two.text.find("\n2 steps in "), std::string::npos) << two.text;
  EXPECT_NE(two.text.find(" on 2 threads;"), std::string::npos) << two.text;
}

// Where sub-steps are short for the sound's sake, a speed of 0 m/s would be no reason for them.
TEST_F(CliRun, SubstepsForTheSoundAreNamedAsSuch) {
  testing::writeText(folder / "sound.json", R"({"meniscus": 1, "name": "s", "domain": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.3]},
    "solver": {"pressure": "weakly-compressible", "sound_speed": 100, "max_substeps": 4},
    "fluids": [{"name": "w", "spacing": 0.03, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.15]}}]}]})");
  const Outcome o = meniscus("run " + (folder / "sound.json") + " --steps 1");
  EXPECT_EQ(o.status, 0) << o.text;
  EXPECT_NE(o.text.find(" sub-steps by the speed of sound of the weakly compressible fluid, max_substeps is 4"), std::string::npos)
      << o.text;
}

// The file that keeps others out is gone with the run.
TEST_F(CliRun, LeavesNoLock) {
  summaryOf("--steps 1 --out " + (folder / "out"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/steps.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/.lock"));
}

// A killed run leaves whole files: the last checkpoint is good, and the folder can be used again.
TEST_F(CliRun, KilledRunCanBeResumed) {
  const std::string hash = summaryOf("--steps 300 --threads 1")["state_hash"];
  const std::string out = folder / "out", snapshot = out + "/checkpoint.snapshot";
  testing::shell("'" + testing::program() + "' run " + scene() + " --steps 300 --quiet --checkpoint 1e-9 --every 0.002 --out " +
                 out + " & child=$!; for i in $(seq 200); do [ -s " + snapshot +
                 " ] && break; sleep 0.02; done; sleep 0.1; kill -9 $child; " + "wait $child");
  EXPECT_EQ(summaryOf("--steps 300 --out " + out + " --resume " + snapshot)["state_hash"], hash);
  const std::string csv = readText(out + "/steps.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 301);
}

// What it had not come to the end of is removed by the next run into the folder; a living process's is not.
TEST_F(CliRun, HalfFilesOfAKilledRunAreRemoved) {
  const std::string out = folder / "out";
  std::filesystem::create_directories(out + "/frames");
  const Outcome dead = testing::shell("sh -c 'echo $$'");
  const std::string gone = "." + dead.text.substr(0, dead.text.find('\n')) + ".part";
  const std::string living = "." + std::to_string(::getpid()) + ".part";
  for (const std::string& name : {"/checkpoint.snapshot" + gone, "/frames/particles_00001.vtu" + gone, "/mine" + living})
    writeText(out + name, "half");
  summaryOf("--steps 1 --out " + out);
  EXPECT_FALSE(std::filesystem::exists(out + "/checkpoint.snapshot" + gone));
  EXPECT_FALSE(std::filesystem::exists(out + "/frames/particles_00001.vtu" + gone));
  EXPECT_TRUE(std::filesystem::exists(out + "/mine" + living));
}

TEST_F(CliRun, SecondRunIntoTheSameFolderIsRefused) {
  const std::string out = folder / "out";
  const std::string command = "'" + testing::program() + "' run " + scene() + " --quiet --steps 100000 --out " + out +
                              " & child=$!; " + "for i in $(seq 200); do [ -s " + out +
                              "/steps.csv ] && break; sleep 0.02; done; '" + testing::program() + "' run " + scene() +
                              " --steps 1 --out " + out + "; echo status $?; kill -TERM $child; wait $child";
  const Outcome o = testing::shell(command);
  EXPECT_NE(o.text.find("another run (process "), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("status 2"), std::string::npos) << o.text;
}

TEST_F(CliRun, BenchTimesAndHashes) {
  const Outcome o = meniscus("bench " + scene() + " --repeat 2 --steps 3 --warm-up 1 --csv " + (folder / "bench.csv"));
  EXPECT_EQ(o.status, 0) << o.text;
  const std::string csv = readText(folder / "bench.csv");
  EXPECT_NE(csv.find(",scene: particles,300,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",scene: solve pressure,"), std::string::npos) << csv;
}

TEST_F(CliRun, BenchPressureComparesOnThreeTanks) {
  const Outcome o = meniscus("bench pressure --n 8,13 --repeat 1 --threads 2 --csv " + (folder / "pressure.csv"));
  EXPECT_EQ(o.status, 0) << o.text;
  std::istringstream lines(readText(folder / "pressure.csv"));
  int solves = 0;
  for (std::string line; std::getline(lines, line);) solves += line.find("multigrid solve,") != std::string::npos;
  EXPECT_EQ(solves, 3 * 2 * 2) << "tanks, sizes, tolerances";
  EXPECT_NE(o.text.find("2197 unknowns, 1e-10: multigrid"), std::string::npos) << o.text;
  EXPECT_EQ(meniscus("bench pressure --n 0").status, 2);
  EXPECT_EQ(meniscus("bench pressure --n 8 --no-baseline --repeat 1").text.find("Eigen"), std::string::npos);
}

}  // namespace
}  // namespace meniscus
