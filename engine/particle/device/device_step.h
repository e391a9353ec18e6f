// The fluid's step on a device: Algorithm 1 of the ISPH-PBD paper with rigid bodies, as engine/particle/step.cpp has it; the
// program moves the bodies (DeviceBodies).
#pragma once

#include <exception>
#include "engine/particle/device/device_lists.h"

#include "engine/particle/device/device_constraints.h"
#include "engine/particle/device/device_flow.h"
#include "engine/particle/device/device_pressure.h"
#include "engine/particle/device/device_regions.h"
#include "engine/particle/device/device_viscosity.h"
#include "kernels/contact/shared_contact.h"

MNS_NS_BEGIN

// After a call into the program, which keeps the error that it had: throws where there was one.
void askProgram(int status);

class DeviceFluid {
 public:
  // Throws deviceNotAvailable where the device has not the memory.
  DeviceFluid(Device& device, const DeviceFluidDef& def);

  void upload(const DeviceParticles& particles);
  Index count() const { return state_.n; }
  // What arrays for callers are made of; of each particle in the order of `particles`.
  const DeviceParticleState& particles() const { return state_; }
  const float* densityErrors() const { return e_.data(); }
  const float* deficiencies() const { return deficiency_.data(); }
  void download(const DeviceParticles& particles);
  // "" where products are made as they should be, or none are.
  std::string whyOwnProducts() const { return pressure_.morris().wanted() ? device_.whyOwnProducts() : std::string(); }
  // Advances the particles by dt [s] in sub-steps chosen by the CFL rule, and the bodies with them.
  void step(double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport& report);

 private:
  struct Look;     // what the host has to know before a sub-step
  struct Outcome;  // what it reports afterwards
  Look look(double remaining);
  double substepLength(const Look& look, double remaining, DeviceStepReport& report) const;
  void substep(const Look& look, double h, DeviceStepReport& report);
  // the stages of a sub-step, in order
  void sort(const Look& look, double h);
  void moveBodies(double bodySpeed, double h);  // bodySpeed: the greatest [m/s]
  void setStartVelocities(double h);
  void predict(double h, DeviceStepReport& report);
  void viscosity(double h, DeviceStepReport& report);
  void densityError(double h);
  void coupledPressure(double h, DeviceStepReport& report);
  SolveScalars solve(double h, double tolerance, DeviceStepReport& report);
  void coupleBodies(double h, DeviceStepReport& report);
  void endCoupling(double h);
  // device_nodes.cpp: solids that deform
  struct JointCalls;
  const DeviceNodes* nodes();  // null where none deform
  void closedRegions(double h);
  void coupleNodes(double h, DeviceStepReport& report);
  void jointSolve(DeviceJointRows& rows);
  void moveFluid(double h);
  void contacts();
  void sharedContacts();
  void measure(double h, DeviceStepReport& report);
  void finishBodies(double h);
  void resize(Index n);

  Device& device_;
  double dx_, V_, cfl_, beta_, xsph_, friction_;
  double extentLength_, gravityLength_;
  Vec3f gravity_;
  int maxSubsteps_, askedSubsteps_, kinds_;
  bool clampSeparation_, noSlip_;
  float invS0_;
  double S0_;
  DeviceParticleState state_;
  DeviceOpeningFlow flow_;
  DeviceLists lists_;
  DevicePressure pressure_;
  DeviceViscosity viscosity_;
  DeviceBuffer<Vec4f> uStar_, uNext_, xOld_;
  DeviceBuffer<float> e_, deficiency_, densityTerm_, divergence_, kindDamping_;
  DeviceBuffer<double> sums_;
  const DeviceBodies* bodies_ = nullptr;  // of the step in progress
  const DeviceOpenings* openings_ = nullptr;
  std::vector<DeviceRigid> rigids_;
  DeviceBuffer<double> rigidForce_;
  std::vector<double> nodeChange_, rigidChange_;                  // by the viscous step; three a node, six a body
  double bodyGain_[3] = {0, 0, 0};                                // their momentum [N s]
  std::vector<double> rigidForceRead_, rigidRates_, rigidHolds_;  // three, six, 36 a body
  std::vector<double> nodeStart_, nodeEnd_, nodeVelocity_, nodeInverseMass_;
  DeviceNodes nodes_{};
  DeviceRegions regions_;
  DeviceConstraints constraints_;
  std::vector<float> regionMore_;
  std::vector<double> answerRead_;  // of films and rigid bodies
  double coupledStep_ = 0;          // length of the sub-step that is being coupled [s]
  DeviceStepReport* coupledReport_ = nullptr;
  std::exception_ptr jointError_;               // of what the program asked for within a call of its own
  double volumeChange_ = 0, surfaceShare_ = 0;  // of the sub-step's outcome
  DeviceBuffer<Index> shared_, sharedContacts_;
  DeviceBuffer<Offset> sharedBefore_, sharedContactsBefore_;
  DeviceBuffer<SharedParticle> sharedRow_;
  DeviceBuffer<SharedContact> sharedContact_;
  std::vector<DeviceContactRow> sharedRowRead_;
  std::vector<DeviceContact> sharedContactRead_;
};

MNS_NS_END
