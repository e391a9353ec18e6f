// The preconditioner in the nodes is a symmetric, positive definite matrix, the same at any number of threads, and worth its cost.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engine/particle/pressure_system.h"
#include "tests/shared/fluid_box.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

struct Exposed : PressureSystem {
  Buffer<float> precondition(Exec& exec, const Buffer<float>& r) {
    preparePreconditioner(exec);
    Buffer<float> z(r.size());
    product = preconditioner_.apply(exec, r, z);
    return z;
  }
  const RowLayout& layout() const { return layout_; }
  // Which entries of a vector are rows.
  bool isRow(Index i) const {
    if (i < layout_.fluid || i >= layout_.rows) return true;
    if (i < layout_.edges || (i - layout_.edges) % 4 == 3) return false;
    return edges_[(i - layout_.edges) / 4].on[EdgeRow::across] > 0;
  }
  double product = 0;
};

// A cloth in the middle of some water, a node of it held, stretched.
World clothInWater() {
  testing::FluidBoxDef box;
  box.cells = {9, 9, 9};
  World w = testing::fluidBox(box);
  SolidDef d;
  d.name = "cloth";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 0.3;
  d.material.stretch = d.material.shear = {Resistance::Kind::compliance, 1e-3, 0};
  d.pins.resize(1);
  d.pins[0].indices = {0};
  SurfaceMesh m = testing_meshes::sheet(6, 5, 0.12, 0.1);
  for (Vec3d& x : m.x) x += w.scene.domain.min + Vec3d{0.03, 0.04, 0.093};
  addShell(w.solid, d, m);
  colourConstraints(w.solid, false);
  SolidState& s = w.solid;
  s.xPrev = s.x;
  for (Vec3d& x : s.x) x = x + (x - s.x[0]) * 0.05;
  for (double& l : s.constraints.lambda) l = -1e-6;
  return w;
}

TEST(NodePreconditioner, IsSymmetricAndPositive) {
  Exec exec(3), one(1);
  World w = clothInWater();
  testing::FluidLists<Exposed> l(exec, w);
  const double dt = 2e-3;
  RowList rows;
  constraintRows(exec, w.solid, nullptr, 0, dt, nullptr, nullptr, rows);
  l.system.setRows(exec, w, rows, dt);
  ASSERT_GT(l.system.layout().edgeCount(), 100);
  std::mt19937 rng(2);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const std::size_t n = std::size_t(l.system.rows());
  // as large in the rows of water as in those of edges
  const auto random = [&] {
    Buffer<float> v(n);
    for (Index i = 0; i < Index(n); ++i) v[std::size_t(i)] = l.system.isRow(i) ? uniform(rng) : 0.f;
    return v;
  };
  const auto product = [&](const Buffer<float>& a, const Buffer<float>& b) {
    double s = 0;
    for (std::size_t i = 0; i < n; ++i) s += double(a[i]) * b[i];
    return s;
  };
  for (int trial = 0; trial < 5; ++trial) {
    const Buffer<float> a = random(), b = random();
    const Buffer<float> pa = l.system.precondition(exec, a);
    const double aPa = l.system.product;
    const Buffer<float> pb = l.system.precondition(exec, b);
    const double bPb = l.system.product;
    EXPECT_GT(aPa, 0);
    EXPECT_NEAR(aPa, product(a, pa), 1e-6 * aPa);
    EXPECT_NEAR(product(b, pa), product(a, pb), 1e-5 * std::sqrt(aPa * bPb));
    const Buffer<float> again = l.system.precondition(one, a);
    EXPECT_EQ(l.system.product, aPa);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(pa[i], again[i]) << i;
  }
}

}  // namespace
}  // namespace meniscus
