#include "engine/world/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/shared/small_world.h"

namespace meniscus {
namespace {

using Entries = std::vector<ParticleLedger::Entry>;

// Particle k is at (.1 k, .2, .3) from the lower corner (-1, -2, -3), with the velocity (1, -k/2, .25) m/s; 1 has leaked before.
World worldOfSix() {
  World w = testing::smallWorld(6);
  w.scene.drains.resize(1);
  w.scene.drains[0].radius = 0.05;
  w.scene.drains[0].transform.translate = {-1 + 0.4, -2 + 0.2, -3 + 0.3};  // at particle 4
  w.fluid.leaked.data()[1] = 1;
  return w;
}

void remove(World& w, std::size_t i) {
  FluidState& f = w.fluid;
  for (std::size_t k = i + 1; k < std::size_t(f.n); ++k) {
    f.x[k - 1] = f.x[k];
    f.id[k - 1] = f.id[k];
    f.leaked[k - 1] = f.leaked[k];
  }
  --f.n;
}

TEST(Ledger, NothingHappened) {
  World w = worldOfSix();
  ParticleLedger ledger;
  StateCopy before;
  Entries entries(3);
  ledger.take(w);
  before.take(w);
  ledger.compare(w, before, entries);
  EXPECT_TRUE(entries.empty());
}

TEST(Ledger, LeaksAreNewsOnce) {
  World w = worldOfSix();
  ParticleLedger ledger;
  StateCopy before;
  Entries entries;
  ledger.take(w);
  before.take(w);
  w.fluid.leaked[3] = 1;
  ledger.compare(w, before, entries);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].id, w.fluid.id[3]);
  EXPECT_EQ(entries[0].what, ParticleLedger::What::leaked);
  EXPECT_NEAR(entries[0].x.x, -1 + 0.3, 1e-6);
  EXPECT_NEAR(entries[0].x.z, -3 + 0.3, 1e-6);
  ledger.take(w);
  before.take(w);
  ledger.compare(w, before, entries);
  EXPECT_TRUE(entries.empty());
}

// Of two that are gone, the one at the drain went into it, and the one beside the open side -x out of it.
TEST(Ledger, TellsDrainsFromOpenSides) {
  World w = worldOfSix();
  w.scene.domain.walls[0] = false;
  ParticleLedger ledger;
  StateCopy before;
  Entries entries;
  ledger.take(w);
  before.take(w);
  const std::uint32_t drained = w.fluid.id[4], escaped = w.fluid.id[0];
  remove(w, 4);
  remove(w, 0);
  ++w.drains[0].removed;
  ++w.drainedTotal;
  ++w.escapedTotal;
  w.time += 0.01;
  ledger.compare(w, before, entries);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].id, escaped);
  EXPECT_EQ(entries[0].what, ParticleLedger::What::escaped);
  EXPECT_EQ(entries[0].drain, -1);
  EXPECT_EQ(entries[1].id, drained);
  EXPECT_EQ(entries[1].what, ParticleLedger::What::drained);
  EXPECT_EQ(entries[1].drain, 0);
  EXPECT_NEAR(entries[1].x.x, -1 + 0.4, 1e-6);
}

// What the world says it lost through a wall has leaked.
TEST(Ledger, LostThroughAWall) {
  World w = worldOfSix();
  ParticleLedger ledger;
  StateCopy before;
  Entries entries;
  ledger.take(w);
  before.take(w);
  const std::uint32_t lost = w.fluid.id[0];
  remove(w, 0);
  ++w.lostThroughWalls;
  ledger.compare(w, before, entries);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].id, lost);
  EXPECT_EQ(entries[0].what, ParticleLedger::What::leaked);
}

}  // namespace
}  // namespace meniscus
