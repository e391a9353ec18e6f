// Tait's equation and the artificial viscosity against their formulas in double, over all pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/fluid/artificial_viscosity.h"
#include "kernels/fluid/tait_pressure.h"
#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

// To round-off also for the smallest errors, where (1 + e)^7 - 1 in single precision has none right; two kinds of fluid.
TEST(TaitPressure, IsTheFormula) {
  const float stiffness[2] = {1e5f, 7e4f};
  for (const double e : {-0.5, -1e-6, 0.0, 1e-7, 1e-4, 0.01, 0.0999, 0.3})
    for (const std::uint8_t kind : {0, 1}) {
      const float error = float(e);
      float p = -1;
      TaitPressure{&error, &kind, stiffness, 0.1f, &p}(0);
      const double cut = std::min(double(error), double(0.1f));
      const double wanted = cut > 0 ? double(stiffness[kind]) * std::expm1(7 * std::log1p(cut)) : 0;
      EXPECT_NEAR(p, wanted, 3e-7 * wanted) << e;
    }
}

struct Viscous {
  explicit Viscous(double secondDensity) {
    testing::FluidBoxDef def;
    def.secondDensity = secondDensity;
    w = testing::fluidBox(def);
    lists = std::make_unique<testing::FluidLists<PressureSystem>>(exec, w);
    std::mt19937 rng(5);
    std::uniform_real_distribution<float> U(-1, 1);
    for (Index i = 0; i < w.fluid.n; ++i) w.fluid.u[i] = Vec4f(U(rng), U(rng), U(rng), 0.f);
    for (const FluidDef& f : w.scene.fluids) rho.push_back(float(f.density));
    out.assign(std::size_t(w.fluid.n), Vec4f{});
  }
  ArtificialViscosity pass(Buffer<Vec4f>& to) const {
    return {lists->system.pairView(), w.fluid.u.data(), w.fluid.kind.data(), rho.data(), strength, soft2, to.data()};
  }
  static constexpr float strength = 3e-4f, soft2 = 4e-6f;
  Exec exec{1};
  World w;
  std::unique_ptr<testing::FluidLists<PressureSystem>> lists;
  std::vector<float> rho;
  Buffer<Vec4f> out;
};

TEST(ArtificialViscosity, IsTheFormula) {
  Viscous v(700);
  const FluidState& f = v.w.fluid;
  const ArtificialViscosity pass = v.pass(v.out);
  const oracle::Fluid o = testing::oracleOf(v.w, *v.lists);
  int approaching = 0, receding = 0;
  for (Index a = 0; a < f.n; ++a) {
    pass(a);
    Vec3d wanted{};
    for (int b = 0; b < o.n(); ++b) {
      const Vec3d x = o.p[std::size_t(a)].x - o.p[std::size_t(b)].x, du = Vec3d(f.u[a].xyz()) - Vec3d(f.u[b].xyz());
      const double c = o.c(norm(x)), rate = dot(x, du);
      if (b == a || c == 0) continue;
      ++(rate < 0 ? approaching : receding);
      if (rate < 0)
        wanted -= x * (Viscous::strength * c * v.rho[f.kind[b]] / (v.rho[f.kind[a]] + v.rho[f.kind[b]]) * rate /
                       (norm2(x) + Viscous::soft2));
    }
    EXPECT_LT(norm(Vec3d(v.out[a].xyz()) - wanted), 1e-5 * norm(wanted) + 1e-7) << a;
  }
  // the case has both sides of the condition
  EXPECT_GT(approaching, 1000);
  EXPECT_GT(receding, 1000);
}

// The kernel and its reference have the same bits.
TEST(ArtificialViscosity, LanesAreTheScalarForm) {
  Viscous v(700);
  Buffer<Vec4f> other;
  other.assign(v.out.size(), Vec4f{});
  for (Index a = 0; a < v.w.fluid.n; ++a) {
    v.pass(v.out)(a);
    v.pass(other).scalar(a);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(v.out[a].xyz()[k], other[a].xyz()[k]) << a;
  }
}

// Linear and angular momentum of two kinds to round-off; energy is lost.
TEST(ArtificialViscosity, KeepsMomentum) {
  Viscous v(700);
  const FluidState& f = v.w.fluid;
  Vec3d linear{}, angular{};
  double exchanged = 0, work = 0;
  for (Index a = 0; a < f.n; ++a) {
    v.pass(v.out)(a);
    const Vec3d force = Vec3d(v.out[a].xyz()) * double(v.rho[f.kind[a]]);
    linear += force;
    angular += cross(Vec3d(f.x[a].xyz()), force);
    exchanged += norm(force);
    work += dot(force, Vec3d(f.u[a].xyz()));
  }
  EXPECT_LT(norm(linear), 1e-6 * exchanged);
  EXPECT_LT(norm(angular), 1e-6 * exchanged * 0.12);
  EXPECT_LT(work, 0);
}

}  // namespace
}  // namespace meniscus
