#include "engine/solid/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/solid/motion.h"
#include "kernels/solid/bend_dihedral.h"
#include "kernels/solid/bend_isometric.h"

namespace meniscus {

Index appendBody(SolidState& s, const SolidDef& def, const std::vector<Vec3d>& x, const std::vector<Index>& tri) {
  if (s.bodies.size() >= 65535) throw Error(ErrorKind::input, fmt::format("{}: more than 65535 bodies with nodes", def.name));
  Body b;
  b.name = def.name;
  b.kind = def.kind;
  b.material = def.material;
  b.nodeBegin = Index(s.x.size());
  b.triBegin = Index(s.tri.size() / 3);
  b.tetBegin = b.tetEnd = Index(s.tet.size() / 4);
  for (const Vec3d& p : x) {
    s.x.push_back(p);
    s.xPrev.push_back(p);
    s.xRest.push_back(p);
    s.v.push_back(def.velocity);
    s.w.push_back(0);
    s.mass.push_back(0);
    s.contactLambda.push_back(0);
  }
  for (Index i : tri) {
    if (i < 0 || i >= Index(x.size()))
      throw Error(ErrorKind::input, fmt::format("{}: a triangle names node {}, which there is not", def.name, i));
    s.tri.push_back(b.nodeBegin + i);
  }
  b.nodeEnd = Index(s.x.size());
  b.triEnd = Index(s.tri.size() / 3);
  s.bodies.push_back(b);
  return Index(s.bodies.size()) - 1;
}

void appendConstraint(SolidState& s, Index body, ConstraintType type, const Index* node, int nodes, const double* rest,
                      int restCount, const Resistance& r, double complianceScale) {
  const bool plain = r.kind == Resistance::Kind::stiffness;
  Constraint c{};
  for (int k = 0; k < 4; ++k) c.node[k] = k < nodes ? node[k] : -1;
  c.compliance = plain ? 0.f : float(r.value * complianceScale);
  c.stiffness = plain ? float(std::min(1.0, std::max(0.0, r.value))) : -1.f;
  c.damping = float(r.damping);
  c.rest = rest ? Index(s.rest.size()) : s.constraints.items.back().rest;
  for (int k = 0; rest && k < restCount; ++k) s.rest.push_back(rest[k]);
  c.type = type;
  c.body = std::uint16_t(body);
  s.constraints.items.push_back(c);
  s.constraints.lambda.push_back(0);
}

namespace {

// Flexural rigidity E h^3 / 12 (1 - nu^2) [J] of a shell that gives its modulus and thickness.
double flexuralRigidity(const MaterialDef& m) {
  const double nu = m.membrane == MembraneModel::neoHookean ? 0.5 : m.poissonRatio;
  return m.youngsModulus * m.thickness * m.thickness * m.thickness / (12 * (1 - nu * nu));
}

}  // namespace

void appendBending(SolidState& s, Index body, const std::vector<MeshEdge>& edges) {
  const MaterialDef m = s.bodies[std::size_t(body)].material;
  const Index first = s.bodies[std::size_t(body)].nodeBegin;
  Resistance r = m.bend;
  double rigidity = 0;
  if (r.kind == Resistance::Kind::none) {
    rigidity = flexuralRigidity(m);
    if (rigidity <= 0) return;
    r = complianceOf(3 / rigidity, m.stretch.damping);  // why three: bend_isometric.h
  }
  for (const MeshEdge& e : edges) {
    if (e.triangles != 2) continue;
    const Index n[4] = {first + e.a, first + e.b, first + e.opposite0, first + e.opposite1};
    const Vec3d x[4] = {s.x[n[0]], s.x[n[1]], s.x[n[2]], s.x[n[3]]};
    Vec3d g[4];
    if (m.bendModel == BendModel::isometric) {
      const auto k = BendIsometricConstraint<double>::make(x);
      const double rest[5] = {k.weight[0], k.weight[1], k.weight[2], k.weight[3], k.value};
      appendConstraint(s, body, ConstraintType::bendIsometric, n, 4, rest, 5, r);
    } else {
      // theta of an edge of length l between areas A0 and A1 costs (k/2) 3 l^2 theta^2 / (A0 + A1), as in the isometric model
      const double area = 0.5 * (norm(cross(x[1] - x[0], x[2] - x[0])) + norm(cross(x[1] - x[0], x[3] - x[0])));
      const double angle = BendDihedralConstraint<double>{0}.evaluate(x, g);
      appendConstraint(s, body, ConstraintType::bendDihedral, n, 4, &angle, 1, r,
                       rigidity > 0 ? area / (3 * norm2(x[1] - x[0])) : 1.0);
    }
  }
}

void appendVolume(SolidState& s, Index body, const SolidDef& def) {
  const Body& b = s.bodies[std::size_t(body)];
  const double volume = enclosedVolume(s, b.triBegin, b.triEnd);
  if (volume <= 0)
    throw Error(ErrorKind::input,
                fmt::format("{}: the closed surface encloses {:.3g} m^3; turn its triangles outward", def.name, volume));
  VolumeConstraint c;
  c.body = body;
  c.triBegin = b.triBegin;
  c.triEnd = b.triEnd;
  c.pressure = def.pressure;
  if (def.pressure == 0) {
    if (def.inflation <= 0) return;
    c.restVolume = def.inflation * volume;
    const Resistance& r = def.material.volume;
    if (r.kind == Resistance::Kind::stiffness) c.stiffness = std::min(1.0, std::max(0.0, r.value));
    if (r.kind == Resistance::Kind::compliance) c.compliance = r.value * c.restVolume;  // 1/Pa of the content
  }
  s.volumes.push_back(c);
}

namespace {

std::vector<Index> pinnedNodes(const SolidState& s, const Body& b, const PinDef& pin, const std::vector<MeshEdge>& edges) {
  std::vector<Index> nodes;
  const Index n = b.nodeEnd - b.nodeBegin;
  switch (pin.select) {
    case PinDef::Select::indices:
      for (Index i : pin.indices) {
        if (i < 0 || i >= n) throw Error(ErrorKind::input, fmt::format("{}: pinned node {} of {} nodes", b.name, i, n));
        nodes.push_back(i);
      }
      break;
    case PinDef::Select::box:
      for (Index i = 0; i < n; ++i) {
        const Vec3d p = s.x[b.nodeBegin + i];
        if (p.x >= pin.boxMin.x && p.y >= pin.boxMin.y && p.z >= pin.boxMin.z && p.x <= pin.boxMax.x && p.y <= pin.boxMax.y &&
            p.z <= pin.boxMax.z)
          nodes.push_back(i);
      }
      break;
    case PinDef::Select::sphere:
      for (Index i = 0; i < n; ++i)
        if (norm(s.x[b.nodeBegin + i] - pin.center) <= pin.radius) nodes.push_back(i);
      break;
    case PinDef::Select::rim: {
      for (const MeshEdge& e : edges) {
        if (e.triangles != 1) continue;
        nodes.push_back(e.a);
        nodes.push_back(e.b);
      }
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      break;
    }
  }
  return nodes;
}

}  // namespace

namespace {

// A rotation about the centre of mass [rad/s] on top of the velocity that the nodes have.
void spin(SolidState& s, const Body& b, const Vec3d& omega) {
  Vec3d first{};
  double mass = 0;
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    first += s.x[i] * s.mass[i];
    mass += s.mass[i];
  }
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) s.v[i] += cross(omega, s.x[i] - first / mass);
}

}  // namespace

void finishNodes(SolidState& s, Index body, const SolidDef& def, const std::vector<MeshEdge>& edges) {
  const Body& b = s.bodies[std::size_t(body)];
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    if (!(s.mass[i] > 0))
      throw Error(ErrorKind::input, fmt::format("{}: node {} belongs to no element and has no mass", b.name, i - b.nodeBegin));
    s.w[i] = 1 / s.mass[i];
  }
  if (norm2(def.angularVelocity) > 0) spin(s, b, def.angularVelocity);
  for (const PinDef& pin : def.pins) {
    const std::vector<Index> nodes = pinnedNodes(s, b, pin, edges);
    if (nodes.empty()) throw Error(ErrorKind::input, fmt::format("{}: a pin holds no node; make its box or sphere larger", b.name));
    Index motion = -1;
    if (!pin.motion.empty()) {
      motion = Index(s.motions.size());
      s.motions.push_back(pin.motion);
      sortKeyFrames(s.motions.back());
    }
    for (Index i : nodes) {
      const Index k = b.nodeBegin + i;
      s.w[k] = 0;
      s.v[k] = Vec3d{};
      s.pins.push_back({k, s.x[k], motion, def.transform.translate});
    }
  }
}

}  // namespace meniscus
