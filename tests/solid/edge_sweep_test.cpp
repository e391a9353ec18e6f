// Edges four at a time have the bits of edges one at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "engine/solid/solid.h"
#include "tests/solid/meshes.h"

namespace meniscus {
namespace {

// A sheet out of shape, with two nodes held and two in one place. Its colours have numbers of edges that four does not divide.
SolidState crumpledSheet(const Resistance& stretch) {
  SolidState s;
  SolidDef d;
  d.name = "cloth";
  d.kind = SolidKind::cloth;
  d.material.arealDensity = 0.3;
  d.material.stretch = d.material.shear = stretch;
  d.pins.resize(1);
  d.pins[0].indices = {0, 9};
  addShell(s, d, testing_meshes::sheet(9, 7, 0.9, 0.7));
  colourConstraints(s, false);
  s.xPrev = s.x;
  for (std::size_t i = 1; i < s.x.size(); ++i)
    s.x[i] += Vec3d{std::sin(3.0 * double(i)), std::cos(5.0 * double(i)), std::sin(7.0 * double(i))} * 3e-2;
  s.x[12] = s.x[13];
  for (std::size_t k = 0; k < s.constraints.lambda.size(); ++k) s.constraints.lambda[k] = k % 3 == 0 ? 0 : -1e-4 * double(k % 5);
  return s;
}

void compare(const Resistance& stretch, bool wet, bool leaveOut) {
  SolidState fours = crumpledSheet(stretch), single = fours;
  single.constraints.colourBegin = {0};  // the same order, one at a time
  single.constraints.serialBegin = 0;
  ASSERT_GT(fours.constraints.serialBegin, 100);
  std::vector<double> normalMass;
  std::vector<Vec3d> normal;
  for (std::size_t i = 0; i < fours.x.size(); ++i) {
    normalMass.push_back(fours.w[i] * (i % 2 ? 0.1 : 0.7));
    normal.push_back(normalized(Vec3d{std::sin(double(i)), std::cos(double(i)), 2}));
  }
  std::vector<std::uint8_t> leftOut(fours.constraints.items.size(), 0);
  for (std::size_t k = 0; leaveOut && k < leftOut.size(); k += 3) leftOut[k] = 1;
  Exec exec(3);
  for (SolidState* s : {&fours, &single})
    projectSolids(exec, *s, nullptr, 0, 0.01, 4, wet ? normalMass.data() : nullptr, wet ? normal.data() : nullptr, leftOut.data());
  for (std::size_t i = 0; i < fours.x.size(); ++i)
    EXPECT_EQ(std::memcmp(&fours.x[i], &single.x[i], sizeof(Vec3d)), 0) << i << " " << norm(fours.x[i] - single.x[i]);
  double moved = 0;
  for (std::size_t i = 0; i < fours.x.size(); ++i) moved = std::max(moved, norm(fours.x[i] - fours.work.before[i]));
  EXPECT_GT(moved, 1e-3);
  for (std::size_t k = 0; k < fours.constraints.lambda.size(); ++k)
    EXPECT_EQ(fours.constraints.lambda[k], single.constraints.lambda[k]) << k;
}

TEST(EdgeSweep, FoursHaveTheBitsOfSingleEdges) {
  for (const bool wet : {false, true})
    for (const bool leaveOut : {false, true}) {
      compare({Resistance::Kind::compliance, 1e-4, 0}, wet, leaveOut);
      compare({Resistance::Kind::compliance, 1e-4, 0.02}, wet, leaveOut);  // damped
      compare({Resistance::Kind::compliance, 0, 0.02}, wet, leaveOut);     // the least that a joint solve can take
      compare({Resistance::Kind::stiffness, 0.4, 0.02}, wet, leaveOut);
      compare({Resistance::Kind::stiffness, 1, 0}, wet, leaveOut);
    }
}

}  // namespace
}  // namespace meniscus
