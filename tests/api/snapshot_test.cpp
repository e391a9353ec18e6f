// A scene goes back to where it was and goes on in the same bits; what cannot be restored changes nothing.
#include <cmath>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"
#include "tests/shared/temporary_folder.h"

namespace {

using meniscus::testing::TemporaryFolder;

class Snapshot : public ApiTest {
 protected:
  static std::string of(mnsScene* scene) {
    std::size_t size = 0;
    EXPECT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
    std::string bytes(size, '\0');
    EXPECT_OK(mnsScene_Snapshot(scene, bytes.data(), bytes.size(), &size));
    EXPECT_EQ(size, bytes.size());
    return bytes;
  }
  static std::uint64_t hash(mnsScene* scene) {
    std::uint64_t h = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &h));
    return h;
  }
  static void steps(mnsScene* scene, int n) {
    for (int k = 0; k < n; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
  }
};

TEST_F(Snapshot, GoesOnBitByBit) {
  mnsScene* scene = tankWithBall();
  steps(scene, 5);
  const std::string saved = of(scene);
  const std::uint64_t then = hash(scene);
  steps(scene, 5);
  const std::uint64_t end = hash(scene);
  EXPECT_NE(end, then);
  ASSERT_OK(mnsScene_Restore(scene, saved.data(), saved.size()));
  EXPECT_EQ(hash(scene), then);
  EXPECT_EQ(of(scene), saved);
  steps(scene, 5);
  EXPECT_EQ(hash(scene), end);
}

TEST_F(Snapshot, StartsAnotherSceneOfTheSame) {
  mnsScene* scene = tankWithBall();
  steps(scene, 5);
  const std::string saved = of(scene);
  steps(scene, 2);
  mnsScene* other = tankWithBall();
  ASSERT_OK(mnsScene_Restore(other, saved.data(), saved.size()));
  EXPECT_EQ(mnsScene_Start(other), MNS_ERROR_STARTED);
  steps(other, 2);
  EXPECT_EQ(hash(other), hash(scene));
}

TEST_F(Snapshot, ArraysAndStatisticsFollow) {
  mnsScene* scene = tankWithBall();
  mnsView view{};
  ASSERT_OK(mnsScene_Start(scene));
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  const std::vector<float> before(static_cast<float*>(view.data), static_cast<float*>(view.data) + 4 * view.count);
  const std::string saved = of(scene);
  steps(scene, 10);
  ASSERT_OK(mnsScene_Restore(scene, saved.data(), saved.size()));
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  ASSERT_EQ(std::size_t(4 * view.count), before.size());
  for (std::size_t k = 0; k < before.size(); ++k) ASSERT_EQ(static_cast<float*>(view.data)[k], before[k]) << k;
  mnsStatistics s{};
  s.structSize = sizeof s;
  EXPECT_OK(mnsScene_GetStatistics(scene, &s));
  EXPECT_EQ(s.steps, 0u);
  EXPECT_EQ(s.substeps, 0);
}

TEST_F(Snapshot, DamagedOnesChangeNothing) {
  mnsScene* scene = tankWithBall();
  steps(scene, 2);
  const std::string saved = of(scene);
  steps(scene, 1);
  const std::uint64_t now = hash(scene);
  for (const std::size_t cut : {std::size_t(0), std::size_t(10), saved.size() / 2, saved.size() - 1}) {
    EXPECT_EQ(mnsScene_Restore(scene, saved.data(), cut), MNS_ERROR_SNAPSHOT) << cut;
    EXPECT_EQ(hash(scene), now);
  }
  std::string bent = saved;
  bent[bent.size() / 2] = char(bent[bent.size() / 2] ^ 1);
  EXPECT_EQ(mnsScene_Restore(scene, bent.data(), bent.size()), MNS_ERROR_SNAPSHOT);
  EXPECT_EQ(hash(scene), now);
  // a scene that is not started stays so
  mnsScene* fresh = tankWithBall();
  EXPECT_EQ(mnsScene_Restore(fresh, bent.data(), bent.size()), MNS_ERROR_SNAPSHOT);
  std::uint64_t h = 0;
  EXPECT_EQ(mnsScene_GetHash(fresh, &h), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Start(fresh));
}

TEST_F(Snapshot, OfAnotherSceneIsRefused) {
  mnsScene* scene = tankWithBall();
  steps(scene, 1);
  const std::string saved = of(scene);
  mnsScene* other = emptyTank();
  addWater(other);
  EXPECT_EQ(mnsScene_Restore(other, saved.data(), saved.size()), MNS_ERROR_SNAPSHOT);
  EXPECT_NE(std::string(mnsGetLastError()).find("another scene"), std::string::npos) << mnsGetLastError();
}

TEST_F(Snapshot, Files) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.snapshot";
  mnsScene* scene = tankWithBall();
  steps(scene, 3);
  const std::uint64_t then = hash(scene);
  ASSERT_OK(mnsScene_SaveSnapshot(scene, path.c_str()));
  steps(scene, 1);
  ASSERT_OK(mnsScene_LoadSnapshot(scene, path.c_str()));
  EXPECT_EQ(hash(scene), then);
  EXPECT_EQ(mnsScene_LoadSnapshot(scene, (folder / "none").c_str()), MNS_ERROR_FILE);
  EXPECT_EQ(mnsScene_SaveSnapshot(scene, (folder / "none/a.snapshot").c_str()), MNS_ERROR_FILE);
  meniscus::testing::writeText(folder / "b.snapshot", "no snapshot");
  EXPECT_EQ(mnsScene_LoadSnapshot(scene, (folder / "b.snapshot").c_str()), MNS_ERROR_SNAPSHOT);
  EXPECT_EQ(mnsScene_LoadSnapshot(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SaveSnapshot(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hash(scene), then);
}

TEST_F(Snapshot, SaysHowMuchRoomItNeeds) {
  mnsScene* scene = tankWithBall();
  std::size_t size = 7;
  EXPECT_EQ(mnsScene_Snapshot(scene, nullptr, 0, &size), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  char small[16] = {};
  EXPECT_EQ(mnsScene_Snapshot(scene, small, sizeof small, &size), MNS_ERROR_BUFFER_TOO_SMALL);
  EXPECT_EQ(size, of(scene).size());
  EXPECT_EQ(small[0], 0);
  EXPECT_EQ(mnsScene_Snapshot(scene, nullptr, 0, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_Restore(scene, nullptr, 0), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetHash(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  std::uint64_t h = 0;
  EXPECT_EQ(mnsScene_GetHash(nullptr, &h), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_Snapshot(nullptr, nullptr, 0, &size), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_Restore(nullptr, small, sizeof small), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_SaveSnapshot(nullptr, "a"), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_LoadSnapshot(nullptr, "a"), MNS_ERROR_INVALID_HANDLE);
}

}  // namespace
