// Features of particles: one local minimum where there is one surface, whatever its triangles.
#include <gtest/gtest.h>

#include "kernels/contact/primitives.h"
#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

class EdgeLength : public ::testing::TestWithParam<double> {};  // in spacings
INSTANTIATE_TEST_SUITE_P(Spacings, EdgeLength, ::testing::Values(0.5, 2.0, 8.0));

TEST_P(EdgeLength, FlatSheetGivesOneFeatureOnEitherSide) {
  World w = emptyWorld({0.8, 0.8, 0.4}, false);
  const Index n = Index(std::lround(0.64 / (GetParam() * kDx)));
  const Mesh m = sheet({0.08, 0.08, 0.2}, {0.64, 0, 0}, {0, 0.64, 0}, n, n);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(3);
  std::vector<Vec3d> p;
  for (int i = 0; i < 500; ++i) {
    const double side = i % 2 ? 1 : -1;
    p.push_back({random.uniform(0.12, 0.68), random.uniform(0.12, 0.68), 0.2 + side * random.uniform(0.1, 1.9) * kDx});
  }
  // right above nodes and edges
  for (int i = 0; i < 100; ++i) p.push_back(m.x[std::size_t(i) * 7 % m.x.size()] + Vec3d{0, 0, 0.5 * kDx});
  for (int i = 0; i < 100; ++i)
    p.push_back((m.x[std::size_t(m.tri[std::size_t(3 * i) % m.tri.size()])] +
                 m.x[std::size_t(m.tri[std::size_t(3 * i + 1) % m.tri.size()])]) *
                    0.5 -
                Vec3d{0, 0, 0.5 * kDx});
  s.setParticles(p);
  s.find();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto f = s.featuresOf(Index(i));
    ASSERT_EQ(f.size(), 1u) << "particle " << i;
    EXPECT_NEAR(f[0].d, std::abs(p[i].z - 0.2), 1e-7);
    EXPECT_NEAR(f[0].n.z, p[i].z > 0.2 ? 1 : -1, 1e-5);
    const bool atRim = p[i].x < 0.081 || p[i].x > 0.719 || p[i].y < 0.081 || p[i].y > 0.719;
    if (!atRim) { EXPECT_NEAR(f[0].w, 1, 1e-2); }
    // the barycentric weights give the closest point
    const SurfaceInfo info = s.boundary->surface(f[0].surface);
    const auto& x = s.world.solid.x;
    const Vec3d c = x[std::size_t(info.node[0])] * double(f[0].b0) + x[std::size_t(info.node[1])] * double(f[0].b1) +
                    x[std::size_t(info.node[2])] * double(1 - f[0].b0 - f[0].b1);
    EXPECT_LT(norm(c - Vec3d{p[i].x, p[i].y, 0.2}), 1e-6);
  }
}

// A closed mesh of a box has the features of the analytic box: distance, normal and weight, on faces, edges and corners.
TEST_P(EdgeLength, BoxMeshEqualsAnalyticBox) {
  World w = emptyWorld({0.8, 0.8, 0.8}, false);
  const Vec3d lo{0.24, 0.24, 0.24}, hi{0.56, 0.56, 0.56};
  const Mesh m = boxMesh(lo, hi, Index(std::lround(0.32 / (GetParam() * kDx))));
  addSurface(w, SolidKind::fixed, true, false, m.x, m.tri);
  ContactScene s(std::move(w));
  const PrimitiveShape<double> box{PrimitiveKind::box, false, (hi - lo) * 0.5, 0, 0};
  Random random(4);
  std::vector<Vec3d> p;
  while (p.size() < 3000) {
    const Vec3d q = random.vector(0.2, 0.6);
    PrimitiveFeature<double> f[kMaxPrimitiveFeatures];
    if (primitiveFeatures(box, q - (lo + hi) * 0.5, 1.95 * kDx, f) == 1 && f[0].d > 0.05 * kDx && f[0].w > 2e-3) p.push_back(q);
  }
  s.setParticles(p);
  s.find();
  for (std::size_t i = 0; i < p.size(); ++i) {
    PrimitiveFeature<double> expected[kMaxPrimitiveFeatures];
    primitiveFeatures(box, p[i] - (lo + hi) * 0.5, 2.0 * kDx, expected);
    const auto f = s.featuresOf(Index(i));
    ASSERT_EQ(f.size(), 1u) << "particle " << i;
    EXPECT_NEAR(f[0].d, expected[0].d, 2e-7);
    EXPECT_LT(norm(Vec3d(f[0].n) - expected[0].n), 2e-4);
    EXPECT_NEAR(f[0].w, expected[0].w, 2e-2);  // acos near 1 in single precision
  }
}

TEST_P(EdgeLength, ContainerMeshCornerHasThreeFeatures) {
  World w = emptyWorld({0.8, 0.8, 0.8}, false);
  const Mesh m = boxMesh({0.08, 0.08, 0.08}, {0.72, 0.72, 0.72}, Index(std::lround(0.64 / (GetParam() * kDx))));
  const Index body = addSurface(w, SolidKind::kinematic, true, false, m.x, m.tri);
  RigidBody r;
  r.shape.kind = ShapeKind::mesh;
  r.shape.container = true;
  r.body = body;
  r.kinematic = true;
  w.solid.rigid.push_back(r);
  w.solid.bodies.back().rigid = 0;
  ContactScene s(std::move(w));
  const std::vector<Vec3d> p = {Vec3d{0.08, 0.08, 0.08} + Vec3d{0.5, 0.6, 0.7} * double(kDx),   // corner
                                Vec3d{0.08, 0.08, 0.4} + Vec3d{0.5, 0.6, 0.123} * double(kDx),  // edge
                                Vec3d{0.08, 0.3, 0.4} + Vec3d{0.5, 0.6, 0.123} * double(kDx),   // face
                                {0.4, 0.4, 0.4},                                                // middle
                                Vec3d{0.08, 0.3, 0.4} - Vec3d{0.5, 0, 0} * double(kDx)};        // behind: sees nothing
  s.setParticles(p);
  s.find();
  const auto corner = s.featuresOf(0);
  ASSERT_EQ(corner.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(corner[std::size_t(k)].d, (0.5 + 0.1 * k) * kDx, 1e-6);
    EXPECT_NEAR(corner[std::size_t(k)].n[k], 1, 1e-5);
    EXPECT_EQ(corner[std::size_t(k)].w, 1.f);
  }
  EXPECT_EQ(s.featuresOf(1).size(), 2u);
  EXPECT_EQ(s.featuresOf(2).size(), 1u);
  EXPECT_EQ(s.featuresOf(3).size(), 0u);
  EXPECT_EQ(s.featuresOf(4).size(), 0u);
}

// Beyond a free rim the weight falls from 1 above the sheet to 0 in its plane, as 1 - 2 phi/pi.
TEST_P(EdgeLength, RimWeight) {
  World w = emptyWorld({0.8, 0.8, 0.4}, false);
  const Index n = Index(std::lround(0.32 / (GetParam() * kDx)));
  const Mesh m = sheet({0.08, 0.24, 0.2}, {0.32, 0, 0}, {0, 0.32, 0}, n, n);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  std::vector<Vec3d> p;
  for (int deg = 0; deg <= 90; deg += 15) {
    const double a = deg * 3.14159265358979 / 180;
    p.push_back(Vec3d{0.4, 0.413, 0.2} + Vec3d{std::sin(a), 0, std::cos(a)} * double(kDx));
  }
  s.setParticles(p);
  s.find();
  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    const auto f = s.featuresOf(Index(k));
    ASSERT_EQ(f.size(), 1u) << 15 * k << " degrees";
    EXPECT_NEAR(f[0].w, 1 - 15.0 * double(k) / 90, k == 0 ? 1e-2 : 1e-3);
    EXPECT_NEAR(f[0].d, kDx, 1e-6);
  }
  EXPECT_EQ(s.featuresOf(Index(p.size()) - 1).size(), 0u);
}

// Seen from inside, every facet of a sphere is concave to its neighbours: one feature after clustering, at most a facet's sagitta
// off.
TEST(Features, InsideOfASphere) {
  World w = emptyWorld({1, 1, 1}, false);
  const double R = 0.3;
  const Mesh m = sphereMesh({0.5, 0.5, 0.5}, R, 16);
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(6);
  std::vector<Vec3d> p;
  for (int i = 0; i < 2000; ++i)
    p.push_back(Vec3d{0.5, 0.5, 0.5} + normalized(random.vector(-1, 1)) * (R + random.uniform(-1.8, 1.8) * kDx));
  s.setParticles(p);
  s.find();
  const double edge = 0.5 * 3.14159265358979 * R / 16, sagitta = edge * edge / (2 * R);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3d r = p[i] - Vec3d{0.5, 0.5, 0.5};
    const double height = norm(r) - R;
    if (std::abs(height) < 2 * sagitta) continue;
    const auto f = s.featuresOf(Index(i));
    ASSERT_EQ(f.size(), 1u) << i;
    EXPECT_NEAR(f[0].d, std::abs(height), 1.1 * sagitta);
    EXPECT_GT(dot(Vec3d(f[0].n), normalized(r)) * (height > 0 ? 1 : -1), std::cos(1.5 * edge / R));
    EXPECT_GT(f[0].w, 0.9f);
  }
}

// A mesh in millimetres, say: what of it is far outside the domain costs nothing. (Its triangles were filed by cells of the support
// wherever they lie: at this size 1e9 of them, and the memory was gone.)
TEST(Features, MeshThatDwarfsTheDomain) {
  World w = emptyWorld({0.4, 0.4, 0.4}, true);
  const Mesh m = boxMesh({-1000, -1000, -1000}, {1000, 1000, 0.1}, 2);
  addSurface(w, SolidKind::fixed, true, false, m.x, m.tri);
  const Boundary boundary(w, 2 * kDx, 0.25f * kDx);
  EXPECT_LT(boundary.bytes(), std::size_t(1) << 20);
}

TEST(Features, DomainWallsAndMovedBodies) {
  World w = emptyWorld({0.6, 0.6, 0.6}, true);
  w.scene.domain.min = {-1, 2, 3};
  w.scene.domain.max = w.scene.domain.min + Vec3d{0.6, 0.6, 0.6};
  w.scene.domain.walls[5] = false;
  RigidBody r;
  r.shape.kind = ShapeKind::box;
  r.shape.size = {0.2, 0.1, 0.1};
  r.x = r.xPrev = w.scene.domain.min + Vec3d{0.3, 0.3, 0.3};
  r.q = r.qPrev = Quatd::axisAngle({0, 0, 1}, 1.5707963267948966);  // the long side along y
  r.v = {1, 0, 0};
  r.omega = {0, 0, 2};
  w.solid.rigid.push_back(r);
  const Vec3d o = w.scene.domain.min;
  ContactScene s(std::move(w));
  s.setParticles({o + Vec3d{0.01, 0.012, 0.014}, o + Vec3d{0.59, 0.3, 0.3}, o + Vec3d{0.3, 0.3, 0.595}, o + Vec3d{0.37, 0.3, 0.3}});
  s.find();
  EXPECT_EQ(s.featuresOf(0).size(), 3u);  // a corner of the domain
  ASSERT_EQ(s.featuresOf(1).size(), 1u);
  EXPECT_NEAR(s.featuresOf(1)[0].d, 0.01, 1e-6);
  EXPECT_NEAR(s.featuresOf(1)[0].n.x, -1, 1e-6);
  EXPECT_EQ(s.featuresOf(2).size(), 0u);  // the open side
  const auto f = s.featuresOf(3);
  ASSERT_EQ(f.size(), 1u);
  EXPECT_NEAR(f[0].d, 0.02, 1e-6);  // half the short side is 0.05
  EXPECT_NEAR(f[0].n.x, 1, 1e-6);
  const SurfaceInfo info = s.boundary->surface(f[0].surface);
  EXPECT_EQ(info.rigid, 0);
  EXPECT_EQ(info.owner, SurfaceOwner::fixed);  // no mass, no motion
  const Vec3f v = s.boundary->surfaceVelocity(f[0].surface, {0.35f, 0.3f, 0.3f});
  EXPECT_NEAR(v.x, 1, 1e-5);
  EXPECT_NEAR(v.y, 0.1, 1e-5);  // omega x r = 2 * 0.05
}

// Two sheets that meet in a wedge: between them both are seen, outside only the near one.
TEST(Features, WhatStandsBehindASheetIsNotSeen) {
  World w = emptyWorld({0.8, 0.8, 0.4}, false);
  const Mesh flat = sheet({0.2, 0.2, 0.2}, {0.4, 0, 0}, {0, 0.4, 0}, 10, 10);
  const double a = 50 * 3.14159265358979 / 180;
  const Mesh leaning = sheet({0.4, 0.2, 0.201}, {0.2 * std::cos(a), 0, 0.2 * std::sin(a)}, {0, 0.4, 0}, 5, 10);
  addSurface(w, SolidKind::cloth, false, true, flat.x, flat.tri);
  addSurface(w, SolidKind::cloth, false, true, leaning.x, leaning.tri);
  ContactScene s(std::move(w));
  s.setParticles({Vec3d{0.43, 0.403, 0.2 + 0.6 * kDx}, Vec3d{0.41, 0.403, 0.2 - 0.6 * kDx}});
  s.find();
  const auto inside = s.featuresOf(0);
  ASSERT_EQ(inside.size(), 2u);  // under the leaning sheet, over the flat one
  EXPECT_LT(dot(inside[0].n, inside[1].n), 0.7f);
  EXPECT_EQ(s.featuresOf(1).size(), 1u);  // below the flat sheet; the leaning one is behind it
}

TEST(WindingNumber, InsideOneOutsideZero) {
  World w = emptyWorld({1, 1, 1}, false);
  const Mesh m = sphereMesh({0.5, 0.5, 0.5}, 0.3, 6);
  addSurface(w, SolidKind::soft, true, false, m.x, m.tri);
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Vec3d p = random.vector(0, 1);
    const double r = norm(p - Vec3d{0.5, 0.5, 0.5});
    if (r > 0.27 && r < 0.3) continue;  // between the facets and the sphere
    EXPECT_NEAR(windingNumber(w.solid, 0, Index(w.solid.tri.size() / 3), p), r < 0.3 ? 1 : 0, 1e-9);
  }
}

}  // namespace
}  // namespace meniscus
