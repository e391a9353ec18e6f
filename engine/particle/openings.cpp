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
  Mat3d toWorld, toLocal;
  Vec3d origin;  // relative to the domain's lower corner [m]
  Frame(const Transform& t, const Vec3d& corner)
      : toWorld(t.rotate.normalizedQuat().matrix()), toLocal(toWorld.transposed()), origin(t.translate - corner) {}
  Vec3d local(const Vec4f& x) const { return toLocal * (Vec3d(x.xyz()) - origin); }
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

// Which sites of a layer at local height z have a particle too near. Particles are looked up in square bins of the plane.
class TakenSites {
 public:
  TakenSites(const Layer& layer, double reach)
      : layer_(layer), reach_(reach), next_(layer.sites.size(), -1), taken_(layer.sites.size(), 0) {
    for (const Vec3d& s : layer.sites) half_ = std::max({half_, std::fabs(s.x), std::fabs(s.y)});
    half_ += reach;
    bins_ = std::max(1, int(2 * half_ / reach));
    first_.assign(std::size_t(bins_) * bins_, -1);
    for (std::size_t k = 0; k < layer.sites.size(); ++k) {
      Index& head = first_[std::size_t(bin(layer.sites[k].y)) * bins_ + bin(layer.sites[k].x)];
      next_[k] = head;
      head = Index(k);
    }
  }
  void mark(const World& w, const Frame& frame, double z, const Buffer<std::uint8_t>& drop) {
    for (Index i = 0; i < w.fluid.n; ++i) {
      if (!drop.empty() && drop[i]) continue;
      const Vec3d x = frame.local(w.fluid.x[i]) - Vec3d{0, 0, z};
      if (std::fabs(x.z) < reach_ && std::fabs(x.x) < half_ && std::fabs(x.y) < half_) markAround(x);
    }
  }
  bool operator[](std::size_t k) const { return taken_[k]; }

 private:
  int bin(double v) const { return std::min(bins_ - 1, std::max(0, int((v + half_) / (2 * half_) * bins_))); }
  void markAround(const Vec3d& x) {
    for (int j = bin(x.y - reach_); j <= bin(x.y + reach_); ++j)
      for (int i = bin(x.x - reach_); i <= bin(x.x + reach_); ++i)
        for (Index k = first_[std::size_t(j) * bins_ + i]; k >= 0; k = next_[std::size_t(k)])
          if (norm2(layer_.sites[std::size_t(k)] - x) < reach_ * reach_) taken_[std::size_t(k)] = 1;
  }

  const Layer& layer_;
  double reach_, half_ = 0;
  int bins_ = 1;
  std::vector<Index> first_, next_;
  std::vector<std::uint8_t> taken_;
};

// Lets one layer go at local height z. Sites whose place is taken, or outside the domain, are left out and counted.
void emitLayer(World& w, const EmitterDef& def, EmitterState& state, const Frame& frame, const Layer& layer, double z, double speed,
               std::uint8_t kind, Buffer<std::uint8_t>& drop) {
  const double V = w.particleVolume;
  const Vec3d extent = w.scene.domain.max - w.scene.domain.min, u = frame.toWorld * Vec3d{0, 0, speed};
  // the jet's own layers may lie closer than the limit in thin jets
  TakenSites taken(layer, std::min(kFree * w.dx, 0.8 * layer.length));
  taken.mark(w, frame, z, drop);
  for (std::size_t k = 0; k < layer.sites.size(); ++k) {
    if (def.maxVolume > 0 && state.volume + V > def.maxVolume * (1 + 1e-9)) return;
    const Vec3d x = frame.origin + frame.toWorld * (layer.sites[k] + Vec3d{0, 0, z});
    const bool inside = x.x >= 0 && x.y >= 0 && x.z >= 0 && x.x <= extent.x && x.y <= extent.y && x.z <= extent.z;
    if (taken[k] || !inside) {
      ++w.report.blocked;
      continue;
    }
    if (w.fluid.n >= w.fluid.capacity) {
      w.report.overflow = true;
      return;
    }
    appendParticle(w, x, u, kind);
    if (!drop.empty()) drop.resize(std::size_t(w.fluid.n));
    state.volume += V;
    ++w.report.emitted;
    ++w.emittedTotal;
  }
}

void emit(World& w, const EmitterDef& def, EmitterState& state, double h, Buffer<std::uint8_t>& drop) {
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
    const double since = closedFor(def.schedule, w.time);
    for (; state.carry <= 0; state.carry += layer.length)
      emitLayer(w, def, state, frame, layer, speed * since - state.carry, speed, kind, drop);
  }
  state.carry -= speed * activeTime(def.schedule, w.time, h);
}

// ---- drains ----

// At the opening, in the volume below it, or about to cross it within h seconds. A particle fills half a spacing around it.
bool atDrain(const DrainDef& def, const Vec3d& x, const Vec3d& u, double dx, double h) {
  const bool within = def.kind == OpeningKind::disc ? x.x * x.x + x.y * x.y <= def.radius * def.radius
                                                    : std::fabs(x.x) <= 0.5 * def.size.x && std::fabs(x.y) <= 0.5 * def.size.y;
  if (!within || x.z < -std::max(def.depth, 0.5 * dx)) return false;
  return x.z <= 0 || (u.z <= 0 && (x.z <= 0.5 * dx || x.z + u.z * h <= 0));
}

void drain(World& w, const DrainDef& def, DrainState& state, double h, Buffer<std::uint8_t>& drop) {
  const double active = activeTime(def.schedule, w.time, h);
  if (active <= 0) return;
  const FluidState& f = w.fluid;
  const Frame frame(def.transform, w.scene.domain.min);
  std::vector<Index> at;
  for (Index i = 0; i < f.n; ++i)
    if ((drop.empty() || !drop[i]) && atDrain(def, frame.local(f.x[i]), frame.toLocal * Vec3d(f.u[i].xyz()), w.dx, h))
      at.push_back(i);
  std::size_t most = at.size();
  if (def.rate > 0) {
    state.budget += def.rate * active;
    // by id: the order of particles in memory must not decide who leaves
    std::sort(at.begin(), at.end(), [&f](Index a, Index b) { return f.id[a] < f.id[b]; });
    most = std::min(most, std::size_t(state.budget / w.particleVolume * (1 + 1e-12)));
    state.budget -= double(most) * w.particleVolume;
    // what could not flow for want of water is not owed later
    if (most == at.size()) state.budget = std::min(state.budget, w.particleVolume);
  }
  if (most > 0 && drop.empty()) drop.assign(std::size_t(f.n), 0);
  for (std::size_t k = 0; k < most; ++k) drop[at[k]] = 1;
  state.removed += most;
  w.report.drained += Index(most);
  w.drainedTotal += most;
}

}  // namespace

void applyOpenings(World& w, double h, Buffer<std::uint8_t>& drop) {
  w.emitters.resize(w.scene.emitters.size());
  w.drains.resize(w.scene.drains.size());
  for (std::size_t k = 0; k < w.drains.size(); ++k) drain(w, w.scene.drains[k], w.drains[k], h, drop);
  for (std::size_t k = 0; k < w.emitters.size(); ++k) emit(w, w.scene.emitters[k], w.emitters[k], h, drop);
}

}  // namespace meniscus
