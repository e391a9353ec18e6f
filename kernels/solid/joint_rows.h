// The solids' part of the joint system of pressures and multipliers on a device: forces of surfaces, edges and constraint rows on
// nodes, what those do to surfaces and rows, and the rows' part of conjugate gradients. As engine/particle/solid_pass.cpp and
// pressure_solve.cpp; sums at nodes are in double.
#pragma once

#include "kernels/fluid/pressure_rows.h"
#include "kernels/solid/edge_row.h"
#include "kernels/solid/node_slots.h"
#include "kernels/solid/rigid_slots.h"

MNS_NS_BEGIN

// A row that the device has made itself (own_rows.h): entry + k stride is that of node k; nodes that are not there are -1.
struct OwnRow {
  Index node[4], entry, stride;
};
// What some of those rows, one behind the other, have at a node: entries likewise; impulse: by what is taken explicitly.
struct OwnItem {
  Index row, entry, count, impulse;
};
// A value a row: of those that the device makes, then of those that the program gives.
struct RowValues {
  const float *own, *given;
  Index owned;
  MNS_HD float operator[](Index k) const { return k < owned ? own[k] : given[k - owned]; }
};

// Everything that acts on nodes. Items of a node's list: slots 3 slot + corner, edges 2 edge + end. Rows: own ones first, then
// those given, which number their entries from 0.
struct JointView {
  Index nodes, slots, edges, rows, owned;
  const NodeSlot* slot;
  const Vec4f* plane;
  const Index *slotBegin, *slotItem;
  const EdgeRow* edge;
  const Index *edgeBegin, *edgeItem;
  const OwnRow* own;
  const Vec4f* ownGrad;
  const Index* ownBegin;
  const OwnItem* ownItem;
  const Index *rowBegin, *rowNode;  // of rows given
  const Vec4f* rowGrad;
  RowValues compliance;
  const Index *entryBegin, *entryRow;
  const Vec4f* entryGrad;
  const double* w;  // inverse masses [1/kg]
  float edgeScale;  // 1/m
  double V;

  // Sum at node n of what slots, edges and rows have, along their directions; of: what one of them has.
  template <class Of>
  MNS_HD Vec3d gather(Index n, const Of& of) const {
    Vec3d f{};
    for (Index e = slotBegin[n]; e < slotBegin[n + 1]; ++e) {
      const Index s = slotItem[e] / 3;
      f += Vec3d((plane[s] * slot[s].b[slotItem[e] % 3]).xyz()) * double(of.slot(s));
    }
    f += gatherOwn(n, of);
    for (Index e = entryBegin[n]; e < entryBegin[n + 1]; ++e) f += Vec3d(entryGrad[e].xyz()) * double(of.row(owned + entryRow[e]));
    return f;
  }
  // Of edges and rows that the device makes.
  template <class Of>
  MNS_HD Vec3d gatherOwn(Index n, const Of& of) const {
    Vec3d f{};
    for (Index e = edgeBegin[n]; e < edgeBegin[n + 1]; ++e)
      f += Vec3d(of.edge(edgeItem[e] / 2).xyz()) * double(edgeItem[e] % 2 ? -edgeScale : edgeScale);
    for (Index e = ownBegin[n]; e < ownBegin[n + 1]; ++e) {
      const OwnItem& i = ownItem[e];
      for (Index k = 0; k < i.count; ++k) f += Vec3d(ownGrad[i.entry + k].xyz()) * double(of.row(i.row + k));
    }
    return f;
  }
  // f(gradient, node) for the entries of row k.
  template <class F>
  MNS_HD void forEachEntry(Index k, const F& f) const {
    if (k < owned) {
      const OwnRow& r = own[k];
      for (int n = 0; n < 4 && r.node[n] >= 0; ++n) f(ownGrad[r.entry + n * r.stride], r.node[n]);
      return;
    }
    for (Index e = rowBegin[k - owned]; e < rowBegin[k - owned + 1]; ++e) f(rowGrad[e], rowNode[e]);
  }
  MNS_HD Index entriesOf(Index k) const {  // of free nodes
    if (k >= owned) return rowBegin[k - owned + 1] - rowBegin[k - owned];
    Index count = 0;
    for (int n = 0; n < 4 && own[k].node[n] >= 0; ++n) count += w[own[k].node[n]] > 0;
    return count;
  }
  MNS_HD Vec4f edgeRate(Index k, const Vec4f* u) const { return (u[edge[k].a] - u[edge[k].b]) * edgeScale; }
  MNS_HD float rowRate(Index k, const Vec4f* u) const {
    Vec4f s{};
    forEachEntry(k, [&](const Vec4f& g, Index n) { s += g * u[n]; });
    return (s.x + s.y) + s.z;
  }
};

// What slots, edges and rows have, in arrays.
struct OfArrays {
  const float* slots;
  const Vec4f* edges;
  const float* rows;
  MNS_HD float slot(Index s) const { return slots[s]; }
  MNS_HD Vec4f edge(Index k) const { return edges[k]; }
  MNS_HD float row(Index k) const { return rows[k]; }
};

// A vector over the solids' rows: four floats an edge, then one a row.
struct SolidVector {
  float* v;
  Index edges;
  MNS_HD Vec4f* edge() const { return reinterpret_cast<Vec4f*>(v); }
  MNS_HD float* row() const { return v + 4 * Offset(edges); }
};

// ---- between the two passes ----

// acc: the nodes' share of the quadratic form.
struct NodeForces {
  JointView j;
  const SolveScalars* solve;  // null: not in a solve
  const float* phi;
  SolidVector x;
  const Vec3d* push;  // accelerations that belong to the answer as well; null: none
  Vec3d* acceleration;
  Vec4f* single;
  MNS_HD void operator()(Index n, double (&acc)[1]) const {
    if (solve && solve->done) return;
    const Vec3d f = j.gather(n, OfArrays{phi, x.edge(), x.row()}), a = f * (j.V * j.w[n]);
    acceleration[n] = push ? a + push[n] : a;
    single[n] = Vec4f(Vec3f(a), 0.f);
    acc[0] += dot(f, a);
  }
};
// Slots of nodes, and those of rigid bodies.
struct SlotAcceleration {
  RigidSlotAcceleration rigid;
  const NodeSlot* slots;
  const Vec4f* acceleration;  // of nodes
  MNS_HD void operator()(Index s) const {
    if (!slots[s].carried()) return rigid(s);
    if (rigid.solve && rigid.solve->done) return;
    rigid.nu[s] = slots[s].speed(rigid.plane[s], acceleration);
    rigid.g[s] -= rigid.nu[s];
  }
};

// ---- rows: edges first, then the others ----

// -D u* / dt and the constraints' values.
struct SolidRightHandSide {
  JointView j;
  const Vec4f* edgeRate;
  RowValues rowRate;
  const Vec3d* velocity;
  double invDt;
  SolidVector out;
  MNS_HD void operator()(Index i) const {
    if (i < j.edges) {
      const EdgeRow& e = j.edge[i];
      const Vec3d rate = (velocity[e.a] - velocity[e.b]) * (double(j.edgeScale) * invDt);
      out.edge()[i] = edgeRate[i] - e.scaled(Vec4f(Vec3f(rate), 0.f), e.on);
      return;
    }
    const Index k = i - j.edges;
    double rate = 0;
    j.forEachEntry(k, [&](const Vec4f& g, Index n) { rate += dot(Vec3d(g.xyz()), velocity[n]); });
    out.row()[k] = rowRate[k] - float(rate * invDt);
  }
};

// r = b, d = the guess, x = 0; acc: of the diagonal's inverse, over the rows that set the measure of a quiet solve.
struct StartSolid {
  JointView j;
  RowValues diag, measure;  // of rows
  const float* guess;       // four an edge
  RowValues rowGuess;
  SolidVector rhs, x, r, d;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (i < j.edges) {
      const EdgeRow& e = j.edge[i];
      r.edge()[i] = rhs.edge()[i];
      d.edge()[i] = loadVec4(guess, i);
      x.edge()[i] = Vec4f(0, 0, 0, 0);
      if (e.on[EdgeRow::along] > 0) acc[0] += 1 / double(e.diag[EdgeRow::along]);
      if (e.on[EdgeRow::across] > 0) acc[0] += 2 / double(e.diag[EdgeRow::across]);
      return;
    }
    const Index k = i - j.edges;
    r.row()[k] = rhs.row()[k];
    d.row()[k] = rowGuess[k];
    x.row()[k] = 0;
    acc[0] += double(measure[k] / diag[k]);
  }
};

// d = z + beta d; acc: the compliance's share in d . A d
struct SolidDirection {
  JointView j;
  const SolveScalars* solve;
  SolidVector z, d;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (solve->done) return;
    if (i < j.edges) {
      Vec4f& di = d.edge()[i];
      di = Vec4f(z.edge()[i]).addScaled(di, solve->beta);
      acc[0] += double((di * j.edge[i].scaled(di, j.edge[i].compliance)).sum());
      return;
    }
    float& di = d.row()[i - j.edges];
    di = z.row()[i - j.edges] + solve->beta * di;
    acc[0] += double(j.compliance[i - j.edges]) * di * di;
  }
};

// Of all rows at once: the fluid's first.
struct JointDirection {
  Index n;
  DirectionRow fluid;
  SolidDirection solid;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { i < n ? fluid(i) : solid(i - n, acc); }
};

// Pass 2 and the updates: x += alpha d, r -= alpha A d.
struct SolidUpdate {
  JointView j;
  const SolveScalars* solve;
  const Vec4f* acceleration;
  SolidVector d, x, r;
  MNS_HD void operator()(Index i) const {
    if (solve->done) return;
    const float alpha = solve->alpha;
    if (i < j.edges) {
      const EdgeRow& e = j.edge[i];
      const Vec4f di = d.edge()[i], Ad = e.scaled(j.edgeRate(i, acceleration), e.on) + e.scaled(di, e.compliance);
      x.edge()[i] = x.edge()[i] + di * alpha;
      r.edge()[i] = r.edge()[i] - Ad * alpha;
      return;
    }
    const Index k = i - j.edges;
    const float di = d.row()[k], Ad = j.rowRate(k, acceleration) + j.compliance[k] * di;
    x.row()[k] += alpha * di;
    r.row()[k] -= alpha * Ad;
  }
};

// ---- scalars, each by one thread behind its sums ----

// Where the sums of a joint solve are.
enum JointSum {
  kFluidQuiet = 1,  // behind b . D^-1 b of the fluid's rows, which does not count
  kSolidQuiet,
  kComplianceShare,
  kJointSums
};

struct AfterJointStart {
  const double* sums;
  double tolerance, quiet, quietConstraint;  // see AfterStart
  int constraintsAct, mostIterations;
  const double* counts;  // pairs: how many rows the device made itself, and something else
  int launches;          // that have counted
  SolveScalars* s;
  MNS_HD void operator()(const double (&rz)[1]) const {
    bool act = constraintsAct == 1;
    for (int k = 0; k < launches && constraintsAct == 2; ++k) act |= counts[2 * k] > 0;
    const double start[2] = {rz[0], (act ? 0.0 : sums[kFluidQuiet]) + sums[kSolidQuiet]};
    AfterStart{tolerance, act ? quietConstraint : quiet, mostIterations, s}(start);
  }
};
// Behind the nodes' share.
struct AddSolids {
  const double *sums, *rigid;  // rigid: shares of rigid bodies
  Index bodies;
  SolveScalars* s;
  MNS_HD void operator()(const double (&nodes)[1]) const {
    if (s->done) return;
    double sum[1] = {nodes[0] + sums[kComplianceShare]};
    for (Index b = 0; b < bodies; ++b) sum[0] += rigid[b];
    sum[0] += s->dAd;
    AfterTranspose{s}(sum);
  }
};

MNS_NS_END
