#include "engine/world/ledger.h"

#include <algorithm>
#include <cmath>

namespace meniscus {
namespace {

// From a point to the opening and the space below it that it takes from [m].
double distanceTo(const DrainDef& d, const Vec3d& x, double dx) {
  const Vec3d p = d.transform.rotate.normalizedQuat().conjugate().rotate(x - d.transform.translate);
  const double depth = std::max(d.depth, 0.5 * dx), above = std::max({p.z, -depth - p.z, 0.0});
  const double aside = d.kind == OpeningKind::disc ? std::max(std::sqrt(p.x * p.x + p.y * p.y) - d.radius, 0.0)
                                                   : std::hypot(std::max(std::fabs(p.x) - 0.5 * d.size.x, 0.0),
                                                                std::max(std::fabs(p.y) - 0.5 * d.size.y, 0.0));
  return std::hypot(above, aside);
}

// To the nearest side of the domain that is open, or that is a wall [m]; 0 beyond it.
double distanceTo(const DomainDef& d, bool walls, const Vec3d& x) {
  double nearest = 1e300;
  for (int side = 0; side < 6; ++side) {
    if (d.walls[side] != walls) continue;
    const int k = side / 2;
    nearest = std::min(nearest, std::max(side % 2 ? d.max[k] - x[k] : x[k] - d.min[k], 0.0));
  }
  return nearest;
}

}  // namespace

void ParticleLedger::take(const World& w) {
  drained_.resizeUninitialized(w.drains.size());
  for (std::size_t k = 0; k < w.drains.size(); ++k) drained_[k] = w.drains[k].removed;
  time_ = w.time;
  drainedTotal_ = w.drainedTotal;
  escaped_ = w.escapedTotal;
  lost_ = w.lostThroughWalls;
}

void ParticleLedger::compare(const World& w, const StateCopy& before, std::vector<Entry>& entries) {
  entries.clear();
  const FluidState& f = w.fluid;
  for (std::size_t i = 0; i < std::size_t(f.n); ++i)
    if (f.leaked[i]) entries.push_back({f.id[i], What::leaked, -1, w.scene.domain.min + Vec3d(f.x[i].xyz())});
  if (!entries.empty()) {  // those that had leaked before are no news
    present_.assign(std::size_t(w.nextId), 0);
    const View<const std::uint32_t> id = before.array<std::uint32_t>("fluid.id");
    const View<const std::uint8_t> leaked = before.array<std::uint8_t>("fluid.leaked");
    for (Index k = 0; k < id.n; ++k)
      if (leaked[k] && id[k] < w.nextId) present_[id[k]] = 1;
    const auto known = [&](const Entry& e) { return present_[e.id] != 0; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), known), entries.end());
  }
  if (w.drainedTotal != drainedTotal_ || w.escapedTotal != escaped_ || w.lostThroughWalls != lost_) {
    findGone(w, before);
    assign(w, before, entries);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

void ParticleLedger::findGone(const World& w, const StateCopy& before) {
  present_.assign(std::size_t(w.nextId), 0);
  for (Index i = 0; i < w.fluid.n; ++i) present_[w.fluid.id[std::size_t(i)]] = 1;
  gone_.clear();
  const View<const std::uint32_t> ids = before.array<std::uint32_t>("fluid.id");
  for (Index k = 0; k < ids.n; ++k)
    if (ids[k] < w.nextId && !present_[ids[k]]) gone_.push_back(k);
}

void ParticleLedger::assign(const World& w, const StateCopy& before, std::vector<Entry>& entries) {
  const std::size_t drains = std::min(w.drains.size(), w.scene.drains.size());
  left_.assign(drains + 2, 0);
  for (std::size_t k = 0; k < drains; ++k) left_[k] = Index(w.drains[k].removed - (k < drained_.size() ? drained_[k] : 0));
  left_[drains] = Index(w.escapedTotal - escaped_);
  left_[drains + 1] = Index(w.lostThroughWalls - lost_);
  claims_.clear();
  const View<const Vec4f> x = before.array<Vec4f>("fluid.x"), u = before.array<Vec4f>("fluid.u");
  const View<const std::uint32_t> ids = before.array<std::uint32_t>("fluid.id");
  for (const Index g : gone_) {
    const Vec3d from = w.scene.domain.min + Vec3d(x[g].xyz()), way = Vec3d(u[g].xyz()) * (w.time - time_);
    for (std::size_t k = 0; k < left_.size(); ++k) {
      if (left_[k] == 0) continue;
      double nearest = 1e300;
      for (const double share : {0.0, 0.5, 1.0}) {
        const Vec3d at = from + way * share;
        nearest =
            std::min(nearest, k < drains ? distanceTo(w.scene.drains[k], at, w.dx) : distanceTo(w.scene.domain, k > drains, at));
      }
      claims_.push_back({nearest, g, std::int32_t(k)});
    }
  }
  const auto id = [&](const Claim& c) { return ids[c.gone]; };
  std::sort(claims_.begin(), claims_.end(), [&](const Claim& a, const Claim& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    return a.gone != b.gone ? id(a) < id(b) : a.taker < b.taker;
  });
  for (const Claim& c : claims_) {
    const std::size_t k = std::size_t(c.taker);
    if (left_[k] == 0 || present_[id(c)]) continue;
    --left_[k];
    present_[id(c)] = 1;  // it has its place in the list
    const What what = k < drains ? What::drained : k == drains ? What::escaped : What::leaked;
    entries.push_back({id(c), what, k < drains ? c.taker : -1, w.scene.domain.min + Vec3d(x[c.gone].xyz())});
  }
}

}  // namespace meniscus
