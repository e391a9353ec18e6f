#include "engine/world/particles.h"

namespace meniscus {
namespace {

// Calls f(buffer) for every array of the particles.
template <class F>
void forEachArray(FluidState& fluid, const F& f) {
  for (auto* b : {&fluid.x, &fluid.u}) f(*b);
  for (auto* b : {&fluid.p, &fluid.e, &fluid.deficiency}) f(*b);
  for (auto* b : {&fluid.kind, &fluid.leaked}) f(*b);
  f(fluid.id);
}

}  // namespace

void reserveParticles(FluidState& fluid, std::size_t n) {
  forEachArray(fluid, [n](auto& b) { b.reserve(n); });
}

void appendParticle(World& w, const Vec3d& x, const Vec3d& u, std::uint8_t kind) {
  FluidState& f = w.fluid;
  const std::size_t i = std::size_t(f.n);
  forEachArray(f, [i](auto& b) {
    b.resize(i);  // what is not set below starts from zero
    b.resize(i + 1);
  });
  f.x[i] = Vec4f(Vec3f(x), 0.f);
  f.u[i] = Vec4f(Vec3f(u), 0.f);
  f.kind[i] = kind;
  f.id[i] = w.nextId++;
  f.n = Index(i + 1);
}

Index removeParticles(FluidState& f, const std::vector<std::uint8_t>& remove) {
  const std::size_t n = std::size_t(f.n);
  std::size_t kept = 0;
  forEachArray(f, [&](auto& b) {
    kept = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (!remove[i]) b[kept++] = b[i];
    b.resize(kept);
  });
  f.n = Index(kept);
  return Index(n - kept);
}

}  // namespace meniscus
