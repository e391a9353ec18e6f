// The sessions that are kept call every function of the public headers, and each with success at least once: what is not called,
// no fuzzer looks at.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/file.h"
#include "tests/fuzz/targets/api_session.h"
#include "tests/package/header.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

TEST(ApiUse, KeptSessionsCallEveryFunctionWithSuccess) {
  for (const auto& f : fs::directory_iterator(fs::path(MENISCUS_SOURCE_DIR) / "tests/fuzz/corpus/apiCalls")) {
    const std::string bytes = readWholeFile(f.path().string());
    fuzz::apiCalls(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  const std::set<std::string> functions = readHeaders().functions;
  EXPECT_GT(functions.size(), 100u);
  for (const std::string& name : functions) {
    EXPECT_GT(fuzz::apiUse()[name].calls, 0) << name << " is not called: add it to tests/fuzz/targets";
    EXPECT_GT(fuzz::apiUse()[name].successes, 0) << name << " never succeeds: keep a session in tests/fuzz/corpus/apiCalls";
  }
  for (const auto& [name, use] : fuzz::apiUse()) EXPECT_TRUE(functions.count(name)) << name << " is no function of the headers";
}

}  // namespace
}  // namespace meniscus
