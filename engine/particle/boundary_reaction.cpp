// The bodies' reaction to what contacts do to particles beside their impulses.
//
// A contact moves a particle of mass m by s: the centre of mass of particle and body moves by m s, and the angular momentum changes
// by m s x u, with nothing to answer for it. So a free body moves back until the centre of mass is where it was; its surface would
// then leave the particles it has just moved, or press them again, so it takes them along. What angular momentum is left over
// (relative to that group, it is the change of a turning body's inertia, as when a skater draws in the arms) the group gets back as
// a rigid rotation: relative velocities at the contacts stay what they are. So do the impulses whose line does not pass through the
// point of the surface that they act on: friction acts at the particle, a contact distance away from it.
//
// A body that is held, or that stands on an obstacle, passes its reaction on.
#include <algorithm>

#include "engine/particle/boundary_impl.h"
#include "engine/solid/angular_momentum.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

// Mass, first and second moments of a group of points, linear momentum: about the origin.
struct Moments {
  double mass = 0;
  Vec3d first{}, momentum{};
  Mat3d second{};   // sum of m x x^T
  Mat3d inertia{};  // of rigid bodies about their own centres
  void add(double m, const Vec3d& x, const Vec3d& v) {
    mass += m;
    first += x * m;
    momentum += v * m;
    second = second + Mat3d::outer(x, x) * m;
  }
  Vec3d centre() const { return first / mass; }
  Mat3d inertiaAboutCentre() const {
    const Mat3d central = second - Mat3d::outer(first, first) * (1 / mass);
    return Mat3d::identity() * trace(central) - central + inertia;
  }
};

// Body k in the numbering of ContactReaction: f(node) for each node of a deformable one, g(rigid body) otherwise.
template <class F, class G>
void visit(SolidState& s, std::size_t k, const F& f, const G& g) {
  if (k < s.rigid.size()) return g(s.rigid[k]);
  const meniscus::Body& b = s.bodies[k - s.rigid.size()];
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) f(std::size_t(i));
}

void addBody(World& world, std::size_t k, const Vec3d& origin, Moments& sum) {
  SolidState& s = world.solid;
  visit(
      s, k, [&](std::size_t i) { sum.add(1 / s.w[i], s.x[i] - origin, s.v[i]); },
      [&](const RigidBody& r) {
        sum.add(r.mass, r.x - origin, r.v);
        sum.inertia = inWorldAxes(r.q, r.inertia);
      });
}

}  // namespace

std::size_t ContactReaction::bodyOf(const SurfaceInfo& s) const {
  return s.rigid >= 0 ? std::size_t(s.rigid) : rigids_ + std::size_t(std::max(s.body, 0));
}

void ContactReaction::begin(const World& world, View<const std::uint8_t> resting) {
  const SolidState& s = world.solid;
  rigids_ = s.rigid.size();
  origin_ = world.scene.domain.min;
  bodies_.assign(rigids_ + s.bodies.size(), Body{});
  held_.clear();
  squeezed_ = false;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    bool free = !(resting.n && resting[Offset(k)]);
    if (k < rigids_) {
      free &= s.rigid[k].invMass > 0;
    } else {
      const meniscus::Body& b = s.bodies[k - rigids_];
      free &= b.rigid < 0 && b.nodeEnd > b.nodeBegin;
      for (Index i = b.nodeBegin; free && i < b.nodeEnd; ++i) free = s.w[std::size_t(i)] > 0;
    }
    bodies_[k].free = free;
  }
}

void ContactReaction::moved(const SurfaceInfo& surface, const Contact& c, double mass, const Vec4f& u) {
  squeezed_ |= c.squeezed;
  if (surface.owner != SurfaceOwner::nodes && surface.owner != SurfaceOwner::rigid) return;
  const std::size_t k = bodyOf(surface);
  Body& b = bodies_[k];
  if (!b.free) return;
  const Vec3d moment = Vec3d(c.moved) * mass;
  b.touched = true;
  b.firstMoment += moment;
  b.spin += cross(moment, Vec3d(u.xyz()));
  for (std::size_t i = held_.size(); i > 0 && held_[i - 1].particle == c.particle; --i)
    if (held_[i - 1].body == Index(k)) return;
  held_.push_back({c.particle, Index(k), mass});
}

void ContactReaction::exchanged(const SurfaceInfo& surface, const Vec3d& j, const Vec3d& x, const Vec3d& c) {
  bodies_[bodyOf(surface)].spin += cross(x - c, j);
}

void ContactReaction::shiftBack(World& world, View<Vec4f> x, View<const Vec4f> u, double limit) {
  SolidState& s = world.solid;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    Body& b = bodies_[k];
    if (!b.touched) continue;
    Moments group;
    addBody(world, k, origin_, group);
    for (const Held& h : held_)
      if (h.body == Index(k)) group.add(h.mass, Vec3d(x[h.particle].xyz()), Vec3d(u[h.particle].xyz()));
    Vec3d back = b.firstMoment * (-1 / group.mass);
    const double way = norm(back);
    // a squeezed particle has no room on either side, so all bodies stay where they are
    if (squeezed_ || !(way < 1e300)) back = {};
    if (way > limit) back *= limit / way;
    visit(
        s, k, [&](std::size_t i) { s.x[i] += back; },
        [&](RigidBody& r) {
          r.x += back;
          placeRigidNodes(s, r);
        });
    for (const Held& h : held_)
      if (h.body == Index(k)) x[h.particle] = Vec4f(Vec3f(Vec3d(x[h.particle].xyz()) + back), 0.f);
    b.spin += cross(back, group.momentum);
    // a centre of mass that is not back where it was goes on with the group: no spin can make up for that
    b.spin -= cross(b.firstMoment + back * group.mass, group.momentum / group.mass);
  }
}

void ContactReaction::restoreSpin(World& world, View<const Vec4f> x, View<Vec4f> u) {
  SolidState& s = world.solid;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& b = bodies_[k];
    if (!b.touched) continue;
    Moments group;
    addBody(world, k, origin_, group);
    for (const Held& h : held_)
      if (h.body == Index(k)) group.add(h.mass, Vec3d(x[h.particle].xyz()), {});
    const Vec3d omega = rotationAgainst(group.inertiaAboutCentre(), b.spin), centre = group.centre();
    if (!(norm2(omega) > 0)) continue;
    visit(
        s, k, [&](std::size_t i) { s.v[i] += cross(omega, s.x[i] - origin_ - centre); },
        [&](RigidBody& r) {
          r.v += cross(omega, r.x - origin_ - centre);
          r.omega += omega;
          rigidNodeVelocities(s, r);
        });
    for (const Held& h : held_)
      if (h.body == Index(k))
        u[h.particle] = Vec4f(Vec3f(Vec3d(u[h.particle].xyz()) + cross(omega, Vec3d(x[h.particle].xyz()) - centre)), 0.f);
  }
}

}  // namespace meniscus
