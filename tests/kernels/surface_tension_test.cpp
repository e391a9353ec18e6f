// Surface tension: the forces against the derivative of the energy in double, over all pairs and images; the calibration; the step.
#include "kernels/fluid/surface_tension.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846, kSigma = 0.07, kStep = 1e-3;

// A disordered cube of two fluids away from the walls but, if wanted, in a corner of the domain.
World cubeOf(bool inCorner) {
  testing::FluidBoxDef def;
  def.cells = {7, 6, 5};
  def.room = {0.3, 0.3, 0.3};
  def.secondDensity = 700;
  World w = testing::fluidBox(def);
  if (!inCorner)
    for (Index i = 0; i < w.fluid.n; ++i) w.fluid.x[i] += Vec4f(0.15f, 0.15f, 0.15f, 0.f);
  return w;
}

struct Tension {
  explicit Tension(bool inCorner) : w(cubeOf(inCorner)), lists(exec, w) {
    const std::size_t n = std::size_t(w.fluid.n);
    H = kCapillarySupport * w.dx;
    cW = latticeSums(w.dx, H).cW;
    for (const FluidDef& f : w.scene.fluids) {
      alpha.push_back(kSigma * (1 + 0.5 * double(alpha.size())) * cohesionOf(H));
      strength.push_back(float(kStep * alpha.back()));
      rho.push_back(float(f.density));
    }
    g.assign(n + kLanes, 0.f);
    u.assign(n, Vec4f{});
    const CellGrid& grid = lists.sorter.grid();
    const std::vector<std::uint8_t> all(std::size_t(grid.cells()), 1);
    CapillaryNeighbours near{grid, grid.begin.data(), w.fluid.x.data(),        Vec3f(w.scene.domain.max - w.scene.domain.min),
                             {},   float(H),          float(w.particleVolume), all.data()};
    for (bool& m : near.mirror) m = true;
    const auto kernel = SmoothingKernel<float>::make(float(H));
    const std::uint8_t* const kind = w.fluid.kind.data();
    for (Index i = 0; i < w.fluid.n; ++i) CapillaryDeficit{near, kernel, kind, strength.data(), float(cW), g.data()}(i);
    for (Index i = 0; i < w.fluid.n; ++i) CapillaryForces{near, kernel, g.data(), kind, rho.data(), float(cW), u.data()}(i);
  }
  Vec3d force(Index i) const {  // N
    return Vec3d(u[i].xyz()) * (rho[w.fluid.kind[i]] * w.particleVolume / kStep);
  }
  // Of particles at these places, mirrored in the three lower walls.
  double energy(const std::vector<Vec3d>& x) const {
    double e = 0;
    for (std::size_t a = 0; a < x.size(); ++a) {
      double sum = 0;
      for (const Vec3d& b : x)
        for (int m = 0; m < 8; ++m)
          sum += oracle::kernelW(norm(x[a] - Vec3d{m & 1 ? -b.x : b.x, m & 2 ? -b.y : b.y, m & 4 ? -b.z : b.z}), H);
      const double lack = 1 - cW * w.particleVolume * sum;
      e += 0.5 * alpha[w.fluid.kind[a]] * w.particleVolume * lack * lack;
    }
    return e;
  }
  std::vector<Vec3d> positions() const {
    std::vector<Vec3d> x;
    for (Index i = 0; i < w.fluid.n; ++i) x.push_back(Vec3d(w.fluid.x[i].xyz()));
    return x;
  }

  Exec exec{1};
  World w;
  testing::FluidLists<PressureSystem> lists;
  double H, cW;
  std::vector<double> alpha;
  std::vector<float> strength, rho;
  Buffer<float> g;
  Buffer<Vec4f> u;
};

void expectDerivative(const Tension& t) {
  const std::vector<Vec3d> x = t.positions();
  double largest = 0;
  for (Index i = 0; i < t.w.fluid.n; i += 11) {
    Vec3d wanted{};
    const double h = 1e-4 * t.w.dx;
    for (int k = 0; k < 3; ++k)
      for (const double d : {-h, h}) {
        std::vector<Vec3d> moved = x;
        moved[i][k] += d;
        wanted[k] -= t.energy(moved) / (2 * d);
      }
    largest = std::max(largest, norm(wanted));
    EXPECT_LT(norm(t.force(i) - wanted), 1e-5 * kSigma * t.w.dx) << i;
  }
  EXPECT_GT(largest, 0.3 * kSigma * t.w.dx);
}

TEST(SurfaceTension, ForcesAreTheDerivativeOfTheEnergy) { expectDerivative(Tension(false)); }
// With images in three walls, their edges and their corner.
TEST(SurfaceTension, WithMirrorsOfACorner) { expectDerivative(Tension(true)); }

// Linear and angular momentum of two fluids to round-off.
TEST(SurfaceTension, KeepsMomentum) {
  const Tension t(false);
  Vec3d linear{}, angular{};
  double exchanged = 0;
  for (Index i = 0; i < t.w.fluid.n; ++i) {
    linear += t.force(i);
    angular += cross(Vec3d(t.w.fluid.x[i].xyz()), t.force(i));
    exchanged += norm(t.force(i));
  }
  EXPECT_LT(norm(linear), 3e-7 * exchanged);
  EXPECT_LT(norm(angular), 3e-7 * exchanged * 0.3);
}

// Only what is near a surface is looked at: the others have no deficit but that of disorder, and get none.
TEST(SurfaceTension, CellsInTheBulkAreLeftOut) {
  testing::FluidBoxDef def;
  def.cells = {8, 8, 24};
  def.room = {0, 0, 0.1};
  def.jitter = 0.1;
  World w = testing::fluidBox(def);
  Exec exec(1);
  testing::FluidLists<PressureSystem> lists(exec, w);
  const CellGrid& grid = lists.sorter.grid();
  std::vector<std::uint8_t> flag(std::size_t(grid.cells()));
  for (Index c = 0; c < grid.cells(); ++c)
    SurfaceCells{grid.begin.data(), lists.lists.sumC.data(), float(1 / lists.builder.lattice().S0), flag.data()}(c);
  const double H = kCapillarySupport * w.dx;
  const CapillaryNeighbours near{grid,
                                 grid.begin.data(),
                                 w.fluid.x.data(),
                                 Vec3f(w.scene.domain.max - w.scene.domain.min),
                                 {true, true, true, true, true, true},
                                 float(H),
                                 float(w.particleVolume),
                                 flag.data()};
  int high = 0, low = 0;
  for (Index i = 0; i < w.fluid.n; ++i) {
    if (w.fluid.x[i].z > 23 * w.dx && near.any(i)) ++high;
    if (w.fluid.x[i].z < 10 * w.dx && near.any(i)) ++low;
  }
  EXPECT_GE(high, 64);
  EXPECT_EQ(low, 0);
}

// 1 - C in the depth z below a plane: what of the kernel is beyond it.
double beyond(double z, double H) {
  constexpr int kParts = 400;
  double sum = 0;  // caps of spheres about the point: 2 pi r (r - z) W(r) dr
  for (int k = 0; k < kParts; ++k) {
    const double r = z + (H - z) * (k + 0.5) / kParts;
    sum += 2 * kPi * r * (r - z) * oracle::kernelW(r, H) * (H - z) / kParts;
  }
  return sum;
}

TEST(SurfaceTension, EnergyOfAPlane) {
  constexpr double H = 0.05;
  constexpr int kParts = 400;
  double sum = 0;
  for (int k = 0; k < kParts; ++k) sum += std::pow(beyond(H * (k + 0.5) / kParts, H), 2) * H / kParts;
  EXPECT_NEAR(sum / (kCapillaryEnergy * H), 1, 1e-4);
  EXPECT_NEAR(0.5 * cohesionOf(H) * sum * kCapillaryShare, 1, 1e-4);
}

// What the forces themselves pull along a plane, less across it: the tension by Irving and Kirkwood, without the pressure. Sheets
// of the half space in pairs, (phi_a + phi_b) (x_t^2 - x_n^2) integrated over the plane.
TEST(SurfaceTension, StressOfTheForcesIsTheEnergy) {
  constexpr double H = 5, h = 0.05;
  constexpr int kSheets = 220;
  std::vector<double> lack;
  for (int k = 0; k < kSheets; ++k) lack.push_back((k + 0.5) * h < H ? beyond((k + 0.5) * h, H) : 0);
  // w(d) = 2 pi int_d^H W r dr and W(d), of sheets at the distance d
  std::vector<double> w(kSheets, 0), W(kSheets, 0);
  for (int k = 0; k < kSheets && k * h < H; ++k) {
    constexpr int kParts = 400;
    for (int i = 0; i < kParts; ++i) {
      const double r = k * h + (H - k * h) * (i + 0.5) / kParts;
      w[k] += 2 * kPi * r * oracle::kernelW(r, H) * (H - k * h) / kParts;
    }
    W[k] = oracle::kernelW(k * h, H);
  }
  double tension = 0;
  for (int a = 0; a < kSheets; ++a)
    for (int b = 0; b < kSheets; ++b) {
      const int d = std::abs(a - b);
      tension += 0.5 * h * h * (lack[a] + lack[b]) * (w[d] - 2 * kPi * W[d] * d * h * d * h);
    }
  EXPECT_NEAR(cohesionOf(H) * kCapillaryShare * tension, 1, 0.01);
}

// By the deficit of the particles of a lattice in a wave of two ... spacings: what the formula takes from sums.
TEST(SurfaceTension, StiffestWaveOfALattice) {
  const double dx = 0.01, H = kCapillarySupport * dx, rho = 1000, cW = latticeSums(dx, H).cW;
  double largest = 0;
  for (int n = 1; n <= 16; ++n) {
    const double k = kPi * n / 16 / dx, move = 1e-4 * dx;
    double change = 0;  // of C at the origin, which is at rest in the wave sin(k x)
    for (int x = -5; x <= 5; ++x)
      for (int y = -5; y <= 5; ++y)
        for (int z = -5; z <= 5; ++z)
          for (const double sign : {-1.0, 1.0})
            change += sign * cW * dx * dx * dx *
                      oracle::kernelW(norm(Vec3d{x * dx + sign * move * std::sin(k * x * dx), y * dx, z * dx}), H) / (2 * move);
    largest = std::max(largest, std::fabs(change));
  }
  const double omega = largest * std::sqrt(cohesionOf(H) * kSigma / rho);
  EXPECT_NEAR(capillaryStep(dx, kSigma, rho) * omega / 2, 1, 1e-4);
}

}  // namespace
}  // namespace meniscus
