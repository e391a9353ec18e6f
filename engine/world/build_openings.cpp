// Emitters and drains against the solids as they stand at the start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/world/build_parts.h"

namespace meniscus {

namespace {

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

bool openAtStart(const EmitterDef& e) { return e.schedule.empty() || e.schedule.front().begin <= 0; }

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

}  // namespace

void checkOpenings(Builder& b) {
  const SceneDef& s = b.world.scene;
  for (const FillObstacle& o : b.surroundings.obstacles) {
    if (o.shell) continue;           // fluid may be on either side
    const bool still = stays(b, o);  // what moves may have gone before an opening is opened
    for (const EmitterDef& e : s.emitters)
      if (still || openAtStart(e)) checkEmitter(b, e, o);
    for (const DrainDef& d : s.drains)
      if (still) checkDrain(b, d, o);
  }
}

}  // namespace meniscus
