// A soft beam of tetrahedra, clamped at one end and pulled down at the other, beside the inextensible elastica.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>

#include "apps/cli/call.h"
#include "apps/validate/block.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kLength = 0.8, kHeight = 0.1, kYoung = 1e5, kDensity = 1000;  // m, m, Pa, kg/m^3

class Beam {
 public:
  explicit Beam(int cells) {
    const double cell = kHeight / cells;
    const int along = int(std::lround(kLength / cell));
    const Block b = block(along, cells, cells, {kLength, kHeight, kHeight});  // narrower ones would turn over sideways
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = 1;  // its steps are too short to share
    mnsContext* context = nullptr;
    cli::need(mnsCreateContext(MNS_VERSION, &def, &context));
    context_.reset(context);
    makeScene();
    makeBody(b);
    for (std::int32_t i = 0; i < std::int32_t(b.x.size() / 3); ++i)
      if (std::fabs(double(b.x[std::size_t(3 * i)]) - kLength) < 1e-6) tip_.push_back(i);
    nodes_ = b.x.size() / 3;
    cli::need(mnsScene_Start(scene_));
  }

  static double rigidity() { return kYoung * kHeight * kHeight * kHeight * kHeight / 12; }  // E I [N m^2]

  // The tip at rest under the force [N], downwards: velocities are cleared whenever the kinetic energy begins to fall.
  Vec3d rest(double force, double dt, int steps, const std::function<void(double)>& progress) {
    std::vector<float> pull(3 * nodes_, 0.f);
    for (const std::int32_t i : tip_) pull[std::size_t(3 * i + 2)] = float(-force / double(tip_.size()));
    const mnsView forces = mnsHostView(pull.data(), MNS_FORMAT_FLOAT3, std::int64_t(nodes_));
    const std::vector<float> none(3 * nodes_, 0.f);
    const mnsView still = mnsHostView(none.data(), MNS_FORMAT_FLOAT3, std::int64_t(nodes_));
    double last = 0;
    for (int k = 0; k < steps; ++k) {
      cli::need(mnsBody_ApplyNodeForces(scene_, body_, &forces));
      cli::need(mnsScene_Step(scene_, dt));
      double kinetic = 0;
      for (const Vec3d& v : nodes(MNS_NODE_VELOCITY)) kinetic += norm2(v);
      if (kinetic < last) {
        cli::need(mnsBody_SetNodeVelocities(scene_, body_, &still));
        kinetic = 0;
      }
      last = kinetic;
      progress(double(k + 1) / steps);
    }
    const std::vector<Vec3d> x = nodes(MNS_NODE_POSITION);
    Vec3d tip{};
    for (const std::int32_t i : tip_) tip += x[std::size_t(i)] / double(tip_.size());
    return tip;
  }

 private:
  void makeScene() {
    mnsSceneDef def = mnsDefaultSceneDef();
    def.domain = {{-1, -1, -1}, {1, 1, 1}};
    def.gravity = {0, 0, 0};
    def.constraintIterations = 1;
    cli::need(mnsCreateScene(context_.get(), &def, &scene_));
  }

  void makeBody(const Block& b) {
    const mnsShape shape = b.shape();
    mnsMaterial material = mnsDefaultMaterial();
    material.density = kDensity;
    material.youngsModulus = kYoung;
    material.poissonRatio = 0;
    mnsPin clamp{};
    clamp.kind = MNS_PIN_BOX;
    clamp.box = {{-1e-6, -1, -1}, {1e-6, 1, 1}};
    mnsBodyDef def = mnsDefaultBodyDef();
    def.kind = MNS_BODY_SOFT;
    def.shape = &shape;
    def.material = &material;
    def.pins = &clamp;
    def.pinCount = 1;
    cli::need(mnsCreateBody(scene_, &def, &body_));
  }

  std::vector<Vec3d> nodes(mnsBodyField field) const {
    std::vector<float> v(4 * nodes_);
    const mnsView to = mnsHostView(v.data(), MNS_FORMAT_FLOAT4, std::int64_t(nodes_));
    std::int64_t written = 0;
    cli::need(mnsBody_CopyArray(scene_, body_, field, &to, &written));
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < nodes_; ++i) out.push_back({double(v[4 * i]), double(v[4 * i + 1]), double(v[4 * i + 2])});
    return out;
  }

  struct Destroy {
    void operator()(mnsContext* c) const { mnsDestroyContext(c); }
  };
  std::unique_ptr<mnsContext, Destroy> context_;
  mnsScene* scene_ = nullptr;
  mnsBodyId body_{};
  std::vector<std::int32_t> tip_;
  std::size_t nodes_ = 0;
};

}  // namespace

// Linear tetrahedra are too stiff in bending by about 2 / n^2 for n cells over the height; shear, which the elastica has not, adds
// 0.6 (H / L)^2 = 1 % of the drop.
Findings cantilever(const Effort& effort) {
  struct Load {
    double size, drop, shortening;  // P L^2 / E I; over L
  };
  std::vector<Load> loads = {{4, 0.6700, 0.3289}};
  if (effort.full)
    loads = {{0.5, 0.1621, 0.0159}, {1, 0.3017, 0.0564}, {2, 0.4935, 0.1606}, {4, 0.6700, 0.3289}, {8, 0.7850, 0.5048}};
  const int cells = int(effort.pick(4, 8));
  const double bound = 0.02 + 2.0 / (cells * cells);
  const double dt = 0.16 * kHeight / cells / std::sqrt(kYoung / kDensity);
  Findings found;
  Curve ours{"Meniscus", {}}, exact{"Bisshopp & Drucker", {}, true};
  for (std::size_t k = 0; k < loads.size(); ++k) {
    Beam beam(cells);
    const double force = loads[k].size * Beam::rigidity() / (kLength * kLength);
    const Vec3d tip =
        beam.rest(force, dt, int(2.2 / dt), [&](double share) { effort.progress((double(k) + share) / double(loads.size())); });
    const double drop = (kHeight / 2 - tip.z) / kLength;
    found.figures.push_back({fmt::format("drop under P L^2 / E I = {}", loads[k].size), "L", loads[k].drop, drop, bound});
    found.figures.push_back({fmt::format("shortening under {}", loads[k].size), "L", loads[k].shortening, 1 - tip.x / kLength,
                             bound * loads[k].drop, Error::absolute});
    ours.points.push_back({loads[k].size, drop});
    exact.points.push_back({loads[k].size, loads[k].drop});
  }
  found.plots = {{"cantilever", "P L^2 / E I", "drop [L]", {exact, ours}}};
  return found;
}

}  // namespace meniscus::validate
