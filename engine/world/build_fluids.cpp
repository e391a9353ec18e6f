// Fluids of the scene: volumes become particles, clear of walls and solids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/mesh_repair.h"
#include "engine/world/build_parts.h"

namespace meniscus {

namespace {

// A volume of a fluid, ready to be filled.
struct Volume {
  int fluid = 0;
  SourceRef where;
  const Region* region = nullptr;
  std::unique_ptr<Region> own;    // unless it is the inside of a solid
  const Region* solid = nullptr;  // that encloses it
};

Volume volumeOf(Builder& b, int fluid, std::size_t k) {
  const SceneDef& scene = b.world.scene;
  const FluidDef& f = scene.fluids[std::size_t(fluid)];
  ShapeDef shape = f.shapes[k];
  Transform t = f.transforms[k];
  Volume v;
  v.fluid = fluid;
  v.where = shape.where;
  if (!shape.inside.empty()) {
    for (std::size_t s = 0; s < scene.solids.size(); ++s)
      if (scene.solids[s].name == shape.inside) v.region = v.solid = b.solidRegions[s].get();
    if (!v.region) throw Error(ErrorKind::input, fmt::format("there is no solid \"{}\" to fill", shape.inside));
    if (!v.region->closed() || !std::isfinite(v.region->volume()))
      throw Error(ErrorKind::input,
                  fmt::format("solid \"{}\" is open and cannot be filled; close its mesh or fill a shape", shape.inside));
    const FillObstacle* o = nullptr;
    for (const FillObstacle& each : b.surroundings.obstacles)
      if (each.name == shape.inside) o = &each;
    if (o && !o->container && !o->shell)
      throw Error(
          ErrorKind::input,
          fmt::format("solid \"{}\" is massive; only containers (\"container\": true in its shape) and inflatables can be filled",
                      shape.inside));
    return v;
  }
  if (!bakeScale(shape, t))
    throw Error(ErrorKind::input, "a round shape is scaled differently along its axes; give one factor, or a mesh");
  if (shape.kind == ShapeKind::mesh) {
    MeshFile mesh = meshOf(shape);
    repairSurface(mesh, b.notes);
    const SurfaceReport report = inspectSurface(mesh);
    if (!report.closed())
      throw Error(ErrorKind::input, fmt::format("{}: a mesh that is filled must be closed, but it has {} at faces {}", shape.file,
                                                report.holeEdges ? "holes" : "edges with more than two faces",
                                                listFaces(report.holeEdges ? report.holeFaces : report.nonManifoldFaces)));
    refuseSelfIntersections(mesh, "unite its parts into one surface, or fill them as shapes of their own");
    place(mesh.x, t);
    v.own = std::make_unique<Region>(std::make_shared<SurfaceTree>(SurfaceMesh{mesh.x, mesh.tri}), true);
  } else {
    v.own = std::make_unique<Region>(shape, t);
  }
  v.region = v.own.get();
  return v;
}

// The fluid must be in the domain.
void checkInside(Builder& b, const Volume& v) {
  const DomainDef& d = b.world.scene.domain;
  const double slack = 1e-6 * b.world.dx;
  const Box3& box = v.region->bounds();
  for (int k = 0; k < 3; ++k) {
    if (box.lo[k] >= d.min[k] - slack && box.hi[k] <= d.max[k] + slack) continue;
    b.mistake(
        v.where,
        fmt::format("fluid \"{}\" sticks out of the domain: along {} it goes from {:g} to {:g} m, the domain from {:g} to {:g} m",
                    b.world.scene.fluids[std::size_t(v.fluid)].name, "xyz"[k], box.lo[k], box.hi[k], d.min[k], d.max[k]));
    return;
  }
}

// Particles fill a closed space exactly only if their volume divides it: the first such space decides it.
void chooseParticleVolume(Builder& b, const std::vector<Volume>& volumes) {
  World& w = b.world;
  const double asked = w.particleVolume;
  for (const Volume& v : volumes) {
    const double volume = v.region->volume();
    double count = 0;
    if (v.region->isBox()) {
      const BoxLattice l = latticeOfBox(*v.region, b.surroundings, asked);
      if (l.closed) count = double(l.n[0]) * double(l.n[1]) * double(l.n[2]);
    } else if (v.solid) {
      count = double(std::llround(volume / asked));
    }
    if (count < 1) continue;
    w.particleVolume = volume / count;
    w.dx = std::cbrt(w.particleVolume);
    const FluidDef& f = w.scene.fluids[std::size_t(v.fluid)];
    if (std::abs(w.dx / f.spacing - 1) > 1e-12)
      b.note(fmt::format("fluid \"{}\": spacing {:.9g} m instead of {:g} m, so that {:.0f} particles fill the closed space exactly",
                         f.name, w.dx, f.spacing, count));
    return;
  }
}

std::vector<Vec3d> fill(const Builder& b, const Volume& v) {
  const double V = b.world.particleVolume;
  if (v.region->isBox()) {
    const BoxLattice l = latticeOfBox(*v.region, b.surroundings, V);
    const double filled = double(l.n[0]) * double(l.n[1]) * double(l.n[2]) * V;
    if (!l.closed || std::abs(filled - v.region->volume()) < 0.5 * V) return fillLattice(*v.region, l);
  }
  return fillRegion(*v.region, V);
}

// A shell has two sides, so pushing particles off it does not tell the right one: those of a volume within it are brought inside,
// the few that stick through it from outside are brought out. What finds no room is dropped.
void keepSide(Builder& b, const Region& shell, bool inside, std::vector<Vec3d>& x, std::size_t& dropped) {
  const double distance = b.world.scene.solver.contactDistance * b.world.dx;
  std::size_t kept = 0;
  for (Vec3d& p : x)
    if (inside ? pullInside(p, shell, distance) : pushOutside(p, shell, distance)) x[kept++] = p;
  dropped += x.size() - kept;
  x.resize(kept);
}

// Drops what is inside solids; refuses where that is more than the staircase of a lattice at a surface, unless carving is wanted.
void keepOutOfSolids(Builder& b, const Volume& v, std::vector<Vec3d>& x, std::size_t& dropped) {
  const FluidDef& f = b.world.scene.fluids[std::size_t(v.fluid)];
  const double dx = b.world.dx;
  for (const FillObstacle& o : b.surroundings.obstacles) {
    if (o.region == v.solid) keepSide(b, *o.region, true, x, dropped);
    if (o.region == v.solid || !o.region->closed() || (!o.container && !o.region->bounds().overlaps(v.region->bounds()))) continue;
    std::vector<char> in(x.size());
    std::size_t deep = 0, deepOut = 0;
    double deepest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d = o.region->distance(x[i], 4 * dx, nullptr) * (o.container ? -1 : 1);
      in[i] = d < 0;
      deep += d < -0.5 * dx;
      deepOut += d > 0.5 * dx;
      deepest = std::min(deepest, d);
    }
    if (o.shell && (deep == 0 || deepOut == 0)) {
      keepSide(b, *o.region, deep > 0, x, dropped);
      continue;
    }
    if (deep > 0 && !f.carve) {
      b.mistake(v.where,
                fmt::format("fluid \"{}\" overlaps solid \"{}\": {} particles lie up to {:.3g} m or more {}; move one of them, or "
                            "say \"carve\": true in the fluid",
                            f.name, o.name, deep, -deepest,
                            o.container ? "outside the container" : (o.shell ? "inside it, others outside" : "inside it")));
      return;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!in[i]) x[kept++] = x[i];
    x.resize(kept);
  }
}

// Drops what an earlier volume fills already; two different fluids may not share more than a staircase.
void keepOutOfFluids(Builder& b, const std::vector<Volume>& volumes, std::size_t which, std::vector<Vec3d>& x) {
  const Volume& v = volumes[which];
  const double dx = b.world.dx;
  for (std::size_t e = 0; e < which; ++e) {
    const Volume& other = volumes[e];
    if (!other.region->bounds().overlaps(v.region->bounds())) continue;
    std::size_t kept = 0, deep = 0;
    for (const Vec3d& p : x) {
      const double d = other.region->distance(p, 2 * dx, nullptr);
      deep += d < -0.5 * dx;
      if (d >= 0) x[kept++] = p;
    }
    x.resize(kept);
    if (deep > 0 && other.fluid != v.fluid)
      b.mistake(v.where, fmt::format("fluid \"{}\" overlaps fluid \"{}\" with {} particles; move one of them",
                                     b.world.scene.fluids[std::size_t(v.fluid)].name,
                                     b.world.scene.fluids[std::size_t(other.fluid)].name, deep));
  }
}

// Particles there must be room for.
Index capacityOf(Builder& b, Index n) {
  const SceneDef& s = b.world.scene;
  if (s.maxParticles > 0) {
    if (n > s.maxParticles)
      b.mistake(s.where,
                fmt::format("the scene starts with {} particles, but \"max_particles\" is {}; make it larger or leave it out", n,
                            s.maxParticles));
    return std::max(n, s.maxParticles);
  }
  double more = 0;
  for (const EmitterDef& e : s.emitters) {
    double time = e.schedule.empty() ? s.duration : 0;
    for (const ScheduleSpan& span : e.schedule) time += std::max(0.0, std::min(span.end, s.duration) - span.begin);
    double volume = e.jetSpeed() * e.area() * time;
    if (e.maxVolume > 0) volume = std::min(volume, e.maxVolume);
    more += 1.1 * volume / b.world.particleVolume + 2 * e.area() / std::pow(b.world.dx, 2) + 16;  // layers come whole
  }
  // the domain holds no more than this, however long an emitter works
  const Vec3d size = s.domain.max - s.domain.min;
  more = std::min(more, 1.2 * size.x * size.y * size.z / b.world.particleVolume + 64);
  checkParticleCount(b, n + more, s.emitters.empty() ? s.where : s.emitters[0].where);
  return b.mistakes.empty() ? n + Index(more) : n;
}

}  // namespace

void buildFluids(Builder& b) {
  World& w = b.world;
  const SceneDef& s = w.scene;
  b.surroundings.domain.lo = s.domain.min;
  b.surroundings.domain.hi = s.domain.max;
  std::copy(s.domain.walls, s.domain.walls + 6, b.surroundings.walls);
  std::vector<Volume> volumes;
  for (std::size_t f = 0; f < s.fluids.size(); ++f)
    for (std::size_t k = 0; k < s.fluids[f].shapes.size(); ++k) {
      try {
        volumes.push_back(volumeOf(b, int(f), k));
        checkInside(b, volumes.back());
      } catch (const Error& e) {
        if (e.kind != ErrorKind::input) throw;
        b.mistake(s.fluids[f].shapes[k].where, fmt::format("fluid \"{}\": {}", s.fluids[f].name, e.what()));
      }
    }
  if (!b.mistakes.empty()) return;
  chooseParticleVolume(b, volumes);
  double count = 0;
  for (const Volume& v : volumes) count += v.region->volume() / w.particleVolume;
  checkParticleCount(b, count, volumes.empty() ? s.where : volumes[0].where);
  if (!b.mistakes.empty()) return;
  FluidState& fluid = w.fluid;
  std::size_t dropped = 0;
  std::uint32_t id = 0;
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    const FluidDef& def = s.fluids[std::size_t(volumes[k].fluid)];
    std::vector<Vec3d> x = fill(b, volumes[k]);
    std::uint32_t number = id;
    for (Vec3d& p : x) p += jitterOf(number++, def.jitter * w.dx);
    keepOutOfSolids(b, volumes[k], x, dropped);
    keepOutOfFluids(b, volumes, k, x);
    if (x.empty() && b.mistakes.empty())
      b.mistake(
          volumes[k].where,
          fmt::format("fluid \"{}\": the volume holds no particle at a spacing of {:g} m; make it larger or the spacing smaller",
                      def.name, w.dx));
    for (Vec3d p : x) {
      if (!pushFree(p, b.surroundings, s.solver.contactDistance * w.dx)) {
        ++dropped;
        continue;
      }
      const Vec3d local = p - s.domain.min;
      fluid.x.push_back({float(local.x), float(local.y), float(local.z), 0});
      fluid.u.push_back({float(def.velocity.x), float(def.velocity.y), float(def.velocity.z), 0});
      fluid.id.push_back(id++);
      fluid.kind.push_back(std::uint8_t(volumes[k].fluid));
    }
  }
  if (dropped > 0)
    b.note(fmt::format("{} particles were left out in gaps narrower than two contact distances ({:g} m)", dropped,
                       2 * s.solver.contactDistance * w.dx));
  fluid.n = Index(fluid.x.size());
  fluid.capacity = capacityOf(b, fluid.n);
  const std::size_t n = std::size_t(fluid.n);
  fluid.p.resize(n);
  fluid.leaked.resize(n);
  fluid.e.resize(n);
  fluid.deficiency.resize(n);
  w.nextId = id;
}

}  // namespace meniscus
