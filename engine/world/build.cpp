#include "engine/world/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/world/build_parts.h"

namespace meniscus {

namespace {

// Held for a particle by the state, the neighbour lists at the default support and the solver's vectors [bytes].
constexpr double kBytesPerParticle = 1000;

double physicalMemory() { return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)); }

// Volume of the shape [m^3] as far as it is known without its mesh.
double roughVolume(const ShapeDef& shape, const Transform& place) {
  if (!shape.inside.empty() || shape.kind == ShapeKind::mesh) return 0;
  ShapeDef s = shape;
  Transform t = place;
  return bakeScale(s, t) ? Region(s, t).volume() : 0;
}

void checkMemory(Builder& b) {
  const SceneDef& s = b.world.scene;
  const double cell = b.world.dx * b.world.dx * b.world.dx, memory = physicalMemory();
  double all = double(s.maxParticles);
  SourceRef at{};
  for (const FluidDef& f : s.fluids)
    for (std::size_t k = 0; k < f.shapes.size(); ++k) {
      all += roughVolume(f.shapes[k], f.transforms[k]) / cell;
      at = f.where;
    }
  if (all * kBytesPerParticle <= memory && all < 2e9) return;
  b.mistake(at, fmt::format("about {:.3g} particles are asked for, which need {:.1f} GB, but the machine has {:.1f} GB; make "
                            "\"spacing\" larger (now {:g} m) or the fluid smaller",
                            all, all * kBytesPerParticle / 1e9, memory / 1e9, b.world.dx));
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

double fallbackSpacing(const SceneDef& s) {
  const Vec3d size = s.domain.max - s.domain.min;
  return std::min({size.x, size.y, size.z}) / 50;
}

}  // namespace

void checkFigures(Builder& b) {
  World& w = b.world;
  const SceneDef& s = w.scene;
  for (int k = 0; k < 3; ++k)
    if (!(s.domain.max[k] - s.domain.min[k] > 0) || !std::isfinite(s.domain.max[k] - s.domain.min[k])) {
      b.mistake({}, "the domain has no volume; give \"domain\" a \"min\" and a larger \"max\"");
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
  // without fluid the spacing serves as the length scale of contacts only
  w.dx = s.fluids.empty() ? fallbackSpacing(s) : s.fluids[0].spacing;
  w.particleVolume = w.dx * w.dx * w.dx;
  for (const EmitterDef& e : s.emitters) checkOpening(b, e, "emitter");
  for (const DrainDef& d : s.drains) checkOpening(b, d, "drain");
  checkMemory(b);
}

World buildWorld(const SceneDef& scene, Exec&, std::vector<std::string>* notes) {
  World world;
  world.scene = scene;
  Builder b{world, notes, {}, {}, {}};
  checkFigures(b);
  throwIfAny(b.mistakes);
  buildSolids(b);
  throwIfAny(b.mistakes);
  buildFluids(b);
  throwIfAny(b.mistakes);
  world.emitters.resize(scene.emitters.size());
  world.drains.resize(scene.drains.size());
  return world;
}

}  // namespace meniscus
