// What is told where to be while a scene runs: kinematic bodies and held nodes. Both follow key frames (motion.h); a way given
// later is a motion of two of them.
#pragma once

#include "engine/solid/motion.h"
#include "engine/solid/solid_state.h"

namespace meniscus {

// From its pose of now evenly to `to`, which it reaches `seconds` > 0 later and keeps. Its key frames so far are forgotten.
void moveBody(RigidBody& b, const Pose& to, double now, double seconds);

// Nodes are numbered as in the state. Those that are held already are held anew, where they are now.
void holdNodes(SolidState& s, const Index* nodes, std::size_t count);
// Keeps their velocities. Those that are free stay so.
void releaseNodes(SolidState& s, const Index* nodes, std::size_t count);
// Holds the node and carries it evenly to the target [m], which it reaches `seconds` > 0 later and keeps.
void carryNode(SolidState& s, Index node, const Vec3d& target, double now, double seconds);

// Key frames that no pin follows go.
void dropUnusedMotions(SolidState& s);

// All pins and key frames as numbers, for snapshots and hashes: their number changes in a run, so they are no field of a fixed
// size.
struct Prescribed {
  std::vector<Pin> pins;
  std::vector<std::vector<KeyFrame>> motions;  // of pins
  std::vector<std::vector<KeyFrame>> bodies;   // of SolidState::rigid
};
void packPrescribed(const SolidState& s, Buffer<double>& out);
// False for numbers that are none of a state with these nodes and bodies.
bool unpackPrescribed(const double* numbers, std::size_t count, const SolidState& s, Prescribed& out);
// Puts them into the state they were read for.
void takePrescribed(SolidState& s, Prescribed& p) noexcept;

}  // namespace meniscus
