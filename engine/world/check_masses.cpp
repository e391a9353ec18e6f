// Solids too light to be pushed together with the fluid.
#include <fmt/format.h>

#include <algorithm>

#include "engine/world/solid_parts.h"

namespace meniscus {
namespace {

// The particles that touch a solid weigh density * spacing a square metre. Beside them its own mass must not vanish in single
// precision: at a share of 1e-6 a cloth under a column and a ball in a basin still moved with the water, at 5e-7 and 1e-7 they were
// thrown at 1e5 m/s.
constexpr double kLeastShare = 1e-6;

double areaOf(const std::vector<Vec3d>& x, const std::vector<Index>& tri) {
  double area = 0;
  for (std::size_t t = 0; t + 2 < tri.size(); t += 3) {
    const Vec3d a = x[std::size_t(tri[t])];
    area += 0.5 * norm(cross(x[std::size_t(tri[t + 1])] - a, x[std::size_t(tri[t + 2])] - a));
  }
  return area;
}

// kg/m^2 of the solid that was added to the state last.
double massPerArea(const SolidState& state, const BuiltSolid& s) {
  if (s.def.kind == SolidKind::rigid)
    return state.rigid.back().mass / (s.hasMesh ? areaOf(s.mesh.x, s.mesh.tri) : surfaceArea(s.def.shape));
  const Body& body = state.bodies.back();
  double mass = 0;
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) mass += state.mass[std::size_t(i)];
  return mass / (s.def.kind == SolidKind::soft ? areaOf(s.tets.x, s.tets.tri) : areaOf(s.mesh.x, s.mesh.tri));
}

}  // namespace

void checkMass(Builder& b, const BuiltSolid& s) {
  if (isStill(s.def) || b.world.scene.fluids.empty()) return;
  double layer = 0;
  for (const FluidDef& f : b.world.scene.fluids) layer = std::max(layer, f.density * b.world.dx);
  const double own = massPerArea(b.world.solid, s);
  if (own >= kLeastShare * layer) return;
  b.mistake(
      s.def.where,
      fmt::format("solid \"{}\" weighs {:.2g} kg per m^2 of its surface, too little to be moved beside particles of {:g} kg/m^2 in "
                  "single precision; make it heavier, at least {:.2g} kg/m^2",
                  s.def.name, own, layer, 1.05 * kLeastShare * layer));
}

}  // namespace meniscus
