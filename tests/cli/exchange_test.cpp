// Snapshots go back and forth between the program and the library.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "meniscus/meniscus.h"
#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::TemporaryFolder;

std::string hashOfRun(const TemporaryFolder& folder, const std::string& options) {
  const testing::Outcome o =
      testing::meniscus("run " + (folder / "scene.json") + " --quiet --summary " + (folder / "s.json") + " " + options);
  EXPECT_EQ(o.status, 0) << o.text;
  return nlohmann::json::parse(testing::readText(folder / "s.json"))["state_hash"];
}

class Library {
 public:
  explicit Library(const std::string& file) {
    EXPECT_EQ(mnsCreateContext(MNS_VERSION, nullptr, &context_), MNS_OK) << mnsGetLastError();
    EXPECT_EQ(mnsLoadScene(context_, file.c_str(), &scene), MNS_OK) << mnsGetLastError();
  }
  ~Library() { mnsDestroyContext(context_); }
  void steps(int n) {
    for (int k = 0; k < n; ++k) EXPECT_EQ(mnsScene_Step(scene, 0.002), MNS_OK) << mnsGetLastError();
  }
  std::string hash() {
    std::uint64_t h = 0;
    EXPECT_EQ(mnsScene_GetHash(scene, &h), MNS_OK) << mnsGetLastError();
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
    return text;
  }
  mnsScene* scene = nullptr;

 private:
  mnsContext* context_ = nullptr;
};

// 20 steps in all, wherever they are made.
TEST(CliExchange, SnapshotsOfEitherAreTakenByTheOther) {
  const TemporaryFolder folder;
  testing::writeText(folder / "scene.json", testing::tankScene());
  const std::string whole = hashOfRun(folder, "");
  Library first(folder / "scene.json");
  first.steps(8);
  ASSERT_EQ(mnsScene_SaveSnapshot(first.scene, (folder / "a.snapshot").c_str()), MNS_OK) << mnsGetLastError();
  EXPECT_EQ(hashOfRun(folder, "--resume " + (folder / "a.snapshot")), whole);

  hashOfRun(folder, "--steps 11 --checkpoint 1e-9 --out " + (folder / "out"));
  Library second(folder / "scene.json");
  ASSERT_EQ(mnsScene_LoadSnapshot(second.scene, (folder / "out/checkpoint.snapshot").c_str()), MNS_OK) << mnsGetLastError();
  second.steps(9);
  EXPECT_EQ(second.hash(), whole);
}

}  // namespace
}  // namespace meniscus
