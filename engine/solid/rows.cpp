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
  return edge == ActiveRow::byState ? !(C > 0 || s.constraints.lambda[i] < 0) : edge == ActiveRow::never;
}

double complianceTilde(const Constraint& c, double gWg, double dt) {
  return c.stiffness >= 0 ? Xpbd<double>::equivalentAlphaTilde(c.stiffness, gWg) : c.compliance / (dt * dt);
}

struct LineariseEdge {
  const SolidState* solid;
  const ActiveRow* active;  // per constraint; null: by state
  double dt;
  SolidEdge* edges;
  void operator()(Index k) const {
    const SolidState& s = *solid;
    SolidEdge& e = edges[k];
    const Index i = e.constraint;
    const Constraint& c = s.constraints.items[i];
    const Index a = c.node[0], b = c.node[1];
    const Vec3d d = s.x[a] - s.x[b];
    const double length = norm(d), C = length - s.rest[c.rest], gWg = s.w[a] + s.w[b];
    e.state = SolidEdge::off;
    if (c.stiffness == 0 || !(gWg > 0) || !(length > 0) || isSlack(s, i, C, active ? active[i] : ActiveRow::byState)) return;
    e.n = d * (1 / length);
    e.moved = d - (s.xPrev[a] - s.xPrev[b]);
    const CompliantValue value = damped(C, complianceTilde(c, gWg, dt), c.damping / dt, dot(e.n, e.moved));
    e.C = value.C;
    e.alphaTilde = Xpbd<double>::solvableAlphaTilde(value.alphaTilde, gWg);
    e.lambda = s.constraints.lambda[i];
    const double tension = -e.lambda;  // dt^2 T
    e.acrossTilde = tension > 0 ? length / tension : 0;
    // a turning that the nodes' inertia hides is left out; in single precision its compliance would amplify the tension's round-off
    const bool turns = tension > 0 && !isWeak(gWg, e.acrossTilde);
    e.state = isWeak(gWg, e.alphaTilde) ? SolidEdge::weak : (turns ? SolidEdge::taut : SolidEdge::pulls);
  }
};

void addWeakEdges(const SolidState& s, RowList& out) {
  for (const SolidEdge& e : out.edges) {
    if (e.state != SolidEdge::weak) continue;
    const double lambda = CompliantValue{e.C, e.alphaTilde}.multiplier();
    const Index* node = s.constraints.items[e.constraint].node;
    for (int k = 0; k < 2; ++k)
      if (s.w[node[k]] > 0) out.weakImpulses.push_back({node[k], e.n * (k ? -lambda : lambda)});
    out.weak.emplace_back(e.constraint, lambda);
  }
}

struct EvaluateGeneral {
  const SolidState* solid;
  const Index* which;
  double dt;
  RowList::Evaluated* out;
  void operator()(Index k) const {
    const SolidState& s = *solid;
    const Constraint& c = s.constraints.items[which[k]];
    RowList::Evaluated& e = out[k];
    e.nodes = 0;
    if (c.stiffness == 0) return;
    ConstraintValue v;
    evaluateConstraint(c, s.rest.data(), s.x.data(), v);
    double gWg = 0, moved = 0;
    for (int n = 0; n < v.nodes; ++n) {
      e.grad[n] = v.grad[n];
      gWg += s.w[c.node[n]] * norm2(v.grad[n]);
      moved += dot(v.grad[n], s.x[c.node[n]] - s.xPrev[c.node[n]]);
    }
    const CompliantValue value = damped(v.C, complianceTilde(c, gWg, dt), c.damping / dt, moved);
    e.nodes = v.nodes;
    e.C = value.C;
    e.alphaTilde = value.alphaTilde;
  }
};

void addGeneral(const SolidState& s, RowList& out) {
  for (std::size_t k = 0; k < out.general.size(); ++k) {
    const RowList::Evaluated& e = out.evaluated[k];
    const Index i = out.general[k];
    if (e.nodes == 0) continue;
    const ConstraintRow row{i, 0, 0, e.C, e.alphaTilde, s.constraints.lambda[i]};
    if (appendRow(s, s.constraints.items[i].node, e.grad, e.nodes, row, out) == Appended::weak)
      out.weak.emplace_back(i, CompliantValue{e.C, e.alphaTilde}.multiplier());
  }
}

// Which constraint goes where; known once.
void sortConstraints(const SolidState& s, RowList& rows) {
  findPartners(s, rows.partner);
  if (rows.edges.size() + rows.general.size() + rows.element.size() > 0) return;
  for (Index i = 0; i < Index(s.constraints.items.size()); ++i) {
    const Constraint& c = s.constraints.items[i];
    if (c.type == ConstraintType::distance)
      rows.edges.push_back({i, SolidEdge::off, {}, {}, 0, 0, 0, 0});
    else if (isElement(c))
      rows.element.push_back(i);
    else if (!hasModes(c))
      rows.general.push_back(i);
  }
  rows.evaluated.resize(rows.general.size());
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

void constraintRows(Exec& exec, const SolidState& s, const Obstacles* obstacles, double contactMargin, double dt,
                    const ActiveRow* contact, const ActiveRow* edge, RowList& rows) {
  constexpr Index kGrain = 128;
  rows.rows.clear();
  rows.entries.clear();
  rows.weak.clear();
  rows.weakImpulses.clear();
  rows.elements.clear();
  rows.modes.clear();
  sortConstraints(s, rows);
  parallelFor(exec, "rows: edges", Index(rows.edges.size()), LineariseEdge{&s, edge, dt, rows.edges.data()}, kGrain);
  parallelFor(exec, "rows: constraints", Index(rows.general.size()),
              EvaluateGeneral{&s, rows.general.data(), dt, rows.evaluated.data()}, kGrain);
  addWeakEdges(s, rows);
  addGeneral(s, rows);
  for (const Index i : rows.element) addElement(s, i, dt, rows);
  for (Index k = 0; k < Index(s.volumes.size()); ++k) addVolume(s, k, dt, rows);
  if (obstacles) addContacts(s, *obstacles, contactMargin, contact, rows);
}

void storeMultipliers(SolidState& s, const RowList& rows, double dt, const double* lambda, const double* edgeLambda) {
  for (std::size_t i = 0; i < s.constraints.items.size(); ++i) s.constraints.lambda[i] = 0;
  for (std::size_t k = 0; k < rows.edges.size(); ++k) s.constraints.lambda[rows.edges[k].constraint] = edgeLambda[k];
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
