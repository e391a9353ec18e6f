// Rows of constraints that a device makes itself, on the serial device: those of the CPU, to the bit.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "engine/particle/device/device_own_rows.h"
#include "engine/particle/pressure_system.h"
#include "engine/particle/remote_constraints.h"
#include "engine/solid/solid.h"
#include "tests/shared/device_nodes.h"
#include "tests/shared/fluid_box.h"

namespace meniscus {
namespace {

using namespace testing;

struct CpuRows : PressureSystem {
  using PressureSystem::diag_;
  using PressureSystem::diagFloor_;
  using PressureSystem::edgeRate_;
  using PressureSystem::edges_;
  using PressureSystem::layout_;
  using PressureSystem::multiplierScale_;
  using PressureSystem::p_;
  using PressureSystem::rowBegin_;
  using PressureSystem::rowCompliance_;
  using PressureSystem::rowGrad_;
  using PressureSystem::rowMeasure_;
  using PressureSystem::rowNode_;
  using PressureSystem::rowRate_;
};

// Cloth with edges that are too weak for a row, bends of both kinds that have one or not, membranes, tetrahedra; all nodes
// somewhere else than at the start, some multipliers there.
World manyConstraints(Exec& exec) {
  SceneDef scene = solidsAlone();
  scene.solids[1].material.youngsModulus = 1e5;
  scene.solids[1].material.thickness = 1e-3;
  SolidDef& soft = addDeforming(scene, SolidKind::cloth, {0.2, 0.2, 0}, {0.5, 0.3, 0.5});
  soft.name = "soft";
  soft.material.stretch = {Resistance::Kind::compliance, 30, 0};
  soft.material.bend = {Resistance::Kind::compliance, 1e5, 0.01};
  World w = buildWorld(scene, exec, nullptr);
  SolidState& s = w.solid;
  predictSolids(exec, s, scene.gravity, 0, scene.solver.dt);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> by(-0.006, 0.006), multiplier(-1e-7, 1e-7);
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.w[i] > 0) s.x[i] += Vec3d{by(random), by(random), by(random)};
  for (std::size_t k = 0; k < s.constraints.lambda.size(); ++k) s.constraints.lambda[k] = k % 3 == 0 ? 0 : multiplier(random);
  return w;
}

template <class T>
std::vector<T> read(const Device& device, const T* from, std::size_t n) {
  std::vector<T> to(n);
  if (n > 0) const_cast<Device&>(device).toHost(to.data(), from, n * sizeof(T), "test");
  return to;
}

class OwnRows : public ::testing::Test {
 protected:
  OwnRows()
      : w(manyConstraints(exec)),
        lists(exec, w),
        own(device),
        nodes(w.solid.x.size()),
        x(device, "x"),
        xPrev(device, "start"),
        inverseMass(device, "masses"),
        lambda(device, "multipliers"),
        ofSolve(device, "multipliers of the solve"),
        leftOut(device, "left out"),
        sums(device, "sums") {
    const SolidState& s = w.solid;
    constraintRows(exec, s, nullptr, 0, dt, nullptr, nullptr, rows);
    lists.system.setRows(exec, w, rows, dt);
    table.tabulate(s);
    own.take(table.table(), Index(nodes));
    x.upload(s.x.data(), nodes);
    xPrev.upload(s.xPrev.data(), nodes);
    inverseMass.upload(s.w.data(), nodes);
    lambda.upload(s.constraints.lambda.data(), s.constraints.lambda.size());
    ofSolve.resize(s.constraints.lambda.size());
    leftOut.resize(s.constraints.lambda.size());
    ofSolve.fillZero();
    leftOut.fillZero();
    sums.resize(DeviceOwnRows::kSums);
    at = {x.data(), xPrev.data(), inverseMass.data(), dt, s.work.solvable};
    units = {1 / w.dx, w.particleVolume, dt, lists.system.multiplierScale_, lists.system.diagFloor_};
    constraints = {ofSolve.data(), leftOut.data()};
    own.linearise(at, units, lambda.data(), constraints, true, sums.data());
    own.addTo(view);
    view.w = inverseMass.data();
    measure = read(device, own.measures(), std::size_t(own.rows()));
  }
  // f(number of a row on the device, on the CPU) for all that act; how many there are.
  template <class F>
  Index forEachRow(const F& f) const {
    Index k = 0;
    for (Index r = 0; r < own.rows(); ++r)
      if (measure[std::size_t(r)] != 0) f(r, k++);
    return k;
  }

  Exec exec;
  World w;
  const double dt = 2e-3;
  FluidLists<CpuRows> lists;
  RowList rows;
  Device device;
  DeviceOwnRows own;
  RemoteConstraints table;
  std::size_t nodes;
  DeviceBuffer<Vec3d> x, xPrev;
  DeviceBuffer<double> inverseMass, lambda, ofSolve;
  DeviceBuffer<std::uint8_t> leftOut;
  DeviceBuffer<double> sums;
  EdgePlaces at{};
  RowUnits units{};
  ExplicitConstraints constraints{};
  JointView view{};
  std::vector<float> measure;
};

TEST_F(OwnRows, AreThoseOfTheCpu) {
  const CpuRows& cpu = lists.system;
  const std::size_t all = std::size_t(own.rows());
  const auto compliance = read(device, view.compliance.own, all), rate = read(device, own.rates(), all),
             diag = read(device, own.diagonal(), all), guess = read(device, own.guess(), all);
  const auto row = read(device, view.own, all);
  const auto grad = read(device, view.ownGrad, std::size_t(table.table().entries));
  int modes = 0;
  const Index count = forEachRow([&](Index r, Index k) {
    ASSERT_LT(k, Index(rows.rows.size()));
    const std::size_t here = std::size_t(r), there = std::size_t(k);
    EXPECT_EQ(compliance[here], cpu.rowCompliance_[there]) << k;
    EXPECT_EQ(rate[here], cpu.rowRate_[there]) << k;
    EXPECT_EQ(measure[here], cpu.rowMeasure_[there]) << k;
    EXPECT_EQ(diag[here], cpu.diag_[cpu.layout_.rows + k]) << k;
    EXPECT_EQ(guess[here], cpu.p_[cpu.layout_.rows + k]) << k;
    modes += rows.rows[there].constraint == kModeRow;
    Index e = cpu.rowBegin_[there];
    for (int n = 0; n < 4 && row[here].node[n] >= 0; ++n) {
      const Vec4f& g = grad[std::size_t(row[here].entry + n * row[here].stride)];
      if (w.solid.w[row[here].node[n]] <= 0) {
        EXPECT_EQ(norm2(g.xyz()), 0.f) << k;
        continue;
      }
      EXPECT_EQ(row[here].node[n], cpu.rowNode_[e]) << k;
      EXPECT_TRUE(g.xyz() == cpu.rowGrad_[e].xyz()) << k;
      ++e;
    }
    EXPECT_EQ(e, cpu.rowBegin_[there + 1]) << k;
  });
  EXPECT_EQ(count, Index(rows.rows.size()));
  EXPECT_GT(modes, 500);
  EXPECT_GT(count - modes, 50);
  // what does not act says nothing
  for (std::size_t r = 0; r < all; ++r)
    EXPECT_TRUE(measure[r] != 0 || (compliance[r] == 1 && rate[r] == 0 && diag[r] == 1 && guess[r] == 0)) << r;
}

TEST_F(OwnRows, EdgesAreThoseOfTheCpu) {
  const CpuRows& cpu = lists.system;
  const std::size_t edges = rows.edges.size();
  ASSERT_EQ(std::size_t(own.edges()), edges);
  const auto row = read(device, static_cast<const EdgeRow*>(own.edgeRows()), edges);
  const auto rate = read(device, own.edgeRates(), edges);
  const auto guess = read(device, own.edgeGuess(), 4 * edges);
  EXPECT_EQ(std::memcmp(row.data(), cpu.edges_.data(), edges * sizeof row[0]), 0);
  EXPECT_EQ(std::memcmp(rate.data(), cpu.edgeRate_.data(), edges * sizeof rate[0]), 0);
  EXPECT_EQ(std::memcmp(guess.data(), cpu.p_.data() + cpu.layout_.edges, 4 * edges * sizeof guess[0]), 0);
}

// Constraints without a row act on the nodes as on the CPU, and are marked as left out.
TEST_F(OwnRows, WeakConstraintsActExplicitly) {
  std::vector<Vec3d> expected(nodes), found(nodes);
  for (const RowEntry& e : rows.weakImpulses) expected[std::size_t(e.node)] += e.grad;
  const DeviceConstraintTable t = table.table();
  const auto itemBegin = read(device, view.ownBegin, nodes + 1);
  const auto item = read(device, view.ownItem, std::size_t(t.items));
  const ExplicitImpulses impulses = own.explicitImpulses();
  const auto other = read(device, impulses.other, std::size_t(t.impulses));
  const auto edge = read(device, impulses.edge, rows.edges.size());
  double largest = 0;
  for (std::size_t n = 0; n < nodes; ++n)
    for (Index e = itemBegin[n]; e < itemBegin[n + 1]; ++e) found[n] += other[std::size_t(item[std::size_t(e)].impulse)];
  for (std::size_t k = 0; k < edge.size(); ++k) {
    const Index* node = w.solid.constraints.items[rows.edges[k].constraint].node;
    for (int end = 0; end < 2; ++end)
      if (w.solid.w[node[end]] > 0) found[std::size_t(node[end])] += end ? -edge[k] : edge[k];
  }
  for (const Vec3d& i : expected) largest = std::max(largest, norm(i));
  ASSERT_GT(largest, 0);
  for (std::size_t n = 0; n < nodes; ++n) EXPECT_LE(norm(found[n] - expected[n]), 1e-13 * largest) << n;
  std::vector<std::uint8_t> weak(w.solid.constraints.items.size(), 0);
  for (const auto& [constraint, multiplier] : rows.weak) weak[std::size_t(constraint)] = 1;
  EXPECT_EQ(read(device, static_cast<const std::uint8_t*>(leftOut.data()), weak.size()), weak);
  const auto count = [&](ConstraintType type) {
    int n = 0;
    for (const auto& [constraint, multiplier] : rows.weak) n += w.solid.constraints.items[constraint].type == type;
    return n;
  };
  EXPECT_GT(count(ConstraintType::distance), 20);
  EXPECT_GT(count(ConstraintType::bendIsometric) + count(ConstraintType::bendDihedral), 20);
}

// A solve that ends anywhere: its multipliers become those of the CPU's constraints.
TEST_F(OwnRows, MultipliersOfASolveAreThoseOfTheCpu) {
  SolidState& s = w.solid;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> by(-2, 2);
  std::uniform_real_distribution<float> any(-1e-3f, 1e-3f);
  std::vector<Vec3d> v(nodes), a(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    v[i] = {by(random), by(random), by(random)};
    a[i] = {by(random), by(random), by(random)};
    if (s.w[i] > 0) s.x[i] = s.xPrev[i] + (v[i] + a[i] * dt) * dt;
  }
  const std::size_t edges = rows.edges.size();
  std::vector<Vec4f> X(edges);
  std::vector<float> of(std::size_t(own.rows()), 0.f);
  std::vector<double> edgeLambda(edges), rowLambda(rows.rows.size());
  for (std::size_t k = 0; k < edges; ++k) {
    if (rows.edges[k].hasRow()) X[k] = Vec4f(Vec3f{any(random), any(random), any(random)}, 0.f);
    edgeLambda[k] = units.multiplier(lists.system.edges_[k], X[k]);
  }
  forEachRow([&](Index r, Index k) {
    of[std::size_t(r)] = any(random);
    rowLambda[std::size_t(k)] = double(of[std::size_t(r)]) * units.multiplierScale;
  });
  storeMultipliers(s, rows, dt, rowLambda.data(), edgeLambda.data());
  DeviceBuffer<Vec3d> velocity(device, "velocity"), acceleration(device, "acceleration");
  DeviceBuffer<Vec4f> solved(device, "solved");
  velocity.upload(v.data(), nodes);
  acceleration.upload(a.data(), nodes);
  std::vector<Vec4f> vector(X);
  vector.resize(edges + (of.size() + 3) / 4);
  if (!of.empty()) std::memcpy(static_cast<void*>(vector.data() + edges), of.data(), of.size() * sizeof(float));
  solved.upload(vector.data(), vector.size());
  own.store({at, velocity.data(), acceleration.data()}, {&solved.data()->x, Index(edges)});
  const auto found = read(device, static_cast<const double*>(ofSolve.data()), s.constraints.lambda.size());
  int zero = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k], s.constraints.lambda[k]) << k << " of type " << int(s.constraints.items[k].type);
    zero += found[k] == 0;
  }
  EXPECT_LT(zero, int(found.size() / 2));
}

}  // namespace
}  // namespace meniscus
