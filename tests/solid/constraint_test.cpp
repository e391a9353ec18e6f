// Every constraint functor against finite differences, rigid motion and its closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/solid/bend_dihedral.h"
#include "kernels/solid/bend_isometric.h"
#include "kernels/solid/distance.h"
#include "kernels/solid/membrane.h"
#include "kernels/solid/rotation.h"
#include "kernels/solid/tet_deviatoric.h"
#include "kernels/solid/tet_hydrostatic.h"
#include "kernels/solid/tet_volume.h"

namespace meniscus {
namespace {

// Rest shapes of unit size; the constraint of each kind made from them.
const Vec3d kHinge[4] = {{0, 0, 0}, {1.1, 0.1, 0}, {0.4, 0.9, 0.1}, {0.6, -0.8, 0.2}};
const Vec3d kTet[4] = {{0, 0, 0}, {1.1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.3, 0.2, 1.2}};

template <class Kind>
Kind makeFromRest();
template <>
DistanceConstraint<double> makeFromRest() {
  return {0.8};
}
template <>
BendDihedralConstraint<double> makeFromRest() {
  return {0.3};
}
template <>
BendIsometricConstraint<double> makeFromRest() {
  return BendIsometricConstraint<double>::make(kHinge);
}
template <>
MembraneConstraint<double> makeFromRest() {
  return MembraneConstraint<double>::make(kHinge);
}
template <>
TetVolumeConstraint<double> makeFromRest() {
  return {0.2};
}
template <>
TetDeviatoricConstraint<double> makeFromRest() {
  return {TetShape<double>::make(kTet)};
}
template <>
TetHydrostaticConstraint<double> makeFromRest() {
  return {TetShape<double>::make(kTet)};
}

template <class Kind>
const Vec3d* restShape() {
  return Kind::restCount == 9 || std::is_same_v<Kind, TetVolumeConstraint<double>> ? kTet : kHinge;
}

template <class Kind>
class ConstraintKinds : public ::testing::Test {
 protected:
  // the rest shape with every coordinate displaced by up to `amount`
  void displaced(double amount, Vec3d* x) {
    std::uniform_real_distribution<double> u(-amount, amount);
    for (int k = 0; k < Kind::nodes; ++k) x[k] = restShape<Kind>()[k] + Vec3d{u(random_), u(random_), u(random_)};
  }
  std::mt19937 random_{7};
};

using Kinds = ::testing::Types<DistanceConstraint<double>, BendDihedralConstraint<double>, BendIsometricConstraint<double>,
                               MembraneConstraint<double>, TetVolumeConstraint<double>, TetDeviatoricConstraint<double>,
                               TetHydrostaticConstraint<double>>;
TYPED_TEST_SUITE(ConstraintKinds, Kinds);

// Central differences of step 2e-6 have an error near 1e-7 where the strain is a hundredth (C bends sharply there), less elsewhere.
TYPED_TEST(ConstraintKinds, GradientMatchesFiniteDifferences) {
  const TypeParam c = makeFromRest<TypeParam>();
  for (int trial = 0; trial < 50; ++trial) {
    Vec3d x[4], g[4], unused[4];
    this->displaced(trial < 25 ? 0.25 : 0.02, x);
    c.evaluate(x, g);
    for (int k = 0; k < TypeParam::nodes; ++k) {
      for (int a = 0; a < 3; ++a) {
        const double h = 2e-6, at = x[k][a];
        x[k][a] = at + h;
        const double up = c.evaluate(x, unused);
        x[k][a] = at - h;
        const double down = c.evaluate(x, unused);
        x[k][a] = at;
        EXPECT_NEAR(g[k][a], (up - down) / (2 * h), 1e-6) << "trial " << trial << " node " << k << " axis " << a;
      }
    }
  }
}

// Moving and turning the nodes changes no value and turns the gradients: no net force and no net torque.
TYPED_TEST(ConstraintKinds, InvariantUnderRigidMotion) {
  const TypeParam c = makeFromRest<TypeParam>();
  const Quatd q = rotationFromVector(Vec3d{0.7, -1.1, 0.4});
  const Vec3d move{3, -2, 5};
  for (int trial = 0; trial < 20; ++trial) {
    Vec3d x[4], y[4], g[4], h[4];
    this->displaced(0.2, x);
    for (int k = 0; k < TypeParam::nodes; ++k) y[k] = q.rotate(x[k]) + move;
    EXPECT_NEAR(c.evaluate(x, g), c.evaluate(y, h), 1e-12);
    Vec3d force{}, torque{};
    for (int k = 0; k < TypeParam::nodes; ++k) {
      EXPECT_LT(norm(q.rotate(g[k]) - h[k]), 1e-12);
      force += g[k];
      torque += cross(x[k], g[k]);
    }
    EXPECT_LT(norm(force), 1e-14);
    EXPECT_LT(norm(torque), 1e-13);
  }
}

// Uniaxial stretch a, sideways 1: I1 = a^2 + 1, J = a.
TEST(Membrane, MatchesClosedForm) {
  const Vec3d rest[3] = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.7, 0}};
  const auto c = MembraneConstraint<double>::make(rest);
  Vec3d g[3];
  for (double a : {0.6, 0.9, 1.0 + 1e-7, 1.3, 3.0}) {
    const Vec3d x[3] = {{0, 0, 0}, {0.5 * a, 0, 0}, {0, 0.7, 0}};
    const double value = c.evaluate(x, g);
    EXPECT_NEAR(value * value, a * a + 1 / (a * a) - 2, 1e-12 * a * a) << a;
    // at small strain 4 (e1^2 + e2^2 + e1 e2); no digits may be lost there
    if (a < 1.001 && a > 0.999) { EXPECT_NEAR(value / (2 * (a - 1)), 1, 1e-6); }
  }
}

// Both parts vanish at rest, together they are the energy of Smith, de Goes, Kim 2018 with their constants m = 4/3 mu, l = lambda +
// 5/6 mu, m/2 (I1 - 3) - m/2 log(I1 + 1) + l/2 (J - 1 - 3m/4l)^2, up to a constant.
TEST(StableNeoHookean, EnergyIsThatOfSmithDeGoesKim) {
  const TetDeviatoricConstraint<double> dev{TetShape<double>::make(kTet)};
  const TetHydrostaticConstraint<double> hyd{TetShape<double>::make(kTet)};
  const double mu = 1.3, lambda = 2.1, m = 4 * mu / 3, l = lambda + 5 * mu / 6, shift = 0.75 * m / l;
  Vec3d g[4];
  EXPECT_LT(dev.evaluate(kTet, g), 1e-12);
  EXPECT_NEAR(hyd.evaluate(kTet, g), 0, 1e-14);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-0.6, 0.6);  // some elements are inverted
  for (int trial = 0; trial < 50; ++trial) {
    Vec3d x[4];
    for (int k = 0; k < 4; ++k) x[k] = kTet[k] + Vec3d{u(random), u(random), u(random)};
    const Mat3d f = dev.shape.deformation(x);
    const double i1 = norm2(f.r[0]) + norm2(f.r[1]) + norm2(f.r[2]), j = determinant(f), s = j - 1 - shift;
    const double paper = m / 2 * (i1 - 3) - m / 2 * std::log((i1 + 1) / 4) + l / 2 * (s * s - shift * shift);
    const double d = dev.evaluate(x, g), h = hyd.evaluate(x, g);
    EXPECT_NEAR(mu / 2 * d * d + lambda / 2 * h * h, paper, 1e-12);
  }
}

// Small strains of 1e-7: energy mu |sym e|^2 with its leading digits.
TEST(StableNeoHookean, KeepsDigitsAtSmallStrain) {
  const TetDeviatoricConstraint<double> dev{TetShape<double>::make(kTet)};
  Vec3d x[4], g[4];
  const double e = 1e-7;
  for (int k = 0; k < 4; ++k) x[k] = kTet[k] + Vec3d{e * kTet[k].y, 0, 0};  // simple shear: |sym e|^2 = e^2/2
  EXPECT_NEAR(dev.evaluate(x, g) / e, 1, 1e-6);
}

TEST(BendDihedral, FlatIsZeroAndFoldIsTheAngle) {
  Vec3d g[4];
  for (double a : {-1.5, -0.2, 0.0, 0.4, 3.0}) {
    // second triangle turned about the common edge by a, towards the normals
    const Vec3d x[4] = {{0, 0, 0}, {1, 0, 0}, {0.3, 1, 0}, {0.4, -0.8 * std::cos(a), 0.8 * std::sin(a)}};
    EXPECT_NEAR(BendDihedralConstraint<double>{0}.evaluate(x, g), a, 1e-12);
  }
}

// C = l sqrt(3/(A0 + A1)) 2 sin(theta/2) where the two heights are equal: there the sum K x is exactly along the mean normal.
TEST(BendIsometric, IsTheSineOfHalfTheAngle) {
  const Vec3d rest[4] = {{0, 0, 0}, {1.2, 0, 0}, {0.6, 0.7, 0}, {0.6, -0.7, 0}};
  const auto c = BendIsometricConstraint<double>::make(rest);
  Vec3d g[4];
  EXPECT_EQ(c.value, 0);
  for (double a : {-1.0, -1e-6, 0.3, 2.0}) {
    const double h = a / 2;
    const Vec3d x[4] = {
        {0, 0, 0}, {1.2, 0, 0}, {0.6, 0.7 * std::cos(h), 0.7 * std::sin(h)}, {0.6, -0.7 * std::cos(h), 0.7 * std::sin(h)}};
    const double area = 2 * 0.5 * 1.2 * 0.7;
    EXPECT_NEAR(c.evaluate(x, g), 1.2 * std::sqrt(3 / area) * 2 * std::sin(h), 1e-12) << a;
  }
}

}  // namespace
}  // namespace meniscus
