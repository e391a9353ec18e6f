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

double along(const RigidRate& a, const RigidRate& b) { return dot(a.linear, b.linear) + dot(a.angular, b.angular); }
void addScaled(RigidRate& a, const RigidRate& b, double s) {
  a.linear += b.linear * s;
  a.angular += b.angular * s;
}
bool contains(const std::vector<RigidContact>& list, const RigidContact& c) {
  return std::any_of(list.begin(), list.end(), [&](const RigidContact& other) { return sameContact(other, c); });
}

}  // namespace

bool HeldBodies::mayHold(const RigidBody& b) {
  const ShapeKind kind = b.shape.kind;
  return b.body < 0 && (kind == ShapeKind::box || kind == ShapeKind::sphere || kind == ShapeKind::capsule);
}

void HeldBodies::begin(SolidState& s) {
  const std::size_t bodies = s.rigid.size();
  holds_.assign(bodies, RigidHold{});
  direction_.resize(bodies);
  for (auto& d : direction_) d.clear();
  given_.assign(bodies, RigidRate{});
  now_.clear();
  next_.clear();
  released_.clear();
  s.work.heldContacts.clear();
}

// Linearised where the projection left the body: what a turn of it does to a gap is no more linear than what a constraint does.
HeldBodies::Point HeldBodies::pointOf(const SolidState& s, const RigidContact& c, double h) const {
  const RigidBody& b = s.rigid[std::size_t(c.rigid)];
  const Vec3d r = b.q.rotate(c.local);
  Point p;
  p.normal = {c.n, cross(r, c.n)};
  p.along = {c.n * b.invMass, inWorldAxes(b.qPrev, b.invInertia) * p.normal.angular};
  p.size = meniscus::along(p.normal, p.along);
  p.speed = dot(c.n, b.v + cross(b.omega, r)) + (c.least - c.height - dot(c.n, b.x + r)) / h;
  return p;
}

// Those of the body's contacts, the one first that is least held by those before it.
void HeldBodies::findDirections(const SolidState& s, Index body, double h) {
  std::vector<Direction>& found = direction_[std::size_t(body)];
  found.clear();
  holds_[std::size_t(body)] = {};
  points_.clear();
  for (const RigidContact& c : now_)
    if (c.rigid == body) points_.push_back(pointOf(s, c, h));
  left_ = points_;
  while (int(found.size()) < kFreedoms) {
    std::size_t best = 0;
    double most = kFurther;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const double share = meniscus::along(left_[k].normal, left_[k].along) / points_[k].size;
      if (share > most * (1 + 1e-9)) most = share, best = k + 1;
    }
    if (best == 0) break;
    const Point& p = left_[best - 1];
    const double scale = 1 / std::sqrt(meniscus::along(p.normal, p.along));
    Direction d{};
    addScaled(d.normal, p.normal, scale);
    addScaled(d.along, p.along, scale);
    d.speed = p.speed * scale;
    for (Point& q : left_) {
      const double share = meniscus::along(q.normal, d.along);
      addScaled(q.normal, d.normal, -share);
      addScaled(q.along, d.along, -share);
      q.speed -= share * d.speed;
    }
    holds_[std::size_t(body)].along[found.size()] = d.along;
    found.push_back(d);
  }
}

void HeldBodies::take(const SolidState& s, double h) {
  now_ = next_;
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

// needed: the change of velocity that holding the body took.
bool HeldBodies::releaseBody(const SolidState& s, Index body, RigidRate needed, double h, double slow) {
  points_.clear();
  for (const RigidContact& c : now_)
    if (c.rigid == body) points_.push_back(pointOf(s, c, h));
  impulse_.assign(points_.size(), 0.0);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool changed = false;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const Point& p = points_[k];
      const double j = std::max(0.0, impulse_[k] + meniscus::along(p.normal, needed) / p.size), more = j - impulse_[k];
      changed |= std::fabs(more) * p.size > 1e-3 * slow;
      addScaled(needed, p.along, -more);
      impulse_[k] = j;
    }
    if (!changed) break;
  }
  bool released = false;
  std::size_t k = 0;
  for (RigidContact& c : next_) {
    if (c.rigid != body) continue;
    c.lambda = impulse_[k] * h;
    if (c.lambda == 0 && meniscus::along(points_[k].normal, needed) < -slow) {
      released_.push_back(c);
      released = true;
    }
    ++k;
  }
  return released;
}

bool HeldBodies::release(const SolidState& s, double h, const BodyRates& start, const BodyRates& acceleration,
                         const BodyRates& reached, double slow) {
  next_ = now_;
  bool released = false;
  for (std::size_t i = 0; i < direction_.size(); ++i)
    if (!direction_[i].empty())
      released |= releaseBody(s, Index(i),
                              {reached.linear[i] - start.linear[i] - acceleration.linear[i] * h,
                               reached.angular[i] - start.angular[i] - acceleration.angular[i] * h},
                              h, slow);
  const auto gone = [&](const RigidContact& c) { return contains(released_, c); };
  next_.erase(std::remove_if(next_.begin(), next_.end(), gone), next_.end());
  return released;
}

void HeldBodies::seed(SolidState& s) const {
  s.work.heldContacts.resize(next_.size());
  std::copy(next_.begin(), next_.end(), s.work.heldContacts.begin());
}

void HeldBodies::note(const SolidState& s, double h) {
  for (const RigidContact& c : s.work.rigidContacts) {
    const RigidBody& b = s.rigid[std::size_t(c.rigid)];
    if (!mayHold(b)) continue;
    const auto same = [&](const RigidContact& other) { return sameContact(other, c); };
    const auto known = std::find_if(next_.begin(), next_.end(), same);
    if (known == next_.end() && (!(c.lambda > 0) || contains(released_, c))) continue;
    const double j = (c.lambda - c.seed) / h;
    RigidRate& given = given_[std::size_t(c.rigid)];
    given.linear += c.n * (j * b.invMass);
    given.angular += applyInverseInertia(b, cross(b.q.rotate(c.local), c.n * j));
    RigidContact& kept = known == next_.end() ? next_.emplace_back(c) : * known = c;
    kept.load += c.lambda - c.seed;
  }
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
