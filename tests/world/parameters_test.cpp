// What may be changed between steps, and what of it a snapshot asks for.
#include <gtest/gtest.h>

#include "engine/world/hash.h"
#include "engine/world/particles.h"
#include "engine/world/snapshot.h"
#include "tests/shared/small_world.h"

namespace meniscus {
namespace {

using testing::smallWorld;

// A slider for a compliance that was moved since does not make a snapshot one of another scene; another edge does.
TEST(LiveParameters, SnapshotsFitWhateverResists) {
  const std::string bytes = packSnapshot(smallWorld());
  World softer = smallWorld();
  softer.scene.gravity.z = -1;
  softer.solid.constraints.items[0].compliance = 0.5f;
  softer.solid.constraints.items[0].damping = 0.1f;
  unpackSnapshot(softer, bytes, "bytes");
  EXPECT_EQ(softer.solid.constraints.items[0].compliance, 0.5f);
  EXPECT_EQ(stateHash(softer), stateHash(smallWorld()));
  World other = smallWorld();
  other.solid.constraints.items[0].node[1] = 2;
  EXPECT_NE(modelHash(other), modelHash(smallWorld()));
  other = smallWorld();
  other.solid.constraints.items[0].type = ConstraintType::tetVolume;
  EXPECT_NE(modelHash(other), modelHash(smallWorld()));
}

TEST(LiveParticles, AreAppendedWithTheNextIdAndRemovedInOrder) {
  World w = smallWorld();
  w.fluid.p[2] = 7;
  reserveParticles(w.fluid, 5);
  appendParticle(w, {0.5, 0.25, 0.125}, {1, 2, 3}, 4);
  ASSERT_EQ(w.fluid.n, 4);
  EXPECT_EQ(w.fluid.id[3], 3u);
  EXPECT_EQ(w.nextId, 4u);
  EXPECT_EQ(w.fluid.x[3].y, 0.25f);
  EXPECT_EQ(w.fluid.u[3].z, 3.f);
  EXPECT_EQ(w.fluid.kind[3], 4);
  EXPECT_EQ(w.fluid.p[3], 0.f);
  EXPECT_EQ(removeParticles(w.fluid, {1, 0, 1, 0}), 2);
  ASSERT_EQ(w.fluid.n, 2);
  EXPECT_EQ(w.fluid.id[0], 1u);
  EXPECT_EQ(w.fluid.leaked[0], 1);
  EXPECT_EQ(w.fluid.id[1], 3u);
  EXPECT_EQ(w.fluid.x.size(), 2u);
  appendParticle(w, {}, {}, 0);
  EXPECT_EQ(w.fluid.p[2], 0.f);  // not what was left there
  EXPECT_EQ(w.fluid.id[2], 4u);
}

}  // namespace
}  // namespace meniscus
