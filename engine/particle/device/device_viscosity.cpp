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
      scalars_(d, "viscosity: scalars"),
      iterations_(d) {
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
  for (auto* b : {&wall_, &shear_}) b->resize(std::size_t(n));
}

void DeviceViscosity::findWalls(const DeviceLists& lists, const DeviceParticleState& f, bool moving, const float* x) {
  const PairView v = lists.view();
  if (bodies_.rigidSlot)
    launch(device_, "viscosity: walls", lists.slots(),
           SurfaceWallOfBodies{bodies_, lists.features(), v.slotParticle, f.x.now.data(), lists.surfaces().view(), moving, x,
                               wall_.data()});
  else if (lists.surfaces().any())
    launch(device_, "viscosity: walls", lists.slots(),
           SurfaceWall{lists.features(), v.slotParticle, f.x.now.data(), lists.surfaces().view(), moving, wall_.data()});
  else
    launch(device_, "viscosity: walls", lists.slots(), RestingWall{lists.features(), noSlip_, wall_.data()});
}

// y = h L x, and with rho also M x; x of bodies is in the walls.
void DeviceViscosity::pass(const DeviceLists& lists, const DeviceParticleState& f, const float* rho, const float* x, float* y) {
  const bool step = rho != nullptr;
  if (bodies_.rigidSlot) findWalls(lists, f, !step, x);
  launch(device_, "viscosity", f.n,
         ViscousPass{lists.view(), f.kind.now.data(), mu_.data(), rho, kernel_, wall_.data(), x, y, shear_.data()});
  launch(device_, "viscosity: nodes", bodies_.nodes, ViscousNodes{bodies_, shear_.data(), step, x, y});
  launchBlocks<6>(device_, "viscosity: rigid", bodies_.rigids, CollectShear{bodies_, shear_.data(), kThreads},
                  StoreViscousRigid{bodies_, step, x, y});
}

bool DeviceViscosity::step(const DeviceLists& lists, const DeviceParticleState& f, const float* rho, double h,
                           const BodiesInViscosity* bodies, Vec4f* out, double* gained) {
  const Index n = f.n;
  bodies_ = bodies ? bodies->view : ViscousBodies{};
  bodies_.n = n;
  const Index rows = bodies_.rows();
  reserve(rows);
  wall_.resize(std::size_t(lists.slots()));
  shear_.resize(std::size_t(lists.slots()));
  launch(device_, "viscosity: coefficients", kinds_, ScaleTable{muBase_.data(), h, mu_.data()});
  SolveScalars* const s = scalars_.data();
  const ViscousMass mass{f.kind.now.data(), rho, bodies_};
  const float* u = reinterpret_cast<const float*>(f.u.now.data());
  if (bodies) {
    launch(device_, "viscosity: pack", rows,
           PackViscous{bodies_, f.u.now.data(), bodies->nodeVelocity, bodies->bodyVelocity, q_.data()});
    u = q_.data();
  } else {
    findWalls(lists, f, true, nullptr);
  }
  pass(lists, f, nullptr, u, b_.data());
  // the unknown is the change of velocity, which surfaces that move as given have no part in
  if (!bodies && lists.surfaces().moving()) findWalls(lists, f, false, nullptr);
  launchFold<2>(device_, "viscosity: start", rows, ViscousStart{mass, b_.data(), x_.data()},
                AfterStart{kTolerance, 0, kMaxIterations, s});
  pass(lists, f, rho, x_.data(), q_.data());
  launchFold<1>(device_, "viscosity: residual", rows, ViscousResidual{mass, b_.data(), q_.data(), r_.data(), z_.data()},
                AfterFirst{s});
  d_.fillZero();
  iterations_.forget();
  SolveScalars now;
  for (;;) {
    scalars_.download(&now);
    if (now.done) break;
    iterations_.run("iterations of the viscous solve", [&] {
      for (int k = 0; k < kCheckEvery; ++k) {
        launch(device_, "viscosity: direction", rows, ViscousDirection{s, z_.data(), d_.data()});
        pass(lists, f, rho, d_.data(), q_.data());
        launchFold<1>(device_, "viscosity: curvature", rows, ViscousCurvature{d_.data(), q_.data()}, AfterTranspose{s});
        launchFold<1>(device_, "viscosity: update", rows,
                      ViscousUpdate{mass, s, d_.data(), q_.data(), x_.data(), r_.data(), z_.data()}, AfterUpdate{s});
      }
    });
  }
  launchFold<3>(device_, "viscosity: add", n, ViscousFinish{f.u.now.data(), x_.data(), mass, out}, StoreValues<3>{gained});
  return now.converged != 0;
}

void DeviceViscosity::readChanges(std::vector<double>& node, std::vector<double>& rigid) {
  const std::size_t rows = std::size_t(bodies_.rows() - bodies_.n);
  changes_.resize(4 * rows);
  if (rows > 0)
    device_.toHost(changes_.data(), x_.data() + 4 * Offset(bodies_.n), changes_.size() * sizeof(float), "changes of velocity");
  const std::size_t nodes = std::size_t(bodies_.nodes);
  node.resize(3 * nodes);
  rigid.resize(3 * (rows - nodes));
  for (std::size_t k = 0; k < node.size(); ++k) node[k] = double(changes_[4 * (k / 3) + k % 3]);
  for (std::size_t k = 0; k < rigid.size(); ++k) rigid[k] = double(changes_[4 * (nodes + k / 3) + k % 3]);
}

MNS_NS_END
