// Contact of rigid bodies with obstacles, at sample points: box corners and mesh vertices; the deepest points of spheres, capsules
// and cylinders, which are found exactly for flat obstacles.
// An edge of an obstacle under a face, between the points, is not seen.
#include <algorithm>
#include <cmath>

#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"
#include "engine/solid/rigid_normals.h"

namespace meniscus {
namespace {

// A body's points fit where none is further off its place than this share of the body. Sweeps do for a box's corners with all that
// meets at them, and leave each its part; of many points they come to less and less.
constexpr double kFits = 1e-6;
constexpr std::ptrdiff_t kCorners = 24;

// Which way an obstacle faces: x, -x, y, -y, z or -z, whichever its normal is nearest to.
int facing(const Vec3d& n) {
  const double a[3] = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
  const int axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
  return 2 * axis + (n[axis] < 0);
}

class Collector {
 public:
  Collector(SolidState& s, const Obstacles& obstacles, Index rigid, double margin, double slack)
      : s_(s), obstacles_(obstacles), rigid_(rigid), b_(s.rigid[std::size_t(rigid)]), margin_(margin), reach_(margin + slack) {}

  void collect() {
    double d, mu;
    Vec3d n, v;
    if (!obstacles_.nearest(b_.x, b_.reach + reach_, d, n, v, mu)) return;
    if (b_.body >= 0) {
      const Body& body = s_.bodies[std::size_t(b_.body)];
      for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) {
        sample_ = i;
        point(s_.xRest[i]);
      }
      return;
    }
    const ShapeDef shape = scaledShape(b_.shape, b_.scale, b_.name);
    switch (shape.kind) {
      case ShapeKind::box:
        for (sample_ = 0; sample_ < 8; ++sample_) {
          const Index k = sample_;
          point({(k & 1 ? 0.5 : -0.5) * shape.size.x, (k & 2 ? 0.5 : -0.5) * shape.size.y, (k & 4 ? 0.5 : -0.5) * shape.size.z});
        }
        break;
      case ShapeKind::sphere:
        ball({}, shape.radius);
        break;
      case ShapeKind::capsule:
        axis(shape.height, [&](double z) {
          ball({0, 0, z}, shape.radius);
          ++sample_;
        });
        break;
      case ShapeKind::cylinder:
        axis(shape.height, [&](double z) {
          disc({0, 0, z}, shape.radius);
          ++sample_;
        });
        sample_ = 3;  // there may be a disc between the ends, or not
        for (int k = 0; k < 4; ++k)
          for (double z : {-0.5, 0.5}) {
            point({(k == 0) - (k == 2 ? 1.0 : 0.0), (k == 1) - (k == 3 ? 1.0 : 0.0), 0}, shape.radius, z * shape.height);
            ++sample_;
          }
        break;
      case ShapeKind::plane:
      case ShapeKind::mesh:
      case ShapeKind::sheet:
        break;
    }
  }

 private:
  void add(const Vec3d& local, const Vec3d& p, double d, const Vec3d& n, const Vec3d& v, double mu) {
    RigidContact c{};
    c.rigid = rigid_;
    c.sample = sample_ + kDiscs * part_;
    c.local = local;
    c.n = n;
    c.height = d - dot(n, p);
    c.least = leastGap(n);
    c.v = v;
    c.friction = std::max(mu, b_.material.friction);
    c.approach = dot(n, pointVelocity(b_, p) - v);
    const Buffer<RigidContact>& held = s_.work.heldContacts;
    const RigidContact* const end = held.data() + held.size();
    const RigidContact* const known = findContact(held.data(), end, c);
    if (known != end) {
      c.lambda = c.seed = known->lambda;
      c.load = known->load;
      c.lambdaT = known->lambdaT;
    }
    s_.work.rigidContacts.push_back(c);
  }
  // Where the body started nearer to what faces this way, it may be as near again.
  double leastGap(const Vec3d& n) const {
    const Buffer<double>& started = s_.work.rigidClearance;
    const std::size_t at = 6 * std::size_t(rigid_) + std::size_t(facing(n));
    return at < started.size() ? std::min(margin_, started[at]) : margin_;
  }
  // f(d, n, v, mu) for all that meets at p: the nearest obstacle hides what is beside it, but not from a place that is off the
  // nearest as far as obstacles are looked for.
  template <class F>
  void each(const Vec3d& p, double reach, const F& f) const {
    Vec3d q = p, seen[3];
    for (int k = 0; k < 3; ++k) {
      double d, mu;
      Vec3d v;
      Vec3d& n = seen[k];
      if (!obstacles_.nearest(q, reach, d, n, v, mu)) return;
      for (int i = 0; i < k; ++i)
        if (dot(seen[i], n) > 0.9) return;
      d += dot(n, p - q);
      if (d < reach) f(d, n, v, mu);
      q += n * std::max(0.0, reach - d);
    }
  }
  void point(const Vec3d& local) {
    const Vec3d p = b_.x + b_.q.rotate(local);
    each(p, reach_, [&](double d, const Vec3d& n, const Vec3d& v, double mu) { add(local, p, d, n, v, mu); });
  }
  void point(const Vec3d& direction, double radius, double z) { point({direction.x * radius, direction.y * radius, z}); }
  void ball(const Vec3d& center, double radius) {
    const Vec3d p = b_.x + b_.q.rotate(center);
    each(p, radius + reach_, [&](double d, const Vec3d& n, const Vec3d& v, double mu) {
      add(center - b_.q.conjugate().rotate(n) * radius, p - n * radius, d - radius, n, v, mu);
    });
  }
  // the point of a circle about the axis that is deepest in the direction of the obstacle
  void disc(const Vec3d& center, double radius) {
    const Vec3d p = b_.x + b_.q.rotate(center);
    each(p, radius + reach_, [&](double, const Vec3d& n, const Vec3d&, double) {
      Vec3d down = b_.q.conjugate().rotate(-n);
      down.z = 0;
      const double l = norm(down);
      ++part_;
      if (l > 1e-6) point(center + down * (radius / l));
    });
    part_ = 0;
  }
  // at both ends of the axis, and between them where a curved obstacle comes nearer: the distance to a convex one is convex along
  // it
  template <class F>
  void axis(double height, const F& at) {
    at(-0.5 * height);
    at(0.5 * height);
    double lo = -0.5 * height, hi = 0.5 * height;
    const double ends = std::min(distance(lo), distance(hi));
    for (int k = 0; k < 24; ++k) {
      const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
      if (distance(a) < distance(b))
        hi = b;
      else
        lo = a;
    }
    const double middle = 0.5 * (lo + hi);
    if (distance(middle) < ends - 1e-6 * b_.reach) at(middle);
  }
  double distance(double z) const {
    double d, mu;
    Vec3d n, v;
    return obstacles_.nearest(b_.x + b_.q.rotate({0, 0, z}), b_.reach + reach_, d, n, v, mu) ? d : b_.reach + reach_;
  }

  SolidState& s_;
  const Obstacles& obstacles_;
  Index rigid_;
  const RigidBody& b_;
  double margin_, reach_;
  static constexpr Index kDiscs = 16;  // more samples than a cylinder has
  Index sample_ = 0, part_ = 0;        // part: of a disc, for the obstacles that meet there
};

// Inverse mass seen by an impulse along the unit vector u at arm r.
double inverseMassAt(const RigidBody& b, const Vec3d& r, const Vec3d& u) {
  const Vec3d t = cross(r, u);
  return b.invMass + dot(t, applyInverseInertia(b, t));
}

// p [kg m]: impulse times dt.
void push(RigidBody& b, const Vec3d& r, const Vec3d& p, double dt) {
  addRigidVelocity(b, p * (b.invMass / dt), applyInverseInertia(b, cross(r, p)) * (1 / dt), dt);
}

void solveContact(RigidBody& b, RigidContact& c, double dt) {
  Vec3d r = b.q.rotate(c.local);
  const double gap = dot(c.n, b.x + r) + c.height - c.least;
  const double lambda = std::max(0.0, c.lambda - gap / inverseMassAt(b, r, c.n));
  if (lambda != c.lambda) push(b, r, c.n * (lambda - c.lambda), dt);
  c.lambda = lambda;
  if (c.friction <= 0) return;

  r = b.q.rotate(c.local);
  Vec3d slip = b.x + r - b.xPrev - b.qPrev.rotate(c.local) - c.v * dt;
  slip -= c.n * dot(c.n, slip);
  const double length = norm(slip);
  Vec3d lambdaT = c.lambdaT;
  if (length > 0) lambdaT -= slip * (1 / inverseMassAt(b, r, slip * (1 / length)));
  const double size = norm(lambdaT), most = mostFriction(c);
  if (size > most) lambdaT *= most / size;
  push(b, r, lambdaT - c.lambdaT, dt);
  c.lambdaT = lambdaT;
}

struct Contacts {  // of one body
  RigidContact *first, *last;
  RigidContact* begin() const { return first; }
  RigidContact* end() const { return last; }
};

// f(body, contacts)
template <class F>
void eachBody(SolidState& s, const F& f) {
  Buffer<RigidContact>& all = s.work.rigidContacts;
  RigidContact* const end = all.data() + all.size();
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
    push(b, b.q.rotate(c.local), lambdaT - c.lambdaT, dt);
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
    Collector(s, *obstacles, Index(k), margin, slack).collect();
  }
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
  Collector(s, obstacles, rigid, margin, 0).collect();
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
  for (RigidContact& c : s.work.rigidContacts) solveContact(s.rigid[std::size_t(c.rigid)], c, dt);
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

void bounceRigid(SolidState& s, View<const RigidContact> contacts, double dt) {
  const double slow = restingSpeed(s, dt);
  constexpr int kSweeps = 8;  // the points of a body share its few degrees of freedom
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const RigidContact& c : contacts) {
      if (!(c.lambda > 0)) continue;
      RigidBody& b = s.rigid[std::size_t(c.rigid)];
      const Vec3d r = b.q.rotate(c.local);
      const double k = inverseMassAt(b, r, c.n), now = dot(c.n, pointVelocity(b, b.x + r) - c.v);
      const double j = bounceOf(b.material.restitution, c.approach, now, c.lambda / dt * k, slow) / k;
      b.v += c.n * (j * b.invMass);
      b.omega += applyInverseInertia(b, cross(r, c.n * j));
    }
  }
}

}  // namespace meniscus
