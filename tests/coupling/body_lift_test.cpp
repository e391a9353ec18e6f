// What still water does to a body of flat sides, wherever it lies in the grid: a weight of its own volume of water, through the
// middle of that.
#include <gtest/gtest.h>

#include "engine/grid/smoke/filled_cells.h"
#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

// A box about a middle, turned about the last but one axis.
template <int D>
struct TestBox {
  Point<D> size, middle;
  double angle = 0;

  double volume() const {
    double v = 1;
    for (const double s : size) v *= s;
    return v;
  }
  std::vector<double> corners() const {
    std::vector<double> x;
    for (std::size_t k = 0; k < (1U << D); ++k) {
      Point<D> p;
      for (std::size_t a = 0; a < D; ++a) p[a] = (k >> a & 1 ? 0.5 : -0.5) * size[a];
      const double along = p[0], up = p[D - 1];
      p[0] = std::cos(angle) * along - std::sin(angle) * up;
      p[D - 1] = std::sin(angle) * along + std::cos(angle) * up;
      for (std::size_t a = 0; a < D; ++a) x.push_back(middle[a] + p[a]);
    }
    return x;
  }
  static ShellMesh<D> mesh() {
    ShellMesh<D> m;
    m.nodes = 1 << D;
    if constexpr (D == 2) {
      m.elements = {{0, 1}, {1, 3}, {3, 2}, {2, 0}};
    } else {
      m.elements = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    }
    return m;
  }
};

template <int D>
std::vector<TestBox<D>> boxes() {
  std::vector<TestBox<D>> all;
  for (const double shift : {0.0, 0.013, 0.05, 0.071}) {
    Point<D> size, thin, small, middle;
    size.fill(0.33), thin.fill(0.3), small.fill(0.05), middle.fill(0.45 + shift);
    size[0] = 0.42;
    thin[0] = 0.04;
    for (const double angle : {0.0, 0.35}) {
      all.push_back({size, middle, angle});
      all.push_back({thin, middle, angle});
      all.push_back({small, middle, angle});
    }
  }
  return all;
}

template <int D>
void expectShares() {
  const SmokeDomain<D> domain = waterTank<D>(10, {});
  for (const TestBox<D>& box : boxes<D>()) {
    FilledBodies<D> bodies(box.mesh(), std::vector<char>(box.mesh().elements.size(), 1));
    std::vector<double> share;
    findBodyShares<D>(domain.grid, bodies, box.corners(), share);
    double sum = 0;
    for (const double s : share) sum += s * std::pow(domain.grid.dx, D);
    EXPECT_NEAR(sum, box.volume(), 1e-13);
  }
}

TEST(BodyLift, SharesAreTheBodysVolume) {
  expectShares<2>();
  expectShares<3>();
}

// Cells by themselves: a box that has the upper half of one, all of its neighbour but a quarter along x, and reaches out of the
// grid.
TEST(BodyLift, SharesAreThoseOfCells) {
  const SmokeDomain<2> domain = waterTank<2>(4, {});
  FilledBodies<2> bodies(TestBox<2>::mesh(), {1, 1, 1, 1});
  std::vector<double> share;
  const TestBox<2> box{{0.4375, 1}, {0.46875, 1.125}};
  findBodyShares<2>(domain.grid, bodies, box.corners(), share);
  const std::vector<double> top = {0, 1, 0.75, 0}, below = {0, 0.5, 0.375, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(share[12 + i], top[i], 1e-14);
    EXPECT_NEAR(share[8 + i], below[i], 1e-14);
    EXPECT_NEAR(share[i] + share[4 + i], 0, 1e-14);
  }
  // wound the other way round it is the same body
  ShellMesh<2> turned = TestBox<2>::mesh();
  for (auto& e : turned.elements) std::swap(e[0], e[1]);
  FilledBodies<2> other(turned, {1, 1, 1, 1});
  std::vector<double> same;
  findBodyShares<2>(domain.grid, other, box.corners(), same);
  for (std::size_t i = 0; i < same.size(); ++i) EXPECT_NEAR(same[i], share[i], 1e-14);
}

// A plate of half a cell had no lift where it lay between two rows of centres, and that of a whole cell where it had one.
template <int D>
void expectLift() {
  Exec exec(1);
  Point<D> gravity{};
  gravity[D - 1] = -10;
  const SmokeDomain<D> domain = waterTank<D>(10, gravity);
  for (const TestBox<D>& box : boxes<D>()) {
    coupling::WaterFluidOptions options;
    options.filled.assign(box.mesh().elements.size(), 1);
    const Motion now = standing(box.corners());
    WaterFluidBox<D> water(exec, domain, box.mesh(), options);
    water.setBoundary(now);
    ShellFaces<D> faces;
    findShellFaces<D>({domain.grid}, box.mesh(), now.position, nullptr, faces);
    const std::vector<char> filled = findFilledCells(domain.grid, faces, options.filled);
    water.fill(
        [&](const Point<D>& x) { return filled[std::size_t(domain.grid.cell(cellOf<D>(domain.grid, x)))] ? 1 : x[D - 1] - 0.87; });
    const double dt = 0.01, weight = 1000 * 10 * dt * box.volume();
    const Load load = water.solve(now, dt);
    Point<D> sum{};
    double turn = 0;
    for (std::size_t k = 0; k < now.position.size(); k += D) {
      for (std::size_t a = 0; a < D; ++a) sum[a] += load.value[k + a];
      turn += (now.position[k] - box.middle[0]) * load.value[k + D - 1];
    }
    EXPECT_NEAR(sum[D - 1], weight, 1e-6 * weight);
    EXPECT_NEAR(sum[0], 0, 1e-6 * weight);
    EXPECT_NEAR(turn, 0, 1e-6 * weight * domain.grid.dx) << box.middle[0] << ' ' << box.size[0] << ' ' << box.angle;
    // and its water is what is not the body's
    EXPECT_NEAR(water.matter().volume, 0.87 - box.volume(), 1e-9);
  }
}

TEST(BodyLift, IsThatOfTheBodysOwnVolume) {
  expectLift<2>();
  expectLift<3>();
}

}  // namespace
}  // namespace meniscus::testing
