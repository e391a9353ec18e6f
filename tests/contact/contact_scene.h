// Worlds made by hand for the contact tests: a domain, surfaces appended as triangles, particles sorted by cell.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "engine/particle/boundary.h"

namespace meniscus::test {

constexpr float kDx = 0.02f;

inline World emptyWorld(const Vec3d& size, bool walls) {
  World w;
  w.scene.domain.max = size;
  for (bool& side : w.scene.domain.walls) side = walls;
  w.scene.fluids.resize(1);
  w.dx = kDx;
  w.particleVolume = double(kDx) * kDx * kDx;
  return w;
}

// Appends a body made of a surface; nodes of deformable kinds get `nodeMass` each.
inline Index addSurface(World& w, SolidKind kind, bool closed, bool twoSided, const std::vector<Vec3d>& x,
                        const std::vector<Index>& tri, double nodeMass = 0.01) {
  SolidState& s = w.solid;
  Body b;
  b.kind = kind;
  b.closed = closed;
  b.twoSided = twoSided;
  b.nodeBegin = Index(s.x.size());
  b.triBegin = Index(s.tri.size() / 3);
  const bool deforms = kind == SolidKind::cloth || kind == SolidKind::inflatable || kind == SolidKind::soft;
  for (const Vec3d& p : x) {
    s.x.push_back(p);
    s.xPrev.push_back(p);
    s.xRest.push_back(p);
    s.v.push_back({});
    s.w.push_back(deforms ? 1 / nodeMass : 0);
    s.mass.push_back(nodeMass);
  }
  for (const Index i : tri) s.tri.push_back(b.nodeBegin + i);
  b.nodeEnd = Index(s.x.size());
  b.triEnd = Index(s.tri.size() / 3);
  s.bodies.push_back(b);
  return Index(s.bodies.size()) - 1;
}

struct Mesh {
  std::vector<Vec3d> x;
  std::vector<Index> tri;
};

// A sheet of nu x nv quads (two triangles each) over origin + u, v; normal along u x v.
inline Mesh sheet(const Vec3d& origin, const Vec3d& u, const Vec3d& v, Index nu, Index nv) {
  Mesh m;
  for (Index j = 0; j <= nv; ++j)
    for (Index i = 0; i <= nu; ++i) m.x.push_back(origin + u * (double(i) / nu) + v * (double(j) / nv));
  for (Index j = 0; j < nv; ++j) {
    for (Index i = 0; i < nu; ++i) {
      const Index a = j * (nu + 1) + i, b = a + 1, c = a + nu + 1, d = c + 1;
      if ((i + j) % 2)
        m.tri.insert(m.tri.end(), {a, b, d, a, d, c});
      else
        m.tri.insert(m.tri.end(), {a, b, c, b, d, c});
    }
  }
  return m;
}

// A closed box surface, outward winding, n quads an edge (vertices on shared edges are shared).
inline Mesh boxMesh(const Vec3d& lo, const Vec3d& hi, Index n) {
  const Vec3d s = hi - lo;
  const Vec3d x{s.x, 0, 0}, y{0, s.y, 0}, z{0, 0, s.z};
  const Mesh faces[6] = {sheet(lo, y, x, n, n),     sheet(lo + z, x, y, n, n), sheet(lo, x, z, n, n),
                         sheet(lo + y, z, x, n, n), sheet(lo, z, y, n, n),     sheet(lo + x, y, z, n, n)};
  Mesh m;
  std::map<std::array<std::int64_t, 3>, Index> known;
  for (const Mesh& f : faces) {
    std::vector<Index> map;
    for (const Vec3d& p : f.x) {
      const auto key = [&](int k) { return std::int64_t(std::llround((p[k] - lo[k]) / s[k] * 1e6)); };
      const auto [it, isNew] = known.try_emplace({key(0), key(1), key(2)}, Index(m.x.size()));
      if (isNew) m.x.push_back(p);
      map.push_back(it->second);
    }
    for (const Index t : f.tri) m.tri.push_back(map[std::size_t(t)]);
  }
  return m;
}

// A sphere from a box mesh blown up, outward winding.
inline Mesh sphereMesh(const Vec3d& centre, double radius, Index n) {
  Mesh m = boxMesh({-1, -1, -1}, {1, 1, 1}, n);
  for (Vec3d& p : m.x) {
    for (int k = 0; k < 3; ++k) p[k] = std::tan(0.7853981633974483 * p[k]);
    p = centre + normalized(p) * radius;
  }
  return m;
}

// Boundary with the particles it looks at. The particles are sorted by cell; `order` gives their numbers before.
struct ContactScene {
  Exec exec;
  World world;
  CellGrid grid;
  std::vector<Index> order;
  Buffer<Vec4f> x, xOld, u;
  Buffer<std::uint8_t> leaked;
  std::unique_ptr<Boundary> boundary;
  float support, contact;

  explicit ContactScene(World w, int threads = 1, float h = 2 * kDx, float c = 0.25f * kDx)
      : exec(threads), world(std::move(w)), support(h), contact(c) {
    boundary = std::make_unique<Boundary>(world, support, contact);
  }

  void setParticles(const std::vector<Vec3d>& p) {
    const Vec3d size = world.scene.domain.max - world.scene.domain.min;
    grid.size = support;
    grid.invSize = 1 / support;
    for (int k = 0; k < 3; ++k) grid.dim[k] = std::max<Index>(1, Index(std::ceil(size[k] / support)));
    const auto cell = [&](Index i) { return grid.indexOf(grid.cellOf(Vec3f(p[std::size_t(i)] - world.scene.domain.min))); };
    order.resize(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return cell(a) < cell(b); });
    grid.begin.assign(std::size_t(grid.cells()) + 1, 0);
    for (std::size_t i = 0; i < p.size(); ++i) ++grid.begin[std::size_t(cell(Index(i))) + 1];
    for (Index c = 0; c < grid.cells(); ++c) grid.begin[std::size_t(c) + 1] += grid.begin[std::size_t(c)];
    x.resize(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) x[i] = Vec4f(Vec3f(p[std::size_t(order[i])] - world.scene.domain.min), 0.f);
    xOld = x;
    u.assign(p.size(), Vec4f());
    leaked.assign(p.size(), 0);
    world.fluid.n = Index(p.size());
    world.fluid.kind.assign(p.size(), 0);
  }

  void find(float margin = kDx) {
    boundary->update(exec, world, grid, margin);
    boundary->findFeatures(exec, grid, std::as_const(x).view());
  }

  // particles at the start; after find() give the new positions in x, then call this
  Index resolve() {
    return boundary->resolveContacts(exec, world, grid, std::as_const(xOld).view(), x.view(), u.view(), leaked.view(), {});
  }

  // features of the particle with the number it was given
  std::vector<Feature> featuresOf(Index particle) const {
    const Index sorted = Index(std::find(order.begin(), order.end(), particle) - order.begin());
    std::vector<Feature> out;
    const Index row = boundary->nearIndex()[sorted];
    if (row < 0) return out;
    for (int k = 0; k < boundary->featureCount()[row]; ++k) out.push_back(boundary->features()[boundary->slotBegin()[row] + k]);
    return out;
  }
};

// Small deterministic generator for test data.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2685821657736338717ull + 1) {}
  double uniform(double lo, double hi) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return lo + (hi - lo) * double((state_ * 2685821657736338717ull) >> 11) / 9007199254740992.0;
  }
  Vec3d vector(double lo, double hi) {
    const double x = uniform(lo, hi), y = uniform(lo, hi), z = uniform(lo, hi);
    return {x, y, z};
  }

 private:
  std::uint64_t state_;
};

inline int leaks(const ContactScene& s) {
  int n = 0;
  for (const std::uint8_t l : s.leaked) n += l;
  return n;
}

inline void setVelocity(ContactScene& s, std::size_t i, const Vec3d& u, double dt) {
  s.u[i] = Vec4f(Vec3f(u), 0.f);
  s.x[i] = s.xOld[i] + s.u[i] * float(dt);
}

}  // namespace meniscus::test
