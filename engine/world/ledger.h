// What became of single particles in a step: who leaked, who was taken out and by what.
#pragma once

#include <vector>

#include "engine/base/buffer.h"
#include "engine/world/state_copy.h"

namespace meniscus {

// Compares the state before a step with that after it. Allocates nothing once it has seen as many particles.
class ParticleLedger {
 public:
  enum class What { leaked, drained, escaped };
  struct Entry {
    std::uint32_t id;
    What what;
    std::int32_t drain;  // in the scene's order, or -1
    Vec3d x;             // m, world frame: where it is, or was before the step
  };

  void take(const World& world);
  // before: the world when take() was called. By id. The numbers of particles that each drain took and that left are the world's
  // own; where several took some in the same step, which took whom is told by how near to each a particle was on its way. A
  // particle that came and went within the step is not known here.
  void compare(const World& world, const StateCopy& before, std::vector<Entry>& entries);

 private:
  struct Claim {
    double distance;     // m
    Index gone;          // its place before
    std::int32_t taker;  // drain, or after the drains: open sides, walls
  };
  void findGone(const World& world, const StateCopy& before);
  void assign(const World& world, const StateCopy& before, std::vector<Entry>& entries);

  Buffer<std::uint8_t> present_;
  Buffer<Index> gone_, left_;
  Buffer<Claim> claims_;
  Buffer<std::uint64_t> drained_;
  double time_ = 0;
  std::uint64_t drainedTotal_ = 0, escaped_ = 0, lost_ = 0;
};

}  // namespace meniscus
