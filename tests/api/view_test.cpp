// What pictures need of a scene: its definition, surfaces, look and cameras.
#include <cmath>
#include <string>
#include <vector>

#include "tests/api/body_fixture.h"
#include "tests/shared/temporary_folder.h"

namespace {

class View : public BodyTest {
 protected:
  struct Surface {
    std::vector<float> x, n;  // 4 a point
    std::vector<std::int32_t> tri;
    std::size_t points() const { return x.size() / 4; }
  };
  Surface surface(mnsScene* scene, mnsBodyId body) {
    Surface s;
    mnsView v{};
    EXPECT_OK(mnsBody_GetArray(scene, body, MNS_SURFACE_POSITION, &v));
    EXPECT_EQ(v.format, MNS_FORMAT_FLOAT4);
    s.x.assign(static_cast<const float*>(v.data), static_cast<const float*>(v.data) + 4 * v.count);
    EXPECT_OK(mnsBody_GetArray(scene, body, MNS_SURFACE_NORMAL, &v));
    s.n.assign(static_cast<const float*>(v.data), static_cast<const float*>(v.data) + 4 * v.count);
    EXPECT_OK(mnsBody_GetArray(scene, body, MNS_SURFACE_TRIANGLES, &v));
    EXPECT_EQ(v.format, MNS_FORMAT_INT32X3);
    s.tri.assign(static_cast<const std::int32_t*>(v.data), static_cast<const std::int32_t*>(v.data) + 3 * v.count);
    return s;
  }
  // By the divergence theorem: positive where the triangles wind outward.
  static double volume(const Surface& s) {
    double sum = 0;
    for (std::size_t t = 0; t < s.tri.size(); t += 3) {
      const float *a = &s.x[4 * std::size_t(s.tri[t])], *b = &s.x[4 * std::size_t(s.tri[t + 1])],
                  *c = &s.x[4 * std::size_t(s.tri[t + 2])];
      sum += double(a[0]) * (double(b[1]) * c[2] - double(b[2]) * c[1]) +
             double(a[1]) * (double(b[2]) * c[0] - double(b[0]) * c[2]) +
             double(a[2]) * (double(b[0]) * c[1] - double(b[1]) * c[0]);
    }
    return sum / 6;
  }
};

TEST_F(View, ABallIsSmooth) {
  mnsScene* scene = emptySpace();
  mnsBodyId ball{};
  ASSERT_OK(createBall(scene, "ball", {0.1, 0.05, 0.1}, &ball));
  ASSERT_OK(mnsScene_Start(scene));
  const Surface s = surface(scene, ball);
  // 32 segments by 16: less than the sphere by 2 %
  EXPECT_NEAR(volume(s), 4.0 / 3 * 3.14159265 * 8e-6, 0.7e-6);
  ASSERT_GT(s.points(), 400u);
  for (std::size_t k = 0; k < s.points(); ++k) {
    const double d[3] = {s.x[4 * k] - 0.1, s.x[4 * k + 1] - 0.05, s.x[4 * k + 2] - 0.1};
    EXPECT_NEAR(std::hypot(d[0], d[1], d[2]), 0.02, 1e-6);
    EXPECT_GT((d[0] * s.n[4 * k] + d[1] * s.n[4 * k + 1] + d[2] * s.n[4 * k + 2]) / 0.02, 0.99);
  }
}

// Each side of an edge has points of its own, and they turn and move with the body.
TEST_F(View, ABoxHasEdges) {
  mnsScene* scene = emptySpace();
  const mnsShape shape = mnsBoxShape(0.02, 0.03, 0.04);
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = MNS_BODY_RIGID;
  def.shape = &shape;
  def.position = {0.1, 0.05, 0.1};
  mnsBodyId box{};
  ASSERT_OK(mnsCreateBody(scene, &def, &box));
  ASSERT_OK(mnsScene_Start(scene));
  Surface s = surface(scene, box);
  EXPECT_EQ(s.points(), 24u);
  EXPECT_EQ(s.tri.size(), 36u);
  EXPECT_NEAR(volume(s), 24e-6, 1e-10);
  const double h = std::sqrt(0.5);
  ASSERT_OK(mnsBody_SetTransform(scene, box, {0.05, 0.05, 0.1}, {h, 0, 0, h}));  // a quarter turn about x
  s = surface(scene, box);
  float low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
  for (std::size_t k = 0; k < s.points(); ++k) {
    int axes = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], s.x[4 * k + c]);
      high[c] = std::max(high[c], s.x[4 * k + c]);
      axes += std::fabs(std::fabs(s.n[4 * k + c]) - 1) < 1e-6;
    }
    EXPECT_EQ(axes, 1);
  }
  EXPECT_NEAR(high[0] - low[0], 0.02, 1e-6);
  EXPECT_NEAR(high[1] - low[1], 0.04, 1e-6);
  EXPECT_NEAR(high[2] - low[2], 0.03, 1e-6);
  EXPECT_NEAR(0.5 * (high[0] + low[0]), 0.05, 1e-6);
}

TEST_F(View, OfADeformableBodyItsNodes) {
  mnsScene* scene = emptySpace();
  mnsBodyId cloth{};
  ASSERT_OK(createCloth(scene, "cloth", {0.1, 0.05, 0.1}, &cloth));
  ASSERT_OK(mnsScene_Start(scene));
  const Surface s = surface(scene, cloth);
  EXPECT_EQ(s.points(), 16u);
  EXPECT_EQ(s.tri.size(), 54u);
  for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(std::fabs(s.n[4 * k + 2]), 1, 1e-6);
}

TEST_F(View, TheDefinitionAsItIsNow) {
  mnsSceneDef given = tankDef();
  given.openSides = MNS_SIDE_MAX_X | MNS_SIDE_MAX_Z;
  given.duration = 3.5;
  given.xsph = 0.05;
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &given, &scene));
  ASSERT_OK(mnsScene_SetValue(scene, "gravity.z", -1.6));
  mnsSceneDef now = mnsDefaultSceneDef();
  ASSERT_OK(mnsScene_GetDef(scene, &now));
  EXPECT_STREQ(now.name, "tank");
  EXPECT_EQ(now.openSides, given.openSides);
  EXPECT_EQ(now.duration, 3.5);
  EXPECT_EQ(now.xsph, 0.05);
  EXPECT_EQ(now.spacing, given.spacing);
  EXPECT_EQ(now.domain.max.x, given.domain.max.x);
  EXPECT_EQ(now.maxParticles, given.maxParticles);
  EXPECT_EQ(now.gravity.z, -1.6);
  // a scene that is made of it is the same one
  now.name = "copy";
  mnsScene* copy = nullptr;
  ASSERT_OK(mnsCreateScene(context, &now, &copy));
  mnsSceneDef again = mnsDefaultSceneDef();
  ASSERT_OK(mnsScene_GetDef(copy, &again));
  EXPECT_EQ(again.gravity.z, -1.6);
  EXPECT_EQ(again.tolerance, now.tolerance);
  again.structSize = 0;
  EXPECT_EQ(mnsScene_GetDef(copy, &again), MNS_ERROR_INVALID_ARGUMENT);
  given.duration = 0;
  EXPECT_EQ(mnsCreateScene(context, &given, &copy), MNS_ERROR_INVALID_ARGUMENT);
}

TEST_F(View, LookAndCamerasAreSavedWithTheScene) {
  const meniscus::testing::TemporaryFolder folder;
  const std::string path = folder / "seen.json";
  mnsScene* scene = tankWithBall();
  mnsCamera camera{};
  EXPECT_EQ(mnsScene_GetCamera(scene, 0, &camera), MNS_ERROR_NOT_FOUND);
  const mnsCamera cameras[] = {{0, {1, 0, 0}, {0, 0, 0}, 40}, {1, {2, 1, 0}, {0, 0, 0.1}, 60}, {3, {4, 1, 0}, {0, 0, 0.1}, 60}};
  ASSERT_OK(mnsScene_SetCameras(scene, cameras, 3));
  mnsLook look{};
  look.structSize = sizeof look;
  ASSERT_OK(mnsScene_GetLook(scene, &look));
  EXPECT_EQ(look.fluid, MNS_FLUID_SURFACE);
  EXPECT_TRUE(look.shadows && look.tank && !look.sky && !look.dark && !look.stretch);
  EXPECT_EQ(look.sheetOpacity, 1);
  look.fluid = MNS_FLUID_SPHERES;
  look.colour = MNS_COLOUR_VORTICITY;
  look.low = -1;
  look.high = 5;
  look.sheetOpacity = 0.5;
  look.dark = look.stretch = true;
  ASSERT_OK(mnsScene_SetLook(scene, &look));
  ASSERT_OK(mnsScene_Save(scene, path.c_str()));

  mnsScene* loaded = nullptr;
  ASSERT_OK(mnsLoadScene(context, path.c_str(), &loaded));
  mnsLook back{};
  back.structSize = sizeof back;
  ASSERT_OK(mnsScene_GetLook(loaded, &back));
  EXPECT_EQ(back.fluid, MNS_FLUID_SPHERES);
  EXPECT_EQ(back.colour, MNS_COLOUR_VORTICITY);
  EXPECT_EQ(back.low, -1);
  EXPECT_EQ(back.high, 5);
  EXPECT_EQ(back.sheetOpacity, 0.5);
  EXPECT_TRUE(back.dark && back.stretch && back.shadows);
  // still before the first and after the last, and through each at its time
  for (const mnsCamera& c : cameras) {
    ASSERT_OK(mnsScene_GetCamera(loaded, c.time, &camera));
    EXPECT_NEAR(camera.eye.x, c.eye.x, 1e-12);
    EXPECT_NEAR(camera.fieldOfView, c.fieldOfView, 1e-12);
  }
  ASSERT_OK(mnsScene_GetCamera(loaded, 9, &camera));
  EXPECT_EQ(camera.eye.x, 4);
  // cubic Hermite in the first second: level at the start, of slope (4 - 1) / 3 at its end; half way (1 + 2) / 2 - 1/8
  ASSERT_OK(mnsScene_GetCamera(loaded, 0.5, &camera));
  EXPECT_NEAR(camera.eye.x, 1.375, 1e-12);
}

TEST_F(View, RefusesWhatCannotBeSeen) {
  mnsScene* scene = tankWithBall();
  mnsCamera c{0, {1, 0, 0}, {1, 0, 0}, 40};
  EXPECT_EQ(mnsScene_SetCameras(scene, &c, 1), MNS_ERROR_INVALID_ARGUMENT);
  c.target = {0, 0, 0};
  c.fieldOfView = 180;
  EXPECT_EQ(mnsScene_SetCameras(scene, &c, 1), MNS_ERROR_INVALID_ARGUMENT);
  c.fieldOfView = 40;
  const mnsCamera twice[] = {c, c};
  EXPECT_EQ(mnsScene_SetCameras(scene, twice, 2), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetCameras(scene, nullptr, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetCameras(scene, nullptr, -1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetCamera(scene, 0, &c), MNS_ERROR_NOT_FOUND);
  mnsLook look{};
  EXPECT_EQ(mnsScene_GetLook(scene, &look), MNS_ERROR_INVALID_ARGUMENT);  // structSize is not set
  look.structSize = sizeof look;
  ASSERT_OK(mnsScene_GetLook(scene, &look));
  look.sheetOpacity = std::nan("");
  EXPECT_EQ(mnsScene_SetLook(scene, &look), MNS_ERROR_INVALID_ARGUMENT);
  look.sheetOpacity = 1;
  look.colour = mnsFluidColour(99);
  EXPECT_EQ(mnsScene_SetLook(scene, &look), MNS_ERROR_INVALID_ARGUMENT);
}

TEST_F(View, TheShapeOfABody) {
  mnsScene* scene = emptySpace();
  mnsShape cup = mnsSphereShape(0.03);
  cup.container = true;
  mnsBodyDef def = mnsDefaultBodyDef();
  def.shape = &cup;
  def.position = {0.1, 0.05, 0.1};
  mnsBodyId body{};
  ASSERT_OK(mnsCreateBody(scene, &def, &body));
  mnsShape shape = mnsDefaultShape();
  ASSERT_OK(mnsBody_GetShape(scene, body, &shape));
  EXPECT_EQ(shape.kind, MNS_SHAPE_SPHERE);
  EXPECT_EQ(shape.radius, 0.03);
  EXPECT_EQ(shape.scale, 1);
  EXPECT_TRUE(shape.container);
  EXPECT_EQ(shape.file, nullptr);
  EXPECT_EQ(mnsBody_GetShape(scene, mnsBodyId{0, 0, 0}, &shape), MNS_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mnsBody_GetShape(scene, body, nullptr), MNS_ERROR_INVALID_ARGUMENT);
}

}  // namespace
