#include "apps/validate/trial.h"

#include "apps/cli/call.h"
#include "apps/cli/interrupt.h"

namespace meniscus::validate {

using cli::need;

Trial::Trial(const std::string& text, int threads, const std::function<void(mnsScene*)>& add) {
  mnsContextDef def = mnsDefaultContextDef();
  def.device = MNS_DEVICE_CPU;
  def.threads = threads;
  mnsContext* context = nullptr;
  need(mnsCreateContext(MNS_VERSION, &def, &context));
  context_.reset(context);
  need(mnsLoadSceneText(context, text.c_str(), text.size(), ".", &scene_));
  if (add) add(scene_);
  need(mnsScene_Start(scene_));
}

void Trial::step(double dt) {
  constexpr double kLook = 0.05;  // s between looks whether to stop
  mnsTicket ticket{};
  need(mnsScene_StepAsync(scene_, dt, &ticket));
  for (;;) {
    const mnsResult result = mnsScene_Wait(scene_, ticket, kLook);
    if (result == MNS_INTERRUPTED) throw Stopped{};
    if (result != MNS_PENDING) return need(result);
    if (cli::interrupted()) need(mnsScene_Cancel(scene_));
  }
}

void Trial::stepTo(double t, double dt) {
  while (time() < t - 1e-6 * dt) step(std::min(dt, t - time()));
}

mnsStatistics Trial::statistics() const {
  mnsStatistics s{};
  s.structSize = sizeof s;
  need(mnsScene_GetStatistics(scene_, &s));
  return s;
}

double Trial::time() const { return statistics().time; }

std::size_t Trial::particles() const { return std::size_t(statistics().particles); }

std::vector<Vec3d> Trial::vectors(mnsParticleField field) const {
  std::vector<float> v(4 * particles());
  const mnsView to = mnsHostView(v.data(), MNS_FORMAT_FLOAT4, std::int64_t(particles()));
  std::int64_t written = 0;
  need(mnsScene_CopyParticles(scene_, field, &to, &written));
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i < std::size_t(written); ++i)
    out.push_back({double(v[4 * i]), double(v[4 * i + 1]), double(v[4 * i + 2])});
  return out;
}

std::vector<Vec3d> Trial::positions() const { return vectors(MNS_PARTICLE_POSITION); }
std::vector<Vec3d> Trial::velocities() const { return vectors(MNS_PARTICLE_VELOCITY); }

std::vector<double> Trial::pressures() const {
  std::vector<float> p(particles());
  const mnsView to = mnsHostView(p.data(), MNS_FORMAT_FLOAT, std::int64_t(p.size()));
  std::int64_t written = 0;
  need(mnsScene_CopyParticles(scene_, MNS_PARTICLE_PRESSURE, &to, &written));
  return {p.begin(), p.end()};
}

std::vector<Vec3d> Trial::nodes(mnsBodyId body, mnsBodyField field) const {
  mnsView there{};
  need(mnsBody_GetArray(scene_, body, field, &there));
  std::vector<float> v(4 * std::size_t(there.count));
  const mnsView to = mnsHostView(v.data(), MNS_FORMAT_FLOAT4, there.count);
  std::int64_t written = 0;
  need(mnsBody_CopyArray(scene_, body, field, &to, &written));
  std::vector<Vec3d> x;
  for (std::size_t i = 0; i < std::size_t(written); ++i)
    x.push_back({double(v[4 * i]), double(v[4 * i + 1]), double(v[4 * i + 2])});
  return x;
}

std::vector<std::uint32_t> Trial::ids() const {
  std::vector<std::uint32_t> all(particles());
  const mnsView to = mnsHostView(all.data(), MNS_FORMAT_UINT32, std::int64_t(all.size()));
  std::int64_t written = 0;
  need(mnsScene_CopyParticles(scene_, MNS_PARTICLE_ID, &to, &written));
  return all;
}

void Trial::setVelocityArray(const std::vector<float>& v) {
  const std::vector<std::uint32_t> all = ids();
  const mnsView from = mnsHostView(v.data(), MNS_FORMAT_FLOAT3, std::int64_t(all.size()));
  need(mnsScene_SetParticleVelocities(scene_, all.data(), std::int32_t(all.size()), &from));
}

void Trial::removeParticles() {
  const std::vector<std::uint32_t> all = ids();
  need(mnsScene_RemoveParticles(scene_, all.data(), std::int32_t(all.size()), nullptr));
}

std::vector<double> Trial::pressuresAt(const std::vector<Vec3d>& points) const {
  std::vector<float> x;
  for (const Vec3d& p : points)
    for (int c = 0; c < 3; ++c) x.push_back(float(p[c]));
  std::vector<mnsFluidSample> samples(points.size());
  const mnsView view = mnsHostView(x.data(), MNS_FORMAT_FLOAT3, std::int64_t(points.size()));
  need(mnsScene_SampleFluid(scene_, &view, samples.data(), sizeof(mnsFluidSample)));
  std::vector<double> p;
  for (const mnsFluidSample& s : samples) p.push_back(s.filled > 1.0 / 3 ? s.pressure : 0);
  return p;
}

mnsBodyId Trial::body(const char* name) const {
  mnsBodyId id{};
  need(mnsScene_FindBody(scene_, name, &id));
  return id;
}

}  // namespace meniscus::validate
