#include "engine/coupling/cases/smoke_press.h"

#include <cmath>

namespace meniscus::coupling {
namespace {

using implicit::RigidBodyDef;
using Line = std::vector<std::array<double, 2>>;  // points in the plane of the press

constexpr double kGap = 0.15, kChannel = 0.2, kHeight = 1, kDepth = 0.2;  // [m]
constexpr double kOver = 0.2;  // of a cell: how far sheets go on behind a wall, so that none ends just before it

template <int D>
double depthOf() {
  return D == 3 ? kDepth : 1;
}

// Adds a sheet: the line in the plane, in space drawn out over the depth of the vessel.
template <int D>
void addSheet(const Line& line, double dx, ShellMesh<D>& mesh, std::vector<double>& x) {
  const Index rows = D == 3 ? Index(std::lround(kDepth / dx)) + 1 : 1, first = mesh.nodes;
  for (const auto& p : line)
    for (Index j = 0; j < rows; ++j) {
      x.push_back(p[0]);
      if (D == 3) x.push_back(-kOver * dx + (kDepth + 2 * kOver * dx) * j / (rows - 1));
      x.push_back(p[1]);
    }
  mesh.nodes += Index(line.size()) * rows;
  for (Index i = 0; i + 1 < Index(line.size()); ++i) {
    const Index a = first + i * rows;
    if constexpr (D == 2) {
      mesh.elements.push_back({a, a + 1});
    } else {
      for (Index j = a; j + 1 < a + rows; ++j) {
        mesh.elements.push_back({j, j + rows, j + rows + 1});
        mesh.elements.push_back({j, j + rows + 1, j + 1});
      }
    }
  }
}

template <int D>
SmokeDomain<D> pressDomain(double dx) {
  SmokeDomain<D> d;
  d.grid.dx = dx;
  const double width = SmokePress<D>::kWidth[0] + kGap + SmokePress<D>::kWidth[1];
  d.grid.n[0] = Index(std::lround(width / dx));
  if (D == 3) d.grid.n[1] = Index(std::lround(kDepth / dx));
  d.grid.n[D - 1] = Index(std::lround(kHeight / dx));
  d.side[D - 1][1] = SideKind::open;
  const double left = SmokePress<D>::kWidth[0], right = left + kGap, top = kHeight + kOver * dx;
  addSheet<D>({{left, top}, {left, kChannel}, {right, kChannel}, {right, top}}, dx, d.obstacle, d.obstacleNodes);
  return d;
}

}  // namespace

template <int D>
SmokePress<D>::SmokePress(Exec& exec, const SmokePressOptions& o) : options_(o), dx_(D == 2 ? 0.025 : 0.05) {
  const SmokeDomain<D> domain = pressDomain<D>(dx_);
  ShellMesh<D> mesh;
  std::vector<RigidBodyDef> pistons;
  const Eigen::Vector3d up = Eigen::Vector3d::Unit(D - 1);
  for (int k = 0; k < 2; ++k) {
    const double from = k == 0 ? 0 : kWidth[0] + kGap;
    const int parts = int(std::lround(kWidth[k] / dx_));
    Line line;
    for (int i = 0; i <= parts; ++i) line.push_back({from - kOver * dx_ + (kWidth[k] + 2 * kOver * dx_) * i / parts, kStart});
    std::vector<double> x;
    addSheet<D>(line, dx_, mesh, x);
    RigidBodyDef d;
    d.mass = o.massPerArea * kWidth[k] * depthOf<D>();
    d.center[0] = from + 0.5 * kWidth[k];
    d.center[D - 1] = kStart;
    d.points = Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
    d.freedom = implicit::Freedom::slide;
    d.axis = up;
    d.force = -o.pressed[k] * depthOf<D>() * up;
    if (k == 1) d.springs.push_back({d.center, d.center, o.spring * depthOf<D>(), o.damper * depthOf<D>()});
    pistons.push_back(d);
  }
  bodies_ = std::make_shared<implicit::RigidBodies<D>>(pistons, -o.gravity * up);
  solid_ = std::make_unique<ImplicitSolidsBox>(std::vector<std::shared_ptr<implicit::ImplicitSolid>>{bodies_});
  SmokeFluidOptions fluid;
  fluid.place = o.place;
  fluid_ = std::make_unique<SmokeFluidBox<D>>(exec, domain, mesh, fluid);
  EnclosedPressureOptions pressure;
  pressure.volumeTolerance = 1e-6 * std::pow(dx_, D);
  enclosed_ = std::make_unique<EnclosedPressure>(
      *solid_, [this] { return fluid_->enclosed(); }, pressure);
  fluid_->setBoundary(solid_->motion());
}

template <int D>
double SmokePress<D>::restPressure() const {
  return options_.pressed[0] / kWidth[0] + options_.massPerArea * options_.gravity;
}

template <int D>
double SmokePress<D>::restTravel() const {
  const double up = (restPressure() - options_.massPerArea * options_.gravity) * kWidth[1] - options_.pressed[1];
  return up / options_.spring;
}

template class SmokePress<2>;
template class SmokePress<3>;

}  // namespace meniscus::coupling
