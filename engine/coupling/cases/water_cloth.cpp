#include "engine/coupling/cases/water_cloth.h"

#include <cmath>

#include "engine/solid/implicit/shell_model.h"

namespace meniscus::coupling {
namespace {

using implicit::NodalSolid;
using implicit::Vector;

constexpr double kBeyondWall = 1e-3;  // [m]
constexpr double kNodeSpacing = 1.2;  // [cells]

Index nodesAlong(double dx) { return Index(std::ceil((1 + 2 * kBeyondWall) / (kNodeSpacing * dx))) + 1; }
double placeOf(Index i, Index n) { return -kBeyondWall + (1 + 2 * kBeyondWall) * i / (n - 1); }

std::shared_ptr<NodalSolid<2>> clothAcross(const WaterClothOptions& o, double dx, ShellMesh<2>& mesh) {
  const Index n = nodesAlong(dx);
  Vector x(2 * n);
  mesh.nodes = n;
  for (Index i = 0; i < n; ++i) {
    x[2 * i] = placeOf(i, n);
    x[2 * i + 1] = o.height;
    if (i > 0) mesh.elements.push_back({i - 1, i});
  }
  const auto model = implicit::chainModel(x, false, {o.stiffness, 1e-3, 20});
  auto solid = std::make_shared<NodalSolid<2>>(model, x, implicit::chainMass(*model, o.massPerArea));
  for (const Index end : {Index(0), n - 1}) solid->prescribe(end, {0, 0});
  solid->setGravity({0, -WaterCloth<2>::kGravity});
  return solid;
}

std::shared_ptr<NodalSolid<3>> clothAcross(const WaterClothOptions& o, double dx, ShellMesh<3>& mesh) {
  const Index n = nodesAlong(dx);
  Vector x(3 * n * n);
  mesh.nodes = n * n;
  std::vector<std::array<int, 3>> triangles;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index d = j * n + i, c = d - 1, b = d - n, a = b - 1;
      x.segment<3>(3 * d) = Eigen::Vector3d(placeOf(i, n), placeOf(j, n), o.height);
      if (i == 0 || j == 0) continue;
      // diagonals in turns, so that no direction is stiffer
      if ((i + j) % 2 == 0)
        triangles.insert(triangles.end(), {{a, b, d}, {a, d, c}});
      else
        triangles.insert(triangles.end(), {{b, d, c}, {a, b, c}});
    }
  for (const std::array<int, 3>& t : triangles) mesh.elements.push_back({t[0], t[1], t[2]});
  const auto model = implicit::sheetModel(x, triangles, {o.stiffness, 1e-3, 20});
  auto solid = std::make_shared<NodalSolid<3>>(model, x, implicit::sheetMass(x, triangles, o.massPerArea));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1) solid->prescribe(j * n + i, {0, 0, 0});
  solid->setGravity({0, 0, -WaterCloth<3>::kGravity});
  return solid;
}

}  // namespace

template <int D>
WaterCloth<D>::WaterCloth(Exec& exec, const WaterClothOptions& o) : height_(o.height) {
  domain_.grid.n.fill(o.cells);
  domain_.grid.dx = 1.0 / o.cells;
  domain_.density = kDensity;
  domain_.gravity[D - 1] = -kGravity;
  solid_ = std::make_unique<ImplicitSolidsBox>(std::vector<std::shared_ptr<implicit::ImplicitSolid>>{clothAcross(o, dx(), mesh_)});
  fluid_ = std::make_unique<WaterFluidBox<D>>(exec, domain_, mesh_, WaterFluidOptions{});
  fluid_->setBoundary(solid_->motion());
  fluid_->fill([&](const Point<D>& x) { return x[D - 1] < o.height ? 1 : x[D - 1] - o.height - o.depth; });
}

template <int D>
double WaterCloth<D>::sag() const {
  const std::vector<double> x = solid_->motion().position;
  double lowest = height_;
  for (std::size_t k = D - 1; k < x.size(); k += D) lowest = std::min(lowest, x[k]);
  return height_ - lowest;
}

template class WaterCloth<2>;
template class WaterCloth<3>;

}  // namespace meniscus::coupling
