// Sheets that come down onto water: air stays between the two until they meet, and then they push each other.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

constexpr double kG = 9.81, kSurface = 0.2, kHeight = 0.235, kStep = 0.01;

// A flat sheet over half of a tank of ten cells along each edge, with its nodes where no edge of a cell is.
template <int D>
TestShell<D> flatSheet() {
  constexpr Index kAlong = 9;
  TestShell<D> s;
  const auto at = [](Index i) { return 0.23 + 0.54 * i / (kAlong - 1); };
  if constexpr (D == 2) {
    s.mesh.nodes = kAlong;
    for (Index i = 0; i < kAlong; ++i) {
      s.x.insert(s.x.end(), {at(i), kHeight});
      if (i > 0) s.mesh.elements.push_back({i - 1, i});
    }
  } else {
    s.mesh.nodes = kAlong * kAlong;
    for (Index j = 0; j < kAlong; ++j)
      for (Index i = 0; i < kAlong; ++i) {
        s.x.insert(s.x.end(), {at(i), at(j), kHeight});
        const Index d = j * kAlong + i, c = d - 1, b = d - kAlong, a = b - 1;
        if (i == 0 || j == 0) continue;
        s.mesh.elements.push_back({a, b, d});
        s.mesh.elements.push_back({a, d, c});
      }
  }
  return s;
}

template <int D>
struct Landing {
  Exec exec{2};
  TestShell<D> sheet = flatSheet<D>();
  WaterFluidBox<D> water;
  Motion now = standing(sheet.x);

  static Point<D> down() {
    Point<D> g{};
    g[D - 1] = -kG;
    return g;
  }
  Landing() : water(exec, waterTank<D>(10, down()), sheet.mesh, {}) {
    water.setBoundary(now);
    water.fill([](const Point<D>& x) { return x[D - 1] - kSurface; });
    water.save();
  }
  // The load where the sheet goes down by `way`.
  std::vector<double> solve(double way) {
    Motion end = now;
    for (std::size_t k = D - 1; k < end.position.size(); k += D) end.position[k] -= way, end.velocity[k] = -way / kStep;
    water.restore();
    return water.solve(end, kStep).value;
  }
  static double up(const std::vector<double>& load) {
    double sum = 0;
    for (std::size_t k = D - 1; k < load.size(); k += D) sum += load[k];
    return sum;
  }
};

// The sheet is below the centres over the water, whose faces are its own, and 0.035 m over the water. As long as it does not come
// to the water there is no load, to the last bit; from there on the load grows in proportion to what it goes beyond, without a
// jump.
template <int D>
void pushesFromTheWaterOn() {
  Landing<D> l;
  const double room = kHeight - kSurface;
  for (const double way : {0.0, 0.5 * room, 0.999 * room})
    for (const double j : l.solve(way)) EXPECT_EQ(j, 0) << way;
  const double least = Landing<D>::up(l.solve(room + 1e-5)), one = Landing<D>::up(l.solve(room + 0.002)),
               two = Landing<D>::up(l.solve(room + 0.004));
  EXPECT_GT(one, 0);
  EXPECT_NEAR(least / one, 0.005, 1e-3);
  EXPECT_NEAR(two / one, 2, 1e-6);
}
TEST(Landing, ASheetIsPushedFromTheWaterOn) {
  pushesFromTheWaterOn<2>();
  pushesFromTheWaterOn<3>();
}

// What the nodes get is what the faces give, and the faces that are closed have the velocity that takes the water to the sheet.
template <int D>
void meets() {
  Landing<D> l;
  const double way = kHeight - kSurface + 0.004;
  const std::vector<double> load = l.solve(way);
  const auto& faces = l.water.faces().face;
  ASSERT_FALSE(faces.empty());
  double sum = 0;
  for (std::size_t r = 0; r < faces.size(); ++r) {
    ASSERT_EQ(faces[r].axis, D - 1);
    sum += l.water.faceImpulses()[r];
    EXPECT_GE(l.water.faceImpulses()[r], 0);
    EXPECT_NEAR(l.water.state().velocity[D - 1][std::size_t(faces[r].face)], -0.004 / kStep, 1e-9);
  }
  EXPECT_NEAR(Landing<D>::up(load) / sum, 1, 1e-12);
  // a sheet that stays there has no air before it any more, and what the water then pulls it by is not taken for air
  Motion end = l.now;
  for (std::size_t k = D - 1; k < end.position.size(); k += D) end.position[k] -= way;
  l.water.setBoundary(end);
  for (const ShellFace<D>& f : faces) EXPECT_EQ(l.water.matter().air[D - 1][std::size_t(f.face)], 0);
}

TEST(Landing, TheWaterMeetsTheSheet) {
  meets<2>();
  meets<3>();
}

// Air is kept from step to step by the ways of the sheet and of the water: still water under a sheet that comes nearer by bits.
template <int D>
void staysApart() {
  Landing<D> l;
  for (int k = 1; k <= 3; ++k) {
    Motion end = l.now;
    for (std::size_t c = D - 1; c < end.position.size(); c += D) end.position[c] -= 0.01, end.velocity[c] = -0.01 / kStep;
    l.water.setBoundary(l.now);
    l.water.save();
    for (const double j : l.water.solve(end, kStep).value) EXPECT_EQ(j, 0) << k;
    l.now = end;
  }
  l.water.setBoundary(l.now);
  const MacGrid<D> grid = waterTank<D>(10, {}).grid;
  Cell<D> middle;
  middle.fill(5);
  middle[D - 1] = 2;
  EXPECT_NEAR(l.water.matter().air[D - 1][std::size_t(grid.face(D - 1, middle))], kHeight - kSurface - 0.03, 1e-4);
  EXPECT_NEAR(l.water.matter().volume, kSurface, 1e-3);
}

TEST(Landing, AirIsKeptFromStepToStep) {
  staysApart<2>();
  staysApart<3>();
}

}  // namespace
}  // namespace meniscus::testing
