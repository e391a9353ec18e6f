#include "engine/coupling/cases/smoke_jet.h"

#include <cmath>

namespace meniscus::coupling {
namespace {

constexpr double kClothLength = 0.5, kHeight = 0.6;
constexpr int kNodes = 81;
constexpr double kUnstableSpeed = 20;  // [m/s], 40 times the jet's

SmokeDomain<2> jetDomain(int refine) {
  SmokeDomain<2> d;
  d.grid.n = {40 * refine, 60 * refine};
  d.grid.dx = 1.0 / d.grid.n[0];
  d.side[1][1] = SideKind::open;
  const Index width = 8 * refine, first = (d.grid.n[0] - width) / 2;
  for (Index i = first; i < first + width; ++i) d.inflow.push_back({1, {i, 0}, SmokeJet::kJetSpeed, 1, 0});
  return d;
}

std::shared_ptr<implicit::NodalSolid<2>> cloth(double dx, double massPerLength, int nodes) {
  implicit::Vector x(2 * nodes);
  for (int i = 0; i < nodes; ++i) {
    x[2 * i] = 0.5 * (1 - kClothLength) + kClothLength * i / (nodes - 1);
    x[2 * i + 1] = kHeight + 0.31 * dx;  // not on a face or a centre
  }
  const auto model = implicit::chainModel(x, false, {1, 1e-4, 0.01});
  auto solid = std::make_shared<implicit::NodalSolid<2>>(model, x, implicit::chainMass(*model, massPerLength));
  for (const int end : {0, nodes - 1}) solid->prescribe(end, {0, 0});
  return solid;
}

}  // namespace

SmokeJet::SmokeJet(Exec& exec, const SmokeJetOptions& o) {
  const SmokeDomain<2> domain = jetDomain(o.refine);
  dx_ = domain.grid.dx;
  load_ = o.load;
  // of the coarse grid's cells: the case stays the same when it is refined
  const double length = (o.paper ? 5.8 : 2.9) * dx_ * o.refine;
  const int nodes = (kNodes - 1) * o.refine + 1;
  solid_ = std::make_unique<ImplicitSolidsBox>(
      std::vector<std::shared_ptr<implicit::ImplicitSolid>>{cloth(dx_, o.massRatio * domain.density * length, nodes)});
  ShellMesh<2> mesh;
  mesh.nodes = nodes;
  for (Index i = 0; i + 1 < mesh.nodes; ++i) mesh.elements.push_back({i, i + 1});
  SmokeFluidOptions fluid;
  fluid.load = o.load;
  fluid.pressureScale = o.paper ? 2 : 1;
  fluid.weights = o.weights;
  fluid.place = o.place;
  fluid_ = std::make_unique<SmokeFluidBox<2>>(exec, domain, mesh, fluid);
  fluid_->setBoundary(solid_->motion());
  fluid_->startFromPotentialFlow();
}

double SmokeJet::timeStep() const { return 0.9 * dx_ / std::max(kJetSpeed, fluid_->largestSpeed()); }

double SmokeJet::largestNodeSpeed() const {
  const std::vector<double> v = solid_->motion().velocity;
  double most = 0;
  for (std::size_t k = 0; k + 1 < v.size(); k += 2) most = std::max(most, std::hypot(v[k], v[k + 1]));
  return most;
}

SmokeJetRun runSmokeJet(SmokeJet& jet, Coupling& method, double duration) {
  SmokeJetRun run;
  double solves = 0;
  for (double t = 0; t < duration * (1 - 1e-9);) {
    const double dt = std::min(jet.timeStep(), duration - t);
    const Report report = method.advance(jet.fluid(), jet.solid(), dt);
    t += dt;
    ++run.steps;
    solves += report.fluidSolves;
    run.unconverged += !report.converged();
    const bool diverged = !report.converged() && !(report.passes.back().residual <= report.passes.front().residual);
    run.stable =
        !diverged && (report.converged() || report.stop == Stop::maxIterations) && jet.largestNodeSpeed() <= kUnstableSpeed;
    if (!run.stable) break;
  }
  run.meanIterations = run.steps > 0 ? solves / run.steps : 0;
  return run;
}

}  // namespace meniscus::coupling
