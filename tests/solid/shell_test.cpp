// Shells against closed forms: balloon, hanging sheet, bending; what addShell builds.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/evaluate.h"
#include "engine/solid/obstacles.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;

SolidDef shellDef(SolidKind kind) {
  SolidDef d;
  d.name = "shell";
  d.kind = kind;
  d.material.arealDensity = 0.2;
  return d;
}

// Steps without outer forces, every velocity reduced by `keep` a step: towards the static state.
void relax(Exec& exec, SolidState& s, const Vec3d& g, double dt, int steps, int iterations, double keep) {
  for (int k = 0; k < steps; ++k) {
    stepSolids(exec, s, nullptr, 0, g, 0, dt, 1, iterations);
    for (Vec3d& v : s.v) v *= keep;
  }
}

// Incompressible at small strains: Young's modulus is three times the shear modulus mu [Pa]. thickness in m.
SolidDef neoHookeanBalloon(double mu, double thickness) {
  SolidDef d = shellDef(SolidKind::inflatable);
  d.material.membrane = MembraneModel::neoHookean;
  d.material.youngsModulus = 3 * mu;
  d.material.thickness = thickness;
  return d;
}

// p r0 / (mu h0) = 2 (1/l - 1/l^7) for an incompressible neo-Hookean balloon. The volume is prescribed and the pressure read off
// its multiplier, since beyond l = 1.383 the balloon is unstable under pressure.
TEST(Balloon, PressureStretchCurve) {
  Exec exec(1);
  const double r0 = 0.1, h0 = 1e-3, mu = 1e5;
  SolidDef d = neoHookeanBalloon(mu, h0);
  SolidState s;
  addShell(s, d, testing_meshes::icosphere(3, r0));
  colourConstraints(s, false);
  const double v0 = enclosedVolume(s, 0, s.bodies[0].triEnd), dt = 5e-5;
  double l = 1;
  for (double target : {1.1, 1.383, 2.0}) {
    for (const double from = l; l < target;) {
      l = std::min(target, l + (target - from) / 20 + 1e-12);
      s.volumes[0].restVolume = v0 * l * l * l;
      relax(exec, s, {}, dt, 20, 1, 0.9);
    }
    relax(exec, s, {}, dt, 300, 1, 0.9);
    const double p = s.volumes[0].lambda / (dt * dt), expected = 2 * (1 / l - std::pow(l, -7));
    EXPECT_NEAR(p * r0 / (mu * h0) / expected, 1, 0.05) << "stretch " << l;
  }
}

// Filled with gas of the pressure that belongs to l = 1.2, the balloon swells to that stretch and stays.
TEST(Balloon, GasPressureFindsItsStretch) {
  Exec exec(1);
  const double r0 = 0.1, h0 = 1e-3, mu = 1e5;
  SolidDef d = neoHookeanBalloon(mu, h0);
  d.pressure = 2 * (1 / 1.2 - std::pow(1.2, -7)) * mu * h0 / r0;
  SolidState s;
  addShell(s, d, testing_meshes::icosphere(2, r0));
  colourConstraints(s, false);
  const double v0 = enclosedVolume(s, 0, s.bodies[0].triEnd);
  relax(exec, s, {}, 5e-5, 4000, 1, 0.99);
  EXPECT_NEAR(std::cbrt(enclosedVolume(s, 0, s.bodies[0].triEnd) / v0), 1.2, 0.012);
}

// An inextensible strip of length L between supports 0.8 L apart hangs in a catenary: span = 2 a sinh^-1(L/2a), sag = sqrt(a^2 +
// L^2/4) - a.
TEST(HangingSheet, SagOfTheCatenary) {
  Exec exec(1);
  const double length = 1, span = 0.8;
  SolidDef d = shellDef(SolidKind::cloth);
  d.pins.resize(2);
  d.pins[0].select = d.pins[1].select = PinDef::Select::box;
  d.pins[0].boxMin = {-1e-6, -1, -1};
  d.pins[0].boxMax = {1e-6, 1, 1};
  d.pins[1].boxMin = {1 - 1e-6, -1, -1};
  d.pins[1].boxMax = {1 + 1e-6, 1, 1};
  d.pins[1].motion = {{0, {}, {}}, {0.5, {span - length, 0, 0}, {}}};
  SolidState s;
  addShell(s, d, testing_meshes::sheet(24, 2, length, length / 12));
  colourConstraints(s, false);
  const Vec3d g{0, 0, -9.81};
  for (int k = 0; k < 4000; ++k) {
    stepSolids(exec, s, nullptr, 0, g, k * 1e-3, 1e-3, 1, 10);
    for (Vec3d& v : s.v) v *= 0.995;
  }
  double lo = 0.01, hi = 10;
  for (int k = 0; k < 100; ++k) {
    const double a = 0.5 * (lo + hi);
    (2 * a * std::asinh(length / (2 * a)) > span ? hi : lo) = a;
  }
  const double sag = std::sqrt(lo * lo + length * length / 4) - lo;
  double lowest = 0, stretch = 0;
  for (const Vec3d& x : s.x) lowest = std::min(lowest, x.z);
  for (const Constraint& c : s.constraints.items)
    stretch = std::max(stretch, norm(s.x[c.node[0]] - s.x[c.node[1]]) / s.rest[c.rest] - 1);
  EXPECT_NEAR(-lowest / sag, 1, 0.02);
  EXPECT_LT(stretch, 0.01);
}

// Rolled onto a cylinder of radius R, a sheet of rigidity D stores D/2 (1/R)^2 per area. Equilateral triangles do in every
// direction, right-angled cells along themselves. 40 cells a side: the edges at the rim have no hinge, so up to 1/40 is missing.
double bendingEnergyRatio(const SurfaceMesh& mesh, BendModel model, double angle) {
  SolidDef d = shellDef(SolidKind::cloth);
  d.material.youngsModulus = 1e6;
  d.material.thickness = 1e-3;
  d.material.poissonRatio = 0;
  d.material.bendModel = model;
  SolidState s;
  addShell(s, d, mesh);
  const double radius = 2, rigidity = 1e6 * 1e-9 / 12, c = std::cos(angle), n = std::sin(angle);
  double area = 0;
  for (std::size_t t = 0; t < mesh.tri.size(); t += 3) {
    const Vec3d a = mesh.x[std::size_t(mesh.tri[t])];
    area += 0.5 * norm(cross(mesh.x[std::size_t(mesh.tri[t + 1])] - a, mesh.x[std::size_t(mesh.tri[t + 2])] - a));
  }
  for (Vec3d& x : s.x) {
    const double u = x.x * c + x.y * n, v = -x.x * n + x.y * c, bent = radius * std::sin(u / radius);
    x = {bent * c - v * n, bent * n + v * c, radius * (1 - std::cos(u / radius))};
  }
  double e = 0;
  for (const Constraint& k : s.constraints.items) {
    if (k.type == ConstraintType::distance) continue;
    ConstraintValue value;
    evaluateConstraint(k, s.rest.data(), s.x.data(), value);
    e += 0.5 * value.C * value.C / k.compliance;
  }
  return e / (0.5 * rigidity / (radius * radius) * area);
}

TEST(Bending, EnergyOfACylinder) {
  SurfaceMesh equilateral = testing_meshes::sheet(40, 46, 1, 1);
  equilateral.tri.clear();
  for (Index j = 0; j <= 46; ++j)
    for (Index i = 0; i <= 40; ++i)
      equilateral.x[std::size_t(j * 41 + i)] = {(i + 0.5 * (j % 2)) / 40.0, j * std::sqrt(3.0) / 80, 0};
  for (Index j = 0; j < 46; ++j) {
    for (Index i = 0; i < 40; ++i) {
      const Index a = j * 41 + i, b = a + 1, c = a + 41, d = c + 1;
      if (j % 2)
        equilateral.tri.insert(equilateral.tri.end(), {a, d, c, a, b, d});
      else
        equilateral.tri.insert(equilateral.tri.end(), {a, b, c, b, d, c});
    }
  }
  const SurfaceMesh cells = testing_meshes::sheet(40, 40, 1, 1);
  for (BendModel model : {BendModel::isometric, BendModel::dihedral}) {
    EXPECT_NEAR(bendingEnergyRatio(cells, model, 0), 1, 0.03);
    EXPECT_NEAR(bendingEnergyRatio(cells, model, kPi / 2), 1, 0.03);
    for (double angle : {0.0, 0.3, 0.7, kPi / 2}) EXPECT_NEAR(bendingEnergyRatio(equilateral, model, angle), 1, 0.04) << angle;
  }
  // across the cells: half as much again
  EXPECT_NEAR(bendingEnergyRatio(cells, BendModel::isometric, kPi / 4), 1.5, 0.04);
}

}  // namespace
}  // namespace meniscus
