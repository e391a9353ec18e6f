// Emitters and drains against the domain, the steps and the solids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/scene/schedule.h"
#include "engine/world/build_parts.h"
#include "engine/world/check.h"
#include "engine/world/standing.h"

namespace meniscus {

namespace {

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

constexpr int kMostAcross = 32;  // points of an opening each way: enough to meet whatever is as large as a part of it

// Points of the opening on a square lattice at local height z [m], world frame.
template <class Opening>
std::vector<Vec3d> pointsOf(const Opening& o, double z, double dx) {
  const bool disc = o.kind == OpeningKind::disc;
  const double half[2] = {disc ? o.radius : 0.5 * o.size.x, disc ? o.radius : 0.5 * o.size.y};
  int n[2];
  for (int k = 0; k < 2; ++k) n[k] = int(std::clamp(std::ceil(2 * half[k] / dx), 1.0, double(kMostAcross)));
  const Mat3d turn = o.transform.rotate.normalizedQuat().matrix();
  std::vector<Vec3d> points;
  for (int j = 0; j < n[1]; ++j)
    for (int i = 0; i < n[0]; ++i) {
      const Vec3d p{((2 * i + 1.0) / n[0] - 1) * half[0], ((2 * j + 1.0) / n[1] - 1) * half[1], z};
      if (!disc || p.x * p.x + p.y * p.y <= o.radius * o.radius) points.push_back(o.transform.translate + turn * p);
    }
  return points;
}

// Depth [m] of a point in what a massive solid or a container keeps free of fluid; negative where fluid can be.
double depthIn(const FillObstacle& o, const Vec3d& x, double reach) {
  return (o.container ? 1 : -1) * o.region->distance(x, reach, nullptr);
}

const char* placeIn(const FillObstacle& o) { return o.container ? "outside the container" : "inside solid"; }

bool stays(const Builder& b, const FillObstacle& o) {
  const std::vector<SolidDef>& all = b.world.scene.solids;
  return std::any_of(all.begin(), all.end(), [&](const SolidDef& s) { return s.name == o.name && s.kind == SolidKind::fixed; });
}

bool openAt(const EmitterDef& e, double time) {
  return e.schedule.empty() || std::any_of(e.schedule.begin(), e.schedule.end(),
                                           [time](const ScheduleSpan& s) { return s.begin <= time && time < s.end; });
}

// What is let go inside a solid is beyond its surface from the first. The first layers are up to a spacing in front of the opening;
// half a spacing is what the staircase of a lattice may do.
void checkEmitter(Builder& b, const EmitterDef& e, const FillObstacle& o) {
  const double dx = b.world.dx;
  std::size_t deep = 0, all = 0;
  double deepest = 0;
  for (const double z : {0.0, dx})
    for (const Vec3d& x : pointsOf(e, z, dx)) {
      const double depth = depthIn(o, x, 4 * dx);
      deepest = std::max(deepest, depth);
      deep += depth > 0.5 * dx;
      ++all;
    }
  if (deep == 0) return;
  b.mistake(e.where,
            fmt::format("emitter \"{}\" lets fluid go {} \"{}\": {:.0f} % of the space before its opening is up to {:.3g} m "
                        "or more in there; move one of them, or make the opening smaller",
                        e.name, placeIn(o), o.name, std::ceil(100.0 * double(deep) / double(all)), deepest));
}

// A drain that no particle can reach: all of its opening and of the depth below it is in a solid that stays.
void checkDrain(Builder& b, const DrainDef& d, const FillObstacle& o) {
  const double dx = b.world.dx;
  for (const double z : {0.5 * dx, 0.0, -0.5 * d.depth, -d.depth})
    for (const Vec3d& x : pointsOf(d, z, dx))
      if (depthIn(o, x, 4 * dx) <= 0) return;
  b.mistake(d.where,
            fmt::format("drain \"{}\" can take nothing: its opening lies {} \"{}\"; move one of them", d.name, placeIn(o), o.name));
}

// Fluid may be on either side of shells; what moves may have gone before an opening is opened.
void checkAgainstSolids(Builder& b, const EmitterDef& e) {
  for (const FillObstacle& o : b.surroundings.obstacles)
    if (!o.shell && (stays(b, o) || openAt(e, b.world.time))) checkEmitter(b, e, o);
}

void checkAgainstSolids(Builder& b, const DrainDef& d) {
  for (const FillObstacle& o : b.surroundings.obstacles)
    if (!o.shell && stays(b, o)) checkDrain(b, d, o);
}

template <class Opening>
Diagnostics mistakesNow(World& w, const Opening& o, double depth) {
  Builder b{w, nullptr, {}, {}, {}};
  checkFigures(b, o);
  if (!b.mistakes.empty()) return b.mistakes;
  Box3 near;
  const double r = 2 * w.dx + depth + (o.kind == OpeningKind::disc ? o.radius : 0.5 * std::hypot(o.size.x, o.size.y));
  near.add(o.transform.translate - Vec3d{r, r, r});
  near.add(o.transform.translate + Vec3d{r, r, r});
  const StandingSolids solids = standingSolids(w, near);
  b.surroundings.obstacles = solids.obstacles;
  checkAgainstSolids(b, o);
  return b.mistakes;
}

}  // namespace

void checkFigures(Builder& b, const EmitterDef& e) {
  checkOpening(b, e, "emitter");
  checkJet(b, e);
}

void checkFigures(Builder& b, const DrainDef& d) { checkOpening(b, d, "drain"); }

void checkOpenings(Builder& b) {
  for (const EmitterDef& e : b.world.scene.emitters) checkAgainstSolids(b, e);
  for (const DrainDef& d : b.world.scene.drains) checkAgainstSolids(b, d);
}

Diagnostics mistakesIn(World& w, const EmitterDef& e) { return mistakesNow(w, e, 0); }
Diagnostics mistakesIn(World& w, const DrainDef& d) { return mistakesNow(w, d, d.depth); }

}  // namespace meniscus
