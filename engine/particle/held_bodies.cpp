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
// What an impulse j [kg m/s] at such an arm makes of the body's velocity.
RigidRate byImpulse(const RigidBody& b, const Vec3d& arm, const Vec3d& j) {
  return {j * b.invMass, applyInverseInertia(b, cross(arm, j))};
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
  held::addScaled(given_[std::size_t(c.rigid)], byImpulse(s.rigid[std::size_t(c.rigid)], armOf(s, c, false), j), 1);
  if (c.other < 0) return;
  held::addScaled(given_[std::size_t(c.other)], byImpulse(s.rigid[std::size_t(c.other)], armOf(s, c, true), j), -1);
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
  const std::size_t before = next_.size();
  const auto isKnown = [&](const RigidContact& c) {
    const auto end = next_.begin() + std::ptrdiff_t(before);
    return findContact(next_.begin(), end, c) != end;
  };
  // what the pressure reaches through the bodies that hold it
  reached_.assign(s.rigid.size(), 0);
  for (std::size_t i = 0; i < s.rigid.size(); ++i)
    if (pressed(Index(i))) reached_[std::size_t(rootOf(Index(i)))] = 1;
  for (bool more = true; more;) {
    more = false;
    for (const RigidContact& c : s.work.rigidContacts) {
      if (c.other < 0 || (!(c.lambda > 0) && !isKnown(c))) continue;
      const Index a = rootOf(c.rigid), b = rootOf(c.other);
      if (a == b || !(reached_[std::size_t(a)] || reached_[std::size_t(b)]) || !unite(a, b)) continue;
      reached_[std::size_t(rootOf(a))] = 1;
      more = true;
    }
  }
  const auto canHold = [&](const RigidContact& c) {
    return reached_[std::size_t(rootOf(c.rigid))] && (c.other < 0 || rootOf(c.rigid) == rootOf(c.other));
  };
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
