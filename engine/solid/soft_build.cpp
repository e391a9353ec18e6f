// Soft bodies from tetrahedral meshes.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/solid/build.h"
#include "kernels/solid/tet_shape.h"

namespace meniscus {
namespace {

double volumeOf(const TetMesh& m, std::size_t t) {
  const Vec3d a = m.x[std::size_t(m.tet[4 * t])];
  return determinant(Mat3d::columns(m.x[std::size_t(m.tet[4 * t + 1])] - a, m.x[std::size_t(m.tet[4 * t + 2])] - a,
                                    m.x[std::size_t(m.tet[4 * t + 3])] - a)) /
         6;
}

std::vector<double> checkedVolumes(const SolidDef& def, const TetMesh& mesh) {
  std::vector<double> volume(mesh.tet.size() / 4);
  std::string bad;
  std::size_t count = 0;
  for (std::size_t t = 0; t < volume.size(); ++t) {
    volume[t] = volumeOf(mesh, t);
    if (volume[t] > 0) continue;
    if (++count <= 8) bad += fmt::format("{}{} ({:.3g} m^3)", count > 1 ? ", " : "", t, volume[t]);
  }
  if (count)
    throw Error(ErrorKind::input,
                fmt::format("{}: {} tetrahedra without positive volume: {}{}; mend the mesh or swap two of their nodes", def.name,
                            count, bad, count > 8 ? ", ..." : ""));
  return volume;
}

// Lame's constants from Young's modulus and Poisson's ratio [Pa].
struct Lame {
  double lambda, mu;
};
Lame lameOf(const SolidDef& def) {
  const double e = def.material.youngsModulus, nu = def.material.poissonRatio;
  if (!(nu >= 0 && nu < 0.5))
    throw Error(ErrorKind::input, fmt::format("{}: poisson_ratio must be at least 0 and less than 0.5", def.name));
  return {e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))};
}

void appendElastic(SolidState& s, Index body, const SolidDef& def, const std::vector<double>& volume) {
  const Lame k = lameOf(def);
  const Body b = s.bodies[std::size_t(body)];
  const double damping = b.material.stretch.damping;
  for (Index t = b.tetBegin; t < b.tetEnd; ++t) {
    const Index* n = &s.tet[4 * t];
    const Vec3d x[4] = {s.x[n[0]], s.x[n[1]], s.x[n[2]], s.x[n[3]]};
    const auto shape = TetShape<double>::make(x);
    double rest[9];
    for (int i = 0; i < 9; ++i) rest[i] = shape.inv.r[i / 3][i % 3];
    const double v = volume[std::size_t(t - b.tetBegin)];
    appendConstraint(s, body, ConstraintType::tetDeviatoric, n, 4, rest, 9, complianceOf(1 / (k.mu * v), damping));
    if (k.lambda > 0)
      appendConstraint(s, body, ConstraintType::tetHydrostatic, n, 4, nullptr, 0, complianceOf(1 / (k.lambda * v), damping));
  }
}

void appendEdges(SolidState& s, Index body, const Resistance& r) {
  const Body b = s.bodies[std::size_t(body)];
  std::unordered_set<std::uint64_t> seen;
  constexpr int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (Index t = b.tetBegin; t < b.tetEnd; ++t) {
    for (const auto& p : pair) {
      const Index i = s.tet[4 * t + p[0]], j = s.tet[4 * t + p[1]], n[2] = {std::min(i, j), std::max(i, j)};
      if (!seen.insert(std::uint64_t(n[0]) << 32 | std::uint64_t(n[1])).second) continue;
      const double length = norm(s.x[n[0]] - s.x[n[1]]);
      appendConstraint(s, body, ConstraintType::distance, n, 2, &length, 1, r);
    }
  }
}

// Springs along the edges and the volumes of the tetrahedra: the model of the dimensionless stiffness.
void appendSprings(SolidState& s, Index body, const SolidDef& def, const std::vector<double>& volume) {
  const MaterialDef& m = def.material;
  if (m.stretch.kind == Resistance::Kind::none && m.volume.kind == Resistance::Kind::none)
    throw Error(ErrorKind::input, fmt::format("{}: a soft body needs youngs_modulus, or stretch and volume", def.name));
  if (m.stretch.kind != Resistance::Kind::none) appendEdges(s, body, m.stretch);
  if (m.volume.kind == Resistance::Kind::none) return;
  const Body b = s.bodies[std::size_t(body)];
  for (Index t = b.tetBegin; t < b.tetEnd; ++t) {
    const double v = volume[std::size_t(t - b.tetBegin)];
    appendConstraint(s, body, ConstraintType::tetVolume, &s.tet[4 * t], 4, &v, 1, m.volume, v);  // 1/Pa of the material
  }
}

}  // namespace

Index addSoft(SolidState& s, const SolidDef& def, const TetMesh& mesh) {
  if (!(def.material.density > 0)) throw Error(ErrorKind::input, fmt::format("{}: a soft body needs a positive density", def.name));
  const std::vector<double> volume = checkedVolumes(def, mesh);
  const Index body = appendBody(s, def, mesh.x, mesh.tri);
  const std::vector<MeshEdge> edges = uniqueEdges(mesh.tri);
  Body& b = s.bodies[std::size_t(body)];
  b.closed = isClosed(mesh.tri, edges);
  for (std::size_t t = 0; t < volume.size(); ++t) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Index n = b.nodeBegin + mesh.tet[4 * t + k];
      s.tet.push_back(n);
      s.mass[n] += def.material.density * volume[t] / 4;
    }
  }
  b.tetEnd = Index(s.tet.size() / 4);
  if (def.material.youngsModulus > 0)
    appendElastic(s, body, def, volume);
  else
    appendSprings(s, body, def, volume);
  finishNodes(s, body, def, edges);
  return body;
}

}  // namespace meniscus
