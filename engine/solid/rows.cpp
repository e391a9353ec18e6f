// Linearised constraints for the joint pressure solve.
#include <cmath>

#include "engine/solid/evaluate.h"
#include "engine/solid/row_append.h"
#include "kernels/solid/enclosed_volume.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

// Beside water, edges pull but do not push: a skin under compression wrinkles below the size of its triangles, and edges that
// resist it buckle so suddenly that no linearisation follows.
bool isSlack(const SolidState& s, Index i, double C, ActiveRow edge) {
  if (s.constraints.items[i].type != ConstraintType::distance) return false;
  return edge == ActiveRow::byState ? !(C > 0 || s.constraints.lambda[i] < 0) : edge == ActiveRow::never;
}

void addTransverse(const SolidState& s, Index i, RowList& out) {
  const Constraint& c = s.constraints.items[i];
  const double tension = -s.constraints.lambda[i];  // dt^2 T
  if (c.type != ConstraintType::distance || !(tension > 0)) return;
  const Vec3d edge = s.x[c.node[0]] - s.x[c.node[1]];
  const double length = norm(edge);
  const Vec3d n = edge / length, side = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
  for (const Vec3d& t : {side, cross(n, side)}) {
    const Index begin = Index(out.entries.size());
    for (int k = 0; k < 2; ++k)
      if (s.w[c.node[k]] > 0) out.entries.push_back({c.node[k], k ? -t : t});
    out.rows.push_back({kTransverseRow, begin, Index(out.entries.size()), 0, length / tension, 0});
  }
}

void addConstraint(const SolidState& s, Index i, double dt, ActiveRow edge, RowList& out) {
  const Constraint& c = s.constraints.items[i];
  ConstraintValue e;
  evaluateConstraint(c, s.rest.data(), s.x.data(), e);
  if (c.stiffness == 0 || isSlack(s, i, e.C, edge)) return;
  double gWg = 0, moved = 0;
  for (int n = 0; n < e.nodes; ++n) {
    gWg += s.w[c.node[n]] * norm2(e.grad[n]);
    moved += dot(e.grad[n], s.x[c.node[n]] - s.xPrev[c.node[n]]);
  }
  const double alphaTilde = c.stiffness >= 0 ? Xpbd<double>::equivalentAlphaTilde(c.stiffness, gWg) : c.compliance / (dt * dt);
  const CompliantValue value = damped(e.C, alphaTilde, c.damping / dt, moved);
  switch (appendRow(s, c.node, e.grad, e.nodes, {i, 0, 0, value.C, value.alphaTilde, s.constraints.lambda[i]}, out)) {
    case Appended::weak:
      out.weak.emplace_back(i, value.multiplier());
      break;
    case Appended::row:
      addTransverse(s, i, out);
      break;
    case Appended::none:
      break;
  }
}

void addVolume(const SolidState& s, Index k, double dt, RowList& out) {
  const VolumeConstraint& c = s.volumes[std::size_t(k)];
  if (c.restVolume <= 0 || c.stiffness == 0) return;
  const Body& body = s.bodies[std::size_t(c.body)];
  // one entry for every node of the body, in order; the held ones are dropped afterwards
  const std::size_t begin = out.entries.size();
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) out.entries.push_back({i, Vec3d{}});
  for (Index t = c.triBegin; t < c.triEnd; ++t) {
    const Index* n = &s.tri[3 * t];
    const Vec3d g = EnclosedVolume<double>::gradient(s.x[n[0]], s.x[n[1]], s.x[n[2]]);
    for (int v = 0; v < 3; ++v) out.entries[begin + std::size_t(n[v] - body.nodeBegin)].grad += g;
  }
  double gWg = 0;
  std::size_t end = begin;
  for (std::size_t e = begin; e < out.entries.size(); ++e) {
    const RowEntry entry = out.entries[e];
    if (s.w[entry.node] <= 0) continue;
    gWg += s.w[entry.node] * norm2(entry.grad);
    out.entries[end++] = entry;
  }
  out.entries.resize(end);
  if (!(gWg > 0)) return;
  const double alphaTilde = c.stiffness >= 0 ? Xpbd<double>::equivalentAlphaTilde(c.stiffness, gWg) : c.compliance / (dt * dt);
  out.rows.push_back(
      {-1 - k, Index(begin), Index(end), enclosedVolume(s, c.triBegin, c.triEnd) - c.restVolume, alphaTilde, c.lambda});
}

// A projection leaves nodes exactly at the margin; they must keep their row in the solve that follows it.
constexpr double kTouching = 0.02;  // share of the margin
// A node that is known to touch keeps its row while its neighbours lift it by less than this, in margins.
constexpr double kEngaged = 10;

void addContacts(const SolidState& s, const Obstacles& obstacles, double margin, const ActiveRow* contact, RowList& out) {
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
      double d, mu;
      Vec3d n, v;
      const ActiveRow state = contact ? contact[i] : ActiveRow::byState;
      const double reach = margin * (state == ActiveRow::always ? kEngaged : 1 + kTouching);
      if (s.w[i] <= 0 || state == ActiveRow::never || !obstacles.nearest(s.x[i], reach, d, n, v, mu) || d >= reach) continue;
      const Index begin = Index(out.entries.size());
      out.entries.push_back({i, n});
      out.rows.push_back({kContactRow, begin, begin + 1, d - margin, 0, 0});
    }
  }
}

}  // namespace

void constraintRows(const SolidState& s, const Obstacles* obstacles, double contactMargin, double dt, const ActiveRow* contact,
                    const ActiveRow* edge, RowList& rows) {
  rows.rows.clear();
  rows.entries.clear();
  rows.weak.clear();
  rows.weakImpulses.clear();
  rows.elements.clear();
  rows.modes.clear();
  findPartners(s, rows.partner);
  for (Index i = 0; i < Index(s.constraints.items.size()); ++i)
    if (!hasModes(s.constraints.items[i])) addConstraint(s, i, dt, edge ? edge[i] : ActiveRow::byState, rows);
  for (Index i = 0; i < Index(s.constraints.items.size()); ++i)
    if (isElement(s.constraints.items[i])) addElement(s, i, dt, rows);
  for (Index k = 0; k < Index(s.volumes.size()); ++k) addVolume(s, k, dt, rows);
  if (obstacles) addContacts(s, *obstacles, contactMargin, contact, rows);
}

void storeMultipliers(SolidState& s, const RowList& rows, double dt, const double* lambda) {
  for (std::size_t i = 0; i < s.constraints.items.size(); ++i) s.constraints.lambda[i] = 0;
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Index c = rows.rows[r].constraint;
    if (c >= kModeRow) continue;
    if (c >= 0)
      s.constraints.lambda[c] = lambda[r];
    else
      s.volumes[std::size_t(-1 - c)].lambda = lambda[r];
  }
  for (const auto& [c, l] : rows.weak) s.constraints.lambda[std::size_t(c)] = l;
  for (const ElasticElement& e : rows.elements) storeElement(s, rows, e, dt, lambda);
}

}  // namespace meniscus
