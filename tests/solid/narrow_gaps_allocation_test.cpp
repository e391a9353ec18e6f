// Narrow gaps are looked for in every pass of a coupling: in memory that is there already.
#include <gtest/gtest.h>

#include "engine/grid/smoke/filled_cells.h"
#include "engine/grid/smoke/narrow_gaps.h"
#include "tests/solid/allocations.h"

namespace meniscus {
namespace {

TEST(NarrowGapsMemory, ASecondSearchAllocatesNothing) {
  SmokeDomain<2> domain;
  domain.grid.n = {10, 10};
  domain.grid.dx = 0.1;
  ShellMesh<2> mesh;
  mesh.nodes = 4;
  mesh.elements = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  const std::vector<double> x = {0.31, 0.02, 0.69, 0.02, 0.69, 0.38, 0.31, 0.38};  // a box that stands nearly on the floor
  const std::vector<char> elements(4, 1);
  const GivenFaces<2> given(domain);
  ShellFaces<2> faces;
  findShellFaces<2>({domain.grid}, mesh, x, &given, faces);
  const std::vector<char> filled = findFilledCells(domain.grid, faces, elements);
  const ShellWeights alone = shellWeights(domain.grid, mesh, x, faces, WeightRule::dualCell, {&elements, &filled});
  ShellWeights weights = alone;
  NarrowGaps<2> gaps(mesh, elements);
  const std::function<bool(Offset)> fluid = [&filled](Offset i) { return !filled[std::size_t(i)]; };
  gaps.find(domain, given, faces, x, filled, fluid, weights);
  ASSERT_FALSE(weights.across.empty());
  weights.across.clear();
  const std::uint64_t before = testing::allocationsOfProgram();
  gaps.find(domain, given, faces, x, filled, fluid, weights);
  EXPECT_EQ(testing::allocationsOfProgram(), before);
}

}  // namespace
}  // namespace meniscus
