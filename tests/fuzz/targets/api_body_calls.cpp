// Bodies: made, moved, held, pushed, asked for what they are.
#include "tests/fuzz/targets/api_shapes.h"

namespace meniscus::fuzz {
namespace {

constexpr int kMostBodies = 6;
char userData;

void createTetBody(ApiSession& s) {
  static const float x[] = {-.03f, -.03f, -.03f, .03f, -.03f, -.03f, 0, .03f, -.03f, 0, 0, .03f};
  static const std::int32_t tet[] = {0, 1, 2, 3};
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_MESH;
  shape.vertices = x;
  shape.vertexCount = 4;
  shape.tetrahedra = tet;
  shape.tetrahedronCount = 1;
  mnsMaterial material = mnsDefaultMaterial();
  material.youngsModulus = s.b.number(1e3, 1e5);
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = MNS_BODY_SOFT;
  def.shape = &shape;
  def.material = &material;
  def.position = s.b.point();
  mnsBodyId id{};
  s.keep(MNS_TRY(s, mnsCreateBody, s.scene(), &def, &id), id, s.bodies);
}

mnsMaterial materialOf(Bytes& b, mnsBodyKind kind) {
  mnsMaterial m = mnsDefaultMaterial();
  const bool shell = kind == MNS_BODY_CLOTH || kind == MNS_BODY_INFLATABLE;
  if (shell) m.arealDensity = b.number(0.1, 2);
  if (kind == MNS_BODY_RIGID) m.density = b.number(50, 3000);
  if (shell && b.below(2)) {
    m.stretch = {mnsResistanceKind(b.below(3)), b.number(0, 1e-3), 0};
    if (m.stretch.kind == MNS_RESISTANCE_NONE) m.stretch.value = 0;
  }
  m.friction = b.number(0, 1);
  return m;
}

void createBody(ApiSession& s) {
  if (s.bodiesMade++ >= kMostBodies) return;
  Bytes& b = s.b;
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = mnsBodyKind(b.seldom() ? b.byte() - 3 : b.below(6));
  if (def.kind == MNS_BODY_SOFT) return createTetBody(s);  // of a surface the program tetgen makes them: too slow
  const bool shell = def.kind == MNS_BODY_CLOTH || def.kind == MNS_BODY_INFLATABLE;
  mnsShape shape = shapeOf(s, def.kind);
  mnsMaterial material = materialOf(b, def.kind);
  const std::int32_t nodes[2] = {b.byte() - 2, b.byte()};
  mnsPin pin{};
  pin.kind = mnsPinKind(b.below(5));
  pin.nodes = nodes;
  pin.nodeCount = b.seldom() ? -1 : 1 + b.below(2);
  pin.box = {b.point(), b.point()};
  pin.center = b.point();
  pin.radius = b.number(0.01, 0.05);
  if (shell && b.below(2)) {
    def.pins = &pin;
    def.pinCount = 1;
  }
  def.name = nameOf(s, "ball");
  def.shape = s.damaged(shape);
  def.material = b.byte() < 220 ? s.damaged(material) : nullptr;
  def.position = b.point();
  def.rotation = b.rotation();
  def.velocity = b.vec(1);
  def.userData = &userData;
  if (def.kind == MNS_BODY_INFLATABLE)
    (b.below(2) ? def.inflation : def.pressure) = b.below(2) ? b.number(0, 1.1) : b.number(0, 100);
  mnsBodyId id{};
  s.keep(MNS_TRY(s, mnsCreateBody, s.scene(), s.damaged(def), &id), id, s.bodies);
}
void destroyBody(ApiSession& s) { MNS_TRY(s, mnsDestroyBody, s.scene(), s.pick(s.bodies)); }

void describe(ApiSession& s) {
  mnsScene* const scene = s.scene();
  const mnsBodyId body = s.pick(s.bodies);
  mnsBodyKind kind{};
  const char* name = nullptr;
  mnsShape shape = mnsDefaultShape();
  void* data = nullptr;
  MNS_TRY(s, mnsBody_GetKind, scene, body, s.to(kind));
  s.touch(MNS_TRY(s, mnsBody_GetName, scene, body, &name), name);
  MNS_TRY(s, mnsBody_GetShape, scene, body, s.sized(shape));
  if (MNS_TRY(s, mnsBody_GetUserData, scene, body, &data) == MNS_OK && data && data != &userData)
    broken("user data are those that were given");
}

void getTransform(ApiSession& s) {
  mnsVec3 x{};
  mnsQuat q{};
  MNS_TRY(s, mnsBody_GetTransform, s.scene(), s.pick(s.bodies), s.to(x), s.to(q));
}
void getVelocity(ApiSession& s) {
  mnsVec3 v{}, w{};
  MNS_TRY(s, mnsBody_GetVelocity, s.scene(), s.pick(s.bodies), s.to(v), s.to(w));
}
void figures(ApiSession& s) {
  double number = 0;
  mnsVec3 force{};
  MNS_TRY(s, mnsBody_GetMass, s.scene(), s.pick(s.bodies), s.to(number));
  MNS_TRY(s, mnsBody_GetVolume, s.scene(), s.pick(s.bodies), s.to(number));
  MNS_TRY(s, mnsBody_GetFluidForce, s.scene(), s.pick(s.bodies), s.to(force));
}

void moveTo(ApiSession& s) {
  MNS_TRY(s, mnsBody_MoveTo, s.scene(), s.pick(s.bodies), s.b.point(), s.b.rotation(), s.b.number(0.01, 2));
}
void setTransform(ApiSession& s) { MNS_TRY(s, mnsBody_SetTransform, s.scene(), s.pick(s.bodies), s.b.point(), s.b.rotation()); }
void setVelocity(ApiSession& s) { MNS_TRY(s, mnsBody_SetVelocity, s.scene(), s.pick(s.bodies), s.b.vec(1), s.b.vec(5)); }
void applyImpulse(ApiSession& s) {
  const mnsVec3 at = s.b.point();
  MNS_TRY(s, mnsBody_ApplyImpulse, s.scene(), s.pick(s.bodies), s.b.vec(0.01), s.b.below(2) ? &at : nullptr);
}
void applyForce(ApiSession& s) {
  const mnsVec3 at = s.b.point();
  MNS_TRY(s, mnsBody_ApplyForce, s.scene(), s.pick(s.bodies), s.b.vec(1), s.b.below(2) ? &at : nullptr);
}
void setPressure(ApiSession& s) { MNS_TRY(s, mnsBody_SetPressure, s.scene(), s.pick(s.bodies), s.b.number(0, 1000)); }

void pinNodes(ApiSession& s) {
  const std::int32_t nodes[2] = {s.b.byte() - 2, s.b.byte()};
  MNS_TRY(s, mnsBody_PinNodes, s.scene(), s.pick(s.bodies), s.to(*nodes), s.b.below(4) - 1);
}
void unpinNodes(ApiSession& s) {
  const std::int32_t nodes[2] = {s.b.byte() - 2, s.b.byte()};
  MNS_TRY(s, mnsBody_UnpinNodes, s.scene(), s.pick(s.bodies), s.to(*nodes), s.b.below(4) - 1);
}
void moveNode(ApiSession& s) {
  MNS_TRY(s, mnsBody_MoveNode, s.scene(), s.pick(s.bodies), s.b.byte() - 1, s.b.point(), s.b.number(0.01, 0.1));
}

// A vector a node, where there are so many; else what positions() has.
const mnsView* ofNodes(ApiSession& s, mnsScene* scene, mnsBodyId body, double most, std::vector<float>& x, mnsView& view) {
  mnsView nodes{};
  if (s.b.seldom() || mnsBody_GetArray(scene, body, MNS_NODE_POSITION, &nodes) != MNS_OK) return s.positions(4, view);
  x.resize(std::size_t(4 * nodes.count));
  for (float& v : x) v = float(s.b.number(-most, most));
  view = mnsHostView(x.data(), MNS_FORMAT_FLOAT4, nodes.count);
  return &view;
}
void applyNodeForces(ApiSession& s) {
  std::vector<float> x;
  mnsView view{};
  mnsScene* const scene = s.scene();
  const mnsBodyId body = s.pick(s.bodies);
  MNS_TRY(s, mnsBody_ApplyNodeForces, scene, body, ofNodes(s, scene, body, 0.01, x, view));
}
void setNodeVelocities(ApiSession& s) {
  std::vector<float> x;
  mnsView view{};
  mnsScene* const scene = s.scene();
  const mnsBodyId body = s.pick(s.bodies);
  MNS_TRY(s, mnsBody_SetNodeVelocities, scene, body, ofNodes(s, scene, body, 0.5, x, view));
}

}  // namespace

ApiCalls bodyCalls() {
  return {{createBody, 20, kChanges},      {destroyBody, 2, kChanges},  {describe, 2, kReads},   {getTransform, 1, kReads},
          {getVelocity, 1, kReads},        {figures, 2, kReads},        {moveTo, 6, kChanges},   {setTransform, 2, kChanges},
          {setVelocity, 2, kChanges},      {applyImpulse, 1, kChanges}, {applyForce, 2, kReads}, {setPressure, 1, kChanges},
          {pinNodes, 2, kChanges},         {unpinNodes, 1, kChanges},   {moveNode, 2, kChanges}, {applyNodeForces, 2, kReads},
          {setNodeVelocities, 2, kChanges}};
}

}  // namespace meniscus::fuzz
