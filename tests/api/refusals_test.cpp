// What definitions are refused for, in the words of the header; and that a call that fails leaves what it was to fill as it was.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "meniscus/meniscus_gl.h"
#include "tests/api/api_fixture.h"

namespace {

class Refusals : public ApiTest {
 protected:
  // The call fails with INVALID_ARGUMENT, and its sentence has these words.
  static void expectWords(mnsResult result, const std::vector<std::string>& words) {
    EXPECT_EQ(result, MNS_ERROR_INVALID_ARGUMENT) << mnsGetLastError();
    for (const std::string& word : words)
      EXPECT_NE(std::string(mnsGetLastError()).find(word), std::string::npos) << '"' << word << "\" in: " << mnsGetLastError();
  }
  mnsResult create(mnsBodyKind kind, const mnsShape& shape, const mnsMaterial* material = nullptr, const mnsPin* pins = nullptr,
                   int pinCount = 0) {
    mnsBodyDef def = mnsDefaultBodyDef();
    def.kind = kind;
    def.shape = &shape;
    def.material = material;
    def.position = {0.1, 0.05, 0.1};
    def.pins = pins;
    def.pinCount = pinCount;
    mnsBodyId body{};
    return mnsCreateBody(scene, &def, &body);
  }
  mnsResult createCloth(const std::function<void(mnsMaterial&)>& change, const mnsPin* pins = nullptr, int pinCount = 0) {
    mnsShape sheet = mnsSheetShape(0.06, 0.06);
    sheet.resolution = 0.02;
    mnsMaterial material = mnsDefaultMaterial();
    material.arealDensity = 0.5;
    change(material);
    return create(MNS_BODY_CLOTH, sheet, &material, pins, pinCount);
  }
  void SetUp() override {
    ApiTest::SetUp();
    scene = emptyTank();
    water = addWater(scene, 0.03);
  }

  mnsScene* scene = nullptr;
  mnsFluidId water{};
};

struct ShapeCase {
  const char* field;
  mnsShapeKind kind;
  std::function<void(mnsShape&)> change;
};

// The kind was forgotten, or is another than what was filled in.
TEST_F(Refusals, FieldsThatAreNotTheShapesOwn) {
  static const float xyz[] = {0, 0, 0, 0.1f, 0, 0, 0, 0.1f, 0};
  static const std::int32_t three[] = {0, 1, 2, 0};
  const std::vector<ShapeCase> cases = {
      {"file", MNS_SHAPE_BOX, [](mnsShape& s) { s.file = "cup.obj"; }},
      {"vertices", MNS_SHAPE_BOX, [](mnsShape& s) { s.vertices = xyz; }},
      {"vertexCount", MNS_SHAPE_SPHERE, [](mnsShape& s) { s.vertexCount = 3; }},
      {"triangles", MNS_SHAPE_CAPSULE, [](mnsShape& s) { s.triangles = three; }},
      {"triangleCount", MNS_SHAPE_BOX, [](mnsShape& s) { s.triangleCount = 1; }},
      {"tetrahedra", MNS_SHAPE_BOX, [](mnsShape& s) { s.tetrahedra = three; }},
      {"tetrahedronCount", MNS_SHAPE_BOX, [](mnsShape& s) { s.tetrahedronCount = 1; }},
      {"open", MNS_SHAPE_BOX, [](mnsShape& s) { s.open = true; }},
      {"radius", MNS_SHAPE_BOX, [](mnsShape& s) { s.radius = 0.01; }},
      {"radius", MNS_SHAPE_SHEET, [](mnsShape& s) { s.radius = 0.01; }},
      {"height", MNS_SHAPE_SPHERE, [](mnsShape& s) { s.height = 0.01; }},
      {"size", MNS_SHAPE_SPHERE,
       [](mnsShape& s) {
         s.size = {0.01, 0.01, 0.01};
       }},
      {"size.z", MNS_SHAPE_SHEET, [](mnsShape& s) { s.size.z = 0.01; }},
      {"normal", MNS_SHAPE_BOX,
       [](mnsShape& s) {
         s.normal = {1, 0, 0};
       }},
      {"resolution", MNS_SHAPE_PLANE, [](mnsShape& s) { s.resolution = 0.01; }},
      {"container", MNS_SHAPE_PLANE, [](mnsShape& s) { s.container = true; }},
  };
  constexpr const char* names[] = {"MNS_SHAPE_BOX",     "MNS_SHAPE_PLANE", "MNS_SHAPE_SPHERE", "MNS_SHAPE_CYLINDER",
                                   "MNS_SHAPE_CAPSULE", "MNS_SHAPE_MESH",  "MNS_SHAPE_SHEET"};
  for (const ShapeCase& c : cases) {
    mnsShape shape = mnsDefaultShape();
    shape.kind = c.kind;
    if (c.kind == MNS_SHAPE_BOX) shape.size = {0.02, 0.02, 0.02};
    if (c.kind == MNS_SHAPE_SHEET) shape.size = {0.02, 0.02, 0};
    if (c.kind == MNS_SHAPE_SPHERE || c.kind == MNS_SHAPE_CAPSULE) shape.radius = 0.01;
    if (c.kind == MNS_SHAPE_CAPSULE) shape.height = 0.02;
    if (c.kind == MNS_SHAPE_PLANE) {
      mnsSceneDef def = tankDef();
      ASSERT_OK(mnsCreateScene(context, &def, &scene));
    }
    c.change(shape);
    expectWords(create(MNS_BODY_STATIC, shape), {c.field, names[c.kind]});
    mnsFluidDef fluid = mnsDefaultFluidDef();
    fluid.shape = &shape;
    mnsFluidId id{};
    if (c.kind != MNS_SHAPE_PLANE && c.kind != MNS_SHAPE_SHEET) expectWords(mnsCreateFluid(scene, &fluid, &id), {c.field});
  }
  mnsShape both = mnsDefaultShape();
  both.kind = MNS_SHAPE_MESH;
  both.file = "cup.obj";
  both.triangles = three;
  expectWords(create(MNS_BODY_STATIC, both), {"file", "arrays"});
  both.triangles = nullptr;
  both.file = "";
  EXPECT_EQ(create(MNS_BODY_STATIC, both), MNS_ERROR_FILE);
  EXPECT_NE(std::string(mnsGetLastError()).find("empty"), std::string::npos) << mnsGetLastError();
}

// What mnsBody_GetShape gives is what a body can be made of again.
TEST_F(Refusals, ShapesGivenBackAreTaken) {
  mnsShape cylinder = mnsDefaultShape();
  cylinder.kind = MNS_SHAPE_CYLINDER;
  cylinder.radius = 0.01;
  cylinder.height = 0.02;
  mnsShape plane = mnsDefaultShape();
  plane.kind = MNS_SHAPE_PLANE;
  plane.normal = {1, 0, 1};
  for (const mnsShape& shape : {mnsBoxShape(0.02, 0.02, 0.02), mnsSphereShape(0.01), mnsSheetShape(0.02, 0.02), cylinder, plane}) {
    mnsBodyDef def = mnsDefaultBodyDef();
    def.shape = &shape;
    mnsBodyId first{}, second{};
    ASSERT_OK(mnsCreateBody(scene, &def, &first));
    mnsShape back = mnsDefaultShape();
    ASSERT_OK(mnsBody_GetShape(scene, first, &back));
    def.shape = &back;
    EXPECT_OK(mnsCreateBody(scene, &def, &second));
  }
}

TEST_F(Refusals, ResistancesWithoutAKind) {
  expectWords(createCloth([](mnsMaterial& m) { m.bend.value = 0.1; }), {"bend.value", "bend.kind", "MNS_RESISTANCE_NONE"});
  expectWords(createCloth([](mnsMaterial& m) { m.stretch.value = 0.1; }), {"stretch.value", "stretch.kind"});
  expectWords(createCloth([](mnsMaterial& m) { m.shear.damping = 0.1; }), {"shear.damping", "shear.kind"});
  expectWords(createCloth([](mnsMaterial& m) { m.volume.value = 0.1; }), {"volume.value", "volume.kind"});
  expectWords(createCloth([](mnsMaterial& m) { m.stretch = {mnsResistanceKind(7), 0, 0}; }), {"stretch.kind is 7"});
  expectWords(createCloth([](mnsMaterial& m) { m.stretch = {MNS_RESISTANCE_STIFFNESS, 0.5, 0.1}; }), {"stretch.damping is 0.1"});
  expectWords(createCloth([](mnsMaterial& m) { m.shear = {MNS_RESISTANCE_STIFFNESS, 2, 0}; }), {"shear.value is 2"});
  EXPECT_OK(createCloth([](mnsMaterial& m) { m.bend = {MNS_RESISTANCE_COMPLIANCE, 0.1, 0}; }));
}

TEST_F(Refusals, OpeningsOfTheOtherKind) {
  mnsEmitterDef e = mnsDefaultEmitterDef();
  e.fluid = water;
  e.radius = 0.02;
  e.sizeX = 0.02;
  mnsEmitterId emitter{};
  expectWords(mnsCreateEmitter(scene, &e, &emitter), {"sizeX", "MNS_OPENING_DISC", "MNS_OPENING_RECTANGLE"});
  e.sizeY = e.sizeX;
  e.kind = MNS_OPENING_RECTANGLE;
  expectWords(mnsCreateEmitter(scene, &e, &emitter), {"radius", "MNS_OPENING_RECTANGLE"});
  mnsDrainDef d = mnsDefaultDrainDef();
  d.radius = 0.02;
  d.depth = 0.01;
  d.sizeY = 0.02;
  mnsDrainId drain{};
  expectWords(mnsCreateDrain(scene, &d, &drain), {"sizeY"});
}

TEST_F(Refusals, LogLevelsThatAreNone) {
  mnsContextDef def = mnsDefaultContextDef();
  mnsContext* other = nullptr;
  for (const int level : {-1, 4, 99}) {
    def.logLevel = mnsLogLevel(level);
    expectWords(mnsCreateContext(MNS_VERSION, &def, &other), {"logLevel is " + std::to_string(level)});
  }
}

TEST_F(Refusals, SentencesNameTheField) {
  expectWords(createCloth([](mnsMaterial& m) { m.stretch = {MNS_RESISTANCE_COMPLIANCE, 1e-3, -1}; }), {"stretch.damping is -1"});
  expectWords(createCloth([](mnsMaterial& m) {
                m.stretch = {MNS_RESISTANCE_COMPLIANCE, 1e-3, std::nan("")};
              }),
              {"stretch.damping is nan"});
  expectWords(createCloth([](mnsMaterial& m) { m.shear = {MNS_RESISTANCE_COMPLIANCE, -1, 0}; }), {"shear.value is -1"});
  expectWords(createCloth([](mnsMaterial&) {}, nullptr, -1), {"pinCount is -1"});
  expectWords(createCloth([](mnsMaterial&) {}, nullptr, 2), {"pinCount is 2", "pins is null"});
  mnsPin pin{};
  expectWords(createCloth([](mnsMaterial&) {}, &pin, 1), {"pins[0].nodeCount is 0", "MNS_PIN_NODES"});
  pin.nodeCount = 2;
  expectWords(createCloth([](mnsMaterial&) {}, &pin, 1), {"pins[0].nodes is null"});
  pin = {};
  pin.kind = MNS_PIN_SPHERE;
  expectWords(createCloth([](mnsMaterial&) {}, &pin, 1), {"pins[0].radius is 0"});
  expectWords(create(MNS_BODY_STATIC, mnsBoxShape(0.1, -1, 0.1)), {"size.y is -1"});
  mnsMaterial heavy = mnsDefaultMaterial();
  heavy.arealDensity = 3;
  expectWords(create(MNS_BODY_STATIC, mnsBoxShape(0.1, 0.1, 0.1), &heavy), {"arealDensity"});
}

TEST_F(Refusals, SceneFieldsHaveTheirNamesOfC) {
  const auto refused = [&](const std::function<void(mnsSceneDef&)>& change, const std::string& words) {
    mnsSceneDef def = tankDef();
    change(def);
    mnsScene* other = nullptr;
    expectWords(mnsCreateScene(context, &def, &other), {words});
  };
  refused([](mnsSceneDef& d) { d.maxStep = 0; }, "maxStep is 0");
  refused([](mnsSceneDef& d) { d.maxStep = -1; }, "maxStep is -1");
  refused([](mnsSceneDef& d) { d.maxStep = 1e-30; }, "maxStep is 1e-30");
  refused([](mnsSceneDef& d) { d.maxSubsteps = 0; }, "maxSubsteps is 0");
  refused([](mnsSceneDef& d) { d.contactDistance = 7; }, "contactDistance is 7");
  refused([](mnsSceneDef& d) { d.couplingTolerance = 0; }, "couplingTolerance is 0");
  refused([](mnsSceneDef& d) { d.maxParticles = -1; }, "maxParticles is -1");
}

TEST_F(Refusals, FormatsHaveNames) {
  ASSERT_OK(mnsScene_Start(scene));
  float room[4];
  mnsView to = mnsHostView(room, MNS_FORMAT_FLOAT3, 1);
  expectWords(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &to, nullptr), {"MNS_FORMAT_FLOAT3", "MNS_FORMAT_FLOAT4"});
  to.format = mnsFormat(77);
  expectWords(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &to, nullptr), {"77", "MNS_FORMAT_FLOAT4"});
}

TEST_F(Refusals, TextsThatAreNoTextAreShownAsBytes) {
  double value = 0;
  EXPECT_EQ(mnsScene_GetValue(scene, "\xff\xfe w\xc3\xb6rld \xe2\x98", &value), MNS_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(mnsGetLastError()).find("\\xff\\xfe w\xc3\xb6rld \\xe2\\x98"), std::string::npos) << mnsGetLastError();
  for (const char* c = mnsGetLastError(); *c; ++c)
    EXPECT_TRUE(static_cast<unsigned char>(*c) < 0xf8 && *c != '\xe2') << mnsGetLastError();
  // a long one ends with a whole escape
  const std::string endless(20000, '\xff');
  EXPECT_EQ(mnsScene_GetValue(scene, endless.c_str(), &value), MNS_ERROR_NOT_FOUND);
  const std::string said = mnsGetLastError();
  EXPECT_GT(said.size(), 8000u);
  EXPECT_EQ(said.substr(said.size() - 4), "\\xff");
  mnsScene* other = nullptr;
  EXPECT_EQ(mnsLoadScene(context, "", &other), MNS_ERROR_FILE);
  EXPECT_NE(std::string(mnsGetLastError()).find("empty"), std::string::npos) << mnsGetLastError();
}

// Whatever a create function is refused for: early, late, or because of what the scene is.
TEST_F(Refusals, CallsThatFailLeaveWhatTheyWereToFill) {
  mnsScene* const kept = scene;
  mnsScene* madeScene = kept;
  mnsContext* madeContext = context;
  mnsSceneDef sceneDef = tankDef();
  EXPECT_LT(mnsCreateContext(MNS_VERSION + 1, nullptr, &madeContext), 0);
  mnsContextDef contextDef = mnsDefaultContextDef();
  contextDef.threads = -1;
  EXPECT_LT(mnsCreateContext(MNS_VERSION, &contextDef, &madeContext), 0);
  EXPECT_EQ(madeContext, context);
  EXPECT_LT(mnsCreateScene(nullptr, &sceneDef, &madeScene), 0);
  sceneDef.spacing = -1;
  EXPECT_LT(mnsCreateScene(context, &sceneDef, &madeScene), 0);
  EXPECT_LT(mnsLoadScene(context, "/no/such/scene.json", &madeScene), 0);
  EXPECT_LT(mnsLoadScene(nullptr, "/no/such/scene.json", &madeScene), 0);
  EXPECT_LT(mnsLoadSceneText(context, "{", 1, nullptr, &madeScene), 0);
  EXPECT_EQ(madeScene, kept);

  const mnsBodyId ball = addBall(scene);
  mnsBodyId body = ball;
  const mnsShape box = mnsBoxShape(0.02, 0.02, 0.02), none = mnsBoxShape(0, 0, 0);
  mnsBodyDef bodyDef = mnsDefaultBodyDef();
  bodyDef.name = "ball";  // taken
  bodyDef.shape = &box;
  EXPECT_LT(mnsCreateBody(scene, &bodyDef, &body), 0);
  bodyDef.name = nullptr;
  bodyDef.shape = &none;
  EXPECT_LT(mnsCreateBody(scene, &bodyDef, &body), 0);
  EXPECT_LT(mnsCreateBody(nullptr, &bodyDef, &body), 0);
  EXPECT_EQ(MNS_STORE_ID(body), MNS_STORE_ID(ball));

  mnsFluidId fluid = water;
  mnsFluidDef fluidDef = mnsDefaultFluidDef();
  fluidDef.name = "water";
  EXPECT_LT(mnsCreateFluid(scene, &fluidDef, &fluid), 0);
  mnsEmitterDef emitterDef = mnsDefaultEmitterDef();
  mnsEmitterId emitter{7, 8, 9};
  EXPECT_LT(mnsCreateEmitter(scene, &emitterDef, &emitter), 0);
  mnsDrainDef drainDef = mnsDefaultDrainDef();
  mnsDrainId drain{7, 8, 9};
  EXPECT_LT(mnsCreateDrain(scene, &drainDef, &drain), 0);

  ASSERT_OK(mnsScene_Start(scene));
  fluidDef.name = nullptr;
  EXPECT_EQ(mnsCreateFluid(scene, &fluidDef, &fluid), MNS_ERROR_STARTED);
  EXPECT_EQ(MNS_STORE_ID(fluid), MNS_STORE_ID(water));
  bodyDef.shape = &box;
  bodyDef.position = {0.1, 0.05, 0.015};  // in the water
  EXPECT_LT(mnsCreateBody(scene, &bodyDef, &body), 0);
  EXPECT_EQ(MNS_STORE_ID(body), MNS_STORE_ID(ball));
  emitterDef.fluid = water;
  emitterDef.radius = 0.02;
  emitterDef.position = {5, 5, 5};  // outside
  EXPECT_LT(mnsCreateEmitter(scene, &emitterDef, &emitter), 0);
  drainDef.radius = 0.02;
  drainDef.position = {5, 5, 5};
  EXPECT_LT(mnsCreateDrain(scene, &drainDef, &drain), 0);
  EXPECT_EQ(MNS_STORE_ID(emitter), MNS_STORE_ID((mnsEmitterId{7, 8, 9})));
  EXPECT_EQ(MNS_STORE_ID(drain), MNS_STORE_ID((mnsDrainId{7, 8, 9})));

  std::vector<float> room(4 * 2000);
  mnsView to = mnsHostView(nullptr, MNS_FORMAT_FLOAT4, 2000);
  std::int64_t written = 77;
  EXPECT_EQ(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &to, &written), MNS_ERROR_INVALID_ARGUMENT);
  to.data = room.data();
  to.stride = 4;
  EXPECT_EQ(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &to, &written), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(written, 77);
  to = mnsHostView(room.data(), MNS_FORMAT_FLOAT4, 1);
  EXPECT_EQ(mnsScene_CopyParticles(scene, MNS_PARTICLE_POSITION, &to, &written), MNS_ERROR_BUFFER_TOO_SMALL);
  EXPECT_EQ(written, 600);  // what there must be room for is said
  EXPECT_EQ(room[0], 0);

  mnsGlBufferDef bufferDef = mnsDefaultGlBufferDef();  // names no buffer object
  mnsGlBufferId buffer{7, 8, 9};
  EXPECT_LT(mnsRegisterGlBuffer(scene, &bufferDef, &buffer), 0);
  EXPECT_LT(mnsRegisterGlBuffer(nullptr, &bufferDef, &buffer), 0);
  EXPECT_EQ(MNS_STORE_ID(buffer), MNS_STORE_ID((mnsGlBufferId{7, 8, 9})));

  mnsTicket ticket{77};
  EXPECT_LT(mnsScene_StepAsync(scene, -1, &ticket), 0);
  EXPECT_LT(mnsScene_StepAsync(nullptr, 0.004, &ticket), 0);
  EXPECT_EQ(ticket.value, 77u);
}

}  // namespace
