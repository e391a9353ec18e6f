#include "engine/world/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/scene/capillary.h"
#include "engine/scene/methods.h"
#include "engine/scene/schedule.h"
#include "engine/world/build_parts.h"
#include "engine/world/check.h"
#include "engine/world/memory.h"

namespace meniscus {

namespace {

// Held for a particle by the state, the neighbour lists at the default support and the solver's vectors [bytes].
constexpr double kBytesPerParticle = 1000;
constexpr double kMostParticles = 2e9;
// Held for a cell of the neighbour search: where its particles begin, and its triangles, still and moving [bytes].
constexpr double kBytesPerCell = 16;
constexpr double kMostCells = 1e9;  // they are numbered with 32 bits

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

// Beyond the sub-steps that there may be, tension is not slow but unstable; and what it sets in motion has to stay within the CFL
// limit.
void checkTension(Builder& b, const FluidDef& f) {
  constexpr double kReached = 0.75;   // of the speed of a film one spacing thick, by what is not that thin
  constexpr double kMostSpeed = 1e7;  // m/s: single precision and the steps' limit of 1e8 are not far
  const SolverDef& s = b.world.scene.solver;
  if (f.surfaceTension == 0) return;
  const double fastest = fastestByTension(b.world.scene, b.world.dx);
  if (fastest > kMostSpeed) {
    b.mistake(f.where, fmt::format("fluid \"{}\" has a surface tension of {:g} N/m, which would draw it together at {:.2g} m/s; "
                                   "give at most {:.2g} N/m",
                                   f.name, f.surfaceTension, fastest, 0.5 * kMostSpeed * kMostSpeed * f.density * b.world.dx));
    return;
  }
  const double byPath = s.cfl * b.world.dx / (kReached * fastest);
  const double byWaves = longestCapillaryStep(b.world.scene, b.world.dx), longest = s.maxSubsteps * std::min(byPath, byWaves);
  if (s.dt <= longest) return;
  const std::string limit =
      byWaves <= byPath
          ? fmt::format("whose waves on a spacing of {:g} m cannot be resolved in {} sub-steps of a step of {:g} s", b.world.dx,
                        s.maxSubsteps, s.dt)
          : fmt::format(
                "which draws what is thin together at {:.2g} m/s: in {} sub-steps of a step of {:g} s it goes farther than "
                "{:g} spacings of {:g} m in one",
                kReached * fastest, s.maxSubsteps, s.dt, s.cfl, b.world.dx);
  b.mistake(f.where, fmt::format("fluid \"{}\" has a surface tension of {:g} N/m, {}; make dt {:.2g} s or smaller, \"spacing\" or "
                                 "\"max_substeps\" larger",
                                 f.name, f.surfaceTension, limit, 0.95 * longest));
}

}  // namespace

double spacingOf(const SceneDef& s) {
  if (!s.fluids.empty()) return s.fluids[0].spacing;
  const Vec3d size = s.domain.max - s.domain.min;
  return std::max(std::min({size.x, size.y, size.z}) / 50, std::max({size.x, size.y, size.z}) / 400);
}

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
  w.dx = spacingOf(s);
  w.particleVolume = w.dx * w.dx * w.dx;
  checkStep(b);
  for (const FluidDef& f : s.fluids) checkViscosity(b, f);
  for (const FluidDef& f : s.fluids) checkTension(b, f);
  for (const EmitterDef& e : s.emitters) checkFigures(b, e);
  for (const DrainDef& d : s.drains) checkFigures(b, d);
  if (!s.fluids.empty()) checkCells(b);
  checkRoughCount(b);
}

Diagnostics mistakesInFigures(World& w) {
  Builder b{w, nullptr, {}, {}, {}};
  checkStep(b);
  for (const FluidDef& f : w.scene.fluids) checkViscosity(b, f);
  for (const FluidDef& f : w.scene.fluids) checkTension(b, f);
  for (const EmitterDef& e : w.scene.emitters) checkFigures(b, e);
  checkKeyFrames(b);
  return b.mistakes;
}

World buildWorld(const SceneDef& scene, Exec&, std::vector<std::string>* notes) {
  refuseGridScene(scene);
  throwIfAny(refusedByCoupling(scene));
  World world;
  world.scene = scene;
  for (EmitterDef& e : world.scene.emitters) mergeSpans(e.schedule);
  for (DrainDef& d : world.scene.drains) mergeSpans(d.schedule);
  Builder b{world, notes, {}, {}, {}};
  checkFigures(b);
  throwIfAny(b.mistakes);
  buildSolids(b);
  throwIfAny(b.mistakes);
  checkSoftOverlaps(b);
  checkOpenings(b);
  checkKeyFrames(b);
  buildFluids(b);
  throwIfAny(b.mistakes);
  world.emitters.resize(scene.emitters.size());
  world.drains.resize(scene.drains.size());
  return world;
}

}  // namespace meniscus
