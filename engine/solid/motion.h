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

}  // namespace meniscus
