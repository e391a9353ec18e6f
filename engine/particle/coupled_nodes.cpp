#include "engine/particle/coupled_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/solid/motion.h"
#include "engine/solid/volume.h"
#include "engine/world/fields.h"

namespace meniscus {
namespace {

void put(const Vec3d& from, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

// The world without its particles, which are on the device.
class WithoutFluid {
 public:
  explicit WithoutFluid(World& w) : world_(w) { std::swap(fluid_, world_.fluid); }
  ~WithoutFluid() { std::swap(fluid_, world_.fluid); }
  WithoutFluid(const WithoutFluid&) = delete;
  WithoutFluid& operator=(const WithoutFluid&) = delete;

 private:
  World& world_;
  FluidState fluid_;
};

}  // namespace

CoupledNodes::CoupledNodes(World& world) : world_(world) {
  auto system = std::make_unique<RemotePressure>(world.scene.solver.pressure == PressureMode::kernelDiagonal);
  system_ = system.get();
  impl_ = std::make_unique<ParticleSolver::Impl>(exec_, world, std::move(system));
}

void CoupledNodes::begin() {
  world_.report = {};
  impl_->onGiven.assign(world_.solid.rigid.size(), {});
}

double CoupledNodes::fastest(double remaining, double most) const {
  const SolidState& s = world_.solid;
  double fastest = 0;
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    const double v = norm(s.v[i]);
    if (!(v <= most))
      throw Error(ErrorKind::simulation,
                  fmt::format("the simulation is no longer finite: {} has no valid velocity", nameOfNode(s, Index(i))));
    fastest = std::max(fastest, v);
  }
  for (const Pin& p : s.pins)
    if (p.motion >= 0)
      fastest = std::max(
          fastest, greatestSpeed(s.motions[std::size_t(p.motion)], norm(p.start - p.origin), world_.time, world_.time + remaining));
  return fastest;
}

void CoupledNodes::fill(const DeviceNodes& nodes) const {
  const SolidState& s = world_.solid;
  const Vec3d& origin = world_.scene.domain.min;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    put(s.xPrev[i] - origin, nodes.start + 3 * i);
    put(s.x[i] - origin, nodes.end + 3 * i);
    nodes.inverseMass[i] = s.w[i];
  }
}

void CoupledNodes::fillStart(const DeviceNodes& nodes, double h) const {
  const SolidState& s = world_.solid;
  for (std::size_t i = 0; i < s.v.size(); ++i) put(s.w[i] > 0 ? s.v[i] - world_.scene.gravity * h : s.v[i], nodes.velocity + 3 * i);
}

void CoupledNodes::regions(double h, int count, const DeviceRegion* regions, float* more) {
  impl_->misread = 0;
  particles_ = 0;
  for (VolumeConstraint& c : world_.solid.volumes) c.filled = false;
  for (int k = 0; k < count; ++k) {
    const DeviceRegion& r = regions[k];
    const FluidRegion region{r.count, r.asked, r.error, r.surface, r.kind, Vec3d{r.x[0], r.x[1], r.x[2]} + world_.scene.domain.min};
    more[k] = float(impl_->volumeCorrection(world_, region, h));
  }
}

void CoupledNodes::couple(double h, const DeviceJoint& device) {
  particles_ = world_.fluid.n;
  const WithoutFluid without(world_);
  applyGasPressure(world_.solid, h);
  system_->begin(world_, device, particles_);
  impl_->coupledPressure(world_, h);
  system_->sweeps().readOutcome(world_.solid);
}

void CoupledNodes::end(double h, const DeviceNodes& nodes) {
  impl_->moveSolids(world_, h);
  fill(nodes);
  for (std::size_t i = 0; i < impl_->linear.node.size(); ++i) put(impl_->linear.node[i], nodes.velocity + 3 * i);
}

View<const std::uint8_t> CoupledNodes::resting() {
  impl_->findResting(world_);
  return std::as_const(impl_->resting).view();
}

void CoupledNodes::measure(double h, double volumeChange, double surface) {
  world_.report.volumeChange = volumeChange;
  impl_->reportCompression(world_.report, surface, particles_);
  impl_->measureContacts(world_, h);
  impl_->countInverted(world_);
}

}  // namespace meniscus
