#include "engine/particle/device/device_viscosity.h"

#include <vector>

#include "kernels/fluid/step_measures.h"
#include "kernels/fluid/viscous_solve.h"

MNS_NS_BEGIN

namespace {

constexpr double kTolerance = 1e-4;
constexpr int kMaxIterations = 500, kCheckEvery = 4;

}  // namespace

DeviceViscosity::DeviceViscosity(Device& d, const DeviceFluidDef& def)
    : device_(d),
      noSlip_(def.wallNoSlip != 0),
      kernel_(ViscousKernel::make(def.spacing, def.support)),
      kinds_(def.kinds),
      muBase_(d, "viscosities"),
      mu_(d, "viscosities"),
      b_(d, "viscosity: right-hand side"),
      x_(d, "viscosity: change"),
      r_(d, "viscosity: residual"),
      z_(d, "viscosity: residual"),
      d_(d, "viscosity: direction"),
      q_(d, "viscosity: product"),
      wall_(d, "viscosity: walls"),
      shear_(d, "viscosity: shear"),
      scalars_(d, "viscosity: scalars") {
  std::vector<double> base;
  for (int k = 0; k < def.kinds; ++k) {
    base.push_back(10.0 * def.density[k] * def.viscosity[k]);
    wanted_ |= def.viscosity[k] > 0;
  }
  muBase_.upload(base.data(), base.size());
  mu_.resize(base.size());
  scalars_.resize(1);
}

void DeviceViscosity::reserve(Index n) {
  if (!wanted_) return;
  for (auto* b : {&b_, &x_, &r_, &z_, &d_, &q_}) b->resize(4 * std::size_t(n));
  wall_.resize(std::size_t(n));
  shear_.resize(std::size_t(n));
}

ViscousPass DeviceViscosity::passOf(const DeviceLists& lists, const DeviceParticleState& f, const float* rho, const float* x,
                                    float* y) const {
  return {lists.view(), f.kind.now.data(), mu_.data(), rho, kernel_, wall_.data(), x, y, shear_.data()};
}

void DeviceViscosity::findWalls(const DeviceLists& lists, const DeviceParticleState& f, bool moving) {
  if (lists.surfaces().any())
    launch(device_, "viscosity: walls", lists.slots(),
           SurfaceWall{lists.features(), lists.view().slotParticle, f.x.now.data(), lists.surfaces().view(), moving, wall_.data()});
  else
    launch(device_, "viscosity: walls", lists.slots(), RestingWall{lists.features(), noSlip_, wall_.data()});
}

bool DeviceViscosity::step(const DeviceLists& lists, const DeviceParticleState& f, const float* rho, double h, Vec4f* out,
                           double* gained) {
  const Index n = f.n;
  reserve(n);
  wall_.resize(std::size_t(lists.slots()));
  shear_.resize(std::size_t(lists.slots()));
  launch(device_, "viscosity: coefficients", kinds_, ScaleTable{muBase_.data(), h, mu_.data()});
  findWalls(lists, f, true);
  SolveScalars* const s = scalars_.data();
  const ViscousMass mass{f.kind.now.data(), rho};
  const float* const u = reinterpret_cast<const float*>(f.u.now.data());
  launch(device_, "viscosity", n, passOf(lists, f, nullptr, u, b_.data()));
  // the unknown is the change of velocity, which the walls have no part in
  if (lists.surfaces().moving()) findWalls(lists, f, false);
  launchFold<2>(device_, "viscosity: start", n, ViscousStart{mass, b_.data(), x_.data()},
                AfterStart{kTolerance, 0, kMaxIterations, s});
  launch(device_, "viscosity", n, passOf(lists, f, rho, x_.data(), q_.data()));
  launchFold<1>(device_, "viscosity: residual", n, ViscousResidual{mass, b_.data(), q_.data(), r_.data(), z_.data()},
                AfterFirst{s});
  d_.fillZero();
  SolveScalars now;
  for (;;) {
    scalars_.download(&now);
    if (now.done) break;
    for (int k = 0; k < kCheckEvery; ++k) {
      launch(device_, "viscosity: direction", n, ViscousDirection{s, z_.data(), d_.data()});
      launch(device_, "viscosity", n, passOf(lists, f, rho, d_.data(), q_.data()));
      launchFold<1>(device_, "viscosity: curvature", n, ViscousCurvature{d_.data(), q_.data()}, AfterTranspose{s});
      launchFold<1>(device_, "viscosity: update", n, ViscousUpdate{mass, s, d_.data(), q_.data(), x_.data(), r_.data(), z_.data()},
                    AfterUpdate{s});
    }
  }
  launchFold<3>(device_, "viscosity: add", n, ViscousFinish{f.u.now.data(), x_.data(), mass, out}, StoreValues<3>{gained});
  return now.converged != 0;
}

MNS_NS_END
