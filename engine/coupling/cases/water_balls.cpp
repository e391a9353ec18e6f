#include "engine/coupling/cases/water_balls.h"

#include <cmath>
#include <map>

namespace meniscus::coupling {
namespace {

using Eigen::Vector3d;

// Nodes and elements of a ball of radius 1, its edges at most `edge` long.
template <int D>
struct UnitBall {
  std::vector<Point<D>> node;
  std::vector<std::array<Index, D>> element;
};

UnitBall<2> unitDisc(double edge) {
  UnitBall<2> b;
  const Index n = std::max(Index(8), Index(std::ceil(2 * M_PI / edge)));
  for (Index i = 0; i < n; ++i) {
    b.node.push_back({std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n)});
    b.element.push_back({i, (i + 1) % n});
  }
  return b;
}

// An octahedron whose triangles are cut into four until they are small enough.
UnitBall<3> unitSphere(double edge) {
  UnitBall<3> b;
  b.node = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  b.element = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (double length = std::sqrt(2.0); length > edge; length *= 0.5) {
    std::map<std::pair<Index, Index>, Index> middle;
    const auto between = [&](Index i, Index j) {
      const auto [it, added] = middle.try_emplace(std::minmax(i, j), Index(b.node.size()));
      if (added) {
        const Point<3>&p = b.node[std::size_t(i)], &q = b.node[std::size_t(j)];
        const Vector3d m = Vector3d(p[0] + q[0], p[1] + q[1], p[2] + q[2]).normalized();
        b.node.push_back({m[0], m[1], m[2]});
      }
      return it->second;
    };
    std::vector<std::array<Index, 3>> finer;
    for (const auto& [i, j, k] : b.element) {
      const Index ij = between(i, j), jk = between(j, k), ki = between(k, i);
      finer.insert(finer.end(), {{i, ij, ki}, {ij, j, jk}, {ki, jk, k}, {ij, jk, ki}});
    }
    b.element = finer;
  }
  return b;
}

template <int D>
UnitBall<D> unitBall(double edge) {
  if constexpr (D == 2)
    return unitDisc(edge);
  else
    return unitSphere(edge);
}

// Area or volume between the elements and the origin.
template <int D>
double contents(const UnitBall<D>& b) {
  double sum = 0;
  for (const std::array<Index, D>& e : b.element) {
    Eigen::Matrix<double, D, D> m;
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t a = 0; a < D; ++a) m(Eigen::Index(i), Eigen::Index(a)) = b.node[std::size_t(e[i])][a];
    sum += std::abs(m.determinant());
  }
  return sum / (D == 2 ? 2 : 6);
}

template <int D>
implicit::RigidBodyDef bodyOf(const WaterBall& ball, const UnitBall<D>& unit) {
  implicit::RigidBodyDef d;
  d.mass = ball.density * WaterBalls<D>::kDensity * contents(unit) * std::pow(ball.radius, D);
  d.inertia = Eigen::Matrix3d::Identity() * (D == 2 ? 0.5 : 0.4) * d.mass * ball.radius * ball.radius;
  for (std::size_t a = 0; a < D; ++a) d.center[Eigen::Index(a)] = 0.5 + ball.offset[a];
  d.points.resize(Eigen::Index(unit.node.size()) * D);
  Eigen::Index k = 0;
  for (const Point<D>& p : unit.node)
    for (std::size_t a = 0; a < D; ++a) d.points[k++] = d.center[Eigen::Index(a)] + ball.radius * p[a];
  return d;
}

}  // namespace

template <int D>
WaterBalls<D>::WaterBalls(Exec& exec, const WaterBallsOptions& o) {
  domain_.grid.n.fill(o.cells);
  domain_.grid.dx = 1.0 / o.cells;
  domain_.density = kDensity;
  domain_.gravity[D - 1] = -kGravity;
  std::vector<implicit::RigidBodyDef> defs;
  for (const WaterBall& ball : o.balls) {
    const UnitBall<D> unit = unitBall<D>(1.2 * dx() / ball.radius);
    for (std::array<Index, D> e : unit.element) {
      for (Index& i : e) i += mesh_.nodes;
      mesh_.elements.push_back(e);
    }
    mesh_.nodes += Index(unit.node.size());
    defs.push_back(bodyOf(ball, unit));
  }
  Vector3d gravity(0, 0, 0);
  gravity[D - 1] = -kGravity;
  bodies_ = std::make_shared<implicit::RigidBodies<D>>(defs, gravity);
  solid_ = std::make_unique<ImplicitSolidsBox>(std::vector<std::shared_ptr<implicit::ImplicitSolid>>{bodies_});
  WaterFluidOptions fluid;
  fluid.load = o.load;
  fluid_ = std::make_unique<WaterFluidBox<D>>(exec, domain_, mesh_, fluid);
  fluid_->setBoundary(solid_->motion());
  const std::vector<char> inside = insideCells();
  fluid_->fill([&](const Point<D>& x) {
    return inside[std::size_t(domain_.grid.cell(cellOf<D>(domain_.grid, x)))] ? 1 : x[D - 1] - o.depth;
  });
}

template <int D>
std::vector<char> WaterBalls<D>::insideCells() const {
  ShellFaces<D> faces;
  const GivenFaces<D> given(domain_);
  findShellFaces<D>({domain_.grid}, mesh_, solid_->motion().position, &given, faces);
  Cell<D> corner{};
  corner[D - 1] = domain_.grid.n[D - 1] - 1;
  return enclosedCells<D>(domain_.grid, given, faces, corner);
}

template <>
double floatingDensity<2>(double s) {
  return (std::acos(1 - s) - (1 - s) * std::sqrt(2 * s - s * s)) / M_PI;
}
template <>
double floatingDensity<3>(double s) {
  return s * s * (3 - s) / 4;
}

template class WaterBalls<2>;
template class WaterBalls<3>;

}  // namespace meniscus::coupling
