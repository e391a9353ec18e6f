// Corotational tetrahedra: patch test, modulus and Poisson's ratio, rotations, derivatives, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/solid/implicit/corotational_tets.h"
#include "tests/coupling/boxes.h"

namespace meniscus::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using implicit::CorotationalTets;
using implicit::NodalSolid;
using implicit::NodeMatrix;
using implicit::TetParameters;

struct Block {
  VectorXd x;
  std::vector<std::array<int, 4>> tets;
};

// nx ny nz cubes of edge h, each of six tetrahedra about its diagonal.
Block block(int nx, int ny, int nz, double h) {
  Block b;
  const auto id = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  b.x.resize(3 * (nx + 1) * (ny + 1) * (nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) b.x.segment<3>(3 * id(i, j, k)) = h * Vector3d(i, j, k);
  const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (int o = 0; o < 6; ++o) {
          int c[3] = {i, j, k};
          std::array<int, 4> t{id(i, j, k), 0, 0, 0};
          for (int s = 0; s < 3; ++s) {
            ++c[order[o][s]];
            t[size_t(s + 1)] = id(c[0], c[1], c[2]);
          }
          if (o > 2) std::swap(t[2], t[3]);  // an odd order of the axes turns the tetrahedron inside out
          b.tets.push_back(t);
        }
  return b;
}

VectorXd mapped(const VectorXd& x, const Matrix3d& f) {
  VectorXd y = x;
  for (Eigen::Index i = 0; i < x.size(); i += 3) y.segment<3>(i) = f * x.segment<3>(i);
  return y;
}

const TetParameters kMaterial{1e4, 0.3, 0};

TEST(CorotationalTets, VolumesFillTheBlock) {
  const Block b = block(3, 2, 2, 0.1);
  EXPECT_NEAR(CorotationalTets(b.x, b.tets, kMaterial).mass(1000).sum(), 12, 1e-11);
}

TEST(CorotationalTets, RotationGivesNoForce) {
  const Block b = block(3, 2, 2, 0.1);
  const CorotationalTets model(b.x, b.tets, kMaterial);
  for (const double angle : {0.3, 1.9, 3.1}) {
    const VectorXd y = mapped(b.x, Eigen::AngleAxisd(angle, Vector3d(1, -2, 2) / 3).toRotationMatrix());
    VectorXd g = VectorXd::Zero(y.size());
    model.addGradient(y, g);
    EXPECT_LT(g.norm(), 1e-9 * 1e4 * 0.01);  // of a force E h^2
    EXPECT_LT(model.energy(y), 1e-20);
  }
}

// A homogeneous strain leaves no force on the nodes inside, and the stress of linear elasticity outside.
TEST(CorotationalTets, PatchTest) {
  const Block b = block(4, 4, 4, 0.1);
  const CorotationalTets model(b.x, b.tets, kMaterial);
  Matrix3d f = Matrix3d::Identity();
  f(0, 0) += 1e-3;
  f(0, 1) += 5e-4;
  f(1, 0) += 5e-4;
  VectorXd g = VectorXd::Zero(b.x.size());
  model.addGradient(mapped(b.x, f), g);
  for (Eigen::Index i = 0; i < b.x.size(); i += 3) {
    const Vector3d p = b.x.segment<3>(i);
    if (p.minCoeff() > 0.05 && p.maxCoeff() < 0.35) { EXPECT_LT(g.segment<3>(i).norm(), 1e-12); }
  }
}

// A bar stretched by strain e without forces on its sides: stress E e, contraction nu e.
TEST(CorotationalTets, UniaxialStretchHasModulusAndRatio) {
  const Block b = block(2, 2, 6, 0.1);
  const CorotationalTets model(b.x, b.tets, kMaterial);
  const double e = 2e-3;
  VectorXd g = VectorXd::Zero(b.x.size());
  model.addGradient(mapped(b.x, Vector3d(1 - 0.3 * e, 1 - 0.3 * e, 1 + e).asDiagonal()), g);
  double pull = 0, sides = 0;
  for (Eigen::Index i = 0; i < b.x.size(); i += 3) {
    if (b.x[i + 2] > 0.55) pull += g[i + 2];
    sides = std::max(sides, g.segment<2>(i).norm());
  }
  EXPECT_NEAR(pull, 1e4 * e * 0.04, 1e-9);
  EXPECT_LT(sides, 1e-9);
}

// The solver finds the same bar: pulled at its end, held at the other.
TEST(CorotationalTets, PulledBarComesToRestAtItsStretch) {
  const Block b = block(1, 1, 6, 0.1);
  const auto model = std::make_shared<CorotationalTets>(b.x, b.tets, TetParameters{1e4, 0, 0});  // no contraction at the clamp
  NodalSolid<3> s(model, b.x, model->mass(1000));
  const double dt = 10, force = 1;
  VectorXd j = VectorXd::Zero(b.x.size());
  for (int i = 0; i < model->nodes(); ++i) {
    if (b.x[3 * i + 2] < 0.05) s.prescribe(i, {0, 0, 0});
    if (b.x[3 * i + 2] > 0.55) j[3 * i + 2] = force * dt / 4;
  }
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(s.step(j, dt));
  double mean = 0;
  for (int i = 0; i < model->nodes(); ++i)
    if (b.x[3 * i + 2] > 0.55) mean += (s.position()[3 * i + 2] - b.x[3 * i + 2]) / 4;
  EXPECT_NEAR(mean, force / (1e4 * 0.01) * 0.6, 2e-2 * 6e-3);
}

TEST(CorotationalTets, Derivatives) {
  const Block b = block(1, 1, 2, 0.1);
  const CorotationalTets model(b.x, b.tets, kMaterial);
  const VectorXd x = b.x + 0.01 * scattered(int(b.x.size()), 1, 3);
  VectorXd g = VectorXd::Zero(x.size());
  model.addGradient(x, g);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    VectorXd lo = x, hi = x;
    lo[i] -= 1e-7;
    hi[i] += 1e-7;
    EXPECT_NEAR((model.energy(hi) - model.energy(lo)) / 2e-7, g[i], 1e-6 * g.norm());
  }
  NodeMatrix<3> h(model.nodes(), model.groups());
  model.addHessian(x, true, 1, h);
  const MatrixXd k = h.matrix();
  EXPECT_LT((k - k.transpose()).norm(), 1e-12 * k.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(k).eigenvalues().minCoeff(), -1e-12 * k.norm());
  // stretched, pressed and turned out of itself; at rest it has no negative part that could be left out
  VectorXd inverted = x;
  inverted[2] += 0.15;
  for (const VectorXd& y : {b.x, x, VectorXd(1.3 * x), VectorXd(0.6 * x), inverted}) {
    h.setZero();
    model.addHessian(y, y == b.x, 1, h);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      VectorXd lo = y, hi = y, gl = VectorXd::Zero(x.size()), gh = gl;
      lo[i] -= 1e-6;
      hi[i] += 1e-6;
      model.addGradient(lo, gl);
      model.addGradient(hi, gh);
      EXPECT_LT(((gh - gl) / 2e-6 - MatrixXd(h.matrix()).col(i)).norm(), 1e-5 * k.norm());
    }
  }
}

TEST(CorotationalTets, KeepsMomentumAndIsPure) {
  const Block b = block(2, 2, 3, 0.1);
  const auto model = std::make_shared<CorotationalTets>(b.x, b.tets, TetParameters{1e5, 0.4, 1e-3});
  NodalSolid<3> s(model, b.x, model->mass(1000));
  const VectorXd v = 0.2 * scattered(int(b.x.size()), 1, 3);
  s.setMotion(mapped(b.x, Eigen::AngleAxisd(1, Vector3d::UnitX()).toRotationMatrix()), v);
  const auto momentum = [&] {
    Vector3d p = Vector3d::Zero();
    for (Eigen::Index i = 0; i < v.size(); i += 3) p += s.mass()[i] * s.velocity().segment<3>(i);
    return p;
  };
  const Vector3d start = momentum();
  s.save();
  VectorXd first;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(s.step(VectorXd::Zero(v.size()), 0.01));
      EXPECT_LE(s.report().iterations, 12);
    }
    if (round == 0) first = s.position();
    EXPECT_EQ(first, s.position());
    EXPECT_LT((momentum() - start).norm(), 1e-9);
    s.restore();
  }
}

TEST(CorotationalTets, BadInputIsRefusedByName) {
  const Block b = block(1, 1, 1, 0.1);
  const auto refused = [&](const std::vector<std::array<int, 4>>& tets, const TetParameters& p, const std::string& word) {
    try {
      CorotationalTets(b.x, tets, p);
      ADD_FAILURE() << word << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input);
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  auto inverted = b.tets;
  std::swap(inverted[2][0], inverted[2][1]);
  refused(inverted, kMaterial, "tetrahedron 2: volume");
  inverted[2][0] = 99;
  refused(inverted, kMaterial, "node 99");
  refused(b.tets, {0, 0.3, 0}, "Young");
  refused(b.tets, {1, 0.5, 0}, "Poisson");
  refused(b.tets, {1, 0.3, -1}, "damping");
}

// A node that was pushed through the opposite side comes back: the block is at rest again, with all volumes as they were.
TEST(CorotationalTets, InvertedElementsTurnBack) {
  const Block b = block(2, 2, 2, 0.1);
  const auto model = std::make_shared<CorotationalTets>(b.x, b.tets, TetParameters{1e4, 0.3, 0.05});
  NodalSolid<3> s(model, b.x, model->mass(1000));
  VectorXd pushed = b.x;
  pushed.head<3>() += Vector3d(0.13, 0.12, 0.11);  // a corner, past the next cube's side
  s.setMotion(pushed, VectorXd::Zero(b.x.size()));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(s.step(VectorXd::Zero(b.x.size()), 0.01));
  EXPECT_LT(model->energy(s.position()), 1e-9 * model->energy(pushed));
}

// A solid whose factor is too large to be made for each system: its step is the minimum that it has to be, in few iterations, and
// does not remember the steps before.
TEST(CorotationalTets, LargeSolidsTakeFewIterations) {
  const Block b = block(12, 12, 12, 0.02);
  const auto model = std::make_shared<CorotationalTets>(b.x, b.tets, TetParameters{1e5, 0.3, 0});
  NodalSolid<3> s(model, b.x, model->mass(500));
  const VectorXd v = 0.5 * scattered(int(b.x.size()), 1, 3), none = VectorXd::Zero(b.x.size());
  const double dt = 0.01;
  s.setMotion(b.x, v);
  s.save();
  ASSERT_TRUE(s.step(none, dt));
  EXPECT_LE(s.report().iterations, 20);
  const VectorXd first = s.position();
  VectorXd force = none;
  model->addGradient(first, force);
  const VectorXd inertia = s.mass().cwiseProduct(first - b.x - dt * v);
  EXPECT_LT((inertia + dt * dt * force).norm(), 1e-7 * inertia.norm());
  ASSERT_TRUE(s.step(none, 0.5 * dt));
  s.restore();
  ASSERT_TRUE(s.step(none, dt));
  EXPECT_EQ(s.position(), first);
}

}  // namespace
}  // namespace meniscus::testing
