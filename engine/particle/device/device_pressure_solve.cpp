// Conjugate gradients on the pressure equation of a device.
#include "engine/particle/device/device_pressure.h"

#include "kernels/fluid/films.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

namespace {

// Iterations between two looks of the host at whether the solve is over. Launches behind its end do nothing.
constexpr int kCheckEvery = 4;

}  // namespace

// Between the two passes: from the forces on the slots to the bodies' accelerations ...
void DevicePressure::forcesOnBodies(const SolveScalars* solve) {
  launchBlocks<6>(device_, "solve: bodies", rigids_,
                  CollectRigidForces{solve, rigidSlot_.data(), view_.plane, phi_.data(), slots_, kThreads},
                  StoreRigidAccelerations{surfaces_.rigid, bodyHold_.data(), V_, bodyAcceleration_.data(), bodyLeft_.data(),
                                          quadratic_.data()});
  if (rigids_ > 1)
    launch(device_, "solve: islands", 1,
           HoldIslandsOnce{solve, {bodyIslands_.data(), V_, bodyAcceleration_.data(), bodyLeft_.data(), quadratic_.data()}});
}
RigidSlotAcceleration DevicePressure::slotsOfBodies(const SolveScalars* solve) const {
  return {solve, rigidSlot_.data(), view_.plane, bodyLeft_.data(), g_.data(), nu_.data()};
}
// ... and back to the velocities of the slots.
void DevicePressure::bodiesPass(const SolveScalars* solve) {
  forcesOnBodies(solve);
  launch(device_, "solve: surfaces", slots_, slotsOfBodies(solve));
}

TransposeRow DevicePressure::transposeOf(const float* p, const SolveScalars* solve) const {
  return {view_,  solve,     p,           q_.data(), e_.data(),  invRho_.data(),          dirichlet_.data(),
          gamma_, b_.data(), phi_.data(), g_.data(), nu_.data(), surfaceForce_.data() + 1};
}

void DevicePressure::pack(const float* p) {
  launch(device_, "solve: pack", n_, PackPressureRow{view_, p, morris_.wanted() ? nullptr : q_.data(), e_.data()});
}
DirectionRow DevicePressure::direction(SolveScalars* s) const {
  return {view_, s, z_.data(), d_.data(), morris_.wanted() ? nullptr : q_.data(), e_.data()};
}
void DevicePressure::surfaceReaction(const float* p, const SolveScalars* s) {
  launch(device_, "solve: surface forces", view_.nearCount,
         SurfaceReaction{view_, s, p, e_.data(), phi_.data(), g_.data(), nu_.data(), surfaceForce_.data() + 1});
}

template <class After>
void DevicePressure::firstPass(SolveScalars* s, const After& after) {
  if (!morris_.wanted()) return launchRows(device_, "solve: pass 1", n_, transposeOf(d_.data(), s), after);
  if (free_) surfaceReaction(d_.data(), s);
  morris_.multiply();
  if constexpr (!std::is_same_v<After, StoreNothing>)
    launchFold<1>(device_, "solve: curvature", n_, MorrisCurvature{s, d_.data(), morris_.product(), dirichlet_.data()}, after);
}

template <class After>
void DevicePressure::secondPass(float* p, SolveScalars* s, const After& after) {
  const DivergenceOf surfaces = divergenceOf(b_.data());
  if (morris_.wanted())
    launchFold<1>(
        device_, "solve: update", n_,
        MorrisUpdate{surfaces, free_, s, morris_.product(), dirichlet_.data(), d_.data(), invDiag_.data(), p, r_.data(), z_.data()},
        after);
  else
    launchRows(device_, "solve: pass 2", n_,
               UpdateRow{surfaces, s, dirichlet_.data(), d_.data(), invDiag_.data(), p, r_.data(), z_.data()}, after);
}

void DevicePressure::transposePass(SolveScalars* s) {
  if (!free_) return firstPass(s, AfterTranspose{s});
  firstPass(s, KeepTranspose{s});
  bodiesPass(s);
  launch(device_, "solve: bodies' share", 1, AddBodies{quadratic_.data(), rigids_, s});
}

// Iterations until the scalars say that it is over: a few of them are recorded, and run as one. The host does not look before it
// was over the last time, but for the last few of those: what is launched behind the end does nothing, and costs less than to wait.
template <class Iteration>
SolveScalars DevicePressure::iterate(const Iteration& iteration) {
  iterations_.forget();
  SolveScalars now;
  for (int run = 0;; ++run) {
    if (run >= blind_) {
      scalars_.download(&now);
      if (now.done) break;
    }
    iterations_.run("iterations of the pressure solve", [&] {
      for (int k = 0; k < kCheckEvery; ++k) iteration();
    });
  }
  blind_ = now.iterations / kCheckEvery;
  return now;
}

void DevicePressure::setRightHandSide(const Vec4f* uStar, const float* densityTerm, double dt) {
  if (free_)
    launch(device_, "films: hold", n_,
           HoldFilms{film_.data(), dirichletFree_.data(), diagFree_.data(), dirichlet_.data(), diag_.data()});
  packVelocity(uStar);
  divergence(-float(1.0 / dt), densityTerm, rhs_.data());
  if (morris_.wanted() && !free_) morris_.removeMean(rhs_.data());
}

SolveScalars DevicePressure::solve(const Vec4f* uStar, const float* densityTerm, double dt, double tolerance, float* p) {
  setRightHandSide(uStar, densityTerm, dt);
  SolveScalars* const s = scalars_.data();
  const double quiet = morris_.wanted() ? 0 : kQuiet / (dt * dt);
  launchFold<2>(device_, "solve: start", n_, StartSolveRow{rhs_.data(), diag_.data(), p, r_.data(), d_.data(), invDiag_.data()},
                AfterStart{tolerance, quiet, maxIterations_, s});
  // r = b - A p: one pass with d = p and alpha = 1, starting from r = b and p = 0
  pack(d_.data());
  firstPass(s, StoreNothing{});
  if (free_) bodiesPass(s);
  secondPass(p, s, AfterFirst{s});
  return iterate([&] {
    launch(device_, "solve: direction", n_, direction(s));
    transposePass(s);
    secondPass(p, s, AfterUpdate{s});
  });
}

// The solids between the two passes. answer: for the multipliers, not the direction of the solve.
template <class After>
void DevicePressure::jointPass(const SolveScalars* solve, bool answer, const After& after) {
  forcesOnBodies(solve);
  joint_.nodesPass(answer, phi_.data(), slotsOfBodies(solve), after);
}

void DevicePressure::startJoint(const DeviceJointRows& rows, double dt, float* p) {
  double* const sums = jointSums_.data();
  joint_.scale(n_, diag_.data(), diagFree_.data(), diagRigid_.data());
  launchFold<2>(device_, "solve: start", n_, StartSolveRow{rhs_.data(), diag_.data(), p, r_.data(), d_.data(), invDiag_.data()},
                StoreValues<2>{sums});
  joint_.start(dt, sums);
  joint_.precondition(
      nullptr, r_.data(), z_.data(), n_, false,
      AfterJointStart{sums, rows.tolerance, morris_.wanted() ? 0 : rows.quiet, morris_.wanted() ? 0 : rows.quietConstraint,
                      rows.constraintsAct, maxIterations_, joint_.rowCounts(), joint_.ownRows().launches(), scalars_.data()});
}

SolveScalars DevicePressure::solve(const Vec4f* uStar, const float* densityTerm, double dt, const DeviceJointRows& rows, float* p) {
  setRightHandSide(uStar, densityTerm, dt);
  startJoint(rows, dt, p);
  SolveScalars* const s = scalars_.data();
  double* const sums = jointSums_.data();
  const auto updateAll = [&](const auto& after) {
    secondPass(p, s, StoreNothing{});
    joint_.updateAndWeigh(s, r_.data());
    joint_.precondition(s, r_.data(), z_.data(), n_, true, after);
  };
  pack(d_.data());
  firstPass(s, StoreNothing{});
  jointPass(s, false, StoreNothing{});
  updateAll(AfterFirst{s});
  return iterate([&] {
    joint_.direction(s, n_, direction(s), sums);
    firstPass(s, KeepTranspose{s});
    jointPass(s, false, AddSolids{sums, quadratic_.data(), rigids_, s});
    updateAll(AfterUpdate{s});
  });
}

void DevicePressure::apply(const float* p) {
  pack(p);
  if (morris_.wanted()) {
    surfaceReaction(p, nullptr);
    morris_.gradient(p, invRho_.data(), b_.data());
  } else {
    launchRows(device_, "solve: pass 1", n_, transposeOf(p, nullptr), StoreNothing{});
  }
  if (joint_.any()) return jointPass(nullptr, true, StoreNothing{});
  if (free_) bodiesPass(nullptr);
}

MNS_NS_END
