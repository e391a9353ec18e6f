// The interface of rigid bodies in a fluid of particles, six numbers a body:
//   x      centre of mass, then reach * rotation vector since the beginning of the step [m]
//   v      velocity, then reach * angular velocity [m/s]
//   load   impulse, then moment of impulse about the centre / reach [N s]
// reach is the distance of the body's farthest point from its centre: all numbers of a vector have one unit, a residual is one of
// the surface, and load . dx is work.
//
// Akbay et al. 2018, section 7.4, take the sample points of the bodies' surfaces instead. Points that move as a rigid body span the
// same six columns, so the reduced models are the same; but a guess of a model is a rigid motion only to first order in its
// rotation, and the motion that the fluid takes would have to be fitted to it.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/solid/motion.h"
#include "engine/solid/solid_state.h"

namespace meniscus::coupling {

constexpr std::size_t kBodyNumbers = 6;

// Of the bodies with these numbers in `rigid`. start: the same bodies at the beginning of the step.
Motion motionOf(const std::vector<RigidBody>& rigid, const std::vector<RigidBody>& start, const std::vector<std::size_t>& bodies);

// Where body k of `bodies` is put by x. now: the body at the beginning of the step.
Pose poseOf(const std::vector<double>& x, std::size_t k, const RigidBody& now);

// Impulse and moment of impulse of body k.
struct BodyLoad {
  Vec3d impulse, moment;  // N s, N m s
};
BodyLoad loadOf(const std::vector<double>& load, std::size_t k, double reach);
void addLoad(const BodyLoad& of, double reach, std::vector<double>& load);  // appends the six numbers

}  // namespace meniscus::coupling
