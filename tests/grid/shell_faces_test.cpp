// The faces that a shell closes, and the weights of its nodes there: no chain of open faces leads through a closed shell, wherever
// its nodes and edges lie.
#include <gtest/gtest.h>

#include "engine/grid/smoke/shell_weights.h"
#include "tests/grid/shell_meshes.h"

namespace meniscus::testing {
namespace {

template <int D>
MacGrid<D> unitGrid(Index n) {
  MacGrid<D> g;
  g.n.fill(n);
  g.dx = 1.0 / n;
  return g;
}

template <int D>
ShellFaces<D> facesOf(const MacGrid<D>& g, const TestShell<D>& s) {
  ShellFaces<D> faces;
  findShellFaces<D>({g}, s.mesh, s.x, nullptr, faces);
  return faces;
}

// Which side of the shell each cell is on, by the number of crossings along x, is what the crossings along all other axes say too.
template <int D>
Index expectWatertight(const MacGrid<D>& g, const TestShell<D>& s) {
  const ShellFaces<D> faces = facesOf(g, s);
  std::vector<int> crossings(faces.face.size(), 0);
  for (const ShellCrossing<D>& c : faces.crossing) ++crossings[std::size_t(c.row)];
  const auto odd = [&](int axis, const Cell<D>& c) {
    const Index r = faces.row[axis][std::size_t(g.face(axis, c))];
    return r >= 0 && crossings[std::size_t(r)] % 2 == 1;
  };
  const std::vector<char> inside = behindShell(g, faces, 0);
  Index count = 0, wrong = 0;
  for (Offset i = 0; i < g.cells(); ++i) {
    count += inside[std::size_t(i)];
    const Cell<D> c = g.cellAt(i);
    for (int axis = 1; axis < D; ++axis)
      if (c[std::size_t(axis)] > 0)
        wrong += odd(axis, c) != (inside[std::size_t(i)] != inside[std::size_t(i - g.cellStride(axis))]);
  }
  EXPECT_EQ(wrong, 0);
  return count;
}

TEST(ShellFaces, ClosedPolygonsAreWatertight) {
  std::mt19937 random(1);
  Index inside = 0;
  for (int k = 0; k < 300; ++k) {
    const MacGrid<2> g = unitGrid<2>(20);
    // every third one with all nodes on centres and corners of cells
    inside += expectWatertight(g, randomPolygon(random, 3 + k % 40, k % 3 == 0 ? g.dx / 2 : 0));
  }
  EXPECT_GT(inside, 300 * 20);
}

TEST(ShellFaces, ClosedPolyhedraAreWatertight) {
  std::mt19937 random(2);
  Index inside = 0;
  for (int k = 0; k < 30; ++k) {
    const MacGrid<3> g = unitGrid<3>(14);
    inside += expectWatertight(g, randomPolyhedron(random, k % 4, k % 3 == 0 ? g.dx / 2 : 0));
  }
  EXPECT_GT(inside, 30 * 100);
}

// A vertical sheet at x = 0.43 in cells of 0.1 closes the faces at x = 0.4 of the rows it spans, and no others.
TEST(ShellFaces, OfAStraightSheet) {
  const MacGrid<2> g = unitGrid<2>(10);
  TestShell<2> s;
  s.mesh.nodes = 3;
  for (const Index i : {0, 1}) s.mesh.elements.push_back({i, i + 1});
  for (const double y : {0.2, 0.55, 0.8}) s.x.insert(s.x.end(), {0.43, y});
  const ShellFaces<2> faces = facesOf(g, s);
  ASSERT_EQ(faces.face.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(faces.face[k].axis, 0);
    EXPECT_EQ(faces.face[k].cell, (Cell<2>{4, Index(2 + k)}));
  }
  // at the height 0.35 the crossing is 0.15 / 0.35 up the first edge; the dual cell's part from 0.3 to 0.4 has its middle there
  for (const WeightRule rule : {WeightRule::crossing, WeightRule::dualCell}) {
    const ShellWeights w = shellWeights(g, s.mesh, s.x, faces, rule);
    ASSERT_EQ(w.begin[2] - w.begin[1], 2);
    EXPECT_EQ(w.node[std::size_t(w.begin[1])], 0);
    EXPECT_NEAR(w.weight[std::size_t(w.begin[1])], 0.2 / 0.35, 1e-5);
    EXPECT_NEAR(w.weight[std::size_t(w.begin[1]) + 1], 0.15 / 0.35, 1e-5);
  }
}

// The rows are means, so that a shell of one velocity closes its faces with it; and the dual cells' rule meets a linear velocity
// at the middle of what lies in them, within half a cell's diagonal of the face.
template <int D>
void expectMeans(const MacGrid<D>& g, const TestShell<D>& s) {
  const ShellFaces<D> faces = facesOf(g, s);
  ASSERT_FALSE(faces.face.empty());
  for (const WeightRule rule : {WeightRule::crossing, WeightRule::dualCell}) {
    const ShellWeights w = shellWeights(g, s.mesh, s.x, faces, rule);
    ASSERT_EQ(w.rows(), Index(faces.face.size()));
    for (Index r = 0; r < w.rows(); ++r) {
      double sum = 0;
      Point<D> middle{};
      for (Index k = w.begin[std::size_t(r)]; k < w.begin[std::size_t(r) + 1]; ++k) {
        EXPECT_GE(w.weight[std::size_t(k)], 0);
        sum += w.weight[std::size_t(k)];
        const Point<D> x = nodeOf<D>(s.x, w.node[std::size_t(k)]);
        for (std::size_t a = 0; a < D; ++a) middle[a] += w.weight[std::size_t(k)] * x[a];
      }
      EXPECT_NEAR(sum, 1, 1e-14);
      const ShellFace<D>& f = faces.face[std::size_t(r)];
      const Point<D> centre = g.faceCentre(f.axis, f.cell);
      for (std::size_t a = 0; a < D; ++a) EXPECT_NEAR(middle[a], centre[a], 0.5 * g.dx * (1 + 1e-5));
    }
  }
}

TEST(ShellFaces, WeightsAreMeansInTheDualCell) {
  std::mt19937 random(3);
  for (int k = 0; k < 20; ++k) {
    expectMeans(unitGrid<2>(20), randomPolygon(random, 3 + 5 * k, 0));
    expectMeans(unitGrid<3>(10), randomPolyhedron(random, k % 4, 0));
  }
}

// sum W^T i = sum i along each axis.
TEST(ShellFaces, TransposedWeightsKeepTheSum) {
  std::mt19937 random(4);
  const MacGrid<3> g = unitGrid<3>(12);
  const TestShell<3> s = randomPolyhedron(random, 3, 0);
  const ShellFaces<3> faces = facesOf(g, s);
  const ShellWeights w = shellWeights(g, s.mesh, s.x, faces, WeightRule::dualCell);
  std::vector<double> impulse, nodal(s.x.size(), 0);
  double sum[3] = {}, size = 0, nodalSum[3] = {};
  for (const ShellFace<3>& f : faces.face) {
    impulse.push_back(uniform(random, -1, 1));
    sum[f.axis] += impulse.back();
    size += std::abs(impulse.back());
  }
  applyTransposed<3>(w, faces, impulse, nodal);
  for (std::size_t k = 0; k < nodal.size(); ++k) nodalSum[k % 3] += nodal[k];
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(nodalSum[a], sum[a], 1e-13 * size);
}

}  // namespace
}  // namespace meniscus::testing
