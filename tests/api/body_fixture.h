// Bodies for tests of what can be done with them.
#pragma once

#include <cstring>
#include <vector>

#include "tests/api/api_fixture.h"

class BodyTest : public ApiTest {
 protected:
  struct State {
    mnsVec3 position{}, linear{}, angular{};
    mnsQuat rotation{};
  };

  // Without fluid and gravity: what moves goes on as it is.
  mnsScene* emptySpace() {
    mnsSceneDef def = tankDef();
    def.gravity = {0, 0, 0};
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsCreateScene(context, &def, &scene));
    return scene;
  }
  // A ball, by default in the air of the tank.
  mnsResult createBall(mnsScene* scene, const char* name, mnsVec3 position, mnsBodyId* ball, mnsBodyKind kind = MNS_BODY_RIGID,
                       double density = 500) {
    const mnsShape sphere = mnsSphereShape(0.02);
    mnsMaterial material = mnsDefaultMaterial();
    material.density = density;
    mnsBodyDef def = mnsDefaultBodyDef();
    def.name = name;
    def.kind = kind;
    def.shape = &sphere;
    def.material = kind == MNS_BODY_RIGID ? &material : nullptr;  // a density means nothing to the others
    def.position = position;
    return mnsCreateBody(scene, &def, ball);
  }
  // A sheet of .06 x .06 m in the air of the tank, 4 x 4 nodes.
  mnsResult createCloth(mnsScene* scene, const char* name, mnsVec3 position, mnsBodyId* cloth, bool pinned = false) {
    mnsShape sheet = mnsSheetShape(0.06, 0.06);
    sheet.resolution = 0.02;
    mnsMaterial material = mnsDefaultMaterial();
    material.arealDensity = 0.5;
    const std::int32_t corner = 0;
    mnsPin pin{};
    pin.kind = MNS_PIN_NODES;
    pin.nodes = &corner;
    pin.nodeCount = 1;
    mnsBodyDef def = mnsDefaultBodyDef();
    def.name = name;
    def.kind = MNS_BODY_CLOTH;
    def.shape = &sheet;
    def.material = &material;
    def.position = position;
    def.pins = &pin;
    def.pinCount = pinned ? 1 : 0;
    return mnsCreateBody(scene, &def, cloth);
  }
  // A skin of radius .02 m with gas at this pressure [Pa], or holding its volume.
  mnsResult createBalloon(mnsScene* scene, const char* name, mnsVec3 position, double pressure, mnsBodyId* balloon) {
    mnsShape sphere = mnsSphereShape(0.02);
    sphere.resolution = 0.015;
    mnsMaterial material = mnsDefaultMaterial();
    material.arealDensity = 0.5;
    material.stretch = {MNS_RESISTANCE_COMPLIANCE, 1e-3, 0};
    mnsBodyDef def = mnsDefaultBodyDef();
    def.name = name;
    def.kind = MNS_BODY_INFLATABLE;
    def.shape = &sphere;
    def.material = &material;
    def.position = position;
    def.pressure = pressure;
    return mnsCreateBody(scene, &def, balloon);
  }

  static std::vector<char> bytesOf(const mnsView& v) {
    const char* data = static_cast<const char*>(v.data);
    return {data, data + v.stride * v.count};
  }
  // Positions and velocities of all particles, bit by bit.
  static std::vector<char> particles(mnsScene* scene) {
    mnsView x{}, u{};
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &x));
    EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &u));
    std::vector<char> all = bytesOf(x);
    const std::vector<char> more = bytesOf(u);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static std::vector<char> nodes(mnsScene* scene, mnsBodyId body) {
    mnsView x{}, v{};
    EXPECT_OK(mnsBody_GetArray(scene, body, MNS_NODE_POSITION, &x));
    EXPECT_OK(mnsBody_GetArray(scene, body, MNS_NODE_VELOCITY, &v));
    std::vector<char> all = bytesOf(x);
    const std::vector<char> more = bytesOf(v);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static const float* floats(mnsScene* scene, mnsBodyId body, mnsBodyField field, std::int64_t* count = nullptr) {
    mnsView v{};
    EXPECT_OK(mnsBody_GetArray(scene, body, field, &v));
    if (count) *count = v.count;
    return static_cast<const float*>(v.data);
  }
  static mnsVec3 velocity(mnsScene* scene, mnsBodyId body) {
    mnsVec3 v{};
    EXPECT_OK(mnsBody_GetVelocity(scene, body, &v, nullptr));
    return v;
  }
};
