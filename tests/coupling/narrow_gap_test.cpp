// Fluid in gaps of less than a cell between solids and walls: it bears what is over it, and comes and goes by the rim.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/scene/generate.h"
#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

constexpr double kG = 9.81;

// Boxes one after another as one shell, all filled.
template <int D>
struct Boxes {
  ShellMesh<D> mesh;
  std::vector<double> x;
  std::vector<Index> end;  // of each box, its nodes

  void add(const Point<D>& low, const Point<D>& high, double edge) {
    const Index first = mesh.nodes;
    if constexpr (D == 2) {
      const Point<2> corner[4] = {low, {high[0], low[1]}, high, {low[0], high[1]}};
      std::vector<Point<2>> all;
      for (int k = 0; k < 4; ++k) {
        const Point<2>&p = corner[k], &q = corner[(k + 1) % 4];
        const int n = std::max(1, int(std::lround((std::abs(q[0] - p[0]) + std::abs(q[1] - p[1])) / edge)));
        for (int i = 0; i < n; ++i) all.push_back({p[0] + (q[0] - p[0]) * i / n, p[1] + (q[1] - p[1]) * i / n});
      }
      for (const Point<2>& p : all) x.insert(x.end(), p.begin(), p.end());
      mesh.nodes += Index(all.size());
      for (Index i = 0; i < Index(all.size()); ++i) mesh.elements.push_back({first + i, first + (i + 1) % Index(all.size())});
    } else {
      const SurfaceMesh box = makeBox({high[0] - low[0], high[1] - low[1], high[2] - low[2]}, edge);
      for (const Vec3d& p : box.x)
        x.insert(x.end(), {p.x + 0.5 * (low[0] + high[0]), p.y + 0.5 * (low[1] + high[1]), p.z + 0.5 * (low[2] + high[2])});
      mesh.nodes += Index(box.x.size());
      for (std::size_t t = 0; t < box.tri.size(); t += 3)
        mesh.elements.push_back({first + box.tri[t], first + box.tri[t + 1], first + box.tri[t + 2]});
    }
    end.push_back(mesh.nodes);
  }
  // Sum over one box's nodes.
  Point<D> sum(std::size_t box, const std::vector<double>& v) const {
    Point<D> s{};
    for (std::size_t i = std::size_t(box ? end[box - 1] : 0); i < std::size_t(end[box]); ++i)
      for (std::size_t a = 0; a < D; ++a) s[a] += v[i * D + a];
    return s;
  }
};

template <int D>
Point<D> point(double x, double up) {
  Point<D> p;
  p.fill(x);
  p[D - 1] = up;
  return p;
}

// Two boxes over one another under water at rest, the lower one any part of half a cell over the floor and the upper one over it,
// beside a wall: each is pushed up by the weight of the water in its place, and to no side.
template <int D>
void hydrostatics() {
  Exec exec(2);
  for (const double gap : {0.0, 0.05, 0.3, 0.45}) {
    const double dx = 0.1, z = gap * dx, high = 0.31 + z, side = 0.2 + 0.03 * dx;
    Boxes<D> boxes;
    boxes.add(point<D>(side, z), point<D>(side + 0.3, high), 0.1);
    boxes.add(point<D>(side, high + 0.05 * dx), point<D>(side + 0.3, high + 0.2), 0.1);
    coupling::WaterFluidOptions o;
    o.filled.assign(boxes.mesh.elements.size(), 1);
    WaterFluidBox<D> water(exec, waterTank<D>(10, point<D>(0, -kG)), boxes.mesh, o);
    water.setBoundary(standing(boxes.x));
    water.fill([&](const Point<D>& x) {
      bool inside = x[D - 1] < high + 0.2;
      for (int a = 0; a + 1 < D; ++a) inside = inside && x[std::size_t(a)] > side && x[std::size_t(a)] < side + 0.3;
      return inside ? 0.05 : x[D - 1] - 0.83;
    });
    water.save();
    const double dt = 1e-3;
    const coupling::Load load = water.solve(standing(boxes.x), dt);
    const double area = std::pow(0.3, D - 1), tall[2] = {high - z, 0.2 - 0.05 * dx};
    double aside = 0;
    for (std::size_t b = 0; b < 2; ++b) {
      const Point<D> force = boxes.sum(b, load.value);
      EXPECT_NEAR(force[D - 1] / dt, 1000 * kG * area * tall[b], 1e-6 * 1000 * kG) << D << ' ' << gap << ' ' << b;
      aside += force[0] / dt;  // which of the two has what of it the faces between them share
    }
    EXPECT_NEAR(aside, 0, 1e-6 * 1000 * kG) << D << ' ' << gap;
  }
}
TEST(NarrowGap, WaterAtRestBearsWhatLiesOnTheFloor) {
  hydrostatics<2>();
  hydrostatics<3>();
}

// A box that lies on the floor of a closed room moves, in any direction, without a change of the room's volume: what it gives free
// the fluid has from the gap. A piston that fills its cylinder from wall to wall, at its end, has nothing behind it to give.
template <int D>
void closedRoom() {
  Exec exec(2);
  for (const bool piston : {false, true}) {
    Boxes<D> boxes;
    boxes.add(point<D>(piston ? 0.001 : 0.2, 0.002), point<D>(piston ? 0.999 : 0.53, 0.31), 0.1);
    coupling::SmokeFluidOptions o;
    o.filled.assign(boxes.mesh.elements.size(), 1);
    SmokeDomain<D> room = waterTank<D>(10, {});
    room.density = 1;
    coupling::SmokeFluidBox<D> smoke(exec, room, boxes.mesh, o);
    smoke.setBoundary(standing(boxes.x));
    smoke.save();
    smoke.solve(standing(boxes.x), 0.01);
    const std::vector<coupling::EnclosedRegion> regions = smoke.enclosed();
    ASSERT_EQ(regions.size(), 1u);
    const Point<D> change = boxes.sum(0, regions[0].area);
    for (int a = 0; a + 1 < D; ++a) EXPECT_NEAR(change[std::size_t(a)], 0, 1e-12) << D << ' ' << piston;
    EXPECT_NEAR(std::abs(change[D - 1]), piston ? 1 : 0, 1e-12) << D << ' ' << piston;
  }
}
TEST(NarrowGap, AClosedRoomKeepsItsVolumeWhereABodyLiesOnItsFloor) {
  closedRoom<2>();
  closedRoom<3>();
}

// The velocities that the gap gives its rim and the forces that the rim gives the gap are one matrix: the power of the fluid on the
// solid is that on the faces.
TEST(NarrowGap, ForcesAreTheTransposedOfVelocities) {
  Exec exec(1);
  Boxes<3> boxes;
  boxes.add({0.2, 0.21, 0.002}, {0.53, 0.5, 0.31}, 0.1);
  coupling::SmokeFluidOptions o;
  o.filled.assign(boxes.mesh.elements.size(), 1);
  coupling::SmokeFluidBox<3> smoke(exec, waterTank<3>(10, {}), boxes.mesh, o);
  smoke.setBoundary(standing(boxes.x));
  smoke.save();
  std::mt19937 random(5);
  Motion end = standing(boxes.x);
  for (double& v : end.velocity) v = uniform(random, -0.1, 0.1);
  smoke.solve(end, 0.01);
  EXPECT_FALSE(smoke.weights().across.empty());
  std::vector<double> impulse, u, j(boxes.x.size(), 0);
  for (std::size_t r = 0; r < smoke.faces().face.size(); ++r) impulse.push_back(uniform(random, -1, 1));
  applyWeights<3>(smoke.weights(), smoke.faces(), end.velocity, u);
  applyTransposed<3>(smoke.weights(), smoke.faces(), impulse, j);
  EXPECT_NEAR(std::inner_product(u.begin(), u.end(), impulse.begin(), 0.0),
              std::inner_product(j.begin(), j.end(), end.velocity.begin(), 0.0), 1e-12);
}

// Between two boxes that end together on one side and not on the other: pressures of the rim that are linear in space are so in the
// gap, whether at its end there are faces of one solid or of both.
template <int D>
void linearPressure() {
  Exec exec(1);
  const double dx = 0.1;
  Boxes<D> boxes;
  boxes.add(point<D>(0.203, 0.2), point<D>(0.603, 0.498), 0.1);
  boxes.add(point<D>(0.203, 0.502), point<D>(0.503, 0.702), 0.1);
  coupling::SmokeFluidOptions o;
  o.filled.assign(boxes.mesh.elements.size(), 1);
  coupling::SmokeFluidBox<D> smoke(exec, waterTank<D>(10, {}), boxes.mesh, o);
  smoke.setBoundary(standing(boxes.x));
  smoke.save();
  smoke.solve(standing(boxes.x), 0.01);
  const MacGrid<D> g{[] {
                       Cell<D> n;
                       n.fill(10);
                       return n;
                     }(),
                     dx,
                     {}};
  double force = 0, wanted = 0;
  for (const auto& e : smoke.weights().across) {
    if (e.coordinate % D != D - 1 || e.coordinate / D < boxes.end[0]) continue;
    const auto& face = smoke.faces().face[std::size_t(e.row)];
    Point<D> fluid = g.faceCentre(face.axis, face.cell);
    const double outward = fluid[std::size_t(face.axis)] < 0.35 ? 1 : -1;
    fluid[std::size_t(face.axis)] -= outward * 0.5 * dx;
    force += e.weight * outward * fluid[0];
  }
  for (int i = 0; i < 3; ++i) wanted += (D == 2 ? 1 : 3) * (0.25 + 0.1 * i);
  EXPECT_NEAR(force, wanted, 1e-12) << D;
}
TEST(NarrowGap, LinearPressuresAreSoInTheGap) {
  linearPressure<2>();
  linearPressure<3>();
}

}  // namespace
}  // namespace meniscus::testing
