#include "engine/coupling/body_coordinates.h"

#include "kernels/solid/rotation.h"

namespace meniscus::coupling {
namespace {

void append(std::vector<double>& to, const Vec3d& v) { to.insert(to.end(), {v.x, v.y, v.z}); }
Vec3d at(const std::vector<double>& from, std::size_t i) { return {from[i], from[i + 1], from[i + 2]}; }

}  // namespace

Motion motionOf(const std::vector<RigidBody>& rigid, const std::vector<RigidBody>& start, const std::vector<std::size_t>& bodies) {
  Motion m;
  for (const std::size_t i : bodies) {
    const RigidBody& b = rigid[i];
    append(m.position, b.x);
    append(m.position, rotationToVector(b.q * start[i].q.conjugate()) * b.reach);
    append(m.velocity, b.v);
    append(m.velocity, b.omega * b.reach);
  }
  return m;
}

Pose poseOf(const std::vector<double>& x, std::size_t k, const RigidBody& now) {
  const Vec3d turn = at(x, kBodyNumbers * k + 3) * (1 / now.reach);
  return {at(x, kBodyNumbers * k), (rotationFromVector(turn) * now.q).normalizedQuat()};
}

BodyLoad loadOf(const std::vector<double>& load, std::size_t k, double reach) {
  return {at(load, kBodyNumbers * k), at(load, kBodyNumbers * k + 3) * reach};
}

void addLoad(const BodyLoad& of, double reach, std::vector<double>& load) {
  append(load, of.impulse);
  append(load, of.moment * (1 / reach));
}

}  // namespace meniscus::coupling
