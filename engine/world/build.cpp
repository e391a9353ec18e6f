#include "engine/world/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/schedule.h"
#include "engine/world/build_parts.h"

namespace meniscus {

namespace {

// Held for a particle by the state, the neighbour lists at the default support and the solver's vectors [bytes].
constexpr double kBytesPerParticle = 1000;
constexpr double kMostParticles = 2e9;
// Held for a cell of the neighbour search: where its particles begin, and its triangles, still and moving [bytes].
constexpr double kBytesPerCell = 16;
constexpr double kMostCells = 1e9;  // they are numbered with 32 bits

double physicalMemory() { return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)); }

// Volume of the shape [m^3] as far as it is known without its mesh.
double roughVolume(const ShapeDef& shape, const Transform& place) {
  if (!shape.inside.empty() || shape.kind == ShapeKind::mesh) return 0;
  ShapeDef s = shape;
  Transform t = place;
  return bakeScale(s, t) ? Region(s, t).volume() : 0;
}

// Before anything is built, from the shapes' own volumes; meshes are counted when they have been read.
void checkRoughCount(Builder& b) {
  const SceneDef& s = b.world.scene;
  const double cell = b.world.dx * b.world.dx * b.world.dx;
  double all = double(s.maxParticles);
  SourceRef at = s.where;
  for (const FluidDef& f : s.fluids)
    for (std::size_t k = 0; k < f.shapes.size(); ++k) {
      all += roughVolume(f.shapes[k], f.transforms[k]) / cell;
      at = f.where;
    }
  checkParticleCount(b, all, at);
}

// The cells of the neighbour search cover the domain; and a particle must fit between its sides.
void checkCells(Builder& b) {
  const DomainDef& d = b.world.scene.domain;
  const Vec3d size = d.max - d.min;
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    if (size[k] < b.world.dx * (1 - 1e-9))
      b.mistake(d.where, fmt::format("the domain is {:g} m wide along {}, less than the particle spacing of {:g} m; enlarge it or "
                                     "make \"spacing\" smaller",
                                     size[k], "xyz"[k], b.world.dx));
    cells *= std::floor(size[k] / (b.world.scene.solver.support * b.world.dx)) + 1;
  }
  if (cells <= kMostCells && cells * kBytesPerCell <= physicalMemory() / 2) return;
  b.mistake(d.where,
            fmt::format("the domain of {:g} x {:g} x {:g} m has about {:.3g} cells at a spacing of {:g} m, more than can be "
                        "searched for neighbours; make it smaller or \"spacing\" larger",
                        size.x, size.y, size.z, cells, b.world.dx));
}

template <class Opening>
void checkOpening(Builder& b, const Opening& o, const char* what) {
  const DomainDef& d = b.world.scene.domain;
  const Vec3d x = o.transform.translate;
  for (int k = 0; k < 3; ++k)
    if (x[k] < d.min[k] || x[k] > d.max[k]) {
      b.mistake(o.where,
                fmt::format("{} \"{}\" is outside the domain: its position[{}] is {:g} m, the domain goes from {:g} to {:g} m",
                            what, o.name, k, x[k], d.min[k], d.max[k]));
      break;
    }
  const double least = o.kind == OpeningKind::disc ? 2 * o.radius : std::min(o.size.x, o.size.y);
  if (least < b.world.dx)
    b.mistake(o.where, fmt::format("{} \"{}\" is {:g} m wide, less than a particle spacing of {:g} m; make it wider", what, o.name,
                                   least, b.world.dx));
}

// What is let go outside of the domain is lost at once: openings wider than it, and jets that cross it within a step.
void checkJet(Builder& b, const EmitterDef& e) {
  const SceneDef& s = b.world.scene;
  const double across = norm(s.domain.max - s.domain.min);
  const double wide = e.kind == OpeningKind::disc ? 2 * e.radius : std::max(e.size.x, e.size.y);
  if (wide > across)
    b.mistake(e.where,
              fmt::format("emitter \"{}\" is {:g} m wide, more than the domain from corner to corner ({:g} m); make it smaller",
                          e.name, wide, across));
  if (e.jetSpeed() * s.solver.dt > across)
    b.mistake(e.where,
              fmt::format("emitter \"{}\" lets fluid go at {:g} m/s, which crosses the domain ({:g} m) within a step of {:g} s; "
                          "make its speed or rate, or dt, smaller",
                          e.name, e.jetSpeed(), across, s.solver.dt));
}

// A step that the sub-steps allowed cannot resolve even from rest: gravity alone takes things beyond the CFL limit.
void checkStep(Builder& b) {
  const SceneDef& s = b.world.scene;
  const double g = norm(s.gravity);
  if (!(g > 0)) return;
  const double longest = s.solver.maxSubsteps * std::sqrt(2 * s.solver.cfl * b.world.dx / g);
  if (s.solver.dt <= longest) return;
  b.mistake(s.solver.where,
            fmt::format("a step of {:g} s cannot be resolved: in {} sub-steps, whatever falls from rest goes farther "
                        "than {:g} spacings of {:g} m in one; make dt {:.2g} s or smaller, or \"max_substeps\" larger",
                        s.solver.dt, s.solver.maxSubsteps, s.solver.cfl, b.world.dx, 0.95 * longest));
}

// Beside a viscosity that carries momentum over many spacings in a step, the mass of a particle is a small share of what the
// implicit step weighs. In single precision nothing is left of it at 1 / 2^-24 spacings^2: the flow then gains energy instead of
// coming to rest. A hundredth of that is stiffer than any flow that could be told from a solid.
void checkViscosity(Builder& b, const FluidDef& f) {
  constexpr double kMostSpacings2 = 1e5;  // spacings^2 a step
  const double dt = b.world.scene.solver.dt, most = kMostSpacings2 * b.world.dx * b.world.dx / dt;
  if (f.viscosity <= most) return;
  b.mistake(
      f.where,
      fmt::format("fluid \"{}\" has a viscosity of {:g} m^2/s, more than can be computed with in steps of {:g} s and a spacing "
                  "of {:g} m; give at most {:.2g} m^2/s, or a soft or rigid solid instead",
                  f.name, f.viscosity, dt, b.world.dx, 0.95 * most));
}

// Of a scene without fluid, where it is the length scale of contacts only.
double fallbackSpacing(const SceneDef& s) {
  const Vec3d size = s.domain.max - s.domain.min;
  return std::max(std::min({size.x, size.y, size.z}) / 50, std::max({size.x, size.y, size.z}) / 400);
}

}  // namespace

void checkParticleCount(Builder& b, double count, const SourceRef& at) {
  const double memory = physicalMemory();
  if (count * kBytesPerParticle <= memory && count < kMostParticles) return;
  b.mistake(at, fmt::format("about {:.3g} particles are asked for, which need {:.3g} GB, but the machine has {:.1f} GB; make "
                            "\"spacing\" larger (now {:g} m) or the fluid smaller",
                            count, count * kBytesPerParticle / 1e9, memory / 1e9, b.world.dx));
}

void checkFigures(Builder& b) {
  World& w = b.world;
  const SceneDef& s = w.scene;
  for (int k = 0; k < 3; ++k)
    if (!(s.domain.max[k] - s.domain.min[k] > 0) || !std::isfinite(s.domain.max[k] - s.domain.min[k])) {
      b.mistake(s.domain.where, "the domain has no volume; give \"domain\" a \"min\" and a larger \"max\"");
      return;
    }
  for (const FluidDef& f : s.fluids) {
    if (!(f.spacing > 0))
      b.mistake(f.where, fmt::format("fluid \"{}\" has a spacing of {:g} m; it must be > 0", f.name, f.spacing));
    else if (f.spacing != s.fluids[0].spacing)
      b.mistake(f.where,
                fmt::format("fluid \"{}\" has a spacing of {:g} m, but \"{}\" has {:g} m; all fluids of a scene need the same",
                            f.name, f.spacing, s.fluids[0].name, s.fluids[0].spacing));
  }
  if (!b.mistakes.empty()) return;
  w.dx = s.fluids.empty() ? fallbackSpacing(s) : s.fluids[0].spacing;
  w.particleVolume = w.dx * w.dx * w.dx;
  checkStep(b);
  for (const FluidDef& f : s.fluids) checkViscosity(b, f);
  for (const EmitterDef& e : s.emitters) {
    checkOpening(b, e, "emitter");
    checkJet(b, e);
  }
  for (const DrainDef& d : s.drains) checkOpening(b, d, "drain");
  if (!s.fluids.empty()) checkCells(b);
  checkRoughCount(b);
}

World buildWorld(const SceneDef& scene, Exec&, std::vector<std::string>* notes) {
  World world;
  world.scene = scene;
  for (EmitterDef& e : world.scene.emitters) mergeSpans(e.schedule);
  for (DrainDef& d : world.scene.drains) mergeSpans(d.schedule);
  Builder b{world, notes, {}, {}, {}};
  checkFigures(b);
  throwIfAny(b.mistakes);
  buildSolids(b);
  throwIfAny(b.mistakes);
  checkOpenings(b);
  checkKeyFrames(b);
  buildFluids(b);
  throwIfAny(b.mistakes);
  world.emitters.resize(scene.emitters.size());
  world.drains.resize(scene.drains.size());
  return world;
}

}  // namespace meniscus
