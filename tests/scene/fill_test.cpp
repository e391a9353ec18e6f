// Generated surfaces, signed distances and the filling of volumes.
#include <gtest/gtest.h>

#include "engine/scene/generate.h"
#include "engine/scene/mesh_edges.h"
#include "engine/scene/sample.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;

void expectClosed(const SurfaceMesh& m, const char* what) {
  forEachEdge(sortedSides(m.tri), [&](const TriangleSide* first, const TriangleSide* last) {
    ASSERT_EQ(last - first, 2) << what;
    ASSERT_NE(first[0].forward, first[1].forward) << what;
  });
}

double meanEdge(const SurfaceMesh& m) {
  double sum = 0;
  for (std::size_t k = 0; k < m.tri.size(); ++k)
    sum += norm(m.x[std::size_t(m.tri[k])] - m.x[std::size_t(m.tri[k % 3 == 2 ? k - 2 : k + 1])]);
  return sum / double(m.tri.size());
}

// Closed, outward, of the edge length asked for and of the solid's volume up to the facets: a chord polyhedron of edge h misses
// about (h/R)^2/4 of a sphere's volume.
TEST(Generate, SurfacesAreClosedAndOutward) {
  struct Case {
    const char* name;
    SurfaceMesh mesh;
    double volume;
  };
  const Case cases[] = {{"box", makeBox({1, 0.5, 0.3}, 0.05), 0.15},
                        {"sphere", makeSphere(0.5, 0.05), kPi / 6},
                        {"cylinder", makeCylinder(0.5, 1, 0.05), kPi / 4},
                        {"capsule", makeCapsule(0.5, 1, 0.05), kPi / 4 + kPi / 6}};
  for (const Case& c : cases) {
    expectClosed(c.mesh, c.name);
    EXPECT_NEAR(enclosedVolume(c.mesh), c.volume, 0.005 * c.volume) << c.name;
    EXPECT_NEAR(meanEdge(c.mesh), 0.055, 0.006) << c.name;
  }
  // coarser than the shape itself still encloses
  expectClosed(makeBox({1, 1, 1}, 9), "box");
  expectClosed(makeSphere(1, 9), "sphere");
  expectClosed(makeCylinder(1, 1, 9), "cylinder");
  expectClosed(makeCapsule(1, 1, 9), "capsule");
}

TEST(Generate, SheetAlternatesItsDiagonals) {
  const SurfaceMesh m = makeSheet(1, 0.5, 0.25);
  EXPECT_EQ(m.x.size(), 15u);
  EXPECT_EQ(m.tri.size(), 48u);
  int diagonals[2] = {0, 0};
  for (std::size_t k = 0; k < m.tri.size(); ++k) {
    const Vec3d e = m.x[std::size_t(m.tri[k % 3 == 2 ? k - 2 : k + 1])] - m.x[std::size_t(m.tri[k])];
    if (e.x != 0 && e.y != 0) ++diagonals[e.x * e.y > 0];
  }
  EXPECT_EQ(diagonals[0], diagonals[1]);
}

// The mesh of a sphere and the sphere itself agree on distance and side.
TEST(RegionDistance, MeshAgreesWithPrimitive) {
  ShapeDef shape;
  shape.kind = ShapeKind::sphere;
  shape.radius = 0.5;
  Transform t;
  t.translate = {0.1, 0.2, 0.3};
  SurfaceMesh mesh = makeSphere(0.5, 0.02);
  place(mesh.x, t);
  const Region exact(shape, t), faceted(std::make_shared<SurfaceTree>(mesh), true);
  EXPECT_NEAR(faceted.volume(), exact.volume(), 1e-3 * exact.volume());
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const Vec3d x = t.translate + jitterOf(i, 1.4);
    Vec3d n0, n1;
    const double d0 = exact.distance(x, 9, &n0), d1 = faceted.distance(x, 9, &n1);
    EXPECT_NEAR(d0, d1, 2e-4);
    EXPECT_TRUE(std::abs(d0) > 0.4 || dot(n0, n1) > 0.99);
  }
}

// The gradient given is the direction in which the distance grows, for every primitive, inside and outside.
TEST(RegionDistance, GradientOfPrimitives) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::plane}) {
    ShapeDef s;
    s.kind = kind;
    s.size = {0.6, 0.4, 0.8};
    s.radius = 0.3;
    s.height = 0.5;
    s.normal = {1, 2, 3};
    Transform t;
    t.translate = {0.1, 0, 0.05};
    t.rotate = Quatd::axisAngle({1, 1, 0}, 0.7);
    const Region r(s, t);
    for (std::uint32_t i = 0; i < 500; ++i) {
      const Vec3d x = jitterOf(i, 1.5);
      Vec3d n;
      const double d = r.distance(x, 9, &n), h = 1e-6;
      EXPECT_NEAR(norm(n), 1, 1e-12);
      EXPECT_NEAR(r.distance(x + n * h, 9, nullptr) - d, h, 1e-9) << int(kind);
      // one step along it leads to the surface
      EXPECT_TRUE(d < 0 || std::abs(r.distance(x - n * d, 9, nullptr)) < 1e-12) << int(kind);
    }
  }
}

// Rays through vertices and along edges are counted once: a lattice that hits every vertex of a box of triangles.
TEST(RegionDistance, WindingAtGrazingRays) {
  const SurfaceTree tree(makeBox({1, 1, 1}, 0.25));
  for (int i = -6; i <= 6; ++i)
    for (int j = -6; j <= 6; ++j)
      for (int k = -6; k <= 6; ++k) {
        const Vec3d x{i * 0.125, j * 0.125, k * 0.125};
        const double out = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
        if (out == 0.5) continue;  // on the surface
        ASSERT_EQ(tree.winding(x), out < 0.5 ? 1 : 0) << x.x << " " << x.y << " " << x.z;
      }
}

// N dx^3 is the volume to half a particle, whatever the shape's place.
TEST(Fill, CountGivesTheVolume) {
  for (const double radius : {0.11, 0.23, 0.345}) {
    ShapeDef s;
    s.kind = ShapeKind::sphere;
    s.radius = radius;
    Transform t;
    t.translate = {0.01, 0.037, 0.5};
    const Region r(s, t);
    const double V = 8e-6;
    const std::vector<Vec3d> x = fillRegion(r, V);
    EXPECT_NEAR(double(x.size()) * V, r.volume(), 0.5 * V);
    double inside = 0;
    Vec3d middle{};
    for (const Vec3d& p : x) {
      inside += r.distance(p, 1, nullptr) < 0.3 * 0.02;
      middle += (p - t.translate) / double(x.size());
    }
    EXPECT_EQ(inside, double(x.size()));
    EXPECT_LT(norm(middle), 0.05 * 0.02);  // no side is preferred
  }
}

Region boxRegion(const Vec3d& lo, const Vec3d& hi) {
  ShapeDef s;
  s.size = hi - lo;
  Transform t;
  t.translate = (lo + hi) * 0.5;
  return Region(s, t);
}

// Layers stand half a spacing off the walls; the spacing makes up along the free axis for what walls dictate along the others.
TEST(Fill, BoxBetweenWalls) {
  Surroundings around;
  around.domain.lo = {0, 0, 0};
  around.domain.hi = {0.51, 0.5, 1};
  std::fill(around.walls, around.walls + 6, true);
  const double V = 8e-6;
  const BoxLattice l = latticeOfBox(boxRegion({0, 0, 0}, {0.51, 0.5, 0.4}), around, V);
  EXPECT_FALSE(l.closed);
  EXPECT_EQ(l.n[0], 25 + 1);  // 25.5 rounds up
  EXPECT_EQ(l.n[1], 25);
  EXPECT_NEAR(l.spacing.x * l.spacing.y * l.spacing.z, V, 1e-18);
  const std::vector<Vec3d> x = fillLattice(boxRegion({0, 0, 0}, {0.51, 0.5, 0.4}), l);
  EXPECT_NEAR(x.front().x, l.spacing.x / 2, 1e-15);
  EXPECT_NEAR(x.front().z, l.spacing.z / 2, 1e-15);
  EXPECT_NEAR(x.back().x, 0.51 - l.spacing.x / 2, 1e-15);
  EXPECT_NEAR(x.back().y, 0.5 - 0.01, 1e-15);
  // nothing around: the lattice of the spacing, in the middle
  const BoxLattice free = latticeOfBox(boxRegion({0.1, 0.1, 0.3}, {0.205, 0.2, 0.4}), around, V);
  EXPECT_NEAR(free.spacing.x, 0.02, 1e-15);
  EXPECT_EQ(free.n[0], 5);
  // full to the brim
  EXPECT_TRUE(latticeOfBox(boxRegion({0, 0, 0}, {0.51, 0.5, 1}), around, V).closed);
}

TEST(Fill, JitterIsUniformAndRepeats) {
  Vec3d mean{}, square{};
  const int n = 20000;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3d d = jitterOf(i, 2);
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(std::abs(d[k]), 1);
      mean[k] += d[k] / n;
      square[k] += d[k] * d[k] / n;
    }
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(mean[k], 0, 0.02);           // 5 standard errors of sqrt(1/3 n)
    EXPECT_NEAR(square[k], 1.0 / 3, 0.011);  // variance of a uniform number in [-1, 1]
  }
  EXPECT_EQ(jitterOf(7, 1), jitterOf(7, 1));
}

TEST(Fill, PushesParticlesFree) {
  ShapeDef ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = 0.3;
  Transform t;
  t.translate = {0.5, 0.5, 0.2};
  const Region region(ball, t);
  SurfaceMesh sheet = makeSheet(1, 1, 0.5);
  place(sheet.x, {{0.5, 0.5, 0.8}, {}, {1, 1, 1}});
  const Region open(std::make_shared<SurfaceTree>(sheet), false);
  Surroundings around;
  around.domain.hi = {1, 1, 1};
  around.domain.lo = {0, 0, 0};
  std::fill(around.walls, around.walls + 6, true);
  around.obstacles.resize(2);
  around.obstacles[0].region = &region;
  around.obstacles[1].region = &open;
  around.obstacles[1].shell = true;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Vec3d start = Vec3d{0.5, 0.5, 0.5} + jitterOf(i, 1.0);
    if (region.distance(start, 1, nullptr) < 0) continue;
    Vec3d x = start;
    if (!pushFree(x, around, 0.01)) continue;
    EXPECT_GE(region.distance(x, 1, nullptr), 0.01 * (1 - 1e-5) - 1e-12);
    EXPECT_GE(std::abs(x.z - 0.8), 0.01 * (1 - 1e-5));
    EXPECT_EQ(x.z > 0.8, start.z >= 0.8);  // stays on its side of the sheet
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(x[k] >= 0.0099 && x[k] <= 0.9901);
  }
}

}  // namespace
}  // namespace meniscus
