#include "engine/coupling/cases/smoke_balloon.h"

#include <cmath>

#include "engine/solid/implicit/shell_model.h"

namespace meniscus::coupling {
namespace {

constexpr double kRadius = 0.15, kWidth = 0.15;
constexpr int kNodes = 61;

SmokeDomain<2> balloonDomain(int refine) {
  SmokeDomain<2> d;
  d.grid.n = {40 * refine, 60 * refine};
  d.grid.dx = 1.0 / d.grid.n[0];
  d.side = {{{SideKind::open, SideKind::open}, {SideKind::wall, SideKind::open}}};
  const Index width = 6 * refine, first = (d.grid.n[0] - width) / 2;
  for (Index i = first; i < first + width; ++i) d.inflow.push_back({1, {i, 0}, SmokeBalloon::kInflow / kWidth, 1, 0});
  return d;
}

std::shared_ptr<implicit::NodalSolid<2>> balloon(double massPerLength, int nodes) {
  implicit::Vector x(2 * nodes);
  const double half = std::asin(0.5 * kWidth / kRadius), height = kRadius * std::cos(half);
  for (int i = 0; i < nodes; ++i) {
    const double angle = half + 2 * (M_PI - half) * i / (nodes - 1);  // from straight down, clockwise
    x[2 * i] = 0.5 - kRadius * std::sin(angle);
    x[2 * i + 1] = height - kRadius * std::cos(angle);
  }
  // the ends just below the ground: the way out between a node and the ground is closed
  x[1] = x[2 * nodes - 1] = -1e-6;
  const auto model = implicit::chainModel(x, false, {0.5, 1e-4, 0.01});
  auto solid = std::make_shared<implicit::NodalSolid<2>>(model, x, implicit::chainMass(*model, massPerLength));
  for (const int end : {0, nodes - 1}) solid->prescribe(end, {0, 0});
  return solid;
}

}  // namespace

SmokeBalloon::SmokeBalloon(Exec& exec, const SmokeBalloonOptions& o) {
  const SmokeDomain<2> domain = balloonDomain(o.refine);
  dx_ = domain.grid.dx;
  const int nodes = (kNodes - 1) * o.refine + 1;
  const double massPerLength = o.massRatio * domain.density * 2 * dx_ * o.refine;
  solid_ =
      std::make_unique<ImplicitSolidsBox>(std::vector<std::shared_ptr<implicit::ImplicitSolid>>{balloon(massPerLength, nodes)});
  ShellMesh<2> mesh;
  mesh.nodes = nodes;
  for (Index i = 0; i + 1 < mesh.nodes; ++i) mesh.elements.push_back({i, i + 1});
  SmokeFluidOptions fluid;
  fluid.load = o.load;
  fluid.place = o.place;
  fluid_ = std::make_unique<SmokeFluidBox<2>>(exec, domain, mesh, fluid);
  EnclosedPressureOptions pressure;
  pressure.volumeTolerance = 1e-3 * dx_ * dx_;
  enclosed_ = std::make_unique<EnclosedPressure>(
      *solid_, [this] { return fluid_->enclosed(); }, pressure);
  fluid_->setBoundary(solid_->motion());
}

double SmokeBalloon::area() const {
  const std::vector<double> x = solid_->motion().position;
  double twice = 0;  // clockwise
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const std::size_t j = (i + 2) % x.size();
    twice += x[j] * x[i + 1] - x[i] * x[j + 1];
  }
  return 0.5 * twice;
}

}  // namespace meniscus::coupling
