// Thin walls at rest in the smoke: nothing passes through them, and what they close is a region of its own.
#include <gtest/gtest.h>

#include "engine/grid/smoke/smoke_regions.h"
#include "tests/coupling/smoke_boxes.h"
#include "tests/shared/error_of.h"

namespace meniscus::testing {
namespace {

using coupling::SmokeFluidBox;

template <int D>
TestShell<D> closedWall(std::mt19937& random);
template <>
TestShell<2> closedWall(std::mt19937& random) {
  return randomPolygon(random, 30, 0);
}
template <>
TestShell<3> closedWall(std::mt19937& random) {
  return randomPolyhedron(random, 2, 0);
}

// Stirred smoke inside a closed wall, or outside it, beside a shell that waves through the wall: the other side gets exactly none,
// and the side that was full stays full.
template <int D>
void expectNoLeak(unsigned seed, bool smokeInside) {
  Exec exec(2);
  std::mt19937 random(seed);
  SmokeDomain<D> domain = box<D>(D == 2 ? 32 : 14, SideKind::wall);
  const TestShell<D> wall = closedWall<D>(random);
  domain.obstacle = wall.mesh;
  domain.obstacleNodes = wall.x;
  ShellFaces<D> faces;
  findShellFaces<D>({domain.grid}, wall.mesh, wall.x, nullptr, faces);
  const std::vector<char> inside = behindShell(domain.grid, faces, 0);
  const TestShell<D> sheet = spanningSheet(random, 12, 0.1, 0.05, 0, static_cast<TestShell<D>*>(nullptr));
  SmokeFluidBox<D> fluid(exec, domain, sheet.mesh, {});
  Motion now = atRest(sheet.x);
  fluid.setBoundary(now);
  for (std::size_t i = 0; i < inside.size(); ++i) fluid.state().smoke[i] = (inside[i] != 0) == smokeInside;
  const GivenFaces<D> given(domain);
  const double dt = 0.05;
  Offset full = 0, missing = 0, leaked = 0;
  for (int step = 0; step < 4; ++step) {
    for (int axis = 0; axis < D; ++axis)
      for (Offset f = 0; f < domain.grid.faces(axis); ++f)
        if (!given.given(axis, f)) fluid.state().velocity[axis][std::size_t(f)] += uniform(random, -1, 1);
    Motion end = now;
    for (std::size_t k = D - 1; k < end.position.size(); k += D)
      end.velocity[k] = (end.position[k] += uniform(random, -0.5, 0.5) * domain.grid.dx, (end.position[k] - now.position[k]) / dt);
    for (const double j : fluid.solve(end, dt).value) ASSERT_TRUE(std::isfinite(j));
    now = end;
    fluid.setBoundary(now);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const bool mine = (inside[i] != 0) == smokeInside;
      leaked += !mine && fluid.state().smoke[i] != 0;
      full += mine;
      missing += mine && fluid.state().smoke[i] != 1;
    }
  }
  EXPECT_EQ(leaked, 0) << seed;
  EXPECT_GT(full, 100);
  EXPECT_LE(missing, full / 20) << seed;  // pockets between sheet and wall that no path reaches
  for (int axis = 0; axis < D; ++axis)
    for (const ShellFace<D>& f : faces.face) EXPECT_EQ(fluid.state().velocity[f.axis][std::size_t(f.face)], 0);
}

TEST(SmokeObstacle, NothingPasses) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    expectNoLeak<2>(seed, seed % 2 == 0);
    expectNoLeak<3>(seed, seed % 2 == 0);
  }
}

// A lid of a shell on an open cup of walls: the cup is closed by it and has its area as the border; a cup of walls alone is closed
// without a border that moves. Two cells below the lid the wall's own faces are no part of it.
TEST(SmokeObstacle, WallsCloseRegions) {
  SmokeDomain<2> domain = box<2>(16, SideKind::open);
  domain.obstacle.nodes = 4;
  domain.obstacle.elements = {{0, 1}, {1, 2}, {2, 3}};
  domain.obstacleNodes = {0.25, 0.8, 0.25, 0.25, 0.75, 0.25, 0.75, 0.8};
  ShellMesh<2> lid;
  lid.nodes = 2;
  lid.elements = {{0, 1}};
  Exec exec(1);
  SmokeFluidBox<2> fluid(exec, domain, lid, {});
  const Motion now = atRest({0.23, 0.66, 0.77, 0.66});
  fluid.setBoundary(now);
  fluid.save();
  fluid.solve(now, 0.1);
  ASSERT_EQ(fluid.enclosed().size(), 1U);
  const std::vector<double> area = fluid.enclosed()[0].area;
  EXPECT_NEAR(area[1] + area[3], 0.5, 1e-14);
  EXPECT_EQ(area[0], 0);
  EXPECT_EQ(area[2], 0);
  EXPECT_EQ(fluid.faces().face.size(), 8U);
  // off the cup: open above
  fluid.restore();
  fluid.solve(atRest({0.23, 0.9, 0.77, 0.9}), 0.1);
  EXPECT_EQ(fluid.enclosed().size(), 0U);
  // closed by the walls themselves
  domain.obstacle.elements.push_back({3, 0});
  const GivenFaces<2> given(domain);
  ShellFaces<2> none;
  findShellFaces<2>({domain.grid}, {}, {}, &given, none);
  const std::vector<ClosedRegion> regions = closedRegions(domain, given, none, {});
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_TRUE(regions[0].shellFace.empty());
  EXPECT_EQ(regions[0].outflow, 0);
}

TEST(SmokeObstacle, MistakesAreRefused) {
  Exec exec(1);
  SmokeDomain<2> domain = box<2>(4, SideKind::wall);
  domain.obstacle.nodes = 2;
  domain.obstacle.elements = {{0, 1}};
  domain.obstacleNodes = {0.1, 0.2, 0.3};
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, domain, {}, {}); }).find("3 coordinates"), std::string::npos);
  domain.obstacleNodes.push_back(std::nan(""));
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, domain, {}, {}); }).find("not finite"), std::string::npos);
  domain.obstacleNodes[3] = 0.4;
  domain.obstacle.elements[0][1] = 2;
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, domain, {}, {}); }).find("node 2 of 2"), std::string::npos);
}

// A filled body: its cells, the halves of its dual cells, and what is no body.
TEST(FilledCells, AreThoseInside) {
  SmokeDomain<2> domain = box<2>(10, SideKind::wall);
  TestShell<2> square;
  square.mesh.nodes = 4;
  for (Index i = 0; i < 4; ++i) square.mesh.elements.push_back({i, (i + 1) % 4});
  square.x = {0.3, 0.3, 0.6, 0.3, 0.6, 0.7, 0.3, 0.7};
  ShellFaces<2> faces;
  findShellFaces<2>({domain.grid}, square.mesh, square.x, nullptr, faces);
  const std::vector<char> filled = findFilledCells(domain.grid, faces, {1, 1, 1, 1});
  for (Offset i = 0; i < 100; ++i) {
    const Cell<2> c = domain.grid.cellAt(i);
    EXPECT_EQ(filled[std::size_t(i)] != 0, c[0] >= 3 && c[0] < 6 && c[1] >= 3 && c[1] < 7) << i;
  }
  EXPECT_EQ(faces.face.size(), 14U);
  for (const double m : shellFaceMasses(domain, faces, filled)) EXPECT_NEAR(m, 0.5 * 1.3 * 0.01, 1e-15);
  EXPECT_TRUE(findFilledCells(domain.grid, faces, {}).empty());
  Buffer<double> u[2];
  for (int axis = 0; axis < 2; ++axis) u[axis].assign(std::size_t(domain.grid.faces(axis)), 9);
  for (const ShellFace<2>& f : faces.face) u[f.axis][std::size_t(f.face)] = 2;
  extendIntoFilled(domain.grid, filled, u);
  EXPECT_EQ(u[0][std::size_t(domain.grid.face(0, {4, 5}))], 2);
  EXPECT_EQ(u[0][std::size_t(domain.grid.face(0, {2, 5}))], 9);
  // one side is missing
  EXPECT_THROW(findFilledCells(domain.grid, faces, {1, 0, 1, 1}), Error);
  Exec exec(1);
  coupling::SmokeFluidOptions options;
  options.filled = {1, 1};
  EXPECT_NE(errorOf([&] { SmokeFluidBox<2>(exec, domain, square.mesh, options); }).find("2 marks"), std::string::npos);
}

// A rectangle may reach to a side of the grid, through it, or from one side to the other, and be most of it, or all.
TEST(FilledCells, BesideAndAcrossTheSides) {
  SmokeDomain<2> domain = box<2>(10, SideKind::wall);
  const double reach[][2] = {{0.3, 0.6},  {0.01, 0.31}, {0.72, 0.99}, {-0.2, 0.42},
                             {0.58, 1.3}, {0.01, 0.99}, {-0.3, 1.3},  {-0.3, 0.82}};
  for (const auto& x : reach)
    for (const auto& y : reach) {
      TestShell<2> square;
      square.mesh.nodes = 4;
      for (Index i = 0; i < 4; ++i) square.mesh.elements.push_back({i, (i + 1) % 4});
      square.x = {x[0], y[0], x[1], y[0], x[1], y[1], x[0], y[1]};
      ShellFaces<2> faces;
      findShellFaces<2>({domain.grid}, square.mesh, square.x, nullptr, faces);
      const std::vector<char> filled = findFilledCells(domain.grid, faces, {1, 1, 1, 1});
      for (Offset i = 0; i < 100; ++i) {
        const Cell<2> c = domain.grid.cellAt(i);
        const double cx = (c[0] + 0.5) * 0.1, cy = (c[1] + 0.5) * 0.1;
        EXPECT_EQ(filled[std::size_t(i)] != 0, cx > x[0] && cx < x[1] && cy > y[0] && cy < y[1])
            << x[0] << ' ' << x[1] << ", " << y[0] << ' ' << y[1] << ", cell " << i;
      }
    }
}

}  // namespace
}  // namespace meniscus::testing
