// Parameters: found by name, kept in bounds, and felt by the motion.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

class Parameters : public ApiTest {
 protected:
  mnsBodyId add(const char* name, mnsBodyKind kind, const mnsShape& shape, const mnsMaterial& material, mnsVec3 position,
                double pressure = 0) {
    mnsBodyDef def = mnsDefaultBodyDef();
    def.name = name;
    def.kind = kind;
    def.shape = &shape;
    def.material = &material;
    def.position = position;
    def.pressure = pressure;
    mnsBodyId id{};
    EXPECT_OK(mnsCreateBody(scene, &def, &id));
    return id;
  }
  static mnsMaterial skin() {
    mnsMaterial m = mnsDefaultMaterial();
    m.arealDensity = 0.2;
    m.stretch = {MNS_RESISTANCE_COMPLIANCE, 1e-5, 0.001};
    return m;
  }
  // One of every kind, so that every parameter there is is there.
  void everything() {
    scene = emptyTank();
    const mnsFluidId water = addWater(scene, 0.02);
    addBall(scene, 500, {0.03, 0.03, 0.06});
    mnsEmitterDef tap = mnsDefaultEmitterDef();
    tap.name = "tap";
    tap.fluid = water;
    tap.radius = 0.015;
    tap.position = {0.15, 0.08, 0.18};
    tap.rotation = {1, 0, 0, 0};
    tap.speed = 0.5;
    mnsEmitterId e{};
    ASSERT_OK(mnsCreateEmitter(scene, &tap, &e));
    mnsDrainDef sink = mnsDefaultDrainDef();
    sink.name = "sink";
    sink.radius = 0.02;
    sink.position = {0.15, 0.05, 0.005};
    mnsDrainId d{};
    ASSERT_OK(mnsCreateDrain(scene, &sink, &d));
    mnsMaterial cloth = skin();
    cloth.shear = cloth.bend = {MNS_RESISTANCE_COMPLIANCE, 0.01, 0};
    add("cloth", MNS_BODY_CLOTH, mnsSheetShape(0.06, 0.06), cloth, {0.05, 0.05, 0.12});
    mnsMaterial plain = skin();
    plain.stretch = {MNS_RESISTANCE_STIFFNESS, 0.9, 0};
    plain.shear = plain.bend = plain.volume = {MNS_RESISTANCE_STIFFNESS, 0.5, 0};
    add("plain", MNS_BODY_INFLATABLE, mnsSphereShape(0.02), plain, {0.11, 0.03, 0.06});
    mnsMaterial rubber = mnsDefaultMaterial();
    rubber.arealDensity = 0.2;
    rubber.youngsModulus = 1e6;
    rubber.thickness = 2e-4;
    add("gas", MNS_BODY_INFLATABLE, mnsSphereShape(0.02), rubber, {0.16, 0.03, 0.06}, 100);
    const float x[] = {0, 0, 0, 0.04f, 0, 0, 0, 0.04f, 0, 0, 0, 0.04f};
    const std::int32_t tet[] = {0, 1, 2, 3};
    mnsShape lump = mnsDefaultShape();
    lump.kind = MNS_SHAPE_MESH;
    lump.vertices = x;
    lump.vertexCount = 4;
    lump.tetrahedra = tet;
    lump.tetrahedronCount = 1;
    mnsMaterial soft = mnsDefaultMaterial();
    soft.youngsModulus = 1e4;
    add("soft", MNS_BODY_SOFT, lump, soft, {0.1, 0.05, 0.1});
    mnsMaterial sponge = mnsDefaultMaterial();
    sponge.stretch = sponge.volume = {MNS_RESISTANCE_COMPLIANCE, 1e-4, 0};
    add("sponge", MNS_BODY_SOFT, lump, sponge, {0.1, 0.05, 0.15});
  }
  std::vector<mnsParameter> all() {
    std::int32_t n = 0;
    EXPECT_OK(mnsScene_GetParameterCount(scene, &n));
    std::vector<mnsParameter> list(std::size_t(n), mnsParameter{});
    for (std::int32_t k = 0; k < n; ++k) {
      list[std::size_t(k)].structSize = sizeof(mnsParameter);
      EXPECT_OK(mnsScene_GetParameter(scene, k, &list[std::size_t(k)]));
    }
    return list;
  }
  double value(const char* name) {
    double v = NAN;
    EXPECT_OK(mnsScene_GetValue(scene, name, &v));
    return v;
  }
  mnsParameter find(const char* name) {
    mnsParameter p{};
    p.structSize = sizeof p;
    EXPECT_OK(mnsScene_FindParameter(scene, name, &p));
    return p;
  }
  void roundTrip() {
    std::set<std::string> names;
    for (const mnsParameter& p : all()) {
      SCOPED_TRACE(p.name);
      EXPECT_TRUE(names.insert(p.name).second);
      EXPECT_NE(std::string(p.help), "");
      EXPECT_EQ(value(p.name), p.value);
      EXPECT_EQ(p.initial, p.value);
      EXPECT_LE(p.min, p.low);
      if (!p.logarithmic || p.value > 0) {  // a logarithmic scale has no zero
        EXPECT_LE(p.low, p.value);
      }
      EXPECT_LE(p.value, p.high);
      EXPECT_LE(p.high, p.max);
      EXPECT_LT(p.low, p.high);
      double v = p.logarithmic && p.low > 0 ? std::sqrt(p.low * p.high) : 0.5 * (p.low + p.high);
      if (p.integer) v = std::round(v);
      if (v == p.value) v = p.high;
      ASSERT_OK(mnsScene_SetValue(scene, p.name, v));
      const mnsParameter now = find(p.name);
      EXPECT_EQ(now.value, v);
      EXPECT_EQ(now.initial, p.value);
      EXPECT_EQ(value(p.name), v);
      EXPECT_EQ(mnsScene_SetValue(scene, p.name, NAN), MNS_ERROR_INVALID_ARGUMENT);
      EXPECT_EQ(mnsScene_SetValue(scene, p.name, HUGE_VAL), MNS_ERROR_INVALID_ARGUMENT);
      EXPECT_EQ(mnsScene_SetValue(scene, p.name, p.max * (p.max > 0 ? 2 : 0.5) + 1), MNS_ERROR_INVALID_ARGUMENT);
      EXPECT_EQ(value(p.name), v);
      ASSERT_OK(mnsScene_SetValue(scene, p.name, p.value));
      EXPECT_EQ(value(p.name), p.value);
    }
    for (const char* name : {"gravity.x",
                             "gravity.z",
                             "solver.cfl",
                             "solver.max_iterations",
                             "solver.contact_distance",
                             "domain.friction",
                             "fluids.water.viscosity",
                             "fluids.water.surface_tension",
                             "fluids.water.density",
                             "emitters.tap.speed",
                             "drains.sink.rate",
                             "solids.ball.friction",
                             "solids.ball.restitution",
                             "solids.cloth.stretch.compliance",
                             "solids.cloth.stretch.damping",
                             "solids.cloth.shear.compliance",
                             "solids.cloth.bend.compliance",
                             "solids.plain.stretch.stiffness",
                             "solids.plain.bend.stiffness",
                             "solids.plain.volume.stiffness",
                             "solids.gas.youngs_modulus",
                             "solids.gas.pressure",
                             "solids.soft.youngs_modulus",
                             "solids.soft.poisson_ratio",
                             "solids.sponge.stretch.compliance",
                             "solids.sponge.volume.compliance"})
      EXPECT_EQ(names.count(name), 1u) << name;
    // what would do nothing is not there
    for (const char* name : {"solids.ball.stretch.compliance", "solids.cloth.stretch.stiffness", "solids.gas.volume.compliance",
                             "solids.soft.stretch.compliance", "solids.cloth.youngs_modulus", "solids.plain.pressure"})
      EXPECT_EQ(names.count(name), 0u) << name;
  }

  mnsScene* scene = nullptr;
};

TEST_F(Parameters, EveryOneRoundTripsBeforeTheStart) {
  everything();
  roundTrip();
}

TEST_F(Parameters, EveryOneRoundTripsInARunningScene) {
  everything();
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  roundTrip();
  EXPECT_OK(mnsScene_Step(scene, 0.002));
}

// Put back to what they were, all of them leave the scene as one that nobody touched, to the last bit.
TEST_F(Parameters, PutBackTheyLeaveNoTrace) {
  everything();
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  mnsScene* const touched = scene;
  roundTrip();
  everything();
  ASSERT_OK(mnsScene_Step(scene, 0.002));
  for (int k = 0; k < 3; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.002));
    ASSERT_OK(mnsScene_Step(touched, 0.002));
  }
  mnsView a{}, b{};
  ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &a));
  ASSERT_OK(mnsScene_GetParticles(touched, MNS_PARTICLE_VELOCITY, &b));
  ASSERT_EQ(a.count, b.count);
  EXPECT_EQ(std::memcmp(a.data, b.data, std::size_t(16 * a.count)), 0);
  for (const char* name : {"cloth", "plain", "gas", "soft", "sponge"}) {
    mnsBodyId one{}, other{};
    ASSERT_OK(mnsScene_FindBody(scene, name, &one));
    ASSERT_OK(mnsScene_FindBody(touched, name, &other));
    ASSERT_OK(mnsBody_GetArray(scene, one, MNS_NODE_VELOCITY, &a));
    ASSERT_OK(mnsBody_GetArray(touched, other, MNS_NODE_VELOCITY, &b));
    ASSERT_EQ(a.count, b.count);
    EXPECT_EQ(std::memcmp(a.data, b.data, std::size_t(16 * a.count)), 0) << name;
  }
}

TEST_F(Parameters, SayWhatTheyAreAndWhatIsWrong) {
  everything();
  EXPECT_STREQ(find("fluids.water.viscosity").unit, "m^2/s");
  EXPECT_STREQ(find("fluids.water.surface_tension").unit, "N/m");
  EXPECT_STREQ(find("gravity.z").unit, "m/s^2");
  EXPECT_STREQ(find("solids.cloth.stretch.compliance").unit, "m/N");
  EXPECT_STREQ(find("solids.cloth.bend.compliance").unit, "rad^2/J");
  EXPECT_STREQ(find("solids.sponge.volume.compliance").unit, "1/Pa");
  EXPECT_STREQ(find("solver.cfl").unit, "");
  EXPECT_TRUE(find("solver.max_substeps").integer);
  EXPECT_EQ(find("solver.density_correction").max, 1);
  const std::string help = find("solver.xsph").help;
  EXPECT_EQ(help.back(), '.') << help;  // whole sentences
  double v = 0;
  EXPECT_EQ(mnsScene_GetValue(scene, "fluids.watr.viscosity", &v), MNS_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(mnsGetLastError()).find("did you mean \"fluids.water.viscosity\"?"), std::string::npos);
  EXPECT_EQ(mnsScene_SetValue(scene, "", 1), MNS_ERROR_NOT_FOUND);
  EXPECT_EQ(mnsScene_SetValue(scene, "solids.cloth", 1), MNS_ERROR_NOT_FOUND);
  EXPECT_EQ(mnsScene_SetValue(scene, "solver.xsph", 0.3), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mnsGetLastError()).find("must be in [0, 0.2]"), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(mnsScene_SetValue(scene, "solver.max_substeps", 1.5), MNS_ERROR_INVALID_ARGUMENT);
  mnsParameter p{};
  EXPECT_EQ(mnsScene_GetParameter(scene, 0, &p), MNS_ERROR_INVALID_ARGUMENT);  // without its size
  p.structSize = sizeof p;
  EXPECT_EQ(mnsScene_GetParameter(scene, -1, &p), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetParameter(scene, 100000, &p), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetParameter(scene, 0, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_FindParameter(scene, nullptr, &p), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetParameterCount(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetValue(scene, "gravity.z", nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetValue(scene, nullptr, 1), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetValue(nullptr, "gravity.z", 1), MNS_ERROR_INVALID_HANDLE);
}

// What the start would refuse, a running scene refuses: .01 s of 1e6 m/s^2 are more than 64 sub-steps resolve.
TEST_F(Parameters, OfARunningSceneAreCheckedTogether) {
  everything();
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_EQ(mnsScene_SetValue(scene, "gravity.z", -1e6), MNS_ERROR_SCENE);
  EXPECT_EQ(value("gravity.z"), -9.81);
  EXPECT_EQ(find("gravity.z").initial, -9.81);
  EXPECT_EQ(mnsScene_SetValue(scene, "fluids.water.viscosity", 1e5), MNS_ERROR_SCENE);
  EXPECT_EQ(value("fluids.water.viscosity"), 0);
  EXPECT_EQ(mnsScene_SetValue(scene, "fluids.water.surface_tension", 1e6), MNS_ERROR_SCENE);
  EXPECT_EQ(value("fluids.water.surface_tension"), 0);
  EXPECT_EQ(mnsScene_SetValue(scene, "emitters.tap.speed", 1000), MNS_ERROR_SCENE);
  EXPECT_EQ(value("emitters.tap.speed"), 0.5);
}

// A drop in free fall gains g dt in a step, whatever g is now.
TEST_F(Parameters, GravityMovesADrop) {
  scene = emptyTank();
  const mnsFluidId water = addWater(scene, 0.02);
  ASSERT_OK(mnsScene_SetValue(scene, "gravity.z", -3));
  ASSERT_OK(mnsScene_Start(scene));
  const float x[] = {0.1f, 0.05f, 0.15f};
  const mnsView at = mnsHostView(x, MNS_FORMAT_FLOAT3, 1);
  ASSERT_OK(mnsScene_EmitParticles(scene, water, &at, nullptr, nullptr));
  const auto velocity = [&](int axis) {
    mnsView v{};
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &v));
    return double(static_cast<const float*>(v.data)[4 * (v.count - 1) + axis]);
  };
  ASSERT_OK(mnsScene_Step(scene, 0.01));
  EXPECT_NEAR(velocity(2), -0.03, 1e-6);
  ASSERT_OK(mnsScene_SetValue(scene, "gravity.z", 1.62));
  ASSERT_OK(mnsScene_SetValue(scene, "gravity.x", 2));
  ASSERT_OK(mnsScene_Step(scene, 0.01));
  EXPECT_NEAR(velocity(2), -0.03 + 0.0162, 1e-6);
  EXPECT_NEAR(velocity(0), 0.02, 1e-6);
}

// A shear flow u = .2 cos(k z) of wave number k = pi / .06 m loses its energy at the rate 2 nu k^2: with 1e-2 m^2/s two thirds of
// it in .02 s, while water keeps most.
TEST_F(Parameters, ViscosityBrakesShear) {
  double energy[2];
  for (int run = 0; run < 2; ++run) {
    scene = emptyTank();
    addWater(scene);
    ASSERT_OK(mnsScene_Start(scene));
    ASSERT_OK(mnsScene_SetValue(scene, "fluids.water.viscosity", run ? 1e-2 : 0));
    mnsView x{}, v{};
    ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &x));
    std::vector<float> u(std::size_t(3 * x.count), 0.f);
    std::vector<std::uint32_t> ids(std::size_t(x.count), 0u);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ids[k] = std::uint32_t(k);
      u[3 * k] = 0.2f * std::cos(3.14159f / 0.06f * static_cast<const float*>(x.data)[4 * k + 2]);
    }
    const mnsView given = mnsHostView(u.data(), MNS_FORMAT_FLOAT3, x.count);
    ASSERT_OK(mnsScene_SetParticleVelocities(scene, ids.data(), std::int32_t(x.count), &given));
    for (int k = 0; k < 10; ++k) ASSERT_OK(mnsScene_Step(scene, 0.002));
    ASSERT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &v));
    energy[run] = 0;
    for (std::int64_t k = 0; k < v.count; ++k) energy[run] += std::pow(static_cast<const float*>(v.data)[4 * k], 2);
  }
  EXPECT_LT(energy[1], 0.5 * energy[0]);
  EXPECT_GT(energy[1], 0.1 * energy[0]);
}

// A sheet held at its upper rim stretches under its own weight in proportion to the compliance of its edges.
TEST_F(Parameters, SagGrowsWithCompliance) {
  mnsSceneDef def = tankDef();
  def.constraintIterations = 40;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  mnsShape sheet = mnsSheetShape(0.05, 0.05);
  sheet.resolution = 0.01;
  mnsMaterial m = skin();
  m.stretch = {MNS_RESISTANCE_COMPLIANCE, 0.1, 0.02};
  mnsPin pin{};
  pin.kind = MNS_PIN_BOX;
  pin.box.min = {0, 0, 0.124};
  pin.box.max = {0.2, 0.1, 0.13};
  mnsBodyDef body = mnsDefaultBodyDef();
  body.name = "cloth";
  body.kind = MNS_BODY_CLOTH;
  body.shape = &sheet;
  body.material = &m;
  body.position = {0.1, 0.05, 0.1};
  body.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  body.pins = &pin;
  body.pinCount = 1;
  mnsBodyId cloth{};
  ASSERT_OK(mnsCreateBody(scene, &body, &cloth));
  const auto sag = [&](double compliance) {
    EXPECT_OK(mnsScene_SetValue(scene, "solids.cloth.stretch.compliance", compliance));
    for (int k = 0; k < 150; ++k) EXPECT_OK(mnsScene_Step(scene, 0.01));
    mnsView x{};
    EXPECT_OK(mnsBody_GetArray(scene, cloth, MNS_NODE_POSITION, &x));
    float lowest = 1;
    for (std::int64_t k = 0; k < x.count; ++k) lowest = std::min(lowest, static_cast<const float*>(x.data)[4 * k + 2]);
    return 0.075 - double(lowest);
  };
  const double little = sag(0.1), much = sag(1), again = sag(0.1);
  // five edges below each other, of which one carries .9, the next .7 ... of what hangs on it: a fifth of the weight of 4.9 mN in
  // an inner column, 2.45e-4 m in all if the diagonals carried nothing, and half of it if they carried as much as they can
  EXPECT_GT(little, 1.2e-4);
  EXPECT_LT(little, 2.45e-4);
  EXPECT_NEAR(much / little, 10, 2);
  EXPECT_NEAR(again / little, 1, 0.1);
}

// A body's bounce: the restitution set last counts.
TEST_F(Parameters, RestitutionBounces) {
  double up[2];
  for (int run = 0; run < 2; ++run) {
    scene = emptyTank();
    mnsShape sphere = mnsSphereShape(0.02);
    sphere.resolution = 0.01;
    const mnsBodyId ball = add("ball", MNS_BODY_RIGID, sphere, mnsDefaultMaterial(), {0.1, 0.05, 0.06});
    ASSERT_OK(mnsScene_Start(scene));
    ASSERT_OK(mnsScene_SetValue(scene, "solids.ball.restitution", run ? 0.8 : 0));
    up[run] = 0;
    for (int k = 0; k < 100; ++k) {
      ASSERT_OK(mnsScene_Step(scene, 0.002));
      mnsView v{};
      ASSERT_OK(mnsBody_GetArray(scene, ball, MNS_NODE_VELOCITY, &v));
      double mean = 0;
      for (std::int64_t i = 0; i < v.count; ++i) mean += double(static_cast<const float*>(v.data)[4 * i + 2]) / double(v.count);
      up[run] = std::max(up[run], mean);
    }
  }
  // from .04 m it comes down at .89 m/s
  EXPECT_LT(up[0], 0.1);
  EXPECT_NEAR(up[1], 0.8 * 0.89, 0.1);
}

}  // namespace
