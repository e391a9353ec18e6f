// Rows that a device makes itself, of constraints other than edges: one for each of the general ones, then those of the modes of
// elements. Each has its place for good; one that does not act in a solve has nothing but zeros. As constraintRows() and
// storeMultipliers() of engine/solid/rows.cpp and ScaleRow of engine/particle/pressure_rows.cpp.
#pragma once

#include "kernels/solid/element_model.h"
#include "kernels/solid/joint_rows.h"

MNS_NS_BEGIN

// A general constraint: general k has row k, entries and impulses 4 k, 4 k + 1 ...
struct StoredGeneral {
  StoredConstraint item;
  Index constraint;
};
// A tetrahedron or membrane with an energy. Entries: those of its first node in all its rows, then those of the second ...
struct StoredElement {
  Index node[4];                    // -1: not there
  Index constraint, hydrostatic;    // the second may be -1
  Index rest, row, entry, impulse;  // the first ones
  std::int32_t rows, kind;
  float compliance, hydrostaticCompliance, damping;
  MNS_HD ElementParts parts(const double* allRest) const {
    return {node, kind, allRest + rest, hydrostatic >= 0 ? 2 : 1, {double(compliance), double(hydrostaticCompliance)}, damping};
  }
};

// Where the rows go.
struct OwnRowsOut {
  float *compliance, *rate, *measure, *diag, *guess;  // a row
  Vec4f* grad;                                        // an entry
  Vec3d* impulse;                                     // by what is taken explicitly [kg m]
  ExplicitConstraints explicitly;
  MNS_HD void put(Index row, const ScaledRow& r) const {
    compliance[row] = r.compliance;
    rate[row] = r.rate;
    measure[row] = r.measure;
    diag[row] = r.diag;
    guess[row] = r.guess;
  }
  // Does not act.
  MNS_HD void putNothing(Index row) const { put(row, {1.f, 0.f, 0.f, 1.f, 0.f}); }
};

struct LineariseGeneral {
  const StoredGeneral* general;
  const double* rest;
  const double* lambda;  // a constraint
  EdgePlaces at;
  RowUnits units;
  OwnRowsOut out;
  // acc: rows, and constraints that are taken explicitly
  MNS_HD void operator()(Index k, double (&acc)[2]) const {
    const StoredConstraint& c = general[k].item;
    LinearRow e{};
    RowOutcome outcome = RowOutcome::none;
    if (c.stiffness != 0) dispatchConstraint(c.type, LineariseKind<StoredConstraint, LinearRow>{at, c, rest, e, outcome});
    const double before = lambda[general[k].constraint],
                 multiplier = outcome == RowOutcome::weak ? CompliantValue{e.C, e.alphaTilde}.multiplier() : 0;
    RowSums sums;
    for (int n = 0; n < 4; ++n) {
      const Index node = c.node[n], entry = 4 * k + n;
      const bool free = node >= 0 && at.w[node] > 0, acts = free && outcome == RowOutcome::row;
      out.grad[entry] = acts ? Vec4f(Vec3f(e.grad[n] * units.scale), 0.f) : Vec4f{};
      out.impulse[entry] = free && outcome == RowOutcome::weak ? e.grad[n] * multiplier : Vec3d{};
      if (acts) sums.add(e.grad[n], at.w[node], at.x[node] - at.xPrev[node]);
    }
    if (outcome == RowOutcome::row)
      out.put(k, sums.scaled(units, e.C, e.alphaTilde, before, false));
    else
      out.putNothing(k);
    out.explicitly.set(general[k].constraint, outcome, multiplier);
    acc[0] += outcome == RowOutcome::row;
    acc[1] += outcome == RowOutcome::weak;
  }
};

struct LineariseElements {
  const StoredElement* elements;
  const double* rest;
  const double* lambda;
  EdgePlaces at;
  RowUnits units;
  Index firstRow;  // of all elements
  OwnRowsOut out;
  Mat3d* mode;   // Q of each of the elements' rows
  Mat3d* taken;  // an element: ElasticElement::taken of engine/solid/solid.h
  // acc: rows, and elements of which something is taken explicitly
  MNS_HD void operator()(Index k, double (&acc)[2]) const {
    const StoredElement& s = elements[k];
    const ElementParts parts = s.parts(rest);
    const double before[2] = {lambda[s.constraint], s.hydrostatic >= 0 ? lambda[s.hydrostatic] : 0};
    const ElementModel m = ElementModel::of(parts, at.x, at.xPrev, before);
    Vec3d impulse[4] = {};
    Mat3d explicitPart{};
    bool any = false;
    for (int r = 0; r < s.rows; ++r) {
      const ModeRow now = ModeRow::of(m, r, parts, at);
      const bool acts = now.outcome == RowOutcome::row;
      RowSums sums;
      for (int n = 0; n < m.shape.nodes; ++n) {
        const Index node = s.node[n];
        const bool free = at.w[node] > 0;
        const Vec3d& grad = now.row.grad[n];
        out.grad[s.entry + n * s.rows + r] = free && acts ? Vec4f(Vec3f(grad * units.scale), 0.f) : Vec4f{};
        if (free && now.explicitly) impulse[n] += grad * now.lambda;
        if (free && acts) sums.add(grad, at.w[node], at.x[node] - at.xPrev[node]);
      }
      if (now.explicitly) explicitPart = explicitPart + m.modes.direction[r] * now.lambda;
      any |= now.explicitly;
      acts ? out.put(s.row + r, sums.scaled(units, now.row.C, now.row.alphaTilde, now.lambda, true)) : out.putNothing(s.row + r);
      mode[s.row - firstRow + r] = m.modes.direction[r];
      acc[0] += acts;
    }
    for (int n = 0; n < m.shape.nodes; ++n) out.impulse[s.impulse + n] = impulse[n];
    taken[k] = explicitPart;
    acc[1] += any;
  }
};

// ---- after a solve: multipliers of the constraints ----

struct StoreGeneral {
  const StoredGeneral* general;
  const float* x;  // a row
  double multiplierScale;
  ExplicitConstraints explicitly;
  MNS_HD void operator()(Index k, double (&)[2]) const {
    const Index c = general[k].constraint;
    if (!explicitly.leftOut[c]) explicitly.lambda[c] = double(x[k]) * multiplierScale;
  }
};
struct StoreElements {
  const StoredElement* elements;
  const double* rest;
  SolvedPlaces placed;
  const float* x;
  double multiplierScale;
  Index firstRow;
  const Mat3d *mode, *taken;
  double* lambda;  // a constraint
  MNS_HD void operator()(Index k) const {
    const StoredElement& s = elements[k];
    Mat3d stress = taken[k];
    for (int r = 0; r < s.rows; ++r) stress = stress + mode[s.row - firstRow + r] * (double(x[s.row + r]) * multiplierScale);
    Vec3d at[4];
    for (int n = 0; n < 4 && s.node[n] >= 0; ++n) at[n] = placed(s.node[n]);
    double stored[2];
    elementMultipliers(s.parts(rest), at, placed.at.dt, stress, stored);
    lambda[s.constraint] = stored[0];
    if (s.hydrostatic >= 0) lambda[s.hydrostatic] = stored[1];
  }
};

// Edges and general constraints in one launch.
template <class Edges, class General>
struct EdgesAndGeneral {
  Index edges;
  Edges edge;
  General general;
  MNS_HD void operator()(Index i, double (&acc)[2]) const { i < edges ? edge(i, acc) : general(i - edges, acc); }
};

// ---- what is taken explicitly, at the nodes ----

struct ExplicitImpulses {
  const double* counts;       // of LineariseEdges and the others: rows, taken explicitly
  int launches;               // that have counted
  const Vec3d *edge, *other;  // what one has
  // On node n [kg m].
  MNS_HD Vec3d at(const JointView& j, Index n) const {
    bool any = false;
    for (int k = 0; k < launches; ++k) any |= counts[2 * k + 1] > 0;
    Vec3d sum{};
    if (!any || !(j.w[n] > 0)) return sum;
    for (Index e = j.edgeBegin[n]; e < j.edgeBegin[n + 1]; ++e)
      sum += j.edgeItem[e] % 2 ? -edge[j.edgeItem[e] / 2] : edge[j.edgeItem[e] / 2];
    for (Index e = j.ownBegin[n]; e < j.ownBegin[n + 1]; ++e) sum += other[j.ownItem[e].impulse];
    return sum;
  }
};
// Velocities that a solve starts from, with those impulses; push: the acceleration that they are.
struct PushNodes {
  JointView j;
  ExplicitImpulses impulses;
  const Vec3d* velocity;
  double dt;
  Vec3d *pushed, *push;
  Vec4f* single;
  MNS_HD void operator()(Index n) const {
    const Vec3d by = impulses.at(j, n) * (j.w[n] / dt), v = velocity[n] + by;
    pushed[n] = v;
    push[n] = by * (1 / dt);
    single[n] = Vec4f(Vec3f(v), 0.f);
  }
};

// Momentum and spin that the constraints gave the nodes of each body, a block a body; about its first node at the start.
struct CollectInternal {
  JointView j;
  OfArrays x;
  ExplicitImpulses impulses;
  const Vec3d* start;
  const Index* bodyNodes;  // begin and end of each body
  double dt;
  int threads;  // of a block
  MNS_HD void operator()(Index body, int thread, double (&acc)[6]) const {
    const Index begin = bodyNodes[2 * body], end = bodyNodes[2 * body + 1];
    for (Index n = begin + thread; n < end; n += threads) {
      const Vec3d impulse = j.gatherOwn(n, x) * (j.V * dt) + impulses.at(j, n) * (1 / dt),
                  spin = cross(start[n] - start[begin], impulse);
      for (int k = 0; k < 3; ++k) {
        acc[k] += impulse[k];
        acc[3 + k] += spin[k];
      }
    }
  }
};

MNS_NS_END
