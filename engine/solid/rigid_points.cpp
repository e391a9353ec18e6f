// The points that rigid bodies touch with: box corners and mesh vertices; the deepest points of spheres, capsules and cylinders,
// which are found exactly for flat obstacles. An edge of an obstacle under a face, between the points, is not seen.
#include "engine/solid/rigid_points.h"

#include <algorithm>
#include <cmath>

#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

class Collector {
 public:
  // other: the obstacle, if it moves by itself
  Collector(SolidState& s, const Obstacles& obstacles, const BodySurface* other, Index rigid, double margin, double slack,
            double dt)
      : s_(s),
        obstacles_(obstacles),
        other_(other),
        rigid_(rigid),
        b_(s.rigid[std::size_t(rigid)]),
        margin_(margin),
        reach_(margin + slack),
        dt_(dt) {}

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
    c.friction = std::max(mu, b_.material.friction);
    c.approach = dot(n, pointVelocity(b_, p) - v);
    c.v = v;
    if (other_) {
      addPairContact(s_, c, p - n * (0.5 * d), d, other_->rigid(), margin_, dt_);
      return;
    }
    c.height = d - dot(n, p);
    c.least = leastGap(n);
    addRigidContact(s_, c);
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
      if (other_ && k == 0 && d < 0) fromOutside(p, d, n);
      for (int i = 0; i < k; ++i)
        if (dot(seen[i], n) > 0.9) return;
      d += dot(n, p - q);
      if (d < reach) f(d, n, v, mu);
      q += n * std::max(0.0, reach - d);
    }
  }
  // Within the other body the nearest surface need not be the one that the point came in through, as beside an edge. If it was
  // outside at the start of the sub-step, as the other body sees it, that says the way out.
  void fromOutside(const Vec3d& p, double& d, Vec3d& n) const {
    const RigidBody& o = s_.rigid[std::size_t(other_->rigid())];
    const Vec3d start = b_.xPrev + b_.qPrev.rotate(b_.q.conjugate().rotate(p - b_.x));
    const Vec3d seen = o.x + o.q.rotate(o.qPrev.conjugate().rotate(start - o.xPrev));
    double before, mu;
    Vec3d way, v;
    if (!obstacles_.nearest(seen, reach_ + norm(seen - p), before, way, v, mu) || !(before > 0)) return;
    n = way;
    d = before + dot(way, p - seen);
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
  const BodySurface* other_;
  Index rigid_;
  const RigidBody& b_;
  double margin_, reach_, dt_;
  static constexpr Index kDiscs = 16;  // more samples than a cylinder has
  Index sample_ = 0, part_ = 0;        // part: of a disc, for the obstacles that meet there
};

// A body by itself.
class OneBody final : public Obstacles {
 public:
  OneBody(const SolidState& s, const BodySurface& surface) : s_(s), surface_(surface) {}
  bool nearest(const Vec3d& x, double reach, double& distance, Vec3d& n, Vec3d& v, double& friction) const override {
    NearestObstacle f;
    f.distance = reach;
    if (!surface_.look(s_, x, reach, f)) return false;
    distance = f.distance;
    n = f.n;
    v = f.v;
    friction = f.friction;
    return true;
  }

 private:
  const SolidState& s_;
  const BodySurface& surface_;
};

}  // namespace

int facing(const Vec3d& n) {
  const double a[3] = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
  const int axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
  return 2 * axis + (n[axis] < 0);
}

void addRigidContact(SolidState& s, RigidContact c) {
  const Buffer<RigidContact>& held = s.work.heldContacts;
  const RigidContact* const end = held.data() + held.size();
  const RigidContact* const known = findContact(held.data(), end, c);
  if (known != end) {
    c.lambda = c.seed = known->lambda;
    c.load = known->load;
    c.lambdaT = known->lambdaT;
  }
  s.work.rigidContacts.push_back(c);
}

void addPairContact(SolidState& s, RigidContact c, const Vec3d& p, double d, Index other, double margin, double dt) {
  // What is nearer is not thrown apart: a sub-step gives back this share, no faster than a contact at rest moves, or than the
  // margin in a tenth of a second.
  constexpr double kRecovered = 0.1, kRate = 10;
  const RigidBody &a = s.rigid[std::size_t(c.rigid)], &b = s.rigid[std::size_t(other)];
  c.other = other;
  c.local = a.q.conjugate().rotate(p - a.x);
  c.otherLocal = b.q.conjugate().rotate(p - b.x);
  c.height = d;
  const double start = dot(c.n, (a.xPrev + a.qPrev.rotate(c.local)) - (b.xPrev + b.qPrev.rotate(c.otherLocal))) + d;
  const double most = std::max(restingSpeed(s, dt), kRate * margin) * dt;
  c.least = start < margin ? start + std::min(kRecovered * (margin - start), most) : margin;
  addRigidContact(s, c);
}

void collectPoints(SolidState& s, const Obstacles& obstacles, Index rigid, double margin, double slack) {
  Collector(s, obstacles, nullptr, rigid, margin, slack, 0).collect();
}

void collectPoints(SolidState& s, const BodySurface& other, Index rigid, double margin, double slack, double dt) {
  Collector(s, OneBody(s, other), &other, rigid, margin, slack, dt).collect();
}

}  // namespace meniscus
