// Scenes on a grid through the C interface.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"
#include "tests/shared/temporary_folder.h"

namespace {

const std::string kScenes = std::string(MENISCUS_SOURCE_DIR) + "/assets/scenes/";

class GridApiTest : public ApiTest {
 protected:
  mnsScene* load(const std::string& name) {
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsLoadScene(context, (kScenes + name + ".json").c_str(), &scene));
    return scene;
  }
  mnsScene* started(const std::string& name) {
    mnsScene* scene = load(name);
    EXPECT_OK(mnsScene_Start(scene));
    return scene;
  }
  static std::uint64_t hashOf(mnsScene* scene) {
    std::uint64_t hash = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &hash));
    return hash;
  }
  static mnsCoupling couplingOf(mnsScene* scene) {
    mnsCoupling c{};
    c.structSize = sizeof c;
    EXPECT_OK(mnsScene_GetCoupling(scene, &c));
    return c;
  }
  static mnsGrid gridOf(mnsScene* scene) {
    mnsGrid g{};
    g.structSize = sizeof g;
    EXPECT_OK(mnsScene_GetGrid(scene, &g));
    return g;
  }
  static std::vector<float> field(mnsScene* scene, const char* name) {
    mnsView v;
    EXPECT_OK(mnsScene_GetGridArray(scene, name, &v));
    const auto* data = static_cast<const float*>(v.data);
    return {data, data + v.count * v.stride / std::int64_t(sizeof(float))};
  }
};

TEST_F(GridApiTest, TheGridIsDescribedAndItsFieldsAreThere) {
  mnsScene* scene = started("grid-jet-2d");
  const mnsGrid g = gridOf(scene);
  EXPECT_EQ(g.dimension, 2);
  EXPECT_EQ(g.cells[0], 40);
  EXPECT_EQ(g.cells[1], 1);
  EXPECT_EQ(g.cells[2], 60);
  EXPECT_NEAR(g.cellSize, 0.025, 1e-15);
  // a layer about the middle of the domain, which goes from y = -.5 to .5
  EXPECT_NEAR(g.origin.x, 0, 1e-15);
  EXPECT_NEAR(g.origin.y, -0.0125, 1e-15);
  EXPECT_NEAR(g.origin.z, 0, 1e-15);
  std::int32_t count = 0;
  ASSERT_OK(mnsScene_GetGridFieldCount(scene, &count));
  std::vector<std::string> names;
  for (std::int32_t k = 0; k < count; ++k) {
    mnsGridField f{};
    f.structSize = sizeof f;
    ASSERT_OK(mnsScene_GetGridField(scene, k, &f));
    names.push_back(f.name);
    mnsView v;
    ASSERT_OK(mnsScene_GetGridArray(scene, f.name, &v));
    EXPECT_EQ(v.format, f.format) << f.name;
    EXPECT_EQ(v.count, 40 * 60) << f.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"smoke", "velocity", "pressure"}));
  // the jet flows from the start: .5 m/s in through the middle fifth of the lower side, which no other cell of that row exceeds
  const std::vector<float> velocity = field(scene, "velocity");
  EXPECT_NEAR(double(velocity[3 * 20 + 2]), 0.5, 0.1);
  for (std::size_t x = 0; x < 40; ++x) EXPECT_LE(velocity[3 * x + 2], velocity[3 * 20 + 2] + 1e-6f) << x;
  for (std::size_t k = 0; k < velocity.size(); k += 3) ASSERT_EQ(velocity[k + 1], 0) << k;  // along y there is nothing
  mnsView v;
  EXPECT_EQ(mnsScene_GetGridArray(scene, "presure", &v), MNS_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(mnsGetLastError()).find("did you mean \"pressure\"?"), std::string::npos) << mnsGetLastError();
}

// Smoke of density 1 flows in: there is as much of it as has come through the opening.
TEST_F(GridApiTest, StepsBringSmokeAndSayHowTheyWereSolved) {
  mnsScene* scene = load("grid-jet-2d");
  for (int k = 0; k < 4; ++k) ASSERT_OK(mnsScene_Step(scene, 0.05));
  double amount = 0;
  for (const float s : field(scene, "smoke")) amount += double(s) * 0.025 * 0.025;
  EXPECT_NEAR(amount, 0.2 * 0.2 * 0.5, 0.2 * 0.2 * 0.2 * 0.5);  // .2 m wide, .2 s, .5 m/s; advection loses some
  const mnsCoupling c = couplingOf(scene);
  EXPECT_GE(c.fluidSolves, 1);
  EXPECT_LE(c.residual, c.tolerance);
  EXPECT_GT(c.tolerance, 0);
  EXPECT_STREQ(c.stop, "converged");
  EXPECT_GT(c.kineticEnergy, 0);
  EXPECT_GT(c.fluidMomentum.z, 0);
  mnsStatistics s{};
  s.structSize = sizeof s;
  ASSERT_OK(mnsScene_GetStatistics(scene, &s));
  EXPECT_GE(s.steps, 4u);  // and more where steps are cut
  EXPECT_NEAR(s.time, 0.2, 1e-12);
  EXPECT_EQ(s.couplingIterations, c.fluidSolves);
  EXPECT_EQ(s.particles, 0);
  EXPECT_TRUE(s.converged);
  EXPECT_NEAR(s.maxSpeed, 0.5, 0.25);
  EXPECT_GT(s.nodes, 50);
  std::int32_t stages = 0;
  ASSERT_OK(mnsScene_GetStages(scene, nullptr, 0, &stages));
  EXPECT_EQ(stages, 4);
}

// To a host that was made with the interface's first version nothing is written beyond its struct.
TEST_F(GridApiTest, ACouplingOfTheFirstVersionEndsAtItsLastField) {
  mnsScene* scene = started("grid-jet-2d");
  mnsCoupling old{};
  old.structSize = offsetof(mnsCoupling, owedMomentum);
  old.owedMomentum = {7, 7, 7};
  ASSERT_OK(mnsScene_GetCoupling(scene, &old));
  EXPECT_EQ(old.owedMomentum.x, 7);
  EXPECT_EQ(old.nextStep, couplingOf(scene).nextStep);
  EXPECT_EQ(couplingOf(scene).owedMomentum.x, 0);  // before the first step
}

// What flows faster than a step resolves is cut, and the times add up.
TEST_F(GridApiTest, ALongStepIsCutIntoSubSteps) {
  mnsScene* scene = started("grid-jet-2d");
  const double next = couplingOf(scene).nextStep;
  EXPECT_NEAR(next, 0.9 * 0.025 / 0.5, 0.01);  // .9 cells at .5 m/s; the flow is faster beside the cloth
  ASSERT_OK(mnsScene_Step(scene, 0.1));
  mnsStatistics s{};
  s.structSize = sizeof s;
  ASSERT_OK(mnsScene_GetStatistics(scene, &s));
  EXPECT_GE(s.substeps, 3);
  EXPECT_EQ(s.steps, std::uint64_t(s.substeps));
  EXPECT_NEAR(s.time, 0.1, 1e-12);
}

TEST_F(GridApiTest, ASnapshotGoesOnBitByBit) {
  mnsScene* scene = load("grid-plank");
  ASSERT_OK(mnsScene_Step(scene, 0.02));
  std::size_t size = 0;
  ASSERT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
  std::vector<char> bytes(size);
  ASSERT_OK(mnsScene_Snapshot(scene, bytes.data(), size, &size));
  const std::uint64_t before = hashOf(scene);
  ASSERT_OK(mnsScene_Step(scene, 0.02));
  const std::uint64_t after = hashOf(scene);
  EXPECT_NE(before, after);
  mnsScene* other = load("grid-plank");
  for (mnsScene* s : {scene, other}) {  // one that has gone on, and one that has not been started
    ASSERT_OK(mnsScene_Restore(s, bytes.data(), size));
    EXPECT_EQ(hashOf(s), before);
    ASSERT_OK(mnsScene_Step(s, 0.02));
    EXPECT_EQ(hashOf(s), after);
  }
  bytes[size / 2] ^= 1;
  EXPECT_EQ(mnsScene_Restore(scene, bytes.data(), size), MNS_ERROR_SNAPSHOT);
  EXPECT_EQ(hashOf(scene), after);
  mnsScene* plane = started("grid-jet-2d");
  bytes[size / 2] ^= 1;
  EXPECT_EQ(mnsScene_Restore(plane, bytes.data(), size), MNS_ERROR_SNAPSHOT);
}

// A parameter acts from the next step on, can be put back, and is what is saved.
TEST_F(GridApiTest, ParametersActOnARunInProgress) {
  mnsScene* scene = load("grid-jet-2d");
  ASSERT_OK(mnsScene_Step(scene, 0.05));
  std::size_t size = 0;
  ASSERT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
  std::vector<char> bytes(size);
  ASSERT_OK(mnsScene_Snapshot(scene, bytes.data(), size, &size));
  const std::uint64_t before = hashOf(scene);
  ASSERT_OK(mnsScene_Step(scene, 0.05));
  const std::uint64_t asItWas = hashOf(scene);
  for (const auto& [name, value] : std::vector<std::pair<const char*, double>>{
           {"fluids.air.inflows.0.speed", 0.4}, {"solids.cloth.areal_density", 0.1}, {"solver.coupling.tolerance", 1e-6}}) {
    ASSERT_OK(mnsScene_Restore(scene, bytes.data(), size));
    mnsParameter p{};
    p.structSize = sizeof p;
    ASSERT_OK(mnsScene_FindParameter(scene, name, &p));
    EXPECT_GE(p.value, p.low) << name;
    EXPECT_LE(p.value, p.high) << name;
    ASSERT_OK(mnsScene_SetValue(scene, name, value));
    const bool inflow = std::string(name).find("inflows") != std::string::npos;  // its flow is of the state
    EXPECT_EQ(hashOf(scene) == before, !inflow) << name;
    ASSERT_OK(mnsScene_Step(scene, 0.05));
    EXPECT_NE(hashOf(scene), asItWas) << name;
    ASSERT_OK(mnsScene_Restore(scene, bytes.data(), size));
    ASSERT_OK(mnsScene_SetValue(scene, name, p.value));
    ASSERT_OK(mnsScene_Step(scene, 0.05));
    EXPECT_EQ(hashOf(scene), asItWas) << name;
  }
  EXPECT_EQ(mnsScene_SetValue(scene, "solids.cloth.youngs_modulus", 0), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_SetValue(scene, "solver.xsph", 0), MNS_ERROR_NOT_FOUND);                   // of particles
  EXPECT_EQ(mnsScene_SetValue(scene, "solver.coupling.relaxation", 0.5), MNS_ERROR_NOT_FOUND);  // of another method
}

// In the plane nothing goes along y, and no parameter says that it does: each of them, changed alone, is a scene again.
TEST_F(GridApiTest, WhatAnyParameterIsSetToCanBeSaved) {
  const meniscus::testing::TemporaryFolder folder;
  for (const char* name : {"grid-jet-2d", "grid-balloon-release-2d"}) {
    mnsScene* scene = load(name);
    mnsParameter p{};
    p.structSize = sizeof p;
    for (const char* alongY : {"gravity.y", "fluids.air.buoyancy.y"})
      EXPECT_EQ(mnsScene_FindParameter(scene, alongY, &p), MNS_ERROR_NOT_FOUND) << alongY;
    int parameters = 0;
    for (; mnsScene_GetParameter(scene, parameters, &p) == MNS_OK; ++parameters) {
      ASSERT_OK(mnsScene_SetValue(scene, p.name, p.integer ? p.high : p.low + 0.7 * (p.high - p.low)));
      const std::string file = folder / (std::string(name) + std::to_string(parameters) + ".json");
      ASSERT_OK(mnsScene_Save(scene, file.c_str()));
      mnsScene* again = nullptr;
      EXPECT_OK(mnsLoadScene(context, file.c_str(), &again)) << name << " " << p.name;
      mnsDestroyScene(again);
      ASSERT_OK(mnsScene_SetValue(scene, p.name, p.value));
    }
    EXPECT_GT(parameters, 10) << name;
  }
}

// Also below what the method has come to by itself.
TEST_F(GridApiTest, TheFirstWeightOfXpmCanBeLoweredWhileItRuns) {
  mnsScene* scene = load("grid-jet-2d");
  ASSERT_OK(mnsScene_Step(scene, 0.05));
  for (const double w0 : {0.05, 0.2, 1e-3, 1.0}) {
    ASSERT_OK(mnsScene_SetValue(scene, "solver.coupling.w0", w0));
    double now = 0;
    ASSERT_OK(mnsScene_GetValue(scene, "solver.coupling.w0", &now));
    EXPECT_EQ(now, w0);
    ASSERT_OK(mnsScene_Step(scene, 0.05));
  }
}

TEST_F(GridApiTest, BodiesAreReadAndMetByRays) {
  mnsScene* scene = started("grid-plank");
  mnsBodyId plank;
  ASSERT_OK(mnsScene_FindBody(scene, "plank", &plank));
  mnsVec3 x, v;
  mnsQuat q;
  double mass = 0, volume = 0;
  ASSERT_OK(mnsBody_GetTransform(scene, plank, &x, &q));
  ASSERT_OK(mnsBody_GetVelocity(scene, plank, &v, nullptr));
  ASSERT_OK(mnsBody_GetMass(scene, plank, &mass));
  ASSERT_OK(mnsBody_GetVolume(scene, plank, &volume));
  EXPECT_NEAR(std::abs(q.w), 1, 1e-9);  // not turned yet
  EXPECT_GT(mass, 0);
  EXPECT_GT(volume, 0);
  mnsView nodes, surface, normals, triangles;
  ASSERT_OK(mnsBody_GetArray(scene, plank, MNS_NODE_POSITION, &nodes));
  ASSERT_OK(mnsBody_GetArray(scene, plank, MNS_SURFACE_POSITION, &surface));
  ASSERT_OK(mnsBody_GetArray(scene, plank, MNS_SURFACE_NORMAL, &normals));
  ASSERT_OK(mnsBody_GetArray(scene, plank, MNS_SURFACE_TRIANGLES, &triangles));
  EXPECT_GT(surface.count, nodes.count);  // its edges are sharp
  EXPECT_EQ(normals.count, surface.count);
  const auto* corner = static_cast<const std::int32_t*>(triangles.data);
  for (std::int64_t k = 0; k < 3 * triangles.count; ++k) ASSERT_LT(corner[k], surface.count);
  // straight down on its middle
  mnsRayHit hit;
  ASSERT_OK(mnsScene_RayCast(scene, {x.x, x.y, x.z + 0.5}, {0, 0, -1}, MNS_QUERY_BODIES | MNS_QUERY_FLUID, &hit));
  ASSERT_TRUE(hit.hit);
  EXPECT_TRUE(MNS_SAME_ID(hit.body, plank));
  EXPECT_NEAR(hit.normal.z, 1, 1e-5);
  EXPECT_GT(hit.position.z, x.z);
  ASSERT_OK(mnsScene_RayCast(scene, {x.x, x.y, x.z + 0.5}, {0, 0, 1}, MNS_QUERY_BODIES, &hit));
  EXPECT_FALSE(hit.hit);
}

// Lines in a plane are seen in space as bars about it.
TEST_F(GridApiTest, BodiesInAPlaneHaveASurfaceThatIsSeen) {
  mnsScene* scene = started("grid-jet-2d");
  mnsBodyId cloth;
  ASSERT_OK(mnsScene_FindBody(scene, "cloth", &cloth));
  mnsView surface, triangles, nodes;
  ASSERT_OK(mnsBody_GetArray(scene, cloth, MNS_SURFACE_POSITION, &surface));
  ASSERT_OK(mnsBody_GetArray(scene, cloth, MNS_SURFACE_TRIANGLES, &triangles));
  ASSERT_OK(mnsBody_GetArray(scene, cloth, MNS_NODE_POSITION, &nodes));
  EXPECT_EQ(surface.count, 4 * nodes.count + 8);  // a bar has four corners, and two ends
  EXPECT_EQ(triangles.count, 8 * (nodes.count - 1) + 4);
  const auto* x = static_cast<const float*>(surface.data);
  for (std::int64_t k = 0; k < surface.count; ++k) ASSERT_NEAR(std::abs(double(x[4 * k + 1])), 0.3 * 0.025, 1e-6);  // .6 cells
}

// Of a chain: how much longer the links about a node are than at the start, the larger of both.
TEST_F(GridApiTest, StretchIsThatOfTheLinksAboutANode) {
  mnsScene* scene = started("grid-jet-2d");
  mnsBodyId cloth;
  ASSERT_OK(mnsScene_FindBody(scene, "cloth", &cloth));
  const auto links = [&] {
    mnsView x;
    EXPECT_OK(mnsBody_GetArray(scene, cloth, MNS_NODE_POSITION, &x));
    const auto* p = static_cast<const float*>(x.data);
    std::vector<double> length;
    for (std::int64_t k = 0; k + 1 < x.count; ++k)
      length.push_back(std::hypot(double(p[4 * k + 4]) - double(p[4 * k]), double(p[4 * k + 6]) - double(p[4 * k + 2])));
    return length;
  };
  const std::vector<double> before = links();
  for (int k = 0; k < 4; ++k) ASSERT_OK(mnsScene_Step(scene, 0.02));
  const std::vector<double> now = links();
  mnsView stretch;
  ASSERT_OK(mnsBody_GetArray(scene, cloth, MNS_NODE_STRETCH, &stretch));
  ASSERT_EQ(stretch.count, std::int64_t(now.size()) + 1);
  ASSERT_EQ(stretch.format, MNS_FORMAT_FLOAT);
  const auto* value = static_cast<const float*>(stretch.data);
  double most = 0;
  for (std::size_t k = 0; k <= now.size(); ++k) {
    const double left = k > 0 ? now[k - 1] / before[k - 1] - 1 : 0, right = k < now.size() ? now[k] / before[k] - 1 : 0;
    ASSERT_NEAR(double(value[k]), std::abs(left) > std::abs(right) ? left : right, 2e-5) << k;
    most = std::max(most, std::abs(double(value[k])));
  }
  EXPECT_GT(most, 1e-4);  // the jet has moved it
}

// A block that is held and bent: none at the start, drawn on one side and pressed together on the other.
TEST_F(GridApiTest, StretchOfSoftBodiesIsThatOfTheirTetrahedra) {
  mnsScene* scene = started("grid-foam");
  mnsBodyId foam;
  ASSERT_OK(mnsScene_FindBody(scene, "foam", &foam));
  const auto range = [&] {
    mnsView nodes, v;
    EXPECT_OK(mnsBody_GetArray(scene, foam, MNS_NODE_POSITION, &nodes));
    EXPECT_OK(mnsBody_GetArray(scene, foam, MNS_NODE_STRETCH, &v));
    EXPECT_EQ(v.count, nodes.count);
    const auto* value = static_cast<const float*>(v.data);
    const auto [low, high] = std::minmax_element(value, value + v.count);
    return std::make_pair(double(*low), double(*high));
  };
  EXPECT_NEAR(range().first, 0, 1e-6);
  EXPECT_NEAR(range().second, 0, 1e-6);
  for (int k = 0; k < 3; ++k) ASSERT_OK(mnsScene_Step(scene, 0.05));
  EXPECT_LT(range().first, -1e-4);
  EXPECT_GT(range().second, 1e-4);
  EXPECT_LT(range().second, 0.5);
}

TEST_F(GridApiTest, WhatIsOfParticlesIsRefusedWithAReason) {
  mnsScene* scene = load("grid-jet-2d");
  const mnsShape ball = mnsSphereShape(0.1);
  mnsBodyDef body = mnsDefaultBodyDef();
  body.shape = &ball;
  mnsBodyId id;
  mnsDrainDef drain = mnsDefaultDrainDef();
  mnsDrainId drainId;
  EXPECT_EQ(mnsCreateBody(scene, &body, &id), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsCreateDrain(scene, &drain, &drainId), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsScene_GetGridFieldCount(scene, &id.index), MNS_ERROR_NOT_STARTED);
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_EQ(mnsScene_Start(scene), MNS_ERROR_STARTED);
  mnsView v;
  EXPECT_EQ(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &v), MNS_ERROR_WRONG_KIND);
  EXPECT_NE(std::string(mnsGetLastError()).find("on a grid"), std::string::npos) << mnsGetLastError();
  ASSERT_OK(mnsScene_FindBody(scene, "cloth", &id));
  EXPECT_EQ(mnsBody_ApplyForce(scene, id, {0, 0, 1}, nullptr), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_GetArray(scene, id, MNS_BODY_CONSTRAINTS, &v), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsBody_GetVolume(scene, id, &body.pressure), MNS_ERROR_WRONG_KIND);
  EXPECT_EQ(mnsDestroyBody(scene, id), MNS_ERROR_WRONG_KIND);
  mnsScene* tank = tankWithBall();
  ASSERT_OK(mnsScene_Start(tank));
  mnsGrid g{};
  g.structSize = sizeof g;
  EXPECT_EQ(mnsScene_GetGrid(tank, &g), MNS_ERROR_WRONG_KIND);
}

// A step that fails leaves the scene as it was: the plank is blown out of the domain, which is open above.
TEST_F(GridApiTest, AStepThatFailsIsTakenBack) {
  mnsScene* scene = started("grid-plank");
  ASSERT_OK(mnsScene_SetValue(scene, "gravity.z", 30));
  std::uint64_t before = hashOf(scene);
  mnsResult result = MNS_OK;
  for (int k = 0; k < 400 && result == MNS_OK; ++k) {
    before = hashOf(scene);
    result = mnsScene_Step(scene, 0.02);
  }
  ASSERT_EQ(result, MNS_ERROR_SIMULATION);
  EXPECT_NE(std::string(mnsGetLastError()).find("leaves the domain"), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(hashOf(scene), before);
  std::int32_t events = 0;
  mnsEvent e;
  ASSERT_OK(mnsScene_GetEvents(scene, &e, sizeof e, 1, &events));
  ASSERT_EQ(events, 1);
  EXPECT_EQ(e.kind, MNS_EVENT_NOT_FINITE);
}

}  // namespace
