// The pressure equation on a device, with rigid bodies and nodes that give way: engine/particle/pressure_system.h, and
// kernel_diagonal.h where the fluid's own matrix is that of the kernel-diagonal mode.
#pragma once

#include <vector>

#include "engine/particle/device/device_joint.h"
#include "engine/particle/device/device_morris.h"
#include "engine/particle/device/device_viscosity.h"
#include "kernels/solid/rigid_slots.h"

MNS_NS_BEGIN

class DevicePressure {
 public:
  DevicePressure(Device& device, const DeviceFluidDef& def);
  void reserve(Index n);

  // For the lists of this sub-step: coefficients, diagonal.
  void assemble(const DeviceLists& lists, const DeviceParticleState& particles);
  // Bodies that give way: their velocities, six numbers a body, for what is packed from now on; their accelerations by apply().
  void setBodyVelocities(const std::vector<double>& velocity);
  // Directions in which they do not give way in the solves that follow: 36 values a body, RigidHold; and the numbers of
  // HoldIslands.
  void setBodyHolds(const double* holds, const double* islands, int islandNumbers);
  void readBodyAccelerations(std::vector<double>& acceleration) const;
  void collectAccelerations(double* out) const;  // on the device, six a body
  // Films that are held at zero in the solves: at first, and what becomes of them after one. True: one wants to push again.
  void guessFilms(const float* deficiency, const float* p);
  bool separateFilms(const float* deficiency, double dt, bool clamp, float* p);
  // The same with what filmsPush() asks for left on the device.
  void separateFilms(const float* deficiency, double dt, bool clamp, float* p, double* held);
  // Velocities that a divergence or the compression by straight paths is asked of.
  void packVelocity(const Vec4f* u);
  const float* normalVelocity() const { return g_.data(); }  // per slot
  // out = scale div u + add (may be null), of the velocities packed last
  void divergence(float scale, const float* add, float* out);
  // Right-hand side -div u* / dt + density term, then conjugate gradients from the p given; the answer is p.
  SolveScalars solve(const Vec4f* uStar, const float* densityTerm, double dt, double tolerance, float* p);
  // The same with the solids' rows, as the program has given them to joint().
  SolveScalars solve(const Vec4f* uStar, const float* densityTerm, double dt, const DeviceJointRows& rows, float* p);
  DeviceJointSystem& joint() { return joint_; }
  DeviceMorris& morris() { return morris_; }
  const DeviceMorris& morris() const { return morris_; }
  double tolerance() const { return tolerance_; }  // of fluid alone
  // Accelerations and forces on the slots by p.
  void apply(const float* p);
  const Vec4f* acceleration() const { return b_.data(); }  // m/s^2
  const float* slotForce() const { return phi_.data(); }   // times V n: force on the surface of the slot [1/m^3 N]
  const RigidSlot* bodySlots() const { return free_ ? rigidSlot_.data() : nullptr; }
  BodiesInViscosity viscousBodies() const;
  const DeviceBuffer<float>& densities() const { return rho_; }  // a kind

 private:
  void bindBodies(const DeviceLists& lists, const DeviceParticleState& particles);
  void forcesOnBodies(const SolveScalars* solve);
  RigidSlotAcceleration slotsOfBodies(const SolveScalars* solve) const;
  void bodiesPass(const SolveScalars* solve);
  void setRightHandSide(const Vec4f* uStar, const float* densityTerm, double dt);
  // One product with the operator, apart from what the solids between the two passes do. The first leaves the forces on the slots
  // and hands after() the fluid's own part of d . A d; the second updates the solve.
  void pack(const float* p);
  DirectionRow direction(SolveScalars* s) const;
  void surfaceReaction(const float* p, const SolveScalars* s);
  template <class After>
  void firstPass(SolveScalars* s, const After& after);
  template <class After>
  void secondPass(float* p, SolveScalars* s, const After& after);
  void transposePass(SolveScalars* s);
  template <class After>
  void jointPass(const SolveScalars* solve, bool answer, const After& after);
  template <class Iteration>
  SolveScalars iterate(const Iteration& iteration);
  void startJoint(const DeviceJointRows& rows, double dt, float* p);
  TransposeRow transposeOf(const float* p, const SolveScalars* solve) const;
  DivergenceOf divergenceOf(const Vec4f* q) const;

  Device& device_;
  double tolerance_;
  int maxIterations_;
  float gamma_, floor_, invRho0_, S0_;
  PairView view_{};
  bool moving_ = false, free_ = false;  // surfaces have speeds; some belong to bodies that give way
  double V_;
  SurfaceSet surfaces_{};
  Index rigids_ = 0, slots_ = 0;
  Index n_ = 0;
  DeviceBuffer<float> rho_, invRhoOfKind_, invRho_, diag_, dirichlet_, invDiag_, rhs_, r_, z_, d_;
  DeviceBuffer<float> speed_, e_, g_, nu_, phi_, linkSum_, surfaceDivergence_;
  DeviceBuffer<Vec4f> q_, b_, surfaceForce_;
  DeviceBuffer<SolveScalars> scalars_;
  DeviceBuffer<RigidSlot> rigidSlot_;
  DeviceBuffer<RigidRate> bodyVelocity_, bodyAcceleration_, bodyLeft_;  // by the pressure; the same as far as they are not held
  DeviceBuffer<RigidHold> bodyHold_;
  DeviceBuffer<double> bodyIslands_;
  std::vector<double> islandsBefore_;  // what is there
  std::vector<double> heldBefore_;     // what is there
  DeviceBuffer<double> quadratic_, held_;
  DeviceBuffer<std::uint8_t> film_;
  DeviceBuffer<float> diagFree_, dirichletFree_;  // without films
  DeviceBuffer<float> diagRigid_;                 // without films and nodes
  DeviceJointSystem joint_;
  DeviceMorris morris_;
  DeviceBuffer<double> jointSums_;
  Repeated iterations_;
  int blind_ = 0;  // runs of those before the host looks
};

MNS_NS_END
