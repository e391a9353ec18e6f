// What contacts carry of what holding their bodies took, and which of them would have to pull.
#include <algorithm>
#include <cmath>

#include "engine/particle/held_bodies.h"
#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

using held::addScaled;
using held::along;

// Sweeps that share out what contacts carry: six unknowns, a few more contacts; of bodies on one another many more.
constexpr int kSweeps = 100, kSweepsOfMany = 400;
constexpr double kGone = -1;  // for the impulse of a contact that has let go

}  // namespace

double HeldBodies::alongNeeded(const Row& row) const {
  double sum = 0;
  for (int e = 0; e < row.ends; ++e) sum += along(row.normal[e], needed_[std::size_t(row.body[e])]);
  return sum;
}
void HeldBodies::giveNeeded(const Row& row, double impulse) {
  for (int e = 0; e < row.ends; ++e) addScaled(needed_[std::size_t(row.body[e])], row.along[e], impulse);
}

void HeldBodies::shareOut(double h, double slow) {
  const int sweeps = needed_.size() > 1 ? kSweepsOfMany : kSweeps;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool changed = false;
    const auto carry = [&](const Row& row, double& held, double now) {
      changed |= std::fabs(now - held) * row.size > 1e-3 * slow;
      giveNeeded(row, held - now);
      held = now;
    };
    for (Share& p : shares_) {
      carry(p.normal, p.n, std::max(0.0, p.n + alongNeeded(p.normal) / p.normal.size));
      const RigidContact& c = *p.contact;
      const double most = p.n > 0 ? c.friction * c.load / h : 0;
      if (!c.sticks) continue;
      double t[2];
      for (int k = 0; k < 2; ++k) t[k] = p.t[k] + alongNeeded(p.across[k]) / p.across[k].size;
      const double size = std::hypot(t[0], t[1]), scale = size > most ? most / size : 1;
      for (int k = 0; k < 2; ++k) carry(p.across[k], p.t[k], t[k] * scale);
    }
    if (!changed) break;
  }
}

// Of one body: what sweeps cannot share out, and what contacts would have to pull, by all normals at once.
void HeldBodies::shareNormals(const RigidBody& b, double slow) {
  const UnitMass unit(b, b.qPrev);
  swept_ = needed_;  // stays where normals are wedged
  for (const Share& p : shares_) giveNeeded(p.normal, p.n);
  normalRows_.clear();
  for (const Share& p : shares_)
    normalRows_.push_back({unit.row(p.normal.normal[0].linear, p.normal.normal[0].angular), -alongNeeded(p.normal), 0});
  SixVector u;
  if (!solveNormals(normalRows_, 1e-3 * slow, u)) {
    needed_ = swept_;
    return;
  }
  addScaled(needed_[0], unit.motion(u), -1);
  const auto differs = [&](const Share& p) {
    return std::fabs(alongNeeded(p.normal) - along(p.normal.normal[0], swept_[0])) > slow;
  };
  if (std::none_of(shares_.begin(), shares_.end(), differs)) return;
  for (std::size_t k = 0; k < shares_.size(); ++k) shares_[k].n = normalRows_[k].lambda;
}

bool HeldBodies::releaseIsland(const SolidState& s, const Island& island, double h, double slow) {
  shares_.clear();
  const Index number = islandOf_[std::size_t(island.bodies[0])];
  for (RigidContact& c : next_) {
    if (islandOf_[std::size_t(c.rigid)] != number || !c.held) continue;
    Share& p = shares_.emplace_back();
    p.contact = &c;
    p.normal = rowOf(s, c, c.n, h);
    for (int k = 0; k < 2 && c.sticks; ++k) p.across[k] = rowOf(s, c, held::across(c.n, k), h);
  }
  shareOut(h, slow);
  if (island.bodies.size() == 1) shareNormals(s.rigid[std::size_t(island.bodies[0])], slow);
  bool released = false;
  for (const Share& p : shares_) {
    RigidContact& c = *p.contact;
    c.lambda = p.n * h;
    if (c.sticks) c.lambdaT = (held::across(c.n, 0) * p.t[0] + held::across(c.n, 1) * p.t[1]) * h;
    if (p.n > 0 || !(alongNeeded(p.normal) < -slow)) continue;
    released_.push_back(c);
    c.lambda = kGone;
    released = true;
  }
  if (released) return true;  // what friction has to hold is known when the normals are
  for (const Share& p : shares_) {
    RigidContact& c = *p.contact;
    if (!c.sticks || std::hypot(alongNeeded(p.across[0]), alongNeeded(p.across[1])) <= slow) continue;
    c.sticks = false;
    slid_.push_back(c);
    released = true;
    giveBoth(s, c, c.lambdaT * (-1 / h));
  }
  return released;
}

bool HeldBodies::release(const SolidState& s, double h, const BodyRates& start, const BodyRates& acceleration,
                         const BodyRates& reached, double slow) {
  bool released = false;
  for (std::size_t k = 0; k < islandCount_; ++k) {
    needed_.clear();
    for (const Index body : islands_[k].bodies) {
      const std::size_t i = std::size_t(body);
      needed_.push_back({reached.linear[i] - start.linear[i] - acceleration.linear[i] * h,
                         reached.angular[i] - start.angular[i] - acceleration.angular[i] * h});
    }
    released |= releaseIsland(s, islands_[k], h, slow);
  }
  const auto gone = [](const RigidContact& c) { return c.lambda == kGone; };
  next_.erase(std::remove_if(next_.begin(), next_.end(), gone), next_.end());
  return released;
}

}  // namespace meniscus
