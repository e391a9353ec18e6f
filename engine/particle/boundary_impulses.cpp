// Velocities of particles in contact: the approaching normal part is taken out inelastically, friction limits the tangential part,
// and what the particle receives the surface gives. Serial, in the order of the particles: contacts are few, and many particles on
// one light node must see each other's impulses.
#include <algorithm>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

// The two parties of a contact. Velocities and inverse masses along a direction; impulses with their reaction.
class Pairing {
 public:
  Pairing(World& world, ContactStage& stage, const SurfaceInfo& info, const Contact& c, const Vec3d& at, Vec4f& particleVelocity,
          double particleMass)
      : w_(world), stage_(stage), info_(info), at_(at), u_(particleVelocity), m_(particleMass) {
    b_[0] = c.b0;
    b_[1] = c.b1;
    b_[2] = 1.0 - double(c.b0) - double(c.b1);
    if (info.owner == SurfaceOwner::rigid) body_ = &world.solid.rigid[std::size_t(info.rigid)];
  }

  Vec3d surfaceVelocity() const {
    const SolidState& s = w_.solid;
    Vec3d v{};
    if (info_.owner == SurfaceOwner::nodes) {
      for (int k = 0; k < 3; ++k) v += s.v[std::size_t(info_.node[k])] * b_[k];
    } else if (info_.rigid >= 0) {
      const RigidBody& r = s.rigid[std::size_t(info_.rigid)];
      v = r.v + cross(r.omega, at_ - r.x);
    }
    return v;
  }
  Vec3d relativeVelocity() const { return Vec3d(u_.xyz()) - surfaceVelocity(); }

  double inverseMass(const Vec3d& n) const {
    double k = 1.0 / m_;
    if (info_.owner == SurfaceOwner::nodes) {
      for (int i = 0; i < 3; ++i) k += b_[i] * b_[i] * w_.solid.w[std::size_t(info_.node[i])];
    } else if (body_) {
      const Vec3d rn = cross(at_ - body_->x, n);
      k += body_->invMass + dot(rn, worldInverseInertia(rn));
    }
    return k;
  }

  // j on the particle, -j on the surface; the float velocity decides what j really is
  void exchange(const Vec3d& j) {
    const Vec3f before = u_.xyz(), after = Vec3f(Vec3d(before) + j * (1.0 / m_));
    u_ = Vec4f(after, 0.f);
    const Vec3d real = (Vec3d(after) - Vec3d(before)) * m_;
    w_.impulseExchanged += norm(real);
    if (info_.owner == SurfaceOwner::nodes) {
      Vec3d point{};
      for (int k = 0; k < 3; ++k) {
        const std::size_t node = std::size_t(info_.node[k]);
        const double w = w_.solid.w[node];
        point += w_.solid.x[node] * b_[k];
        w_.solid.v[node] -= real * (b_[k] * w);
        if (w == 0) w_.impulseOnFluidFromStatic += real * b_[k];  // the pin's share
      }
      stage_.reaction.exchanged(info_, real, at_, point);
    } else if (body_) {
      body_->v -= real * body_->invMass;
      body_->omega -= worldInverseInertia(cross(at_ - body_->x, real));
    } else {
      w_.impulseOnFluidFromStatic += real;
      if (info_.rigid >= 0) stage_.given[std::size_t(info_.rigid)].add(-real, at_ - w_.solid.rigid[std::size_t(info_.rigid)].x);
    }
  }

 private:
  Vec3d worldInverseInertia(const Vec3d& l) const {
    const Vec3d b = body_->q.conjugate().rotate(l), &i = body_->invInertia;
    return body_->q.rotate({b.x * i.x, b.y * i.y, b.z * i.z});
  }

  World& w_;
  ContactStage& stage_;
  const SurfaceInfo& info_;
  Vec3d at_;
  Vec4f& u_;
  double m_, b_[3];
  RigidBody* body_ = nullptr;
};

}  // namespace

// Rigid bodies take the impulse at the particle itself: for the normal part that is the same line, and friction then leaves no
// couple.
void applyContactImpulses(World& world, const Boundary& boundary, ContactStage& stage, View<const Vec4f> x, View<Vec4f> u) {
  for (const ContactStage::Block& block : stage.blocks) {
    for (const Contact& c : block.contacts) {
      const SurfaceInfo info = boundary.surface(c.surface);
      const double mass = particleMass(world, c.particle);
      const Vec3d at = Vec3d(x[c.particle].xyz()) + world.scene.domain.min, n = Vec3d(c.n);
      Pairing pair(world, stage, info, c, at, u[c.particle], mass);
      double normalImpulse = 0;
      const double approach = dot(pair.relativeVelocity(), n);
      if (approach < 0) {
        normalImpulse = -approach / pair.inverseMass(n);
        pair.exchange(n * normalImpulse);
      }
      const double limit = info.noSlip ? 1e300 : double(info.friction) * normalImpulse;
      if (!(limit > 0)) continue;
      const Vec3d v = pair.relativeVelocity(), tangential = v - n * dot(v, n);
      const double speed = norm(tangential);
      if (!(speed > 0)) continue;
      const Vec3d t = tangential / speed;
      pair.exchange(t * -std::min(limit, speed / pair.inverseMass(t)));
    }
  }
}

}  // namespace meniscus
