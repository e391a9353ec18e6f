#include "apps/viewer/grip.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "apps/picture/check.h"

namespace meniscus::viewer {
namespace {

using picture::check;

constexpr double kSpring = 25;  // 1/s: the undamped angular frequency of the spring that pulls rigid bodies

glm::dvec3 toGlm(const mnsVec3& v) { return {v.x, v.y, v.z}; }
mnsVec3 toMns(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

struct Pose {
  glm::dvec3 position;
  glm::dquat rotation;
};

Pose poseOf(mnsScene* scene, mnsBodyId body) {
  mnsVec3 x;
  mnsQuat q;
  check(mnsBody_GetTransform(scene, body, &x, &q));
  return {toGlm(x), glm::dquat(q.w, q.x, q.y, q.z)};
}

// At most `length` of the way from a to b.
glm::dvec3 towards(const glm::dvec3& a, const glm::dvec3& b, double length) {
  const double d = glm::length(b - a);
  return d > length ? a + (b - a) * (length / d) : b;
}

}  // namespace

void Grip::take(mnsScene* scene, const std::string& body, const glm::vec3& point, float reach, float spacing) {
  release(scene);
  target_ = glm::dvec3(point);
  reach_ = reach;
  spacing_ = spacing;
  if (body.empty()) {
    what_ = What::fluid;
    return;
  }
  check(mnsScene_FindBody(scene, body.c_str(), &body_));
  mnsBodyKind kind;
  check(mnsBody_GetKind(scene, body_, &kind));
  if (kind == MNS_BODY_STATIC) return;
  if (kind == MNS_BODY_CLOTH || kind == MNS_BODY_INFLATABLE || kind == MNS_BODY_SOFT) return takeNode(scene, point);
  const Pose pose = poseOf(scene, body_);
  arm_ = glm::inverse(pose.rotation) * (target_ - pose.position);
  what_ = kind == MNS_BODY_RIGID ? What::rigid : What::kinematic;
}

void Grip::takeNode(mnsScene* scene, const glm::vec3& point) {
  mnsView view;
  check(mnsBody_GetArray(scene, body_, MNS_NODE_POSITION, &view));
  const auto* x = static_cast<const glm::vec4*>(view.data);
  if (view.count == 0) return;
  const auto* nearest = std::min_element(x, x + view.count, [&](const glm::vec4& a, const glm::vec4& b) {
    return glm::distance(glm::vec3(a), point) < glm::distance(glm::vec3(b), point);
  });
  node_ = std::int32_t(nearest - x);
  nodeWasHeld_ = nearest->w == 0;
  carried_ = target_ = glm::dvec3(glm::vec3(*nearest));
  what_ = What::node;
}

glm::dvec3 Grip::heldPoint(mnsScene* scene) const {
  if (what_ == What::node) {
    mnsView view;
    check(mnsBody_GetArray(scene, body_, MNS_NODE_POSITION, &view));
    return glm::dvec3(glm::vec3(static_cast<const glm::vec4*>(view.data)[node_]));
  }
  if (what_ == What::fluid) return target_;
  const Pose pose = poseOf(scene, body_);
  return pose.position + pose.rotation * arm_;
}

// A critically damped spring, softer where the step could not resolve it.
void Grip::pullRigid(mnsScene* scene, double dt) {
  const Pose pose = poseOf(scene, body_);
  const glm::dvec3 arm = pose.rotation * arm_, point = pose.position + arm;
  mnsVec3 linear, angular;
  double mass = 0;
  check(mnsBody_GetVelocity(scene, body_, &linear, &angular));
  check(mnsBody_GetMass(scene, body_, &mass));
  const double omega = std::min(kSpring, 0.3 / dt);
  const glm::dvec3 velocity = toGlm(linear) + glm::cross(toGlm(angular), arm);
  const glm::dvec3 pull = towards({}, target_ - point, 20 * double(spacing_));
  const glm::dvec3 force = mass * (omega * omega * pull - 2 * omega * velocity);
  const mnsVec3 at = toMns(point);
  check(mnsBody_ApplyForce(scene, body_, toMns(force), &at));
}

// Particles within reach are drawn to the mouse, the more the nearer they are to it.
void Grip::pullFluid(mnsScene* scene, double dt) {
  std::int32_t count = 0;
  check(mnsScene_OverlapSphere(scene, toMns(target_), double(reach_), nullptr, 0, nullptr, nullptr, 0, &count));
  ids_.resize(std::size_t(count));
  if (count == 0) return;
  check(mnsScene_OverlapSphere(scene, toMns(target_), double(reach_), nullptr, 0, nullptr, ids_.data(), count, &count));
  mnsView position, velocity, id;
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &position));
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &velocity));
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &id));
  const auto* x = static_cast<const glm::vec4*>(position.data);
  const auto* u = static_cast<const glm::vec4*>(velocity.data);
  const auto* all = static_cast<const std::uint32_t*>(id.data);
  velocity_.resize(ids_.size());
  const float share = std::min(1.f, float(dt) * 20);  // within a twentieth of a second
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const std::ptrdiff_t at = std::lower_bound(all, all + id.count, ids_[k]) - all;
    const glm::vec3 to = glm::vec3(target_) - glm::vec3(x[at]);
    const float weight = share * std::max(0.f, 1 - glm::length(to) / reach_);
    velocity_[k] = glm::mix(glm::vec3(u[at]), to * 12.f, weight);
  }
  const mnsView wanted = mnsHostView(velocity_.data(), MNS_FORMAT_FLOAT3, count);
  check(mnsScene_SetParticleVelocities(scene, ids_.data(), count, &wanted));
}

void Grip::pull(mnsScene* scene, double dt) {
  // nothing is carried further than a spacing in a step, which sub-steps always resolve
  const double most = double(spacing_);
  if (what_ == What::rigid) pullRigid(scene, dt);
  if (what_ == What::fluid) pullFluid(scene, dt);
  if (what_ == What::node) {
    carried_ = towards(heldPoint(scene), target_, most);
    check(mnsBody_MoveNode(scene, body_, node_, toMns(carried_), dt));
  }
  if (what_ == What::kinematic) {
    const Pose pose = poseOf(scene, body_);
    const glm::dvec3 wanted = target_ - pose.rotation * arm_;
    const glm::dquat& q = pose.rotation;
    check(mnsBody_MoveTo(scene, body_, toMns(towards(pose.position, wanted, most)), {q.x, q.y, q.z, q.w}, dt));
  }
}

void Grip::release(mnsScene* scene) {
  const bool free = what_ == What::node && !nodeWasHeld_;
  what_ = What::nothing;
  if (free) check(mnsBody_UnpinNodes(scene, body_, &node_, 1));
}

GripLine Grip::line(mnsScene* scene) const {
  if (what_ == What::nothing) return {};
  return {true, glm::vec3(heldPoint(scene)), glm::vec3(target_)};
}

}  // namespace meniscus::viewer
