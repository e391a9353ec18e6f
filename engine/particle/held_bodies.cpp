#include "engine/particle/held_bodies.h"

#include <algorithm>
#include <cmath>

#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

// A direction that others already hold to this share of it (squared) is no further one.
constexpr double kFurther = 1e-3;
// Sweeps that share out what contacts carry: six unknowns, a few more contacts.
constexpr int kSweeps = 100;
// So many times a contact may let go in a coupling, or begin to slide; then it does.
constexpr int kReleases = 2, kSlides = 2;
constexpr double kGone = -1;  // for the impulse of a contact that has let go

double along(const RigidRate& a, const RigidRate& b) { return dot(a.linear, b.linear) + dot(a.angular, b.angular); }
void addScaled(RigidRate& a, const RigidRate& b, double s) {
  a.linear += b.linear * s;
  a.angular += b.angular * s;
}
std::ptrdiff_t times(const std::vector<RigidContact>& list, const RigidContact& c) {
  return std::count_if(list.begin(), list.end(), [&](const RigidContact& other) { return sameContact(other, c); });
}
// What an impulse j [kg m/s] at a contact makes of the body's velocity.
RigidRate byImpulse(const RigidBody& b, const RigidContact& c, const Vec3d& j) {
  return {j * b.invMass, applyInverseInertia(b, cross(b.q.rotate(c.local), j))};
}
Vec3d across(const Vec3d& n, int k) {
  const Vec3d axis = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}, t = normalized(cross(n, axis));
  return k == 0 ? t : cross(n, t);
}

}  // namespace

void HeldBodies::begin(SolidState& s) {
  const std::size_t bodies = s.rigid.size();
  holds_.assign(bodies, RigidHold{});
  direction_.resize(bodies);
  for (auto& d : direction_) d.clear();
  given_.assign(bodies, RigidRate{});
  now_.clear();
  next_.clear();
  released_.clear();
  slid_.clear();
  s.work.heldContacts.clear();
}

// Linearised where the projection left the body: what a turn of it does to a gap is no more linear than what a constraint does.
HeldBodies::Row HeldBodies::rowOf(const SolidState& s, const RigidContact& c, const Vec3d& direction, double h) const {
  const RigidBody& b = s.rigid[std::size_t(c.rigid)];
  const Vec3d r = b.q.rotate(c.local), moved = b.x + r - b.xPrev - b.qPrev.rotate(c.local);
  const bool isNormal = dot(direction, c.n) > 0.5;
  const double excess = isNormal ? dot(c.n, b.x + r) + c.height - c.least : dot(direction, moved) - dot(direction, c.v) * h;
  Row p;
  p.normal = {direction, cross(r, direction)};
  p.along = {direction * b.invMass, inWorldAxes(b.qPrev, b.invInertia) * p.normal.angular};
  p.size = along(p.normal, p.along);
  p.speed = dot(direction, b.v + cross(b.omega, r)) - excess / h;
  return p;
}

// Of left_, the one first that is least held by those before it.
void HeldBodies::addDirections(Index body) {
  std::vector<Direction>& found = direction_[std::size_t(body)];
  const auto takeOut = [&](const Direction& d) {
    for (Row& q : left_) {
      const double share = along(q.normal, d.along);
      addScaled(q.normal, d.normal, -share);
      addScaled(q.along, d.along, -share);
      q.speed -= share * d.speed;
    }
  };
  left_ = rows_;
  for (const Direction& d : found) takeOut(d);
  while (int(found.size()) < kFreedoms) {
    std::size_t best = 0;
    double most = kFurther;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const double share = along(left_[k].normal, left_[k].along) / rows_[k].size;
      if (share > most * (1 + 1e-9)) most = share, best = k + 1;
    }
    if (best == 0) break;
    const Row& p = left_[best - 1];
    const double scale = 1 / std::sqrt(along(p.normal, p.along));
    Direction d{};
    addScaled(d.normal, p.normal, scale);
    addScaled(d.along, p.along, scale);
    d.speed = p.speed * scale;
    takeOut(d);
    holds_[std::size_t(body)].along[found.size()] = d.along;
    found.push_back(d);
  }
}

void HeldBodies::findDirections(const SolidState& s, Index body, double h) {
  direction_[std::size_t(body)].clear();
  holds_[std::size_t(body)] = {};
  rows_.clear();
  for (const RigidContact& c : now_)
    if (c.rigid == body) rows_.push_back(rowOf(s, c, c.n, h));
  if (rows_.empty()) return;
  addDirections(body);
  rows_.clear();
  for (const RigidContact& c : now_)
    for (int k = 0; k < 2 && c.rigid == body && c.sticks; ++k) rows_.push_back(rowOf(s, c, across(c.n, k), h));
  addDirections(body);
}

void HeldBodies::take(const SolidState& s, double h) {
  now_.clear();
  for (const RigidContact& c : next_)
    if (c.held) now_.push_back(c);
  for (std::size_t i = 0; i < holds_.size(); ++i)
    if (s.rigid[i].invMass > 0) findDirections(s, Index(i), h);
}

void HeldBodies::hold(std::vector<Vec3d>& linear, std::vector<Vec3d>& angular) const {
  for (std::size_t i = 0; i < direction_.size(); ++i)
    for (const Direction& d : direction_[i]) {
      const double more = d.speed - dot(d.normal.linear, linear[i]) - dot(d.normal.angular, angular[i]);
      linear[i] += d.along.linear * more;
      angular[i] += d.along.angular * more;
    }
}

// needed: the change of velocity that holding the body took; what is left of it.
void HeldBodies::shareOut(RigidRate& needed, double h, double slow) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool changed = false;
    const auto carry = [&](const Row& row, double& held, double now) {
      changed |= std::fabs(now - held) * row.size > 1e-3 * slow;
      addScaled(needed, row.along, held - now);
      held = now;
    };
    for (Share& p : shares_) {
      carry(p.normal, p.n, std::max(0.0, p.n + along(p.normal.normal, needed) / p.normal.size));
      const RigidContact& c = *p.contact;
      const double most = p.n > 0 ? c.friction * c.load / h : 0;
      if (!c.sticks) continue;
      double t[2];
      for (int k = 0; k < 2; ++k) t[k] = p.t[k] + along(p.across[k].normal, needed) / p.across[k].size;
      const double size = std::hypot(t[0], t[1]), scale = size > most ? most / size : 1;
      for (int k = 0; k < 2; ++k) carry(p.across[k], p.t[k], t[k] * scale);
    }
    if (!changed) break;
  }
}

// What sweeps cannot share out, and what contacts would have to pull: by all normals at once.
void HeldBodies::shareNormals(const RigidBody& b, RigidRate& needed, double slow) {
  const UnitMass unit(b, b.qPrev);
  const RigidRate swept = needed;  // stays where normals are wedged
  for (const Share& p : shares_) addScaled(needed, p.normal.along, p.n);
  normalRows_.clear();
  for (const Share& p : shares_)
    normalRows_.push_back({unit.row(p.normal.normal.linear, p.normal.normal.angular), -along(p.normal.normal, needed), 0});
  SixVector u;
  if (!solveNormals(normalRows_, 1e-3 * slow, u)) {
    needed = swept;
    return;
  }
  addScaled(needed, unit.motion(u), -1);
  const auto differs = [&](const Share& p) {
    return std::fabs(along(p.normal.normal, needed) - along(p.normal.normal, swept)) > slow;
  };
  if (std::none_of(shares_.begin(), shares_.end(), differs)) return;
  for (std::size_t k = 0; k < shares_.size(); ++k) shares_[k].n = normalRows_[k].lambda;
}

bool HeldBodies::releaseBody(const SolidState& s, Index body, RigidRate needed, double h, double slow) {
  shares_.clear();
  for (RigidContact& c : next_) {
    if (c.rigid != body || !c.held) continue;
    Share& p = shares_.emplace_back();
    p.contact = &c;
    p.normal = rowOf(s, c, c.n, h);
    for (int k = 0; k < 2 && c.sticks; ++k) p.across[k] = rowOf(s, c, across(c.n, k), h);
  }
  shareOut(needed, h, slow);
  shareNormals(s.rigid[std::size_t(body)], needed, slow);
  bool released = false;
  for (const Share& p : shares_) {
    RigidContact& c = *p.contact;
    c.lambda = p.n * h;
    if (c.sticks) c.lambdaT = (across(c.n, 0) * p.t[0] + across(c.n, 1) * p.t[1]) * h;
    if (p.n > 0 || !(along(p.normal.normal, needed) < -slow)) continue;
    released_.push_back(c);
    c.lambda = kGone;
    released = true;
  }
  if (released) return true;  // what friction has to hold is known when the normals are
  for (const Share& p : shares_) {
    RigidContact& c = *p.contact;
    if (!c.sticks || std::hypot(along(p.across[0].normal, needed), along(p.across[1].normal, needed)) <= slow) continue;
    c.sticks = false;
    slid_.push_back(c);
    released = true;
    const RigidBody& b = s.rigid[std::size_t(body)];
    addScaled(given_[std::size_t(body)], byImpulse(b, c, c.lambdaT * (1 / h)), -1);
  }
  return released;
}

bool HeldBodies::release(const SolidState& s, double h, const BodyRates& start, const BodyRates& acceleration,
                         const BodyRates& reached, double slow) {
  bool released = false;
  for (std::size_t i = 0; i < direction_.size(); ++i)
    if (!direction_[i].empty())
      released |= releaseBody(s, Index(i),
                              {reached.linear[i] - start.linear[i] - acceleration.linear[i] * h,
                               reached.angular[i] - start.angular[i] - acceleration.angular[i] * h},
                              h, slow);
  const auto gone = [](const RigidContact& c) { return c.lambda == kGone; };
  next_.erase(std::remove_if(next_.begin(), next_.end(), gone), next_.end());
  return released;
}

void HeldBodies::seed(SolidState& s) const {
  s.work.heldContacts.resize(next_.size());
  std::copy(next_.begin(), next_.end(), s.work.heldContacts.begin());
}

void HeldBodies::note(const SolidState& s, double h, const BodyRates& acceleration) {
  const std::size_t before = next_.size();
  for (const RigidContact& c : s.work.rigidContacts) {
    const std::size_t i = std::size_t(c.rigid);
    const auto end = next_.begin() + std::ptrdiff_t(before), known = findContact(next_.begin(), end, c);
    if (known == end && (!(c.lambda > 0) || times(released_, c) >= kReleases)) continue;
    const auto byHold = [&](const RigidContact& d, double lambda) {
      return (d.held ? c.n * lambda : Vec3d{}) + (d.sticks ? d.lambdaT : Vec3d{});
    };
    const Vec3d held = known != end ? byHold(*known, c.seed) : Vec3d{};
    RigidContact& now = known != end ? *known : next_.emplace_back();
    now = c;
    now.load += c.lambda - c.seed;
    now.held = c.other < 0 && (norm(acceleration.linear[i]) > 0 || norm(acceleration.angular[i]) > 0);
    now.sticks = now.held && norm(c.lambdaT) < mostFriction(c) * (1 - 1e-9) && times(slid_, c) < kSlides;
    addScaled(given_[i], byImpulse(s.rigid[i], c, (byHold(now, c.lambda) - held) * (1 / h)), 1);
  }
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
