// The stages of a sub-step on a device in which solids deform: the device linearises their constraints and solves for the pressure
// and their multipliers together; contacts and closed volumes are the program's.
#include <algorithm>
#include <cmath>

#include "engine/particle/device/device_step.h"
#include "engine/particle/device/guarded_call.h"
#include "kernels/fluid/films.h"

MNS_NS_BEGIN

// What DeviceJoint points to.
struct DeviceFluid::JointCalls {
  static DeviceFluid& of(void* device) { return *static_cast<DeviceFluid*>(device); }
  template <class Call>
  static int guarded(void* device, const Call& call) {
    return guardedCall(of(device).jointError_, [&] { call(of(device)); });
  }
  static int wetNodes(void* device, double* mass, double* normal) {
    return guarded(device,
                   [&](DeviceFluid& f) { f.pressure_.joint().wetNodes(f.state_, f.pressure_.densities().data(), mass, normal); });
  }
  static int solve(void* device, DeviceJointRows* rows) {
    return guarded(device, [&](DeviceFluid& f) { f.jointSolve(*rows); });
  }
  static int waterInertia(void* device, const double* pivot, const std::int32_t* nodes, double* inertia, double* internal) {
    return guarded(device, [&](DeviceFluid& f) {
      f.pressure_.joint().waterInertia(f.state_, f.pressure_.densities().data(), pivot, nodes, inertia, internal);
    });
  }
  static int takeMotion(void* device, const double* motion) {
    return guarded(device, [&](DeviceFluid& f) { f.pressure_.joint().takeMotion(f.state_, motion, f.uStar_.data()); });
  }
  static int beginSweeps(void* device, const DeviceSweep* sweep) {
    return guarded(device, [&](DeviceFluid& f) {
      f.constraints_.begin(*sweep, Index(f.nodeInverseMass_.size()), f.pressure_.joint().sweepNodes());
    });
  }
  static int sweep(void* device, std::int32_t times, double* x, double* moved) {
    return guarded(device, [&](DeviceFluid& f) { *moved = f.constraints_.sweep(times, x); });
  }
  static int endSweeps(void* device, double* lambda, void* contacts) {
    return guarded(device, [&](DeviceFluid& f) { f.constraints_.end(lambda, static_cast<NodeAtObstacle*>(contacts)); });
  }
  static int outcome(void* device, double* lambda, double* depth) {
    return guarded(device, [&](DeviceFluid& f) { f.constraints_.readOutcome(lambda, depth); });
  }
};

const DeviceNodes* DeviceFluid::nodes() { return lists_.surfaces().deforming() ? &nodes_ : nullptr; }

// Fluid that fills a closed space has the volume of that, whatever its density by summation is. A full chamber beside one with a
// surface is not looked for where nothing that deforms encloses it.
void DeviceFluid::closedRegions(double h) {
  const bool look =
      state_.n > 0 && (lists_.surfaces().skins() || regions_.surface(deficiency_.data(), state_.n) <= kMostSurface * state_.n);
  if (!look) return askProgram(bodies_->regions(bodies_->user, h, 0, nullptr, nullptr));
  const std::vector<DeviceRegion>& found = regions_.find(lists_.view(), state_, densityTerm_.data(), e_.data(), deficiency_.data());
  regionMore_.assign(found.size(), 0.f);
  askProgram(bodies_->regions(bodies_->user, h, int(found.size()), found.data(), regionMore_.data()));
  regions_.add(regionMore_, densityTerm_.data());
}

void DeviceFluid::jointSolve(DeviceJointRows& rows) {
  float* const p = state_.p.now.data();
  DeviceJointSystem& joint = pressure_.joint();
  if (rows.lambda) constraints_.setMultipliers(rows.lambda, rows.table.constraints, Index(nodeInverseMass_.size()));
  joint.setRows(rows, constraints_.multipliers(), constraints_.ofSolve());
  rigidRates_.assign(rows.bodyVelocity, rows.bodyVelocity + rigidRates_.size());
  pressure_.setBodyVelocities(rigidRates_);
  if (rows.bodyHold) pressure_.setBodyHolds(rows.bodyHold, rows.islands, rows.islandNumbers);
  const SolveScalars s = pressure_.solve(uStar_.data(), densityTerm_.data(), coupledStep_, rows, p);
  coupledReport_->pressureIterations += s.iterations;
  ++coupledReport_->pressureSolves;
  rows.iterations = s.iterations;
  rows.converged = s.converged;
  // all that the program wants comes back at once
  double* const more = joint.answerMore();
  if (clampSeparation_) pressure_.separateFilms(deficiency_.data(), coupledStep_, clampSeparation_, p, more);
  pressure_.apply(p);
  pressure_.collectAccelerations(more + 3);
  joint.storeMultipliers();
  constraints_.solved();
  answerRead_.resize(3 + rigidRates_.size());
  joint.read(rows, answerRead_.data());
  rows.filmsChanged = clampSeparation_ && filmsPush(answerRead_[0], answerRead_[1], answerRead_[2]);
  std::copy(answerRead_.begin() + 3, answerRead_.end(), rows.bodyAcceleration);
}

void DeviceFluid::coupleNodes(double h, DeviceStepReport& r) {
  if (clampSeparation_) pressure_.guessFilms(deficiency_.data(), state_.p.now.data());
  coupledStep_ = h;
  coupledReport_ = &r;
  jointError_ = nullptr;
  const DeviceJoint device{this,
                           JointCalls::wetNodes,
                           JointCalls::solve,
                           JointCalls::waterInertia,
                           JointCalls::takeMotion,
                           JointCalls::beginSweeps,
                           JointCalls::sweep,
                           JointCalls::endSweeps,
                           JointCalls::outcome};
  const int status = bodies_->couple(bodies_->user, h, &device);
  if (jointError_) std::rethrow_exception(jointError_);
  askProgram(status);
}

MNS_NS_END
