// Predicted densities, multipliers and the tensile correction of position-based fluids against their formulas in double, over all
// pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/fluid/density_multiplier.h"
#include "kernels/fluid/predicted_density.h"
#include "kernels/fluid/tensile_correction.h"
#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

struct Box {
  explicit Box(double secondDensity = 0, Vec3d room = {}) {
    testing::FluidBoxDef def;
    def.secondDensity = secondDensity;
    def.room = room;
    w = testing::fluidBox(def);
    if (norm(room) > 0)  // away from all walls
      for (Index i = 0; i < w.fluid.n; ++i) w.fluid.x[i] += Vec4f(float(room.x / 2), float(room.y / 2), float(room.z / 2), 0.f);
    lists = std::make_unique<testing::FluidLists<PressureSystem>>(exec, w);
  }
  Index n() const { return w.fluid.n; }
  Exec exec{1};
  World w;
  std::unique_ptr<testing::FluidLists<PressureSystem>> lists;
};

// Where there are no walls, the constraint after a move is the density by summation at the new places, given the exact D s.
TEST(PredictedDensity, IsTheSumAtTheNewPlaces) {
  Box box(0, {0.2, 0.2, 0.2});
  const oracle::Fluid o = testing::oracleOf(box.w, *box.lists);
  const auto kernel = SmoothingKernel<double>::make(2 * box.w.dx);
  const double cW = box.lists->builder.lattice().cW, V = box.w.particleVolume;
  std::mt19937 rng(3);
  std::uniform_real_distribution<float> U(-0.3f * float(box.w.dx), 0.3f * float(box.w.dx));
  Buffer<Vec4f> s;
  Buffer<float> Ds, error;
  for (Index i = 0; i < box.n(); ++i) s.push_back(Vec4f(U(rng), U(rng), U(rng), 0.f));
  error.assign(std::size_t(box.n()), 0.f);
  for (Index a = 0; a < box.n(); ++a) {
    double sum = 0;
    for (int b = 0; b < o.n(); ++b) {
      const Vec3d x = o.p[std::size_t(a)].x - o.p[std::size_t(b)].x;
      if (b != a) sum += o.c(norm(x)) * dot(x, Vec3d((s[a] - s[b]).xyz()));
    }
    Ds.push_back(float(sum));
  }
  const PredictedDensity pass{box.lists->system.pairView(),
                              SmoothingKernel<float>::make(float(2 * box.w.dx)),
                              float(V),
                              float(cW),
                              box.lists->lists.density.data(),
                              Ds.data(),
                              s.data(),
                              error.data()};
  double largest = 0;
  for (Index a = 0; a < box.n(); ++a) {
    pass(a);
    double wanted = cW * V * kernel.W(0) - 1;
    for (int b = 0; b < o.n(); ++b) {
      const double before = norm(o.p[std::size_t(a)].x - o.p[std::size_t(b)].x);
      const double after = norm(o.p[std::size_t(a)].x + Vec3d(s[a].xyz()) - o.p[std::size_t(b)].x - Vec3d(s[b].xyz()));
      // pairs that come within reach in the move are the next list's
      if (b != a && before < kernel.H) wanted += cW * V * (after < kernel.H ? kernel.W(after) : 0);
    }
    EXPECT_NEAR(error[a], wanted, 3e-6) << a;
    largest = std::max(largest, std::fabs(wanted - (box.lists->lists.density[a] - 1 - cW * Ds[a])));
    EXPECT_EQ(pass.constraint(a, pass.scalar(a)), error[a]) << a;  // lanes are the scalar form
  }
  EXPECT_GT(largest, 0.01) << "the move has nothing beyond the first order";
}

TEST(DensityMultiplier, IsTheFormula) {
  const float error[4] = {0.01f, -0.02f, -0.02f, 0.03f}, diagonal[4] = {2e-3f, 3e-3f, 3e-3f, 1e-3f},
              deficiency[4] = {0, 0, 0.3f, 0.3f};
  const float start[4] = {10, 20, 20, -500};
  for (const bool open : {true, false}) {
    float p[4] = {start[0], start[1], start[2], start[3]};
    const DensityMultiplier pass{error, diagonal, deficiency, 5e-4f, 1e6f, open ? 0.05f : std::numeric_limits<float>::infinity(),
                                 p};
    for (Index i = 0; i < 4; ++i) {
      pass(i);
      double wanted = start[i] + double(error[i]) * 1e6 / (double(diagonal[i]) + 5e-4);
      if (open && deficiency[i] > 0.05f) wanted = std::max(0.0, wanted);
      EXPECT_NEAR(p[i], wanted, 1e-6 * 1e7) << i;
    }
    EXPECT_EQ(p[2] < 0, !open);  // pulled only where nothing keeps the surface from it
  }
}

TEST(TensileCorrection, IsTheFormulaAndKeepsMomentum) {
  Box box(700);
  const FluidState& f = box.w.fluid;
  const oracle::Fluid o = testing::oracleOf(box.w, *box.lists);
  const auto kernel = SmoothingKernel<double>::make(2 * box.w.dx);
  constexpr float strength = 3.f;
  Buffer<Vec4f> out, other;
  out.assign(box.w.fluid.x.size(), Vec4f{});
  other.assign(box.w.fluid.x.size(), Vec4f{});
  const float invH = 1.f / float(2 * box.w.dx);
  const TensileCorrection pass{box.lists->system.pairView(), invH, box.lists->system.inverseDensity().data(), strength, out.data()};
  const TensileCorrection reference{box.lists->system.pairView(), invH, box.lists->system.inverseDensity().data(), strength,
                                    other.data()};
  Vec3d linear{}, angular{};
  double exchanged = 0;
  for (Index a = 0; a < box.n(); ++a) {
    pass(a);
    reference.scalar(a);
    const double rho = box.w.scene.fluids[f.kind[a]].density;
    Vec3d wanted{};
    double size = 0;
    for (int b = 0; b < o.n(); ++b) {
      const Vec3d x = o.p[std::size_t(a)].x - o.p[std::size_t(b)].x;
      const double c = o.c(norm(x));
      if (b == a || c == 0) continue;
      const Vec3d term = x * (strength / rho * c * std::pow(kernel.W(norm(x)) / kernel.W(0.2 * kernel.H), 4));
      wanted += term;
      size += norm(term);
    }
    EXPECT_LT(norm(Vec3d(out[a].xyz()) - wanted), 1e-5 * size) << a;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(out[a].xyz()[k], other[a].xyz()[k]) << a;
    const Vec3d force = Vec3d(out[a].xyz()) * rho;
    linear += force;
    angular += cross(Vec3d(f.x[a].xyz()), force);
    exchanged += norm(force);
  }
  EXPECT_LT(norm(linear), 1e-5 * exchanged);
  EXPECT_LT(norm(angular), 1e-5 * exchanged * 0.12);
}

}  // namespace
}  // namespace meniscus
