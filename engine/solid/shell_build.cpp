// Cloth and inflatables from triangle meshes.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/build.h"
#include "kernels/solid/membrane.h"

namespace meniscus {
namespace {

double areaOf(const SurfaceMesh& m, std::size_t t) {
  const Vec3d a = m.x[std::size_t(m.tri[3 * t])];
  return 0.5 * norm(cross(m.x[std::size_t(m.tri[3 * t + 1])] - a, m.x[std::size_t(m.tri[3 * t + 2])] - a));
}

std::vector<double> checkedAreas(const SolidDef& def, const SurfaceMesh& mesh) {
  std::vector<double> area(mesh.tri.size() / 3);
  for (std::size_t t = 0; t < area.size(); ++t) {
    area[t] = areaOf(mesh, t);
    if (!(area[t] > 0)) throw Error(ErrorKind::input, fmt::format("{}: triangle {} has no area", def.name, t));
  }
  return area;
}

// Stiffness of an edge spring that stands for an elastic sheet (Van Gelder 1998): E h (sum of adjacent areas) / L^2. No spring
// network has a freely chosen Poisson ratio; this one's is near 1/3.
double edgeCompliance(const MaterialDef& m, double areas, double length) {
  return length * length / (m.youngsModulus * m.thickness * areas);
}

bool elasticSheet(const MaterialDef& m) { return m.youngsModulus > 0 && m.thickness > 0; }

void appendDistance(SolidState& s, Index body, Index a, Index b, const Resistance& r) {
  const Index n[2] = {a, b};
  const double length = norm(s.x[a] - s.x[b]);
  appendConstraint(s, body, ConstraintType::distance, n, 2, &length, 1, r);
}

void appendStretch(SolidState& s, Index body, const std::vector<MeshEdge>& edges, const std::vector<double>& area) {
  const MaterialDef m = s.bodies[std::size_t(body)].material;
  const Index first = s.bodies[std::size_t(body)].nodeBegin;
  for (const MeshEdge& e : edges) {
    Resistance r = m.stretch;
    if (r.kind == Resistance::Kind::none) {  // an elastic sheet, or one that does not stretch
      const double areas = area[std::size_t(e.tri0)] + (e.tri1 >= 0 ? area[std::size_t(e.tri1)] : 0);
      const double length = norm(s.x[first + e.a] - s.x[first + e.b]);
      r = complianceOf(elasticSheet(m) ? edgeCompliance(m, areas, length) : 0, m.stretch.damping);
    }
    appendDistance(s, body, first + e.a, first + e.b, r);
  }
}

// Opposite nodes across an edge. In a sheet of right-angled cells only those across the diagonals, which are the other diagonals:
// they are about as long as the edge between them. A mesh with few such pairs gets all pairs.
void appendShear(SolidState& s, Index body, const std::vector<MeshEdge>& edges) {
  const Body& b = s.bodies[std::size_t(body)];
  const Resistance r = b.material.shear;
  if (r.kind == Resistance::Kind::none) return;
  const Index first = b.nodeBegin;
  const auto isCell = [&](const MeshEdge& e) {
    if (e.triangles != 2) return false;
    return norm(s.x[first + e.opposite0] - s.x[first + e.opposite1]) <= 1.25 * norm(s.x[first + e.a] - s.x[first + e.b]);
  };
  Index cells = 0;
  for (const MeshEdge& e : edges) cells += isCell(e);
  const bool regular = 2 * cells >= 0.8 * (b.triEnd - b.triBegin);
  for (const MeshEdge& e : edges)
    if (e.triangles == 2 && (!regular || isCell(e))) appendDistance(s, body, first + e.opposite0, first + e.opposite1, r);
}

void appendMembrane(SolidState& s, Index body, const std::vector<double>& area) {
  const Body b = s.bodies[std::size_t(body)];
  const MaterialDef& m = b.material;
  if (!elasticSheet(m))
    throw Error(ErrorKind::input, fmt::format("{}: a neo-Hookean membrane needs youngs_modulus and thickness", b.name));
  const double shearModulus = m.youngsModulus / 3;  // incompressible
  for (Index t = b.triBegin; t < b.triEnd; ++t) {
    const Index n[3] = {s.tri[3 * t], s.tri[3 * t + 1], s.tri[3 * t + 2]};
    const Vec3d x[3] = {s.x[n[0]], s.x[n[1]], s.x[n[2]]};
    const auto k = MembraneConstraint<double>::make(x);
    const double alpha = 1 / (shearModulus * m.thickness * area[std::size_t(t - b.triBegin)]);
    appendConstraint(s, body, ConstraintType::membrane, n, 3, k.inv, 4, complianceOf(alpha, m.stretch.damping));
  }
}

}  // namespace

Index addShell(SolidState& s, const SolidDef& def, const SurfaceMesh& mesh) {
  const MaterialDef& m = def.material;
  const double areal = m.arealDensity > 0 ? m.arealDensity : m.density * m.thickness;
  if (!(areal > 0))
    throw Error(ErrorKind::input, fmt::format("{}: a shell needs areal_density, or density and thickness", def.name));
  const std::vector<double> area = checkedAreas(def, mesh);
  const Index body = appendBody(s, def, mesh.x, mesh.tri);
  const std::vector<MeshEdge> edges = uniqueEdges(mesh.tri);
  Body& b = s.bodies[std::size_t(body)];
  b.twoSided = true;
  b.closed = isClosed(mesh.tri, edges);
  for (std::size_t t = 0; t < area.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) s.mass[b.nodeBegin + mesh.tri[3 * t + k]] += areal * area[t] / 3;

  if (m.membrane == MembraneModel::neoHookean) {
    appendMembrane(s, body, area);
  } else {
    appendStretch(s, body, edges, area);
    appendShear(s, body, edges);
  }
  appendBending(s, body, edges);
  if (def.kind == SolidKind::inflatable) {
    if (!s.bodies[std::size_t(body)].closed)
      throw Error(ErrorKind::input,
                  fmt::format("{}: an inflatable needs a closed surface; this one has a rim or flipped triangles", def.name));
    appendVolume(s, body, def);
  }
  finishNodes(s, body, def, edges);
  return body;
}

}  // namespace meniscus
