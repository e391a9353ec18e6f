// Prescribed motion by key frames: linear in translation, spherical in rotation, constant before the first and after the last.
#pragma once

#include <vector>

#include "engine/scene/scene.h"

namespace meniscus {

struct Pose {
  Vec3d x{};  // m
  Quatd q{};
};

// The key frames' own translation and rotation at time t [s]; identity without key frames.
Pose poseAt(const std::vector<KeyFrame>& motion, double t);
// Into order of time, with unit quaternions: what poseAt expects.
void sortKeyFrames(std::vector<KeyFrame>& motion);
// Speed [m/s] from frame a to frame b of a point that is `reach` [m] from the origin, at most.
double speedBetween(const KeyFrame& a, const KeyFrame& b, double reach);
// The greatest of these speeds at any time from begin to end [s].
double greatestSpeed(const std::vector<KeyFrame>& motion, double reach, double begin, double end);

}  // namespace meniscus
