// Rigid bodies: mass properties, free motion, impulses that move the pose together with the velocity.
#pragma once

#include <cmath>

#include "engine/solid/solid.h"
#include "kernels/solid/rigid_hold.h"

namespace meniscus {

struct MassProperties {
  double volume = 0;  // m^3
  Vec3d center{};     // m
  Mat3d inertia{};    // about the centre, for unit density [m^5]
};
// Of the body enclosed by a closed surface with outward winding, by the divergence theorem.
MassProperties massProperties(const SurfaceMesh& mesh);
// Of a primitive about its own centre, in its own frame; planes and sheets have none.
MassProperties massProperties(const ShapeDef& shape);
Quatd quaternionOf(const Mat3d& rotation);

// The shape with the transform's scale applied to its sizes. Throws Error(input) where the scaled shape is no such primitive any
// more.
ShapeDef scaledShape(const ShapeDef& shape, const Vec3d& scale, const std::string& name);

// end: the time at the end of the step, for prescribed motion.
void predictRigid(RigidBody& b, const Vec3d& g, double end, double dt);
// World positions and velocities of the surface nodes of a body with a mesh.
void placeRigidNodes(SolidState& s, const RigidBody& b);
void rigidNodeVelocities(SolidState& s, const RigidBody& b);

// The tensor with these principal values in the frame turned by q, in world axes.
inline Mat3d inWorldAxes(const Quatd& q, const Vec3d& principal) {
  const Mat3d r = q.matrix();
  return r * Mat3d::diagonal(principal) * r.transposed();
}
// I^-1 a in world axes.
Vec3d applyInverseInertia(const RigidBody& b, const Vec3d& a);
// Inverse mass seen by an impulse along the unit vector u at the arm r from the centre.
double inverseMassAt(const RigidBody& b, const Vec3d& r, const Vec3d& u);
// Of the velocities and, in dt, the pose, by p: impulse times dt [kg m] at the arm r.
void pushRigid(RigidBody& b, const Vec3d& r, const Vec3d& p, double dt);
// The six coordinates of a body's motion in which its mass is one; axes: those that its inertia is along.
class UnitMass {
 public:
  UnitMass(const RigidBody& b, const Quatd& axes)
      : light_(std::sqrt(b.invMass)),
        turn_{std::sqrt(b.invInertia.x), std::sqrt(b.invInertia.y), std::sqrt(b.invInertia.z)},
        axes_(axes) {}
  // Of a unit impulse n with the moment m about the centre.
  SixVector row(const Vec3d& n, const Vec3d& m) const {
    const Vec3d a = n * light_, t = axes_.conjugate().rotate(m);
    return {a.x, a.y, a.z, t.x * turn_.x, t.y * turn_.y, t.z * turn_.z};
  }
  RigidRate motion(const SixVector& u) const {
    return {Vec3d{u[0], u[1], u[2]} * light_, axes_.rotate({u[3] * turn_.x, u[4] * turn_.y, u[5] * turn_.z})};
  }

 private:
  double light_;
  Vec3d turn_;
  Quatd axes_;
};
inline Vec3d pointVelocity(const RigidBody& b, const Vec3d& p) { return b.v + cross(b.omega, p - b.x); }
// Changes v and omega by dv and domega, and the pose to where the changes since predictRigid, all of them, take it in dt.
void addRigidVelocity(RigidBody& b, const Vec3d& dv, const Vec3d& domega, double dt);

}  // namespace meniscus
