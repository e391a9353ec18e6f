#include "engine/solid/resistance.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/solid/solid.h"

namespace meniscus {
namespace {

// The body alone, at rest, of the new material.
SolidState rebuilt(const SolidState& s, const Body& b, SolidDef def) {
  def.pins.clear();
  SolidState alone;
  std::vector<Vec3d> x(s.xRest.data() + b.nodeBegin, s.xRest.data() + b.nodeEnd);
  std::vector<Index> tri, tet;
  for (Index k = 3 * b.triBegin; k < 3 * b.triEnd; ++k) tri.push_back(s.tri[std::size_t(k)] - b.nodeBegin);
  for (Index k = 4 * b.tetBegin; k < 4 * b.tetEnd; ++k) tet.push_back(s.tet[std::size_t(k)] - b.nodeBegin);
  if (b.kind == SolidKind::soft) {
    TetMesh mesh;
    mesh.x = std::move(x);
    mesh.tri = std::move(tri);
    mesh.tet = std::move(tet);
    addSoft(alone, def, mesh);
  } else {
    addShell(alone, def, SurfaceMesh{std::move(x), std::move(tri)});
  }
  return alone;
}

// Of one body, in the order in which building appended them: their rest data ascend, and the two parts of a tetrahedron share
// theirs.
std::vector<Constraint*> inBuildingOrder(SolidState& s, Index body) {
  std::vector<Constraint*> items;
  for (Constraint& c : s.constraints.items)
    if (Index(c.body) == body) items.push_back(&c);
  std::sort(items.begin(), items.end(),
            [](const Constraint* a, const Constraint* b) { return a->rest != b->rest ? a->rest < b->rest : a->type < b->type; });
  return items;
}

}  // namespace

void setResistances(SolidState& s, Index body, const SolidDef& def) {
  Body& b = s.bodies[std::size_t(body)];
  SolidState alone = rebuilt(s, b, def);
  const std::vector<Constraint*> to = inBuildingOrder(s, body), from = inBuildingOrder(alone, 0);
  std::vector<VolumeConstraint*> volumes;
  for (VolumeConstraint& v : s.volumes)
    if (v.body == body) volumes.push_back(&v);
  bool same = to.size() == from.size() && volumes.size() == alone.volumes.size();
  for (std::size_t k = 0; same && k < to.size(); ++k) same = to[k]->type == from[k]->type;
  if (!same) throw Error(ErrorKind::input, fmt::format("{}: this material needs other constraints than the body has", b.name));
  for (std::size_t k = 0; k < to.size(); ++k) {
    to[k]->compliance = from[k]->compliance;
    to[k]->stiffness = from[k]->stiffness;
    to[k]->damping = from[k]->damping;
  }
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    volumes[k]->compliance = alone.volumes[k].compliance;
    volumes[k]->stiffness = alone.volumes[k].stiffness;
  }
  b.material = def.material;
}

}  // namespace meniscus
