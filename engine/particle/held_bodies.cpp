#include "engine/particle/held_bodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

// So many times a contact may let go in a coupling, or begin to slide; then it does.
constexpr int kReleases = 2, kSlides = 2;

std::ptrdiff_t times(const std::vector<RigidContact>& list, const RigidContact& c) {
  return std::count_if(list.begin(), list.end(), [&](const RigidContact& other) { return sameContact(other, c); });
}
// What an impulse j [kg m/s] at a point makes of the body's velocity.
RigidRate byImpulse(const RigidBody& b, const Vec3d& local, const Vec3d& j) {
  return {j * b.invMass, applyInverseInertia(b, cross(b.q.rotate(local), j))};
}

}  // namespace

void HeldBodies::begin(SolidState& s) {
  const std::size_t bodies = s.rigid.size();
  holds_.own.assign(bodies, RigidHold{});
  holds_.islands.assign(1, 0.0);
  given_.assign(bodies, RigidRate{});
  parent_.resize(bodies);
  std::iota(parent_.begin(), parent_.end(), 0);
  sizeOf_.assign(bodies, 1);
  now_.clear();
  next_.clear();
  released_.clear();
  slid_.clear();
  findIslands(s);
  s.work.heldContacts.clear();
}

// To what contacts give as far as they are held: an impulse [kg m/s].
void HeldBodies::giveBoth(const SolidState& s, const RigidContact& c, const Vec3d& j) {
  held::addScaled(given_[std::size_t(c.rigid)], byImpulse(s.rigid[std::size_t(c.rigid)], c.local, j), 1);
  if (c.other < 0) return;
  held::addScaled(given_[std::size_t(c.other)], byImpulse(s.rigid[std::size_t(c.other)], c.otherLocal, j), -1);
}

void HeldBodies::seed(SolidState& s) const {
  s.work.heldContacts.resize(next_.size());
  std::copy(next_.begin(), next_.end(), s.work.heldContacts.begin());
}

void HeldBodies::note(const SolidState& s, double h, const BodyRates& acceleration) {
  const auto pressed = [&](Index body) {
    const std::size_t i = std::size_t(body);
    return body >= 0 && (norm(acceleration.linear[i]) > 0 || norm(acceleration.angular[i]) > 0);
  };
  const auto canHold = [&](const RigidContact& c) {
    if (!pressed(c.rigid) && !pressed(c.other)) return false;
    return c.other < 0 || unite(c.rigid, c.other);
  };
  const std::size_t before = next_.size();
  for (const RigidContact& c : s.work.rigidContacts) {
    const auto end = next_.begin() + std::ptrdiff_t(before), known = findContact(next_.begin(), end, c);
    if (known == end && (!(c.lambda > 0) || times(released_, c) >= kReleases)) continue;
    const auto byHold = [&](const RigidContact& d, double lambda) {
      return (d.held ? c.n * lambda : Vec3d{}) + (d.sticks ? d.lambdaT : Vec3d{});
    };
    const Vec3d held = known != end ? byHold(*known, c.seed) : Vec3d{};
    RigidContact& now = known != end ? *known : next_.emplace_back();
    now = c;
    now.load += c.lambda - c.seed;
    now.held = canHold(c);
    now.sticks = now.held && norm(c.lambdaT) < mostFriction(c) * (1 - 1e-9) && times(slid_, c) < kSlides;
    giveBoth(s, c, (byHold(now, c.lambda) - held) * (1 / h));
  }
  for (std::size_t i = 0; i < given_.size() && i < s.work.rigidByNodes.size(); ++i)  // those have rows in the next solve
    held::addScaled(given_[i], s.work.rigidByNodes[i], 1);
  const auto idle = [](const RigidContact& c) { return c.lambda == 0; };
  next_.erase(std::remove_if(next_.begin(), next_.end(), idle), next_.end());
  for (auto it = next_.begin(); it != next_.end(); ++it)  // those that came last are few
    std::rotate(std::upper_bound(next_.begin(), it, *it, precedes), it, it + 1);
}

void HeldBodies::endProjection(SolidState& s, const BodyRates& projected, const BodyRates& solved, std::vector<Vec3d>& linear,
                               std::vector<Vec3d>& angular) {
  s.work.heldContacts.clear();
  for (std::size_t i = 0; i < given_.size(); ++i) {
    if (s.rigid[i].invMass == 0) continue;
    linear[i] += projected.linear[i] - solved.linear[i] - given_[i].linear;
    angular[i] += projected.angular[i] - solved.angular[i] - given_[i].angular;
    given_[i] = {};
  }
}

}  // namespace meniscus
