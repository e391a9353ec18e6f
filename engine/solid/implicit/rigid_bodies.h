// Rigid bodies that the fluid meets at points on their surface: the impulses J of the points at r from the centre of mass act as
// sum J and sum r x J, with r at the beginning of the step.
//
// The velocities of a step are those of backward Euler, with springs and dampers inside the solve and the inertia as the body lies
// at the beginning; then the body moves freely, so that its angular momentum is kept to round-off.
//
// Based on: Akbay et al. 2018, section 7 (rigid bodies through points on their surface).
#pragma once

#include <vector>

#include "engine/solid/implicit/implicit_solid.h"
#include "kernels/core/vec.h"

namespace meniscus::implicit {

enum class Freedom {
  all,          // 6 degrees of freedom, 3 in the plane
  translation,  // no rotation
  slide,        // along one axis only: a piston
  none          // moves at its velocity and angular velocity, whatever acts on it
};

// From a point of the body to a fixed one: force = -stiffness * (point - anchor) - damping * velocity of the point.
struct RigidSpring {
  Eigen::Vector3d point{0, 0, 0};   // at the start [m]
  Eigen::Vector3d anchor{0, 0, 0};  // [m]
  double stiffness = 0;             // [N/m]
  double damping = 0;               // [N s/m]
};

// In the plane (D = 2) per metre of depth; the third components are 0, but for the angular velocity and the inertia, whose z
// counts.
struct RigidBodyDef {
  double mass = 0;                                              // [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();            // about the centre in world axes at the start [kg m^2]
  Eigen::Vector3d center{0, 0, 0};                              // of mass [m]
  Eigen::Vector3d velocity{0, 0, 0}, angularVelocity{0, 0, 0};  // [m/s], [rad/s]
  Vector points;                                                // D a point, in the world at the start [m]; 1 to 1.5 cells apart
  Freedom freedom = Freedom::all;
  Eigen::Vector3d axis{0, 1, 0};   // of `slide`, any length
  Eigen::Vector3d force{0, 0, 0};  // that always acts on the centre beside gravity [N]
  std::vector<RigidSpring> springs;
};

template <int D>
class RigidBodies : public ImplicitSolid {
 public:
  // Throws Error(input) naming the body for masses or an inertia that are not above 0, and numbers that are not finite.
  RigidBodies(const std::vector<RigidBodyDef>& bodies, const Eigen::Vector3d& gravity);

  Eigen::Index size() const override { return size_; }
  int freedoms() const override;
  Vector position() const override;
  Vector velocity() const override;
  bool step(const Vector& impulse, double dt) override;
  void save() override { saved_ = now_; }
  void restore() override { now_ = saved_; }

  // The coordinates are those that each body is free in, in the order x y z, then turning about x y z (about z in the plane), or
  // the speed along the axis.
  LinearisedStep linearised(double dt) const override;

  // That of the step's beginning: the inertia turns with the body only at the end, and what this leaves out is of the order of the
  // angle that the body turns by.
  SparseMatrix endSystem(double dt) const override;

  struct Pose {
    Eigen::Vector3d center, velocity, angularMomentum;
    Quatd rotation;  // from the principal axes to the world
  };
  const Pose& pose(int body) const { return now_[std::size_t(body)]; }
  void setPose(int body, const Pose& pose) { now_[std::size_t(body)] = pose; }
  Eigen::Vector3d angularVelocity(int body) const;
  // Of a body of Freedom::none, from now on [m/s], [rad/s]; no part of what save and restore keep.
  void giveVelocity(int body, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angularVelocity);

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  struct Body {
    double mass;
    Eigen::Vector3d principal;                      // moments of inertia
    std::vector<Eigen::Vector3d> points;            // in principal axes about the centre
    std::vector<RigidSpring> springs;               // their points likewise
    Eigen::Vector3d force;                          // in the world
    Eigen::Matrix<double, 6, Eigen::Dynamic> free;  // orthonormal columns: motions that are allowed
    bool given;
    Eigen::Vector3d givenAngularVelocity;
  };
  void add(const RigidBodyDef& def, int index);
  Matrix6 inertiaOf(std::size_t b) const;
  Vector6 momentumOf(std::size_t b) const;
  void springsOf(std::size_t b, Matrix6& damping, Matrix6& stiffness, Vector6& force) const;
  bool moveOne(std::size_t b, const Vector6& impulse, double dt);

  std::vector<Body> bodies_;
  Eigen::Vector3d gravity_;
  Eigen::Index size_ = 0;
  std::vector<Pose> now_, saved_;
};

extern template class RigidBodies<2>;
extern template class RigidBodies<3>;

}  // namespace meniscus::implicit
