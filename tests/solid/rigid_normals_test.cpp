// Normal impulses of a body's contacts, all at once, against sweeps over them without end.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/solid/rigid_normals.h"

namespace meniscus {
namespace {

double dot(const SixVector& a, const SixVector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

// Projected Gauss-Seidel.
SixVector swept(const std::vector<NormalRow>& rows) {
  SixVector u{};
  std::vector<double> lambda(rows.size(), 0.0);
  for (int sweep = 0; sweep < 200000; ++sweep) {
    double change = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const SixVector& a = rows[k].a;
      const double next = std::max(0.0, lambda[k] - (rows[k].gap + dot(a, u)) / dot(a, a)), more = next - lambda[k];
      for (std::size_t i = 0; i < 6; ++i) u[i] += a[i] * more;
      lambda[k] = next;
      change = std::max(change, std::fabs(more));
    }
    if (change < 1e-14) break;
  }
  return u;
}

// Points of a bottom, each with a gap of its own, of a body that falls, slides and tips; then with walls beside it.
std::vector<NormalRow> points(int count, bool walls, std::mt19937& random) {
  std::uniform_real_distribution<double> d(-1, 1);
  std::vector<NormalRow> rows;
  for (int k = 0; k < count; ++k) {
    const double x = d(random), y = d(random), z = -0.5 + 0.1 * d(random);
    rows.push_back({{0, 0, 1, 2 * y, -3 * x, 0}, -0.2 + 0.05 * d(random), 0});
    if (walls && k % 3 == 0) rows.push_back({{1, 0, 0, 0, 3 * z, -2 * y}, -0.1 + 0.05 * d(random), 0});
    if (walls && k % 3 == 1) rows.push_back({{0, 1, 0, -2 * z, 0, 2 * x}, -0.1 + 0.05 * d(random), 0});
  }
  return rows;
}

TEST(RigidNormals, AreThoseOfEndlessSweeps) {
  std::mt19937 random(3);
  for (const bool walls : {false, true})
    for (const int count : {1, 2, 3, 8, 40}) {
      const std::vector<NormalRow> given = points(count, walls, random);
      std::vector<NormalRow> rows = given;
      SixVector u, sum{};
      ASSERT_TRUE(solveNormals(rows, 1e-12, u)) << count;
      const SixVector expected = swept(given);
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(u[i], expected[i], 1e-8) << count << walls;
      int carry = 0;
      for (const NormalRow& row : rows) {
        const double gap = row.gap + dot(row.a, u);
        EXPECT_GE(gap, -1e-10);
        EXPECT_GE(row.lambda, 0);
        EXPECT_NEAR(row.lambda * gap, 0, 1e-10);
        for (std::size_t i = 0; i < 6; ++i) sum[i] += row.a[i] * row.lambda;
        carry += row.lambda > 0;
      }
      EXPECT_LE(carry, 6);
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sum[i], u[i], 1e-10);
    }
}

// Where a body got by impulses that it needs no longer, they are taken back.
TEST(RigidNormals, GoOnFromThoseBefore) {
  std::mt19937 random(5);
  std::vector<NormalRow> rows = points(20, true, random), again;
  const std::vector<NormalRow> given = rows;
  SixVector u, more;
  ASSERT_TRUE(solveNormals(rows, 1e-12, u));
  again = rows;
  for (std::size_t k = 0; k < rows.size(); ++k) again[k].gap += dot(again[k].a, u) + (k % 2 ? 0.01 : 0.02);
  ASSERT_TRUE(solveNormals(again, 1e-12, more));
  std::vector<NormalRow> fresh = given;
  for (std::size_t k = 0; k < fresh.size(); ++k) fresh[k].gap += k % 2 ? 0.01 : 0.02;
  const SixVector expected = swept(fresh);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(u[i] + more[i], expected[i], 1e-8);
}

TEST(RigidNormals, SayWhereABodyIsWedged) {
  std::vector<NormalRow> rows{{{0, 0, 1, 0, 0, 0}, -0.1, 0}, {{0, 0, -1, 0, 0, 0}, -0.1, 0}};
  SixVector u;
  EXPECT_FALSE(solveNormals(rows, 1e-12, u));
  for (const double x : u) EXPECT_TRUE(std::isfinite(x));
  rows.clear();
  EXPECT_TRUE(solveNormals(rows, 1e-12, u));
  // between two planes that lean, beside a wall that carries and takes no part
  const double c = std::cos(0.3), s = std::sin(0.3);
  const SixVector wall{0.1 * s, 0.99, 0.1 * c, 0, 0, 0.1};
  for (double turn = 0; turn < 3; turn += 0.01) {
    const SixVector up{s * std::cos(turn), s * std::sin(turn), c, 0.3, turn, 0.1};
    SixVector down = up;
    for (double& x : down) x = -x;
    rows = {{wall, -0.2, 0}, {up, -0.1, 0}, {down, -0.1, 0}};
    EXPECT_FALSE(solveNormals(rows, 1e-12, u)) << turn;
    for (const NormalRow& row : rows) EXPECT_LE(row.lambda, 10) << turn;
  }
}

}  // namespace
}  // namespace meniscus
