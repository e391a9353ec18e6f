// Rays, spheres and samples against closed forms.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

constexpr double kPi = 3.14159265358979323846;

class Query : public ApiTest {
 protected:
  // A tank of .1 x .1 x .3 m, water .2 m deep on a lattice of 10 mm: particles at 5, 15, 25 ... mm.
  mnsScene* column(mnsVec3 velocity = {0, 0, 0}) {
    mnsSceneDef def = tankDef();
    def.domain.max = {0.1, 0.1, 0.3};
    def.maxParticles = 0;
    def.settle = false;
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsCreateScene(context, &def, &scene));
    const mnsShape box = mnsBoxShape(0.1, 0.1, 0.2);
    mnsFluidDef water = mnsDefaultFluidDef();
    water.name = "water";
    water.shape = &box;
    water.position = {0.05, 0.05, 0.1};
    water.velocity = velocity;
    mnsFluidId id{};
    EXPECT_OK(mnsCreateFluid(scene, &water, &id));
    return scene;
  }
  static mnsRayHit cast(mnsScene* scene, mnsVec3 origin, mnsVec3 ray, std::uint32_t filter = MNS_QUERY_BODIES) {
    mnsRayHit hit{};
    EXPECT_OK(mnsScene_RayCast(scene, origin, ray, filter, &hit));
    return hit;
  }
  static void expectVec(const mnsVec3& v, double x, double y, double z) {
    EXPECT_NEAR(v.x, x, 1e-6);
    EXPECT_NEAR(v.y, y, 1e-6);
    EXPECT_NEAR(v.z, z, 1e-6);
  }
  static mnsFluidSample sample(mnsScene* scene, float x, float y, float z) {
    const float p[] = {x, y, z};
    const mnsView view = mnsHostView(p, MNS_FORMAT_FLOAT3, 1);
    mnsFluidSample s{};
    EXPECT_OK(mnsScene_SampleFluid(scene, &view, &s, sizeof s));
    return s;
  }
};

TEST_F(Query, RayOnSphere) {
  mnsScene* scene = emptyTank();
  const mnsBodyId ball = addBall(scene);  // radius .02 at (.1, .05, .12)
  ASSERT_OK(mnsScene_Start(scene));
  mnsRayHit hit = cast(scene, {0.1, 0.05, 0.19}, {0, 0, -0.1});
  EXPECT_TRUE(hit.hit);
  EXPECT_FALSE(hit.fluid);
  EXPECT_TRUE(MNS_SAME_ID(hit.body, ball));
  EXPECT_EQ(hit.triangle, -1);
  EXPECT_NEAR(hit.share, 0.5, 1e-9);
  expectVec(hit.position, 0.1, 0.05, 0.14);
  expectVec(hit.normal, 0, 0, 1);
  // half a radius aside: the normal leans by 30 degrees
  hit = cast(scene, {0.11, 0.05, 0.19}, {0, 0, -0.1});
  expectVec(hit.normal, 0.5, 0, std::sqrt(0.75));
  // from inside: the far side, against the ray
  hit = cast(scene, {0.1, 0.05, 0.12}, {0, 0, 0.1});
  EXPECT_NEAR(hit.share, 0.2, 1e-9);
  expectVec(hit.normal, 0, 0, -1);
  // too short, and past it
  EXPECT_FALSE(cast(scene, {0.1, 0.05, 0.19}, {0, 0, -0.049}).hit);
  EXPECT_EQ(cast(scene, {0.1, 0.05, 0.19}, {0, 0, -0.049}).share, 1);
  EXPECT_FALSE(cast(scene, {0.125, 0.05, 0.19}, {0, 0, -0.1}).hit);
}

TEST_F(Query, RayOnWallsIsNobodys) {
  mnsSceneDef def = tankDef();
  def.openSides = MNS_SIDE_MAX_Z;
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  addBall(scene);
  ASSERT_OK(mnsScene_Start(scene));
  const mnsRayHit hit = cast(scene, {0.15, 0.05, 0.05}, {0.2, 0, 0});
  EXPECT_TRUE(hit.hit);
  EXPECT_TRUE(MNS_IS_NULL(hit.body));
  EXPECT_NEAR(hit.share, 0.25, 1e-9);
  expectVec(hit.normal, -1, 0, 0);
  EXPECT_FALSE(cast(scene, {0.15, 0.05, 0.05}, {0, 0, 1}).hit);  // the lid is off
  EXPECT_FALSE(cast(scene, {0.15, 0.05, 0.05}, {0.2, 0, 0}, MNS_QUERY_FLUID).hit);
}

TEST_F(Query, RayOnTurnedPrimitives) {
  mnsScene* scene = emptyTank();
  const double h = std::sqrt(0.5);
  // a cube of 40 mm turned by 45 degrees about y: an edge is up, 20 sqrt 2 mm above its middle
  const mnsBodyId box =
      addStatic(scene, "box", mnsBoxShape(0.04, 0.04, 0.04), {0.05, 0.05, 0.06}, {0, std::sin(kPi / 8), 0, std::cos(kPi / 8)});
  mnsShape can = mnsDefaultShape();
  can.kind = MNS_SHAPE_CYLINDER;
  can.radius = 0.02;
  can.height = 0.04;
  const mnsBodyId lying = addStatic(scene, "can", can, {0.15, 0.05, 0.06}, {h, 0, 0, h});  // its axis along y
  ASSERT_OK(mnsScene_Start(scene));
  mnsRayHit hit = cast(scene, {0.06, 0.05, 0.16}, {0, 0, -0.1});
  EXPECT_TRUE(MNS_SAME_ID(hit.body, box));
  expectVec(hit.position, 0.06, 0.05, 0.06 + 0.02 * std::sqrt(2.0) - 0.01);  // faces fall by 1:1
  expectVec(hit.normal, h, 0, h);
  hit = cast(scene, {0.16, 0.05, 0.16}, {0, 0, -0.1});
  EXPECT_TRUE(MNS_SAME_ID(hit.body, lying));
  expectVec(hit.normal, 0.5, 0, std::sqrt(0.75));
  hit = cast(scene, {0.15, 0.001, 0.06}, {0, 0.05, 0});  // on its flat end, at y = .03
  expectVec(hit.position, 0.15, 0.03, 0.06);
  expectVec(hit.normal, 0, -1, 0);
}

TEST_F(Query, RayOnTriangles) {
  const float vertices[] = {0, 0, 0, .06f, 0, 0, 0, .06f, 0, 0, 0, .06f};
  const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.vertices = vertices;
  shape.vertexCount = 4;
  shape.triangles = triangles;
  shape.triangleCount = 4;
  mnsScene* scene = emptyTank();
  const mnsBodyId wedge = addStatic(scene, "wedge", shape, {0.1, 0.02, 0.02});
  ASSERT_OK(mnsScene_Start(scene));
  // the slanted face x + y + z = .06 over (.02, .02) is at z = .02
  const mnsRayHit hit = cast(scene, {0.12, 0.04, 0.14}, {0, 0, -0.2});
  EXPECT_TRUE(MNS_SAME_ID(hit.body, wedge));
  EXPECT_NEAR(hit.share, 0.5, 1e-6);
  const double third = 1 / std::sqrt(3.0);
  expectVec(hit.normal, third, third, third);
  EXPECT_EQ(hit.triangle, 3);
  mnsView tri{};
  ASSERT_OK(mnsBody_GetArray(scene, wedge, MNS_BODY_TRIANGLES, &tri));
  EXPECT_LT(hit.triangle, tri.count);
}

TEST_F(Query, RayOnClothFromBothSides) {
  mnsScene* scene = emptyTank();
  const mnsShape sheet = mnsSheetShape(0.08, 0.08);
  mnsMaterial material = mnsDefaultMaterial();
  material.arealDensity = 0.2;
  material.stretch = {MNS_RESISTANCE_COMPLIANCE, 1e-5, 0};
  mnsBodyDef def = mnsDefaultBodyDef();
  def.name = "cloth";
  def.kind = MNS_BODY_CLOTH;
  def.shape = &sheet;
  def.material = &material;
  def.position = {0.1, 0.05, 0.1};
  mnsBodyId cloth{};
  ASSERT_OK(mnsCreateBody(scene, &def, &cloth));
  ASSERT_OK(mnsScene_Start(scene));
  for (const double side : {-1.0, 1.0}) {
    const mnsRayHit hit = cast(scene, {0.103, 0.047, 0.1 + 0.05 * side}, {0, 0, -0.2 * side});
    EXPECT_TRUE(MNS_SAME_ID(hit.body, cloth));
    EXPECT_NEAR(hit.share, 0.25, 1e-9);
    expectVec(hit.normal, 0, 0, side);
    EXPECT_GE(hit.triangle, 0);
  }
  // it falls, and the ray finds it where it is
  for (int k = 0; k < 5; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  mnsView nodes{};
  ASSERT_OK(mnsBody_GetArray(scene, cloth, MNS_NODE_POSITION, &nodes));
  const double z = double(static_cast<const float*>(nodes.data)[2]);  // flat: the same for all
  EXPECT_NEAR(cast(scene, {0.103, 0.047, 0.15}, {0, 0, -0.2}).position.z, z, 1e-6);
  EXPECT_LT(z, 0.0985);  // 2 mm in .02 s
}

TEST_F(Query, RayOnParticles) {
  mnsScene* scene = column();
  ASSERT_OK(mnsScene_Start(scene));
  // down the column of particles at x = y = .055: the topmost is at z = .195, half a spacing in radius
  mnsRayHit hit = cast(scene, {0.055, 0.055, 0.25}, {0, 0, -0.2}, MNS_QUERY_FLUID | MNS_QUERY_BODIES);
  ASSERT_TRUE(hit.hit && hit.fluid);
  EXPECT_TRUE(MNS_IS_NULL(hit.body));
  EXPECT_NEAR(hit.share, 0.25, 1e-5);
  EXPECT_NEAR(hit.normal.z, 1, 1e-6);
  mnsView x{}, id{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &x));
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &id));
  const auto* ids = static_cast<const std::uint32_t*>(id.data);
  const auto at = std::find(ids, ids + id.count, hit.particle) - ids;
  ASSERT_LT(at, id.count);
  EXPECT_NEAR(static_cast<const float*>(x.data)[4 * at + 2], 0.195, 1e-6);
  // sideways above the water nothing, through the wall where only fluid counts
  EXPECT_FALSE(cast(scene, {0.05, 0.05, 0.21}, {0.3, 0, 0}, MNS_QUERY_FLUID).hit);
  hit = cast(scene, {0.5, 0.055, 0.055}, {-1, 0, 0}, MNS_QUERY_FLUID);
  EXPECT_NEAR(hit.position.x, 0.1, 1e-6);
  // obliquely: what is met first is nearest of all that the ray meets
  const mnsVec3 o{0.012, 0.021, 0.26}, r{0.06, 0.05, -0.2};
  hit = cast(scene, o, r, MNS_QUERY_FLUID);
  double best = 1;
  const auto* p = static_cast<const float*>(x.data);
  for (std::int64_t k = 0; k < x.count; ++k, p += 4) {
    const double a = o.x - double(p[0]), b = o.y - double(p[1]), c = o.z - double(p[2]);
    const double rr = r.x * r.x + r.y * r.y + r.z * r.z, half = a * r.x + b * r.y + c * r.z;
    const double d = half * half - rr * (a * a + b * b + c * c - 0.005 * 0.005);
    if (d >= 0) best = std::min(best, (-half - std::sqrt(d)) / rr);
  }
  EXPECT_LT(best, 1);
  EXPECT_NEAR(hit.share, best, 1e-6);
}

TEST_F(Query, SpheresFindBodiesAndParticles) {
  mnsScene* scene = tankWithBall();
  mnsBodyId ball{}, found[2] = {};
  ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
  ASSERT_OK(mnsScene_Start(scene));
  std::int32_t bodies = -1, count = -1;
  // deep inside, just touching, just not
  EXPECT_OK(mnsScene_OverlapSphere(scene, {0.1, 0.05, 0.12}, 0.001, found, 2, &bodies, nullptr, 0, nullptr));
  EXPECT_EQ(bodies, 1);
  EXPECT_TRUE(MNS_SAME_ID(found[0], ball));
  EXPECT_OK(mnsScene_OverlapSphere(scene, {0.1, 0.05, 0.15}, 0.0101, nullptr, 0, &bodies, nullptr, 0, nullptr));
  EXPECT_EQ(bodies, 1);
  EXPECT_OK(mnsScene_OverlapSphere(scene, {0.1, 0.05, 0.15}, 0.0099, nullptr, 0, &bodies, nullptr, 0, nullptr));
  EXPECT_EQ(bodies, 0);
  // particles: the same as by looking at all
  const mnsVec3 c{0.07, 0.04, 0.03};
  const double radius = 0.033;
  std::vector<std::uint32_t> ids(2000), expected;
  EXPECT_OK(mnsScene_OverlapSphere(scene, c, radius, nullptr, 0, nullptr, ids.data(), 2000, &count));
  mnsView x{}, id{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &x));
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &id));
  for (std::int64_t k = 0; k < x.count; ++k) {
    const float* p = static_cast<const float*>(x.data) + 4 * k;
    if (std::hypot(double(p[0]) - c.x, double(p[1]) - c.y, double(p[2]) - c.z) <= radius)
      expected.push_back(static_cast<const std::uint32_t*>(id.data)[k]);
  }
  ASSERT_EQ(count, std::int32_t(expected.size()));
  EXPECT_GT(count, 50);
  ids.resize(expected.size());
  EXPECT_EQ(ids, expected);
  ids.assign(2, 77);
  EXPECT_OK(mnsScene_OverlapSphere(scene, c, radius, nullptr, 0, nullptr, ids.data(), 1, &count));
  EXPECT_EQ(count, std::int32_t(expected.size()));
  EXPECT_EQ(ids[1], 77u);
}

TEST_F(Query, FluidThatMovesAsOne) {
  mnsScene* scene = column({1, 0.5, -0.25});
  ASSERT_OK(mnsScene_Start(scene));
  const mnsFluidSample s = sample(scene, 0.043f, 0.052f, 0.101f);
  expectVec(s.velocity, 1, 0.5, -0.25);
  EXPECT_NEAR(s.density, 1000, 1e-9);
  EXPECT_NEAR(s.filled, 1, 0.03);
  const mnsFluidSample air = sample(scene, 0.05f, 0.05f, 0.25f);
  EXPECT_EQ(air.filled, 0);
  EXPECT_EQ(air.density, 0);
  EXPECT_EQ(air.velocity.x, 0);
  // at the surface half of the kernel is in the water
  EXPECT_NEAR(sample(scene, 0.05f, 0.05f, 0.2f).filled, 0.5, 0.05);
}

TEST_F(Query, PressureOfStillWater) {
  mnsScene* scene = column();
  for (int k = 0; k < 50; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  for (const double depth : {0.05, 0.1, 0.15}) {
    const double expected = 1000 * 9.81 * depth;
    EXPECT_NEAR(sample(scene, 0.05f, 0.05f, float(0.2 - depth)).pressure, expected, 0.05 * expected) << depth;
  }
}

TEST_F(Query, BuoyancyOfAProbe) {
  mnsScene* scene = column();
  ASSERT_OK(mnsScene_Start(scene));
  const double r = 0.03, whole = 4.0 / 3 * kPi * r * r * r;
  mnsBuoyancy b{};
  // half in: V / 2, its centre 3 r / 8 below the surface
  ASSERT_OK(mnsScene_ProbeBuoyancy(scene, {0.05, 0.05, 0.2}, r, &b));
  EXPECT_NEAR(b.volume, whole / 2, 0.05 * whole / 2);
  EXPECT_NEAR(b.force.z, 1000 * 9.81 * b.volume, 1e-6 * b.force.z);
  EXPECT_NEAR(b.force.x, 0, 1e-9);
  EXPECT_NEAR(b.center.z, 0.2 - 3 * r / 8, 0.002);
  ASSERT_OK(mnsScene_ProbeBuoyancy(scene, {0.05, 0.05, 0.1}, r, &b));
  EXPECT_NEAR(b.volume, whole, 0.01 * whole);
  ASSERT_OK(mnsScene_ProbeBuoyancy(scene, {0.05, 0.05, 0.26}, r, &b));
  EXPECT_EQ(b.volume, 0);
  EXPECT_EQ(b.force.z, 0);
}

// Spheres around a body of water smaller than they are hold what of the water is nearer than their radius: the share of a fine
// lattice's points. From one in a corner of the water to one that has all of it, and past it.
TEST_F(Query, BuoyancyOfProbesLargerThanTheWater) {
  mnsScene* scene = column({0.5, 0, -1});
  ASSERT_OK(mnsScene_Start(scene));
  constexpr double kWater = 0.1 * 0.1 * 0.2;
  const mnsVec3 centers[] = {{0.05, 0.05, 0.1}, {0.1, 0.1, 0.2}, {-0.3, 0.05, 0.1}};
  for (const mnsVec3& c : centers)
    for (const double r : {0.021, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.35, 0.5, 1.0, 5.0, 1e6}) {
      mnsVec3 middle{};
      double volume = 0;
      constexpr int kAcross = 100;
      constexpr double h = 0.1 / kAcross;
      for (int k = 0; k < 2 * kAcross; ++k)
        for (int j = 0; j < kAcross; ++j)
          for (int i = 0; i < kAcross; ++i) {
            const mnsVec3 x{(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
            if (std::hypot(x.x - c.x, x.y - c.y, x.z - c.z) > r) continue;
            volume += h * h * h;
            middle.x += h * h * h * x.x;
            middle.y += h * h * h * x.y;
            middle.z += h * h * h * x.z;
          }
      mnsBuoyancy b{};
      ASSERT_OK(mnsScene_ProbeBuoyancy(scene, c, r, &b));
      EXPECT_NEAR(b.volume, volume, std::max(0.02 * volume, 2e-3 * kWater)) << "radius " << r << " at " << c.x;
      EXPECT_NEAR(b.force.z, 1000 * 9.81 * b.volume, 1e-6 * b.force.z) << r;
      if (volume < 0.01 * kWater) continue;
      EXPECT_NEAR(b.center.x, middle.x / volume, 0.001) << r;
      EXPECT_NEAR(b.center.y, middle.y / volume, 0.001) << r;
      EXPECT_NEAR(b.center.z, middle.z / volume, 0.001) << r;
      EXPECT_NEAR(b.velocity.x, 0.5, 1e-6) << r;
      EXPECT_NEAR(b.velocity.z, -1, 1e-6) << r;
    }
}

// Where the way of counting changes, at the kernel's radius, the answers agree; and they grow steadily with the radius.
TEST_F(Query, BuoyancyGrowsSteadilyWithTheRadius) {
  mnsScene* scene = column();
  ASSERT_OK(mnsScene_Start(scene));
  for (const mnsVec3& c : {mnsVec3{0.05, 0.05, 0.1}, mnsVec3{0.047, 0.052, 0.2}, mnsVec3{0.05, 0.05, 0.193}}) {
    mnsBuoyancy below{}, above{};
    ASSERT_OK(mnsScene_ProbeBuoyancy(scene, c, 0.02, &below));
    ASSERT_OK(mnsScene_ProbeBuoyancy(scene, c, 0.02 * (1 + 1e-9), &above));
    EXPECT_NEAR(above.volume, below.volume, 0.04 * below.volume) << c.z;
    double before = above.volume;
    for (double r = 0.021; r < 0.4; r += 0.001) {
      ASSERT_OK(mnsScene_ProbeBuoyancy(scene, c, r, &above));
      EXPECT_GE(above.volume, before * (1 - 1e-12)) << r;
      before = above.volume;
    }
  }
}

TEST_F(Query, RefusesWhatMakesNoSense) {
  mnsScene* scene = tankWithBall();
  mnsRayHit hit{};
  mnsBuoyancy b{};
  mnsFluidSample s{};
  std::int32_t count = 0;
  const float p[] = {0, 0, 0, 0};
  mnsView points = mnsHostView(p, MNS_FORMAT_FLOAT4, 1);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 1}, 3, &hit), MNS_ERROR_NOT_STARTED);
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, sizeof s), MNS_ERROR_NOT_STARTED);
  EXPECT_EQ(mnsScene_ProbeBuoyancy(scene, {0, 0, 0}, 1, &b), MNS_ERROR_NOT_STARTED);
  EXPECT_EQ(mnsScene_OverlapSphere(scene, {0, 0, 0}, 1, nullptr, 0, &count, nullptr, 0, nullptr), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  const double nan = std::nan("");
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 1}, 3, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 0}, 3, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {nan, 0, 0}, {0, 0, 1}, 3, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, HUGE_VAL}, 3, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 1e300}, 3, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 1}, 0, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(scene, {0, 0, 0}, {0, 0, 1}, 4, &hit), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_RayCast(nullptr, {0, 0, 0}, {0, 0, 1}, 3, &hit), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsScene_OverlapSphere(scene, {0, 0, 0}, 0, nullptr, 0, &count, nullptr, 0, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_OverlapSphere(scene, {0, 0, 0}, 1, nullptr, -1, &count, nullptr, 0, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  std::uint32_t id = 0;
  EXPECT_EQ(mnsScene_OverlapSphere(scene, {0, 0, 0}, 1, nullptr, 0, nullptr, &id, 1, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_ProbeBuoyancy(scene, {0, 0, 0}, nan, &b), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_ProbeBuoyancy(scene, {0, 0, 0}, 1, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SampleFluid(scene, nullptr, &s, sizeof s), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, nullptr, sizeof s), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, 0), MNS_ERROR_INVALID_ARGUMENT);
  points.stride = 4;
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, sizeof s), MNS_ERROR_INVALID_ARGUMENT);
  points.stride = 0;
  points.format = MNS_FORMAT_INT32;
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, sizeof s), MNS_ERROR_INVALID_ARGUMENT);
  points = mnsHostView(p, MNS_FORMAT_FLOAT4, 1);
  points.memory = MNS_MEMORY_CUDA;
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, sizeof s), MNS_ERROR_DEVICE_MISMATCH);
  const float bad[] = {0, float(nan), 0};
  points = mnsHostView(bad, MNS_FORMAT_FLOAT3, 1);
  EXPECT_EQ(mnsScene_SampleFluid(scene, &points, &s, sizeof s), MNS_ERROR_INVALID_ARGUMENT);
}

}  // namespace
