#include "engine/particle/openings.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/scene/schedule.h"
#include "engine/world/particles.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kFree = 0.6;  // spacings: a site is taken where a particle is nearer than this

struct Frame {
  Mat3d toWorld;
  OpeningFrame local;
  Frame(const Transform& t, const Vec3d& corner) : toWorld(t.rotate.normalizedQuat().matrix()) {
    local = {toWorld.transposed(), t.translate - corner};
  }
};

// ---- emitters ----

// A layer of the jet. n sites carry the volume n V, so a layer stands for the length n V / area of the jet: with that spacing of
// the layers the flow is speed * area exactly. The number of sites is the lattice's best match to area / dx^2.
struct Layer {
  std::vector<Vec3d> sites;  // local [m], from the middle outwards
  double length = 0;         // m of jet
};

// Concentric cuts through a square lattice about a site or about a cell's centre, and the pair and triangle for openings of a few
// spacings.
std::vector<Vec3d> discSites(double radius, double dx) {
  const double area = kPi * radius * radius, want = area / (dx * dx);
  const auto mismatch = [want](std::size_t n) { return std::fabs(std::log(double(n) / want)); };
  std::vector<Vec3d> best{{0, 0, 0}};
  const double y = 0.5 / std::sqrt(3.0);
  for (const std::vector<Vec3d>& few :
       {std::vector<Vec3d>{{-0.5, 0, 0}, {0.5, 0, 0}}, std::vector<Vec3d>{{-0.5, -y, 0}, {0.5, -y, 0}, {0, 2 * y, 0}}})
    if (mismatch(few.size()) < mismatch(best.size())) best = few;
  for (const double shift : {0.0, 0.5}) {
    const int m = int(radius / dx) + 3;
    std::vector<Vec3d> all;
    for (int j = -m; j <= m; ++j)
      for (int i = -m; i <= m; ++i) all.push_back({i + shift, j + shift, 0});
    std::stable_sort(all.begin(), all.end(), [](const Vec3d& a, const Vec3d& b) { return norm2(a) < norm2(b) - 1e-9; });
    std::size_t count = 0;
    for (std::size_t k = 1; k < all.size() && norm2(all[k - 1]) < double(m) * m; ++k)
      if (norm2(all[k]) > norm2(all[k - 1]) + 1e-9 && (count == 0 || mismatch(k) < mismatch(count))) count = k;
    if (mismatch(count) < mismatch(best.size())) best.assign(all.begin(), all.begin() + std::ptrdiff_t(count));
  }
  // scaled so that the sites' squares fill the disc
  const double a = std::sqrt(area / double(best.size()));
  for (Vec3d& s : best) s *= a;
  return best;
}

std::vector<Vec3d> rectangleSites(double width, double height, double dx) {
  const int nx = std::max(1, int(std::lround(width / dx))), ny = std::max(1, int(std::lround(height / dx)));
  std::vector<Vec3d> sites;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) sites.push_back({((i + 0.5) / nx - 0.5) * width, ((j + 0.5) / ny - 0.5) * height, 0});
  return sites;
}

Layer makeLayer(const EmitterDef& def, double dx, double particleVolume) {
  Layer l;
  l.sites = def.kind == OpeningKind::disc ? discSites(def.radius, dx) : rectangleSites(def.size.x, def.size.y, dx);
  l.length = double(l.sites.size()) * particleVolume / def.area();
  return l;
}

// Which sites of a layer have a particle too near. Particles are looked up in square bins of the plane.
class TakenSites {
 public:
  TakenSites(const LayerPlace& layer, const std::vector<Vec3d>& sites, std::vector<std::uint8_t>& taken)
      : layer_(layer), sites_(sites), next_(sites.size(), -1), taken_(taken) {
    bins_ = std::max(1, int(2 * layer.half / layer.reach));
    first_.assign(std::size_t(bins_) * bins_, -1);
    for (std::size_t k = 0; k < sites.size(); ++k) {
      Index& head = first_[std::size_t(bin(sites[k].y)) * bins_ + bin(sites[k].x)];
      next_[k] = head;
      head = Index(k);
    }
    taken_.assign(sites.size(), 0);
  }
  void mark(const FluidState& f, const Buffer<std::uint8_t>& drop) {
    for (Index i = 0; i < f.n; ++i) {
      if (!drop.empty() && drop[i]) continue;
      Vec3d x;
      if (layer_.near(f.x[i], x)) markAround(x);
    }
  }

 private:
  int bin(double v) const { return std::min(bins_ - 1, std::max(0, int((v + layer_.half) / (2 * layer_.half) * bins_))); }
  void markAround(const Vec3d& x) {
    for (int j = bin(x.y - layer_.reach); j <= bin(x.y + layer_.reach); ++j)
      for (int i = bin(x.x - layer_.reach); i <= bin(x.x + layer_.reach); ++i)
        for (Index k = first_[std::size_t(j) * bins_ + i]; k >= 0; k = next_[std::size_t(k)])
          if (layer_.takes(x, sites_[std::size_t(k)])) taken_[std::size_t(k)] = 1;
  }

  const LayerPlace& layer_;
  const std::vector<Vec3d>& sites_;
  int bins_ = 1;
  std::vector<Index> first_, next_;
  std::vector<std::uint8_t>& taken_;
};

// The particles of a world; `drop` as in applyOpenings.
class ParticlesHere final : public OpeningParticles {
 public:
  ParticlesHere(World& w, Buffer<std::uint8_t>& drop) : world_(w), drop_(drop) {}
  Index count() const override { return world_.fluid.n; }
  std::size_t findAt(const DrainPlace& drain) override {
    const FluidState& f = world_.fluid;
    at_.clear();
    for (Index i = 0; i < f.n; ++i)
      if ((drop_.empty() || !drop_[i]) && drain.at(f.x[i], f.u[i])) at_.push_back(i);
    return at_.size();
  }
  void take(std::size_t most) override {
    const FluidState& f = world_.fluid;
    // by id: the order of particles in memory must not decide who leaves
    if (most < at_.size()) std::sort(at_.begin(), at_.end(), [&f](Index a, Index b) { return f.id[a] < f.id[b]; });
    if (most > 0 && drop_.empty()) drop_.assign(std::size_t(f.n), 0);
    for (std::size_t k = 0; k < most; ++k) drop_[at_[k]] = 1;
  }
  void findTaken(const LayerPlace& layer, const std::vector<Vec3d>& sites, std::vector<std::uint8_t>& taken) override {
    TakenSites(layer, sites, taken).mark(world_.fluid, drop_);
  }
  void append(const std::vector<Vec3d>& x, const Vec3d& u, std::uint8_t kind) override {
    for (const Vec3d& at : x) appendParticle(world_, at, u, kind);
    if (!drop_.empty()) drop_.resize(std::size_t(world_.fluid.n));
  }

 private:
  World& world_;
  Buffer<std::uint8_t>& drop_;
  std::vector<Index> at_;
};

LayerPlace placeOf(const World& w, const Frame& frame, const Layer& layer, double z) {
  // the jet's own layers may lie closer than the limit in thin jets
  const double reach = std::min(kFree * w.dx, 0.8 * layer.length);
  double half = 0;
  for (const Vec3d& s : layer.sites) half = std::max({half, std::fabs(s.x), std::fabs(s.y)});
  return {frame.local, z, reach, half + reach};
}

// Lets one layer go at local height z. Sites whose place is taken, or outside the domain, or for which the arrays have no room, are
// left out and counted.
void emitLayer(World& w, const EmitterDef& def, EmitterState& state, const Frame& frame, const Layer& layer, double z, double speed,
               std::uint8_t kind, OpeningParticles& particles) {
  const double V = w.particleVolume;
  const Vec3d extent = w.scene.domain.max - w.scene.domain.min, u = frame.toWorld * Vec3d{0, 0, speed};
  const LayerPlace place = placeOf(w, frame, layer, z);
  const Index room = w.fluid.capacity - particles.count();
  std::vector<std::uint8_t> taken;
  std::vector<Vec3d> emitted;
  double left = 0;  // m^3 that would have been let go, had there been room
  particles.findTaken(place, layer.sites, taken);
  for (std::size_t k = 0; k < layer.sites.size(); ++k) {
    if (def.maxVolume > 0 && state.volume + left + V > def.maxVolume * (1 + 1e-9)) break;
    const Vec3d x = place.frame.origin + frame.toWorld * (layer.sites[k] + Vec3d{0, 0, z});
    const bool inside = x.x >= 0 && x.y >= 0 && x.z >= 0 && x.x <= extent.x && x.y <= extent.y && x.z <= extent.z;
    if (taken[k] || !inside) {
      ++w.report.blocked;
      continue;
    }
    if (Index(emitted.size()) >= room) {
      w.report.overflow = true;
      ++w.report.blocked;
      left += V;
      continue;
    }
    emitted.push_back(x);
    state.volume += V;
  }
  particles.append(emitted, u, kind);
  w.report.emitted += Index(emitted.size());
  w.emittedTotal += emitted.size();
}

void emit(World& w, const EmitterDef& def, EmitterState& state, double t, double h, OpeningParticles& particles) {
  const double speed = def.jetSpeed();
  const bool spent = def.maxVolume > 0 && state.volume + w.particleVolume > def.maxVolume * (1 + 1e-9);
  if (!(def.area() > 0) || !(speed > 0) || spent) return;
  if (state.carry <= 0) {
    const Frame frame(def.transform, w.scene.domain.min);
    const Layer layer = makeLayer(def, w.dx, w.particleVolume);
    std::uint8_t kind = 0;
    for (std::size_t k = 0; k < w.scene.fluids.size(); ++k)
      if (w.scene.fluids[k].name == def.fluid) kind = std::uint8_t(k);
    // the first layer's middle is half a layer behind the front of the jet
    if (state.volume == 0 && state.carry == 0) state.carry = 0.5 * layer.length;
    const double since = closedFor(def.schedule, t);
    for (; state.carry <= 0; state.carry += layer.length)
      emitLayer(w, def, state, frame, layer, speed * since - state.carry, speed, kind, particles);
  }
  state.carry -= speed * activeTime(def.schedule, t, h);
}

// ---- drains ----

DrainPlace placeOf(const World& w, const DrainDef& def, double h) {
  const Frame frame(def.transform, w.scene.domain.min);
  return {frame.local, def.kind == OpeningKind::disc, def.radius, {0.5 * def.size.x, 0.5 * def.size.y}, def.depth, w.dx, h};
}

void drain(World& w, const DrainDef& def, DrainState& state, double t, double h, OpeningParticles& particles) {
  const double active = activeTime(def.schedule, t, h);
  if (active <= 0) return;
  const std::size_t at = particles.findAt(placeOf(w, def, h));
  std::size_t most = at;
  if (def.rate > 0) {
    state.budget += def.rate * active;
    most = std::min(most, std::size_t(state.budget / w.particleVolume * (1 + 1e-12)));
    state.budget -= double(most) * w.particleVolume;
    // what could not flow for want of water is not owed later
    if (most == at) state.budget = std::min(state.budget, w.particleVolume);
  }
  particles.take(most);
  state.removed += most;
  w.report.drained += Index(most);
  w.drainedTotal += most;
}

}  // namespace

void applyOpenings(World& w, double t, double h, OpeningParticles& particles) {
  w.emitters.resize(w.scene.emitters.size());
  w.drains.resize(w.scene.drains.size());
  for (std::size_t k = 0; k < w.drains.size(); ++k) drain(w, w.scene.drains[k], w.drains[k], t, h, particles);
  for (std::size_t k = 0; k < w.emitters.size(); ++k) emit(w, w.scene.emitters[k], w.emitters[k], t, h, particles);
}

void applyOpenings(World& w, double h, Buffer<std::uint8_t>& drop) {
  ParticlesHere particles(w, drop);
  applyOpenings(w, w.time, h, particles);
}

}  // namespace meniscus
