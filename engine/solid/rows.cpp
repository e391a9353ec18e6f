// Linearised constraints for the joint pressure solve.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/solid/body_contact.h"
#include "engine/solid/evaluate.h"
#include "engine/solid/row_append.h"
#include "kernels/solid/enclosed_volume.h"
#include "kernels/solid/linearise_constraint.h"

namespace meniscus {
namespace {

static_assert(int(ActiveRow::byState) == kEdgeByState && int(ActiveRow::never) == kEdgeNever &&
              int(ActiveRow::always) == kEdgeAlways);
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
    const ActiveRow state = active ? active[i] : ActiveRow::byState;
    lineariseEdge(EdgePlaces{s.x.data(), s.xPrev.data(), s.w.data(), dt, s.work.solvable}, c, c.node[0], c.node[1], s.rest[c.rest],
                  s.constraints.lambda[i], std::uint8_t(state), e);
  }
};

// Impulses of weak edges go to the front of those of the weak constraints.
struct WeakCount {
  Index constraints = 0, impulses = 0;
};
WeakCount countWeakEdges(const SolidState& s, const RowList& rows) {
  WeakCount count;
  for (const SolidEdge& e : rows.edges) {
    if (e.state != SolidEdge::weak) continue;
    const Index* node = s.constraints.items[e.constraint].node;
    ++count.constraints;
    for (int k = 0; k < 2; ++k) count.impulses += s.w[node[k]] > 0;
  }
  return count;
}
void addWeakEdges(const SolidState& s, RowList& out) {
  auto weak = out.weak.begin();
  auto impulse = out.weakImpulses.begin();
  for (const SolidEdge& e : out.edges) {
    if (e.state != SolidEdge::weak) continue;
    const double lambda = CompliantValue{e.C, e.alphaTilde}.multiplier();
    const Index* node = s.constraints.items[e.constraint].node;
    for (int k = 0; k < 2; ++k)
      if (s.w[node[k]] > 0) *impulse++ = {node[k], e.n * (k ? -lambda : lambda)};
    *weak++ = {e.constraint, lambda};
  }
}

struct EvaluateGeneral {
  const SolidState* solid;
  double dt;
  RowList* rows;
  void operator()(Index k) const {
    const SolidState& s = *solid;
    const std::size_t at = std::size_t(k);
    const Constraint& c = s.constraints.items[rows->general[at]];
#if defined(__GNUC__)
    // constraints are in the order of their colours, rest data in that of building: half the time went by waiting for them
    if (constexpr std::size_t kAhead = 12; at + kAhead < rows->general.size()) {
      const double* const next = s.rest.data() + s.constraints.items[rows->general[at + kAhead]].rest;
      __builtin_prefetch(next);
      __builtin_prefetch(next + 4);
    }
#endif
    RowList::Evaluated& e = rows->evaluated[at];
    rows->outcome[at] = RowList::Outcome::none;
    rows->freeNodes[at] = 0;
    if (c.stiffness == 0) return;
    RowList::Outcome outcome = RowList::Outcome::none;
    dispatchKind(c.type, LineariseKind<Constraint, RowList::Evaluated>{
                             {s.x.data(), s.xPrev.data(), s.w.data(), dt, s.work.solvable}, c, s.rest.data(), e, outcome});
    rows->outcome[at] = outcome;
    for (int n = 0; n < 4 && c.node[n] >= 0; ++n) rows->freeNodes[at] += s.w[c.node[n]] > 0;
  }
};

// Where each of the general constraints goes; before: the weak edges.
void placeGeneral(const WeakCount& before, RowList& out) {
  Index rows = 0, entries = 0, weak = before.constraints, impulses = before.impulses;
  for (std::size_t k = 0; k < out.general.size(); ++k) {
    const Index nodes = out.freeNodes[k];
    RowList::Evaluated& e = out.evaluated[k];
    if (out.outcome[k] == RowList::Outcome::row) {
      e.number = rows++;
      e.first = entries;
      entries += nodes;
    } else if (out.outcome[k] == RowList::Outcome::weak) {
      e.number = weak++;
      e.first = impulses;
      impulses += nodes;
    }
  }
  out.rows.resize(std::size_t(rows));
  out.entries.resize(std::size_t(entries));
  out.weak.resize(std::size_t(weak));
  out.weakImpulses.resize(std::size_t(impulses));
}

struct FillGeneral {
  const SolidState* solid;
  RowList* rows;
  void operator()(Index k) const {
    const std::size_t at = std::size_t(k);
    if (rows->outcome[at] == RowList::Outcome::none) return;
    const RowList::Evaluated& e = rows->evaluated[at];
    const Index i = rows->general[at];
    const bool weak = rows->outcome[at] == RowList::Outcome::weak;
    const double lambda = weak ? CompliantValue{e.C, e.alphaTilde}.multiplier() : 1;
    RowEntry* out = weak ? &rows->weakImpulses[std::size_t(e.first)] : &rows->entries[std::size_t(e.first)];
    const Index* const node = solid->constraints.items[i].node;
    for (int n = 0; n < 4 && node[n] >= 0; ++n)
      if (solid->w[node[n]] > 0) *out++ = {node[n], e.grad[n] * lambda};
    if (weak)
      rows->weak[std::size_t(e.number)] = {i, lambda};
    else
      rows->rows[std::size_t(e.number)] = {i,   e.first,      e.first + rows->freeNodes[at],
                                           e.C, e.alphaTilde, solid->constraints.lambda[i]};
  }
};

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
  rows.outcome.resize(rows.general.size());
  rows.freeNodes.resize(rows.general.size());
}

void addVolume(const SolidState& s, Index k, double dt, RowList& out) {
  const VolumeConstraint& c = s.volumes[std::size_t(k)];
  if (c.restVolume <= 0 || c.stiffness == 0 || c.filled) return;
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

struct FindTouch {
  const SolidState* solid;
  const Obstacles* obstacles;
  double margin;
  const ActiveRow* contact;  // null: by state
  RowList::Touch* touches;
  void operator()(Index i) const {
    RowList::Touch& t = touches[i];
    t.distance = -std::numeric_limits<double>::infinity();
    const ActiveRow state = contact ? contact[i] : ActiveRow::byState;
    if (solid->w[i] <= 0 || state == ActiveRow::never) return;
    const double extra = margin * (state == ActiveRow::always ? kEngaged - 1 : kTouching);
    const double reach = clearanceOf(*solid, std::size_t(i), margin) + extra;
    double d, mu;
    Vec3d v;
    if (obstacles->nearest(solid->x[i], reach, d, t.n, v, mu) && d < reach) t.distance = d;
  }
};

void addContacts(Exec& exec, const SolidState& s, const Obstacles& obstacles, double margin, const ActiveRow* contact,
                 RowList& out) {
  out.touches.resize(s.x.size());
  parallelFor(exec, "rows: contacts", Index(s.x.size()), FindTouch{&s, &obstacles, margin, contact, out.touches.data()}, 128);
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
      const RowList::Touch& t = out.touches[std::size_t(i)];
      if (!std::isfinite(t.distance)) continue;
      const Index begin = Index(out.entries.size());
      out.entries.push_back({i, t.n});
      out.rows.push_back({kContactRow, begin, begin + 1, t.distance - clearanceOf(s, std::size_t(i), margin), 0, 0});
    }
  }
}

}  // namespace

void constraintRows(Exec& exec, const SolidState& s, const Obstacles* obstacles, double contactMargin, double dt,
                    const ActiveRow* contact, const ActiveRow* edge, RowList& rows) {
  constexpr Index kGrain = 128;
  rows.rows.clear();
  rows.entries.clear();
  rows.elements.clear();
  rows.modes.clear();
  if (!rows.constraintsElsewhere) sortConstraints(s, rows);
  parallelFor(exec, "rows: edges", Index(rows.edges.size()), LineariseEdge{&s, edge, dt, rows.edges.data()}, kGrain);
  parallelFor(exec, "rows: constraints", Index(rows.general.size()), EvaluateGeneral{&s, dt, &rows}, kGrain);
  placeGeneral(countWeakEdges(s, rows), rows);
  addWeakEdges(s, rows);
  parallelFor(exec, "rows: fill", Index(rows.general.size()), FillGeneral{&s, &rows});
  addElements(exec, s, dt, rows);
  for (Index k = 0; k < Index(s.volumes.size()); ++k) addVolume(s, k, dt, rows);
  if (obstacles) addContacts(exec, s, *obstacles, contactMargin, contact, rows);
  addBodyContacts(s, rows);
}

void storeMultipliers(SolidState& s, const RowList& rows, double dt, const double* lambda, const double* edgeLambda) {
  for (std::size_t i = 0; i < s.constraints.items.size() && !rows.constraintsElsewhere; ++i) s.constraints.lambda[i] = 0;
  // Of an edge that pushed, nothing is kept: projections would take its push back by moving its nodes, and with that the pull that
  // held against it goes free. In a sheet that does not stretch both are a thousand times the weight of its nodes.
  for (std::size_t k = 0; k < rows.edges.size(); ++k) s.constraints.lambda[rows.edges[k].constraint] = std::min(edgeLambda[k], 0.0);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Index c = rows.rows[r].constraint;
    if (c >= kBodyContactRow) continue;
    if (c >= 0)
      s.constraints.lambda[c] = lambda[r];
    else
      s.volumes[std::size_t(-1 - c)].lambda = lambda[r];
  }
  for (const auto& [c, l] : rows.weak) s.constraints.lambda[std::size_t(c)] = l;
  for (const ElasticElement& e : rows.elements) storeElement(s, rows, e, dt, lambda);
}

}  // namespace meniscus
