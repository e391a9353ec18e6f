// Particles brought in, taken out and pushed by the host.
#include "engine/world/particles.h"

#include <algorithm>
#include <limits>

#include "engine/api/objects.h"
#include "engine/api/views.h"
#include "engine/world/check.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

void needIds(const std::uint32_t* ids, std::int32_t count) {
  if (count < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "the number of ids is {}", count);
  if (count > 0) needPointer(ids, "ids");
}

void needSpeeds(const std::vector<Vec3d>& u) {
  for (const Vec3d& v : u) needSpeed(norm(v), "the velocity of a particle");
}

// Calls f(particle, k) for every particle that is named by ids[k]; of an id that is named more than once, for the last.
template <class F>
void forEachNamed(const FluidState& fluid, const std::uint32_t* ids, std::int32_t count, const F& f) {
  std::vector<std::pair<std::uint32_t, std::int32_t>> named(std::size_t(count), {0u, 0});
  for (std::int32_t k = 0; k < count; ++k) named[std::size_t(k)] = {ids[k], k};
  std::sort(named.begin(), named.end());
  for (Index i = 0; i < fluid.n; ++i) {
    const std::uint32_t id = fluid.id[std::size_t(i)];
    const auto after = std::upper_bound(named.begin(), named.end(), std::pair(id, std::numeric_limits<std::int32_t>::max()));
    if (after != named.begin() && (after - 1)->first == id) f(std::size_t(i), (after - 1)->second);
  }
}

void needRoom(const World& w, std::uint64_t more) {
  const std::int64_t room = std::int64_t(w.fluid.capacity) - w.fluid.n;
  if (room < 0 || more > std::uint64_t(room))
    fail(MNS_ERROR_CAPACITY, "there is room for {} more particles, not for {}: raise mnsSceneDef::maxParticles (now {})",
         std::max<std::int64_t>(room, 0), more, w.fluid.capacity);
  if (more > std::numeric_limits<std::uint32_t>::max() - w.nextId)
    fail(MNS_ERROR_CAPACITY, "the ids of particles are used up: this scene has had {}", w.nextId);
}

}  // namespace

extern "C" {

mnsResult mnsScene_EmitParticles(mnsScene* scene, mnsFluidId fluid, const mnsView* positions, const mnsView* velocities,
                                 uint32_t* firstId) {
  return write(scene, [&](mnsScene& s) {
    const Slot& slot = s.fluids.at(fluid, s.serial, "fluid");
    World& w = started(s).world;
    needPointer(positions, "positions");
    if (positions->count > 0) needRoom(w, std::uint64_t(positions->count));
    const std::vector<Vec3d> x = vectorsOf(positions, "positions", "particle");
    const std::vector<Vec3d> u =
        velocities ? vectorsOf(velocities, "velocities", "particle") : std::vector<Vec3d>(x.size(), Vec3d{});
    if (u.size() != x.size()) fail(MNS_ERROR_INVALID_ARGUMENT, "there are {} positions, but {} velocities", x.size(), u.size());
    needSpeeds(u);
    if (const std::string mistake = mistakeInPlaces(w, x); !mistake.empty()) fail(MNS_ERROR_INVALID_ARGUMENT, "{}", mistake);
    reserveParticles(w.fluid, std::size_t(w.fluid.n) + x.size());
    if (firstId) *firstId = w.nextId;
    for (std::size_t k = 0; k < x.size(); ++k) appendParticle(w, x[k] - w.scene.domain.min, u[k], std::uint8_t(slot.order));
    w.emittedTotal += x.size();
    s.peakParticles = std::max(s.peakParticles, std::int64_t(w.fluid.n));
    s.published.renew(w);
    return MNS_OK;
  });
}

mnsResult mnsScene_RemoveParticles(mnsScene* scene, const uint32_t* ids, int32_t count, int32_t* removed) {
  return write(scene, [&](mnsScene& s) {
    World& w = started(s).world;
    needIds(ids, count);
    std::vector<std::uint8_t> gone(std::size_t(w.fluid.n), 0);
    forEachNamed(w.fluid, ids, count, [&](std::size_t i, std::int32_t) { gone[i] = 1; });
    const Index n = removeParticles(w.fluid, gone);
    w.drainedTotal += std::uint64_t(n);
    if (removed) *removed = n;
    s.published.renew(w);
    return MNS_OK;
  });
}

mnsResult mnsScene_SetParticleVelocities(mnsScene* scene, const uint32_t* ids, int32_t count, const mnsView* velocities) {
  return write(scene, [&](mnsScene& s) {
    World& w = started(s).world;
    needIds(ids, count);
    const std::vector<Vec3d> u = vectorsOf(velocities, "velocities", "particle");
    if (std::int64_t(u.size()) != count) fail(MNS_ERROR_INVALID_ARGUMENT, "there are {} ids, but {} velocities", count, u.size());
    needSpeeds(u);
    forEachNamed(w.fluid, ids, count, [&](std::size_t i, std::int32_t k) { w.fluid.u[i] = Vec4f(Vec3f(u[std::size_t(k)]), 0.f); });
    s.published.renew(w);
    return MNS_OK;
  });
}

}  // extern "C"
