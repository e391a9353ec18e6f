// Pairs on opposite sides of sheets, against all triangles in double precision.
#include <gtest/gtest.h>

#include "engine/particle/sheets_near.h"
#include "kernels/contact/continuous.h"
#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

// Does the segment meet a triangle, its border widened by `tol` in barycentric weights?
bool crossesAny(const SolidState& s, const Vec3d& p, const Vec3d& q, double tol) {
  for (std::size_t t = 0; t < s.tri.size(); t += 3) {
    const Vec3d &a = s.x[std::size_t(s.tri[t])], &b = s.x[std::size_t(s.tri[t + 1])], &c = s.x[std::size_t(s.tri[t + 2])];
    const double hp = planeSide(p, a, b, c), hq = planeSide(q, a, b, c);
    double b1, b2;
    if (hp * hq > 0 || !barycentric(p + (q - p) * (hp / (hp - hq)), a, b, c, b1, b2)) continue;
    if (b1 >= -tol && b2 >= -tol && 1 - b1 - b2 >= -tol) return true;
  }
  return false;
}

// As the neighbour search asks.
bool separatedNear(const ContactScene& s, Index a, Index b) {
  static SheetsNear near;
  const Vec3f x = s.x[std::size_t(a)].xyz(), d = x - s.x[std::size_t(b)].xyz();
  near.enterCell(*s.boundary, s.grid.indexOf(s.grid.cellOf(x)), x, x);
  near.enterParticle(a, x);
  return near.separated(b, d, norm(d));
}

// Every pair within the support gets the answer of the exhaustive test, the same in both orders; segments that pass a rim within
// the tolerance of single precision may go either way. Returns the pairs that are apart.
int comparePairs(ContactScene& s) {
  int apart = 0, wrong = 0;
  const Index n = Index(s.x.size());
  for (Index a = 0; a < n; ++a) {
    for (Index b = a + 1; b < n; ++b) {
      const Vec3d p(s.x[std::size_t(a)].xyz()), q(s.x[std::size_t(b)].xyz());
      if (norm2(p - q) >= double(s.support) * s.support) continue;
      const bool sep = s.boundary->separated(a, b);
      EXPECT_EQ(sep, s.boundary->separated(b, a));
      EXPECT_EQ(sep, separatedNear(s, a, b));
      EXPECT_EQ(sep, separatedNear(s, b, a));
      const bool expected = crossesAny(s.world.solid, p, q, 0);
      wrong += sep != expected && sep != crossesAny(s.world.solid, p, q, 2e-4);
      apart += expected;
    }
  }
  EXPECT_EQ(wrong, 0);
  return apart;
}

std::vector<Vec3d> cloud(Random& random, const Vec3d& lo, const Vec3d& hi, int n) {
  std::vector<Vec3d> p;
  for (int i = 0; i < n; ++i) {
    const Vec3d r = random.vector(0, 1), d = hi - lo;
    p.push_back(lo + Vec3d{r.x * d.x, r.y * d.y, r.z * d.z});
  }
  return p;
}

TEST(Separated, FlatSheetWithARim) {
  World w = emptyWorld({0.4, 0.4, 0.2}, false);
  const Mesh m = sheet({0.0, 0.1, 0.1}, {0.25, 0, 0}, {0, 0.2, 0.003}, 9, 7);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(21);
  s.setParticles(cloud(random, {0.1, 0.1, 0.06}, {0.3, 0.3, 0.14}, 700));
  s.find();
  EXPECT_GT(comparePairs(s), 1000);
}

// An accordion whose layers are 0.6 spacings apart: up to three layers between two particles.
TEST(Separated, FoldedSheet) {
  World w = emptyWorld({0.4, 0.4, 0.3}, false);
  Mesh m = sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 60, 8);
  const double gap = 0.6 * kDx, length = 0.08;
  for (Vec3d& p : m.x) {
    const double along = p.x * 5;  // five layers
    const int layer = std::min(4, int(along));
    const double t = along - layer;
    p = {0.1 + length * (layer % 2 ? 1 - t : t), 0.1 + 0.2 * p.y, 0.1 + gap * along};
  }
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(22);
  s.setParticles(cloud(random, {0.09, 0.12, 0.09}, {0.19, 0.2, 0.18}, 500));
  s.find();
  EXPECT_GT(comparePairs(s), 2000);
}

TEST(Separated, BalloonWithFluidOnBothSides) {
  World w = emptyWorld({0.6, 0.6, 0.6}, false);
  const Mesh m = sphereMesh({0.3, 0.3, 0.3}, 0.1, 8);  // five spacings in radius
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(23);
  s.setParticles(cloud(random, {0.18, 0.18, 0.18}, {0.42, 0.42, 0.42}, 1500));
  s.find();
  EXPECT_GT(comparePairs(s), 1000);
}

TEST(Separated, ThickSolidsDoNotSeparate) {
  World w = emptyWorld({0.6, 0.6, 0.6}, true);
  const Mesh m = boxMesh({0.2, 0.2, 0.2}, {0.4, 0.4, 0.4}, 4);
  addSurface(w, SolidKind::fixed, true, false, m.x, m.tri);
  ContactScene s(std::move(w));
  s.setParticles({{0.195, 0.21, 0.3}, {0.21, 0.195, 0.3}});
  s.find();
  EXPECT_EQ(s.boundary->sheetDistance(), nullptr);
  EXPECT_FALSE(s.boundary->separated(0, 1));  // around the edge of the solid
}

// A pot's bottom of one spacing, as a closed mesh and as an analytic box: what is above does not feel what is below.
TEST(Separated, ThinWallsSeparate) {
  for (const bool mesh : {true, false}) {
    World w = emptyWorld({0.6, 0.6, 0.6}, true);
    if (mesh) {
      const Mesh m = boxMesh({0.2, 0.2, 0.3}, {0.4, 0.4, 0.3 + kDx}, 6);
      addSurface(w, SolidKind::fixed, true, false, m.x, m.tri);
    } else {
      RigidBody plate;
      plate.shape.kind = ShapeKind::box;
      plate.shape.size = {0.2, 0.2, kDx};
      plate.x = plate.xPrev = {0.3, 0.3, 0.3 + 0.5 * kDx};
      w.solid.rigid.push_back(plate);
    }
    ContactScene s(std::move(w));
    const double above = 0.3 + 1.3 * kDx, below = 0.3 - 0.3 * kDx;
    s.setParticles({{0.31, 0.3, above}, {0.315, 0.307, below}, {0.32, 0.3, above}, {0.5, 0.3, above}, {0.5, 0.3, below}});
    s.find();
    const auto sorted = [&](Index i) { return Index(std::find(s.order.begin(), s.order.end(), i) - s.order.begin()); };
    EXPECT_TRUE(s.boundary->separated(sorted(0), sorted(1))) << mesh;
    EXPECT_TRUE(s.boundary->separated(sorted(1), sorted(0))) << mesh;
    EXPECT_FALSE(s.boundary->separated(sorted(0), sorted(2))) << mesh;  // both above
    EXPECT_FALSE(s.boundary->separated(sorted(3), sorted(4))) << mesh;  // beside the plate
    // and each sees only its own side of the plate
    EXPECT_EQ(s.featuresOf(0).size(), 1u);
    EXPECT_GT(s.featuresOf(0)[0].n.z, 0.99f);
    EXPECT_EQ(s.featuresOf(1).size(), 1u);
    EXPECT_LT(s.featuresOf(1)[0].n.z, -0.99f);
  }
}

}  // namespace
}  // namespace meniscus
