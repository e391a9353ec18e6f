// The inputs that a fuzzer found worth keeping, and damaged copies of them, through the functions it drove.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/file.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/targets/targets.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

void run(const fuzz::Target& target, const std::string& bytes) {
  target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

class Replay : public ::testing::TestWithParam<fuzz::Target> {};

// A target ends the process where a promise is broken, so a run that comes back has held them all.
TEST_P(Replay, KeptInputsAndDamagedOnesBreakNoPromise) {
  const fuzz::Target& target = GetParam();
  std::vector<fs::path> files;
  for (const auto& f : fs::directory_iterator(fs::path(MENISCUS_SOURCE_DIR) / "tests/fuzz/corpus" / target.name))
    files.push_back(f.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty()) << "no inputs are kept for " << target.name;
  run(target, "");
  testing::Mutator damage(11, {"0", "-1", "nan", "1e999", "\xff\xff\xff\xff"});
  for (const fs::path& f : files) {
    const std::string bytes = readWholeFile(f.string());
    run(target, bytes);
    for (int k = 0; k < 4; ++k) run(target, damage(bytes, 6));
  }
}

std::string nameOf(const ::testing::TestParamInfo<fuzz::Target>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Targets, Replay, ::testing::ValuesIn(fuzz::kTargets), nameOf);

}  // namespace
}  // namespace meniscus
