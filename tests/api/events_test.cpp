// What a step says to have happened.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/api/api_fixture.h"

namespace {

class Events : public ApiTest {
 protected:
  static std::vector<mnsEvent> of(mnsScene* scene) {
    std::int32_t count = -1;
    EXPECT_OK(mnsScene_GetEvents(scene, nullptr, 0, 0, &count));
    std::vector<mnsEvent> list(std::size_t(count), mnsEvent{});
    EXPECT_OK(mnsScene_GetEvents(scene, list.data(), sizeof(mnsEvent), count, &count));
    return list;
  }
  mnsScene* load(const std::string& text) {
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
    return scene;
  }
  static mnsStatistics statistics(mnsScene* scene) {
    mnsStatistics s{};
    s.structSize = sizeof s;
    EXPECT_OK(mnsScene_GetStatistics(scene, &s));
    return s;
  }
  static std::set<std::uint32_t> idsIn(mnsScene* scene) {
    mnsView id{};
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_ID, &id));
    const auto* ids = static_cast<const std::uint32_t*>(id.data);
    return {ids, ids + id.count};
  }
};

TEST_F(Events, ABallGetsWetOnce) {
  mnsScene* scene = tankWithBall();
  mnsBodyId ball{};
  ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
  ASSERT_OK(mnsScene_Start(scene));
  EXPECT_TRUE(of(scene).empty());
  // its lowest point falls from .1 to within .75 spacings of the topmost centres, at .055 + .0075: .0375 m in .087 s
  int begins = 0;
  for (int k = 1; k <= 30; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    for (const mnsEvent& e : of(scene)) {
      EXPECT_EQ(e.kind, MNS_EVENT_TOUCH_BEGIN);
      EXPECT_TRUE(MNS_SAME_ID(e.body, ball));
      EXPECT_TRUE(MNS_IS_NULL(e.other));
      EXPECT_NEAR(e.position.z, 0.0625, 0.005);
      EXPECT_NEAR(k * 0.004, 0.087, 0.01);
      ++begins;
    }
  }
  EXPECT_EQ(begins, 1);
}

TEST_F(Events, BodiesTouchObstaclesAndPart) {
  mnsSceneDef def = tankDef();
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  const mnsShape sphere = mnsSphereShape(0.02), slab = mnsBoxShape(0.1, 0.08, 0.02);
  mnsMaterial rubber = mnsDefaultMaterial();
  rubber.restitution = 0.9;
  mnsBodyDef body = mnsDefaultBodyDef();
  body.name = "ball";
  body.kind = MNS_BODY_RIGID;
  body.shape = &sphere;
  body.material = &rubber;
  body.position = {0.1, 0.05, 0.1};
  mnsBodyId ball{}, table{};
  ASSERT_OK(mnsCreateBody(scene, &body, &ball));
  body.name = "table";
  body.kind = MNS_BODY_STATIC;
  body.shape = &slab;
  body.material = nullptr;
  body.position = {0.1, 0.05, 0.02};
  ASSERT_OK(mnsCreateBody(scene, &body, &table));
  std::vector<mnsEventKind> seen;
  for (int k = 0; k < 40; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    for (const mnsEvent& e : of(scene)) {
      if (e.kind == MNS_EVENT_UNCONVERGED) continue;
      seen.push_back(e.kind);
      EXPECT_TRUE(MNS_SAME_ID(e.body, ball));
      EXPECT_TRUE(MNS_SAME_ID(e.other, table));
      if (e.kind == MNS_EVENT_TOUCH_BEGIN) { EXPECT_NEAR(e.position.z, 0.03, 0.005); }
    }
  }
  // it comes down after .1 s and is thrown up again
  ASSERT_GE(seen.size(), 2u);
  EXPECT_EQ(seen[0], MNS_EVENT_TOUCH_BEGIN);
  EXPECT_EQ(seen[1], MNS_EVENT_TOUCH_END);
}

// A plank that lies on two blocks touches both of them.
TEST_F(Events, APlankTouchesAllThatCarryIt) {
  mnsSceneDef def = tankDef();
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  const mnsShape block = mnsBoxShape(0.04, 0.06, 0.04), plank = mnsBoxShape(0.14, 0.04, 0.02);
  mnsBodyDef body = mnsDefaultBodyDef();
  body.kind = MNS_BODY_STATIC;
  body.shape = &block;
  std::set<std::uint32_t> wanted, seen;
  for (const double x : {0.04, 0.16}) {
    const std::string name = x < 0.1 ? "left" : "right";
    body.name = name.c_str();
    body.position = {x, 0.05, 0.02};
    mnsBodyId id{};
    ASSERT_OK(mnsCreateBody(scene, &body, &id));
    wanted.insert(id.index);
  }
  body.name = "plank";
  body.kind = MNS_BODY_RIGID;
  body.shape = &plank;
  body.position = {0.1, 0.05, 0.055};
  mnsBodyId id{};
  ASSERT_OK(mnsCreateBody(scene, &body, &id));
  for (int k = 0; k < 30; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    for (const mnsEvent& e : of(scene)) {
      EXPECT_NE(e.kind, MNS_EVENT_TOUCH_END) << k;
      if (e.kind == MNS_EVENT_TOUCH_BEGIN) seen.insert(e.other.index);
    }
  }
  EXPECT_EQ(seen, wanted);
}

// The later one of two rigid bodies falls onto the other, and is thrown up again.
TEST_F(Events, RigidBodiesTouchEachOtherAndPart) {
  mnsSceneDef def = tankDef();
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  const mnsShape sphere = mnsSphereShape(0.02), slab = mnsBoxShape(0.1, 0.08, 0.02);
  mnsMaterial rubber = mnsDefaultMaterial();
  rubber.restitution = 0.9;
  mnsBodyDef body = mnsDefaultBodyDef();
  body.name = "table";
  body.kind = MNS_BODY_RIGID;
  body.shape = &slab;
  body.position = {0.1, 0.05, 0.02};
  mnsBodyId ball{}, table{};
  ASSERT_OK(mnsCreateBody(scene, &body, &table));
  body.name = "ball";
  body.shape = &sphere;
  body.material = &rubber;
  body.position = {0.1, 0.05, 0.1};
  ASSERT_OK(mnsCreateBody(scene, &body, &ball));
  std::vector<mnsEventKind> seen;
  for (int k = 0; k < 50; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.004));
    for (const mnsEvent& e : of(scene)) {
      if (e.kind == MNS_EVENT_UNCONVERGED) continue;
      seen.push_back(e.kind);
      EXPECT_TRUE(MNS_SAME_ID(e.body, table));
      EXPECT_TRUE(MNS_SAME_ID(e.other, ball));
    }
  }
  ASSERT_GE(seen.size(), 2u);
  EXPECT_EQ(seen[0], MNS_EVENT_TOUCH_BEGIN);
  EXPECT_EQ(seen[1], MNS_EVENT_TOUCH_END);
}

const char* const kLeaving = R"({
  "meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.2, 0.1, 0.2], "walls": ["-x", "-y", "+y", "-z", "+z"]},
  "solver": {"dt": 0.005},
  "fluids": [{"name": "water", "spacing": 0.01, "velocity": [1, 0, 0], "shapes": [{"box": {"min": [0.05, 0, 0], "max": [0.15, 0.1, 0.05]}}]}],
  "drains": [{"name": "plug", "disc": {"radius": 0.02}, "position": [0.1, 0.05, 0], "depth": 0.01}]
})";

TEST_F(Events, ParticlesThatLeaveAreNamed) {
  mnsScene* scene = load(kLeaving);
  ASSERT_OK(mnsScene_Start(scene));
  std::set<std::uint32_t> before = idsIn(scene);
  std::int64_t drained = 0, escaped = 0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.005));
    const mnsStatistics s = statistics(scene);
    std::int64_t drains = 0, escapes = 0;
    for (const mnsEvent& e : of(scene)) {
      if (e.kind != MNS_EVENT_DRAIN && e.kind != MNS_EVENT_ESCAPE) continue;
      EXPECT_EQ(before.erase(e.particle), 1u) << "named twice, or never there";
      (e.kind == MNS_EVENT_DRAIN ? drains : escapes) += 1;
      EXPECT_EQ(MNS_IS_NULL(e.drain), e.kind == MNS_EVENT_ESCAPE);
      if (e.kind == MNS_EVENT_DRAIN) { EXPECT_LT(std::hypot(e.position.x - 0.1, e.position.y - 0.05), 0.05); }
      if (e.kind == MNS_EVENT_ESCAPE) { EXPECT_GT(e.position.x, 0.18); }
    }
    EXPECT_EQ(drains, s.drained);
    EXPECT_EQ(escapes, s.escaped);
    EXPECT_EQ(before, idsIn(scene));
    drained += drains;
    escaped += escapes;
  }
  EXPECT_GT(drained, 10);
  EXPECT_GT(escaped, 10);
}

TEST_F(Events, EmittersThatFindNoRoom) {
  mnsScene* scene = load(R"({
    "meniscus": 1, "domain": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.2]}, "solver": {"dt": 0.005}, "max_particles": 40,
    "fluids": [{"name": "water", "spacing": 0.01}],
    "emitters": [{"name": "tap", "fluid": "water", "rectangle": {"size": [0.04, 0.04]}, "position": [0.05, 0.05, 0.18],
                  "direction": [0, 0, -1], "speed": 1}]
  })");
  int overflows = 0;
  for (int k = 0; k < 10; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.005));
    int now = 0;
    for (const mnsEvent& e : of(scene)) now += e.kind == MNS_EVENT_OVERFLOW;
    EXPECT_EQ(statistics(scene).blocked > 0, now > 0) << k;  // nothing else stands in the way of this one
    overflows += now;
  }
  EXPECT_EQ(statistics(scene).particles, 40);
  EXPECT_GT(overflows, 0);
}

TEST_F(Events, StepsThatDoNotConvergeSaySo) {
  mnsSceneDef def = tankDef();
  def.tolerance = 1e-7;
  def.maxIterations = 1;
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  addWater(scene);
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  const std::vector<mnsEvent> list = of(scene);
  EXPECT_FALSE(statistics(scene).converged);
  EXPECT_TRUE(std::any_of(list.begin(), list.end(), [](const mnsEvent& e) { return e.kind == MNS_EVENT_UNCONVERGED; }));
}

TEST_F(Events, AfterARestoreTouchesBeginAnew) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  addBall(scene, 500, {0.1, 0.05, 0.08});  // its lowest point at the surface
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  ASSERT_EQ(of(scene).size(), 1u);
  std::size_t size = 0;
  ASSERT_OK(mnsScene_Snapshot(scene, nullptr, 0, &size));
  std::vector<char> bytes(size);
  ASSERT_OK(mnsScene_Snapshot(scene, bytes.data(), size, &size));
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_TRUE(of(scene).empty());
  ASSERT_OK(mnsScene_Restore(scene, bytes.data(), size));
  EXPECT_TRUE(of(scene).empty());
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_EQ(of(scene).size(), 1u);
}

TEST_F(Events, SteadyStepsAllocateNothing) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  addBall(scene, 500, {0.1, 0.05, 0.08});
  for (int k = 0; k < 150; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  const std::uint64_t before = mnsGetMemoryUse().allocations;
  for (int k = 0; k < 50; ++k) ASSERT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_EQ(mnsGetMemoryUse().allocations, before);
}

// A cloth that lies on another one, beside water: nodes, edges that cross, and momentum that constraints are not to give.
TEST_F(Events, SteadyStepsAmongBodiesThatTouchAllocateNothing) {
  mnsScene* scene = load(R"({"meniscus": 1, "name": "cloths", "gravity": [0, 0, -9.81],
    "domain": {"min": [0, 0, 0], "max": [0.2, 0.1, 0.3]}, "solver": {"dt": 0.002},
    "fluids": [{"name": "water", "spacing": 0.01, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.2, 0.1, 0.03]}}]}],
    "solids": [
      {"name": "lower", "kind": "cloth", "shape": {"sheet": {"size": [0.12, 0.08], "resolution": 0.02}}, "pins": [{"rim": true}],
       "position": [0.1, 0.05, 0.1], "material": {"areal_density": 1, "stretch": {"compliance": 1e-3, "damping": 0.05}}},
      {"name": "upper", "kind": "cloth", "shape": {"sheet": {"size": [0.1, 0.06], "resolution": 0.021}},
       "position": [0.1, 0.05, 0.1028], "material": {"areal_density": 1, "stretch": {"compliance": 1e-3, "damping": 0.05}}}]})");
  ASSERT_NE(scene, nullptr);
  for (int k = 0; k < 500; ++k) ASSERT_OK(mnsScene_Step(scene, 0.002));
  const std::uint64_t before = mnsGetMemoryUse().allocations;
  for (int k = 0; k < 30; ++k) ASSERT_OK(mnsScene_Step(scene, 0.002));
  EXPECT_EQ(mnsGetMemoryUse().allocations, before);
}

TEST_F(Events, ListsOfAnyRoom) {
  mnsScene* scene = emptyTank();
  addWater(scene);
  addBall(scene, 500, {0.1, 0.05, 0.08});
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  std::int32_t count = 0;
  mnsEvent e{};
  e.value = 7;
  EXPECT_OK(mnsScene_GetEvents(scene, &e, sizeof e, 0, &count));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(e.value, 7);
  EXPECT_EQ(mnsScene_GetEvents(scene, &e, 0, 1, &count), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetEvents(scene, &e, sizeof e, -1, &count), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetEvents(scene, &e, sizeof e, 1, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_GetEvents(nullptr, &e, sizeof e, 1, &count), MNS_ERROR_INVALID_HANDLE);
}

}  // namespace
