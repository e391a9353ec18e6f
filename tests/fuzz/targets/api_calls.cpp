// Bytes as a sequence of calls of the C interface, right and wrong ones mixed: ids of other scenes and of destroyed objects, null
// pointers, numbers that are none, definitions with damaged heads. No call may crash, and every failing one has a sentence.
#include <cmath>
#include <cstring>
#include <vector>

#include "meniscus/meniscus.h"
#include "tests/fuzz/targets/bytes.h"
#include "tests/fuzz/targets/targets.h"

namespace meniscus::fuzz {
namespace {

constexpr int kMostParticles = 600, kMostSteps = 12, kMostCalls = 200, kMostBodies = 6;

class Session {
 public:
  explicit Session(Bytes& b) : b_(b) {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = 1;
    check(mnsCreateContext(MNS_VERSION, &def, &context_));
    makeScene();
  }
  ~Session() {
    if (mnsDestroyContext(context_) != MNS_OK) broken("a context can be destroyed");
  }
  void run() {
    for (int k = 0; k < kMostCalls && !b_.empty(); ++k) oneCall();
  }

 private:
  // Every failure has a sentence.
  mnsResult check(mnsResult r) {
    if (r < 0 && !*mnsGetLastError()) broken("a failing call has a sentence");
    if (r == MNS_ERROR_INTERNAL) broken("no input makes an internal error");
    if (!std::strcmp(mnsResult_ToString(r), "MNS_UNKNOWN")) broken("results are those of the header");
    return r;
  }
  template <class Def>
  const Def* damaged(Def& def) {
    if (!b_.seldom()) return &def;
    switch (b_.below(3)) {
      case 0:
        return nullptr;
      case 1:
        def.cookie = b_.byte();
        break;
      default:
        def.structSize = b_.byte();
        break;
    }
    return &def;
  }
  template <class Id>
  Id pick(const std::vector<Id>& ids) {
    if (ids.empty() || b_.seldom()) return Id{b_.byte() - 5, std::uint16_t(b_.byte()), std::uint16_t(b_.byte())};
    return ids[std::size_t(b_.below(int(ids.size())))];
  }
  mnsScene* scene() {
    if (b_.seldom()) return b_.byte() < 128 ? nullptr : reinterpret_cast<mnsScene*>(std::uintptr_t(64));
    return scene_;
  }

  void makeScene() {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.domain.max = {b_.number(0.2, 0.24), 0.2, b_.number(0.2, 0.24)};
    def.spacing = b_.byte() < 240 ? 0.02 : b_.number(0.02, 0.05);
    def.maxParticles = b_.below(2) ? kMostParticles : 0;
    def.maxStep = b_.number(0.002, 0.01);
    def.openSides = b_.below(2) ? 0 : b_.byte();
    def.pressure = mnsPressureMode(b_.byte() > 200);
    def.maxSubsteps = 8;
    if (def.spacing < 0.02) def.spacing = 0.02;  // a finer one asks for more particles than a fuzzer has time for
    mnsScene* made = nullptr;
    if (check(mnsCreateScene(context_, damaged(def), &made)) == MNS_OK) {
      scene_ = made;
      steps_ = bodiesMade_ = 0;
    }
  }

  mnsShape shape(mnsBodyKind kind) {
    static float x[] = {-.03f, -.03f, -.03f, .03f, -.03f, -.03f, 0, .03f, -.03f, 0, 0, .03f};
    static std::int32_t t[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    mnsShape s = mnsDefaultShape();
    s.kind = mnsShapeKind(kind == MNS_BODY_CLOTH && b_.below(4) ? int(MNS_SHAPE_SHEET) : b_.below(8));
    s.size = {b_.number(0.02, 0.08), b_.number(0.02, 0.08), b_.number(0.02, 0.08)};
    s.radius = b_.number(0.01, 0.04);
    s.height = b_.number(0.01, 0.04);
    s.resolution = b_.below(2) ? 0 : b_.number(0.015, 0.04);
    if (s.resolution > 0 && s.resolution < 0.01) s.resolution = 0.01;
    s.container = b_.byte() > 230;
    s.open = b_.byte() > 200;
    if (s.kind == MNS_SHAPE_MESH) {
      s.vertices = x;
      s.vertexCount = b_.seldom() ? b_.byte() % 5 : 4;
      s.triangles = t;
      s.triangleCount = b_.seldom() ? b_.byte() % 5 : 4;
      s.scale = b_.number(0.5, 1.5);
    }
    return s;
  }

  void makeBody() {
    if (bodiesMade_ >= kMostBodies) return;
    mnsBodyDef def = mnsDefaultBodyDef();
    def.kind = mnsBodyKind(b_.below(6));
    if (def.kind == MNS_BODY_SOFT && b_.below(4)) def.kind = MNS_BODY_RIGID;  // tetgen is a program: too slow to fuzz through
    if (def.kind == MNS_BODY_SOFT) return makeTetBody();
    mnsShape s = shape(def.kind);
    mnsMaterial m = mnsDefaultMaterial();
    const bool shell = def.kind == MNS_BODY_CLOTH || def.kind == MNS_BODY_INFLATABLE;
    if (shell) m.arealDensity = b_.number(0.1, 2);
    if (def.kind == MNS_BODY_RIGID) m.density = b_.number(50, 3000);
    if (shell && b_.below(2)) m.stretch = {mnsResistanceKind(b_.below(3)), b_.number(0, 1e-3), 0};
    m.friction = b_.number(0, 1);
    mnsPin pin{};
    pin.kind = mnsPinKind(b_.below(5));
    pin.box = {b_.point(), b_.point()};
    pin.center = b_.point();
    pin.radius = b_.number(0.01, 0.05);
    if (shell && b_.below(2)) {
      def.pins = &pin;
      def.pinCount = 1;
    }
    def.shape = damaged(s);
    def.material = b_.byte() < 220 ? damaged(m) : nullptr;
    def.position = b_.point();
    def.rotation = b_.rotation();
    def.velocity = b_.vec(1);
    if (def.kind == MNS_BODY_INFLATABLE) def.inflation = b_.number(0, 1.1);
    add(mnsCreateBody(scene(), damaged(def), &body_), body_, bodies_);
    ++bodiesMade_;
  }
  void makeTetBody() {
    static const float x[] = {-.03f, -.03f, -.03f, .03f, -.03f, -.03f, 0, .03f, -.03f, 0, 0, .03f};
    static const std::int32_t tet[] = {0, 1, 2, 3};
    mnsShape s = mnsDefaultShape();
    s.kind = MNS_SHAPE_MESH;
    s.vertices = x;
    s.vertexCount = 4;
    s.tetrahedra = tet;
    s.tetrahedronCount = 1;
    mnsMaterial m = mnsDefaultMaterial();
    m.youngsModulus = b_.number(1e3, 1e5);
    mnsBodyDef def = mnsDefaultBodyDef();
    def.kind = MNS_BODY_SOFT;
    def.shape = &s;
    def.material = &m;
    def.position = b_.point();
    add(mnsCreateBody(scene(), &def, &body_), body_, bodies_);
    ++bodiesMade_;
  }
  void makeFluid() {
    mnsShape s = shape(MNS_BODY_STATIC);
    mnsFluidDef def = mnsDefaultFluidDef();
    if (b_.below(3)) def.shape = damaged(s);
    if (b_.below(4) == 0) def.inside = pick(bodies_);
    def.position = b_.point();
    def.rotation = b_.rotation();
    def.viscosity = b_.number(0, 1e-3);
    def.density = b_.number(500, 2000);
    def.carve = b_.below(2) == 0;
    add(mnsCreateFluid(scene(), damaged(def), &fluid_), fluid_, fluids_);
  }
  void makeOpening() {
    if (b_.below(2)) {
      mnsEmitterDef def = mnsDefaultEmitterDef();
      def.fluid = pick(fluids_);
      def.kind = mnsOpeningKind(b_.below(3));
      def.radius = def.sizeX = def.sizeY = b_.number(0.02, 0.05);
      def.position = b_.point();
      def.rotation = b_.rotation();
      def.speed = b_.number(0, 2);
      def.end = b_.below(2) ? def.end : b_.number(0, 0.1);
      mnsEmitterId id{};
      add(mnsCreateEmitter(scene(), damaged(def), &id), id, emitters_);
    } else {
      mnsDrainDef def = mnsDefaultDrainDef();
      def.kind = mnsOpeningKind(b_.below(3));
      def.radius = def.sizeX = def.sizeY = b_.number(0.02, 0.05);
      def.depth = b_.number(0, 0.05);
      def.position = b_.point();
      def.rotation = b_.rotation();
      mnsDrainId id{};
      add(mnsCreateDrain(scene(), damaged(def), &id), id, drains_);
    }
  }
  template <class Id>
  void add(mnsResult r, const Id& id, std::vector<Id>& ids) {
    if (check(r) == MNS_OK) ids.push_back(id);
  }

  void step() {
    if (steps_ >= kMostSteps) return;
    ++steps_;
    const double dt = b_.number(0.0005, 0.004);
    if (b_.below(4)) {
      check(mnsScene_Step(scene(), dt));
      return;
    }
    mnsTicket ticket{};
    if (check(mnsScene_StepAsync(scene(), dt, &ticket)) != MNS_OK) return;
    mnsView view{};
    check(mnsScene_GetParticles(scene_, MNS_PARTICLE_POSITION, &view));
    if (b_.below(3) == 0) check(mnsScene_Cancel(scene_));
    check(mnsScene_Wait(scene_, ticket, -1));
  }

  void moveBody() {
    const mnsBodyId body = pick(bodies_);
    switch (b_.below(9)) {
      case 0:
        check(mnsBody_SetVelocity(scene(), body, b_.vec(1), b_.vec(5)));
        break;
      case 1:
        check(mnsBody_MoveTo(scene(), body, b_.point(), b_.rotation(), b_.number(0.01, 0.1)));
        break;
      case 2:
        check(mnsBody_SetTransform(scene(), body, b_.point(), b_.rotation()));
        break;
      case 3:
        check(mnsBody_ApplyImpulse(scene(), body, b_.vec(0.01), nullptr));
        break;
      case 4: {
        const mnsVec3 at = b_.point();
        check(mnsBody_ApplyForce(scene(), body, b_.vec(1), &at));
        break;
      }
      case 5: {
        const std::int32_t nodes[2] = {b_.byte() - 2, b_.byte()};
        check(b_.below(2) ? mnsBody_PinNodes(scene(), body, nodes, 1 + b_.below(2)) : mnsBody_UnpinNodes(scene(), body, nodes, 1));
        break;
      }
      case 6:
        check(mnsBody_MoveNode(scene(), body, b_.byte() - 1, b_.point(), b_.number(0.01, 0.1)));
        break;
      case 7:
        check(mnsBody_SetPressure(scene(), body, b_.number(0, 1000)));
        break;
      default:
        check(mnsDestroyBody(scene(), body));
        break;
    }
  }

  void particles() {
    float x[12];
    for (float& v : x) v = float(b_.number(0.01, 0.19));
    const std::uint32_t ids[2] = {b_.byte(), b_.byte()};
    mnsView view = mnsHostView(x, b_.seldom() ? mnsFormat(b_.below(9)) : MNS_FORMAT_FLOAT3, 1 + b_.below(3));
    switch (b_.below(3)) {
      case 0:
        check(mnsScene_EmitParticles(scene(), pick(fluids_), &view, nullptr, nullptr));
        break;
      case 1:
        check(mnsScene_RemoveParticles(scene(), ids, 2, nullptr));
        break;
      default:
        view.count = 2;
        check(mnsScene_SetParticleVelocities(scene(), ids, 2, &view));
    }
  }

  void look() {
    double number = 0;
    mnsVec3 v{};
    mnsView view{};
    mnsStatistics s{};
    s.structSize = sizeof s;
    std::uint64_t hash = 0;
    switch (b_.below(10)) {
      case 0:
        check(mnsScene_GetParticles(scene(), mnsParticleField(b_.below(10) - 1), &view));
        break;
      case 1:
        check(mnsBody_GetArray(scene(), pick(bodies_), mnsBodyField(b_.below(7) - 1), &view));
        break;
      case 2:
        check(mnsScene_GetStatistics(scene(), &s));
        break;
      case 3:
        check(mnsScene_GetHash(scene(), &hash));
        break;
      case 4:
        check(mnsBody_GetTransform(scene(), pick(bodies_), &v, nullptr));
        break;
      case 5:
        check(mnsBody_GetVolume(scene(), pick(bodies_), &number));
        break;
      case 6: {
        mnsRayHit hit{};
        check(mnsScene_RayCast(scene(), b_.point(), b_.vec(0.3), std::uint32_t(b_.below(5)), &hit));
        break;
      }
      case 7: {
        mnsBuoyancy buoyancy{};
        check(mnsScene_ProbeBuoyancy(scene(), b_.point(), b_.number(0.01, 0.05), &buoyancy));
        break;
      }
      case 8: {
        mnsEvent events[4];
        std::int32_t count = 0;
        check(mnsScene_GetEvents(scene(), events, sizeof events[0], 4, &count));
        break;
      }
      default: {
        mnsBodyId found[2];
        std::uint32_t ids[4];
        std::int32_t n = 0, m = 0;
        check(mnsScene_OverlapSphere(scene(), b_.point(), b_.number(0.01, 0.1), found, 2, &n, ids, 4, &m));
      }
    }
  }

  void parameter() {
    std::int32_t count = 0;
    if (check(mnsScene_GetParameterCount(scene(), &count)) != MNS_OK || count == 0) return;
    mnsParameter p{};
    p.structSize = sizeof p;
    if (check(mnsScene_GetParameter(scene(), b_.byte() % (count + 1), &p)) != MNS_OK) return;
    double value = b_.number(p.low, p.high);
    if (p.integer) value = std::floor(value);
    check(mnsScene_SetValue(scene(), p.name, value));
  }

  void snapshot() {
    std::size_t size = 0;
    if (b_.below(2) || kept_.empty()) {
      if (check(mnsScene_Snapshot(scene_, nullptr, 0, &size)) != MNS_OK) return;
      kept_.resize(size);
      check(mnsScene_Snapshot(scene_, kept_.data(), kept_.size(), &size));
      return;
    }
    std::vector<char> copy = kept_;
    if (b_.below(3) == 0) copy[std::size_t(b_.byte()) * 37 % copy.size()] ^= char(b_.byte());
    check(mnsScene_Restore(scene(), copy.data(), b_.seldom() ? copy.size() / 2 : copy.size()));
  }

  void oneCall() {
    switch (b_.below(16)) {
      case 0:
        makeFluid();
        break;
      case 1:
      case 2:
        makeBody();
        break;
      case 3:
        makeOpening();
        break;
      case 4:
      case 5:
      case 6:
        step();
        break;
      case 7:
      case 8:
        moveBody();
        break;
      case 9:
        particles();
        break;
      case 10:
      case 11:
        look();
        break;
      case 12:
        parameter();
        break;
      case 13:
        snapshot();
        break;
      case 14:
        check(b_.below(2) ? mnsEmitter_SetSpeed(scene(), pick(emitters_), b_.number(0, 2))
                          : mnsDestroyDrain(scene(), pick(drains_)));
        break;
      default:
        if (b_.byte() > 200) {
          if (b_.below(2)) check(mnsDestroyScene(scene_));
          makeScene();
        } else {
          check(mnsDestroyFluid(scene(), pick(fluids_)));
        }
    }
  }

  Bytes& b_;
  mnsContext* context_ = nullptr;
  mnsScene* scene_ = nullptr;
  int steps_ = 0, bodiesMade_ = 0;
  mnsBodyId body_{};
  mnsFluidId fluid_{};
  std::vector<mnsFluidId> fluids_;  // also those of earlier scenes
  std::vector<mnsBodyId> bodies_;
  std::vector<mnsEmitterId> emitters_;
  std::vector<mnsDrainId> drains_;
  std::vector<char> kept_;
};

}  // namespace

void apiCalls(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  Session(bytes).run();
}

}  // namespace meniscus::fuzz
