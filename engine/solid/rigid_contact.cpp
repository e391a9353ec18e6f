// Contact of rigid bodies with obstacles and with each other: sweeps, and what they leave of bodies of many points.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"
#include "engine/solid/rigid_normals.h"
#include "engine/solid/rigid_pairs.h"
#include "engine/solid/rigid_points.h"

namespace meniscus {
namespace {

// A body's points fit where none is further off its place than this share of the body. Sweeps do for a box's corners with all that
// meets at them, and leave each its part; of many points they come to less and less.
constexpr double kFits = 1e-6;
constexpr std::ptrdiff_t kCorners = 24;

// The bodies of a contact: that whose point it is, and the other one, or none.
struct ContactBodies {
  const SolidState& s;
  RigidBody& a;
  RigidBody* b;
  ContactBodies(SolidState& state, const RigidContact& c)
      : s(state), a(state.rigid[std::size_t(c.rigid)]), b(c.other >= 0 ? &state.rigid[std::size_t(c.other)] : nullptr) {}

  double inverseMass(const RigidContact& c, const Vec3d& u) const {
    return inverseMassAt(a, armOf(s, c, false), u) + (b ? inverseMassAt(*b, armOf(s, c, true), u) : 0);
  }
  void push(const RigidContact& c, const Vec3d& impulse, double dt) const {
    const Vec3d own = armOf(s, c, false), other = b ? armOf(s, c, true) : Vec3d{};
    pushRigid(a, own, impulse, dt);
    if (b) pushRigid(*b, other, -impulse, dt);
  }
  double gap(const RigidContact& c) const {
    const Vec3d x = a.x + a.q.rotate(c.local);
    return dot(c.n, b ? x - b->x - b->q.rotate(c.otherLocal) : x) + c.height - c.least;
  }
  // of the point, against the other's, since the start of the sub-step
  Vec3d moved(const RigidContact& c, double dt) const {
    const Vec3d own = a.x + a.q.rotate(c.local) - a.xPrev - a.qPrev.rotate(c.local);
    return own - (b ? b->x + b->q.rotate(c.otherLocal) - b->xPrev - b->qPrev.rotate(c.otherLocal) : c.v * dt);
  }
};

void solveContact(const ContactBodies& bodies, RigidContact& c, double dt) {
  const double lambda = std::max(0.0, c.lambda - bodies.gap(c) / bodies.inverseMass(c, c.n));
  if (lambda != c.lambda) bodies.push(c, c.n * (lambda - c.lambda), dt);
  c.lambda = lambda;
  if (c.friction <= 0) return;

  Vec3d slip = bodies.moved(c, dt);
  slip -= c.n * dot(c.n, slip);
  const double length = norm(slip);
  Vec3d lambdaT = c.lambdaT;
  if (length > 0) lambdaT -= slip * (1 / bodies.inverseMass(c, slip * (1 / length)));
  const double size = norm(lambdaT), most = mostFriction(c);
  if (size > most) lambdaT *= most / size;
  bodies.push(c, lambdaT - c.lambdaT, dt);
  c.lambdaT = lambdaT;
}

struct Contacts {  // of one body
  RigidContact *first, *last;
  RigidContact* begin() const { return first; }
  RigidContact* end() const { return last; }
};

// f(body, contacts): those at obstacles, which come first
template <class F>
void eachBody(SolidState& s, const F& f) {
  Buffer<RigidContact>& all = s.work.rigidContacts;
  RigidContact* end = all.data();
  while (end < all.data() + all.size() && end->other < 0) ++end;
  for (RigidContact *a = all.data(), *b; a < end; a = b) {
    for (b = a; b < end && b->rigid == a->rigid;) ++b;
    f(s.rigid[std::size_t(a->rigid)], Contacts{a, b});
  }
}

// Points of a plane can carry the same in more ways than one: what brings friction, and friction itself, goes to those that carry.
void shareAsTheyCarry(RigidBody& b, const Contacts& contacts, double dt) {
  double carried[6] = {}, brought[6] = {};
  Vec3d friction[6] = {};
  for (const RigidContact& c : contacts) {
    const int side = facing(c.n);
    carried[side] += c.lambda;
    brought[side] += c.load + c.lambda - c.seed;
    friction[side] += c.lambdaT;
  }
  for (RigidContact& c : contacts) {
    const int side = facing(c.n);
    const double share = c.lambda > 0 ? c.lambda / carried[side] : 0;
    c.load = std::max(0.0, brought[side]) * share - c.lambda + c.seed;
    Vec3d lambdaT = friction[side] * share;
    lambdaT -= c.n * dot(c.n, lambdaT);
    const double size = norm(lambdaT), most = mostFriction(c);
    if (size > most) lambdaT *= most / size;
    pushRigid(b, b.q.rotate(c.local), lambdaT - c.lambdaT, dt);
    c.lambdaT = lambdaT;
  }
}

}  // namespace

void beginContacts(SolidState& s, const Obstacles* obstacles, double margin, double dt) {
  s.work.rigidContacts.clear();
  s.work.nodeContacts.assign(s.x.size(), NodeContact{{}, {}, {}, {}, -1.0, 0.0});
  if (!obstacles) return;
  for (std::size_t k = 0; k < s.rigid.size(); ++k) {
    const RigidBody& b = s.rigid[k];
    if (b.invMass == 0) continue;
    // points may come down as far as the solution of other contacts turns the body
    const double slack = margin + (norm(b.v) + norm(b.omega) * b.reach) * dt + 1e-3 * b.reach;
    collectPoints(s, *obstacles, Index(k), margin, slack);
  }
  if (const RigidPairs* pairs = obstacles->pairs()) pairs->collect(s, margin, dt);
}

std::array<double, 6> startingGaps(SolidState& s, const Obstacles& obstacles, Index rigid, double margin) {
  std::array<double, 6> least;
  least.fill(margin);
  RigidBody& b = s.rigid[std::size_t(rigid)];
  if (b.invMass == 0) return least;
  const RigidBody now = b;
  b.x = b.start.translate;
  b.q = b.start.rotate;
  const std::size_t others = s.work.rigidContacts.size();
  collectPoints(s, obstacles, rigid, margin, 0);
  for (std::size_t k = others; k < s.work.rigidContacts.size(); ++k) {
    const RigidContact& c = s.work.rigidContacts[k];
    const double gap = std::max(0.0, dot(c.n, b.x + b.q.rotate(c.local)) + c.height);
    double& side = least[std::size_t(facing(c.n))];
    side = std::min(side, gap);
  }
  s.work.rigidContacts.resize(others);
  b = now;
  return least;
}

void projectRigidContacts(SolidState& s, double dt) {
  for (RigidContact& c : s.work.rigidContacts) solveContact(ContactBodies(s, c), c, dt);
}

void fitRigidContacts(SolidState& s, double dt) {
  std::vector<NormalRow>& rows = s.work.normalRows;
  eachBody(s, [&](RigidBody& b, const Contacts& contacts) {
    if (contacts.last - contacts.first <= kCorners) return;
    const double tolerance = kFits * b.reach;
    const UnitMass unit(b, b.q);
    rows.clear();
    bool fits = true;
    for (const RigidContact& c : contacts) {
      const Vec3d r = b.q.rotate(c.local);
      const double gap = dot(c.n, b.x + r) + c.height - c.least;
      rows.push_back({unit.row(c.n, cross(r, c.n)), gap, c.lambda});
      fits &= gap >= -tolerance && (c.lambda == 0 || gap <= tolerance);
    }
    if (fits) return;
    SixVector u;
    if (!solveNormals(rows, 1e-3 * tolerance, u)) return;
    const RigidRate moved = unit.motion(u);
    addRigidVelocity(b, moved.linear * (1 / dt), moved.angular * (1 / dt), dt);
    const NormalRow* row = rows.data();
    for (RigidContact& c : contacts) c.lambda = row++->lambda;
    shareAsTheyCarry(b, contacts, dt);
  });
}

double restitutionOf(const SolidState& s, const RigidContact& c) {
  const double own = s.rigid[std::size_t(c.rigid)].material.restitution;
  return c.other < 0 ? own : std::max(own, s.rigid[std::size_t(c.other)].material.restitution);
}

void noteTouches(SolidState& s) {
  std::vector<RigidTouch>& all = s.work.touches;
  const auto key = [](const RigidTouch& t) { return std::tie(t.rigid, t.other, t.sample); };
  for (const RigidContact& c : s.work.rigidContacts) {
    if (!(c.lambda > 0)) continue;
    const RigidBody& b = s.rigid[std::size_t(c.rigid)];
    const bool pair = c.other >= 0;
    const RigidTouch now{pair ? std::min(c.rigid, c.other) : c.rigid, pair ? std::max(c.rigid, c.other) : -1, pair ? 0 : c.sample,
                         b.x + b.q.rotate(c.local)};
    const auto at = std::lower_bound(all.begin(), all.end(), now, [&](const auto& p, const auto& q) { return key(p) < key(q); });
    if (at == all.end() || key(*at) != key(now)) all.insert(at, now);
  }
}

void leaveImpacts(const SolidState& s, double slow, RigidContact* contacts, std::size_t count) {
  constexpr double kPushesOnly = std::numeric_limits<double>::min();  // nothing of it is taken back
  const auto bounces = [&](const RigidContact& c) { return c.approach < -slow && restitutionOf(s, c) > 0; };
  const bool pairs = std::any_of(contacts, contacts + count, [&](const RigidContact& c) { return c.other >= 0 && bounces(c); });
  for (RigidContact* c = contacts; c < contacts + count; ++c)
    if (!bounces(*c)) c->lambda = pairs ? kPushesOnly : 0;
}

void bounceRigid(SolidState& s, View<const RigidContact> contacts, double dt) {
  const double slow = restingSpeed(s, dt);
  const auto rateOf = [&s](std::size_t k) { return RigidRate{s.rigid[k].v, s.rigid[k].omega}; };
  constexpr int kSweeps = 8;  // the points of a body share its few degrees of freedom
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const RigidContact& c : contacts) {
      if (!(c.lambda > 0)) continue;
      const ContactBodies bodies(s, c);
      const double k = bodies.inverseMass(c, c.n), now = approachOf(s, c, rateOf);
      const double j = bounceOf(restitutionOf(s, c), c.approach, now, c.lambda / dt * k, slow) / k;
      const auto give = [&](RigidBody& b, const Vec3d& arm, double size) {
        b.v += c.n * (size * b.invMass);
        b.omega += applyInverseInertia(b, cross(arm, c.n * size));
      };
      give(bodies.a, armOf(s, c, false), j);
      if (bodies.b) give(*bodies.b, armOf(s, c, true), -j);
    }
  }
}

}  // namespace meniscus
