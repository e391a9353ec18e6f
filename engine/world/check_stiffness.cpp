#include "engine/world/check_stiffness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/solid/tet_shape.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

// What of a soft solid may be beyond the limit unsaid, by volume: the slivers of a mesh.
constexpr double kSlivers = 0.1;
// A plate of aluminium (0.05 m thick, 67.5 GPa) in steps of 1 ms: with 3 times the limit (two layers of tetrahedra) a step in three
// ends a little apart and its sag is right; with 1.1 times (four layers) all do, their solves out of iterations, and the plate
// swings by a third of its sag.
constexpr double kClear = 10;

struct Stiffness {
  double share;   // compliance of a shear mode over the inertia of its nodes, see Xpbd::solvableAlphaTilde
  double length;  // of a side of a tetrahedron [m]
};

// Of the element that all but the stiffest kSlivers of the volume are at least as compliant as.
Stiffness stiffnessOf(const SolidState& s, const Body& body, double twiceShear, double dt) {
  std::vector<std::pair<double, double>> all;  // share, volume
  double whole = 0;
  for (Index t = body.tetBegin; t < body.tetEnd; ++t) {
    const Index* const n = &s.tet[4 * Offset(t)];
    const Vec3d x[4] = {s.xRest[n[0]], s.xRest[n[1]], s.xRest[n[2]], s.xRest[n[3]]};
    const Mat3d inverse = TetShape<double>::make(x).inv;
    const double volume = 1 / (6 * std::fabs(determinant(inverse)));
    // the mean of |Q b|^2 over the unit Q is a third of |b|^2
    Vec3d first{};
    double moved = 0;
    for (int k = 0; k < 3; ++k) {
      first -= inverse.r[k];
      moved += norm2(inverse.r[k]) / (3 * s.mass[n[k + 1]]);
    }
    moved += norm2(first) / (3 * s.mass[n[0]]);
    all.emplace_back(1 / (volume * twiceShear * dt * dt * moved), volume);
    whole += volume;
  }
  std::sort(all.begin(), all.end());
  double before = 0;
  for (const auto& [share, volume] : all)
    if ((before += volume) > kSlivers * whole) return {share, std::cbrt(6 * volume)};
  return {HUGE_VAL, 0};
}

}  // namespace

void checkStiffness(Builder& b, const SolidDef& def, std::size_t body) {
  const MaterialDef& m = def.material;
  if (!(m.youngsModulus > 0)) return;
  const double dt = b.world.scene.solver.dt;
  const Stiffness found = stiffnessOf(b.world.solid, b.world.solid.bodies[body], m.youngsModulus / (1 + m.poissonRatio), dt);
  const double room = found.share / kSolvable;
  if (room < 1)
    b.mistake(def.where,
              fmt::format("solid \"{}\": youngs_modulus is {:g} Pa, but in steps of {:g} s no more than {:.2g} Pa can be "
                          "computed with for tetrahedra of {:.2g} m: it would be taken for softer; make dt {:.2g} s or "
                          "smaller, the tetrahedra larger, or the solid rigid",
                          def.name, m.youngsModulus, dt, m.youngsModulus * room, found.length, 0.95 * dt * std::sqrt(room)));
  else if (room < kClear)
    b.note(fmt::format(
        "solid \"{}\": a youngs_modulus of {:g} Pa is near the {:.2g} Pa that steps of {:g} s resolve with tetrahedra of "
        "{:.2g} m; steps may end unconverged, with dt {:.2g} s or smaller they should not, and with larger \"max_iterations\" they "
        "do less",
        def.name, m.youngsModulus, m.youngsModulus * room, dt, found.length, 0.95 * dt * std::sqrt(room / kClear)));
}

}  // namespace meniscus
