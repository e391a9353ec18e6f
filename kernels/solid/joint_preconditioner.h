// The preconditioner of the joint system on a device, in the space of the nodes: that of engine/particle/node_preconditioner.h,
// with the matrix N applied by its factors, N u = (M / V) u + C^T D0^-1 C u.
#pragma once

#include "kernels/solid/joint_rows.h"

MNS_NS_BEGIN

constexpr float kLeastRowCompliance = 0.05f;  // of a row, as share of its diagonal: stiffer rows make N hard for Jacobi
constexpr float kSoftestRow = 0.99f;          // rows of which compliance is this share are left to the diagonal,
constexpr Index kLargestRow = 8;              // and so are rows of more nodes
constexpr int kNodeSteps = 3;                 // Jacobi steps; see node_preconditioner.cpp
MNS_HD constexpr float nodeRelaxation(int step) { return step < 2 ? 1.5f : 1.f; }

// A symmetric 3x3 block.
struct NodeBlock {
  Vec3f column[3];
  MNS_HD Vec3f times(const Vec3f& u) const { return column[0] * u.x + column[1] * u.y + column[2] * u.z; }
};

// D0^-1 and what of it is in N. Of edges it is with them.
struct JointScales {
  float* fluid;        // D0^-1 of fluid rows
  float *row, *inRow;  // of rows; 0 where the row is not in N
  float *push, *slot;  // of slots: weight in the divergence, and in N; 0 where no nodes carry it
};

struct CopyRow {
  const float* from;
  float* to;
  MNS_HD void operator()(Index i) const { to[i] = from[i]; }
};
// Of the fluid's rows: the diagonal without what nodes have in it, but with what holds films.
struct ScaleFluidRow {
  const float *diag, *diagFree, *withoutNodes;
  float* scale;
  MNS_HD void operator()(Index i) const { scale[i] = 1.f / (withoutNodes[i] + (diag[i] - diagFree[i])); }
};

MNS_HD inline bool inNodes(float compliance, float diag) { return compliance < kSoftestRow * diag; }
MNS_HD inline float inverseD0(float compliance, float diag) {
  const float least = kLeastRowCompliance * diag;
  return 1.f / (inNodes(compliance, diag) ? (compliance < least ? least : compliance) : diag);
}

struct ScaleSolidRow {
  JointView j;
  RowValues diag;  // of rows
  EdgeRow* edges;
  JointScales out;
  MNS_HD void operator()(Index i) const {
    if (i >= j.edges) {
      const Index k = i - j.edges;
      const bool in = j.entriesOf(k) <= kLargestRow && inNodes(j.compliance[k], diag[k]);
      out.row[k] = in ? inverseD0(j.compliance[k], diag[k]) : 1.f / diag[k];
      out.inRow[k] = in ? out.row[k] : 0.f;
      return;
    }
    EdgeRow& e = edges[i];
    for (int part = 0; part < EdgeRow::parts; ++part) {
      if (e.on[part] == 0) continue;
      e.inverse[part] = inverseD0(e.compliance[part], e.diag[part]);
      e.inNodes[part] = inNodes(e.compliance[part], e.diag[part]) ? e.inverse[part] : 0.f;
    }
  }
};

// For each near row. A particle with several features counts each with the weights of all.
struct ScaleSlots {
  PairView v;
  const NodeSlot* slots;
  const float* push;
  JointScales out;
  MNS_HD void operator()(Index k) const {
    float all = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s)
      if (slots[s].carried()) all += std::fabs(push[s]);
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      out.push[s] = slots[s].carried() ? push[s] : 0.f;
      out.slot[s] = slots[s].carried() ? std::fabs(push[s]) * all * out.fluid[v.nearParticle[k]] : 0.f;
    }
  }
};

// The inverse of B, a bound of N, block by block: for weights b >= 0 (sum b u)^2 <= (sum b) sum b u^2, for a row of m entries
// (sum g . u)^2 <= m sum (g . u)^2.
struct BoundNode {
  JointView j;
  JointScales scales;
  NodeBlock* inverse;
  MNS_HD void operator()(Index n) const {
    inverse[n] = {};
    if (!(j.w[n] > 0)) return;  // held nodes stay at rest
    Mat3f bound = Mat3f::identity() * float(1 / (j.V * j.w[n]));
    for (Index e = j.slotBegin[n]; e < j.slotBegin[n + 1]; ++e) {
      const Index s = j.slotItem[e] / 3;
      const Vec3f normal = j.plane[s].xyz();
      bound = bound + Mat3f::outer(normal * (j.slot[s].b[j.slotItem[e] % 3] * scales.slot[s]), normal);
    }
    for (Index e = j.edgeBegin[n]; e < j.edgeBegin[n + 1]; ++e) bound = bound + ofEdge(n, j.edge[j.edgeItem[e] / 2]);
    for (Index e = j.ownBegin[n]; e < j.ownBegin[n + 1]; ++e)
      for (Index k = 0; k < j.ownItem[e].count; ++k) addRow(j.ownItem[e].row + k, j.ownGrad[j.ownItem[e].entry + k], bound);
    for (Index e = j.entryBegin[n]; e < j.entryBegin[n + 1]; ++e) addRow(j.owned + j.entryRow[e], j.entryGrad[e], bound);
    const Mat3d i = ::meniscus::inverse(Mat3d(bound));
    for (int k = 0; k < 3; ++k) inverse[n].column[k] = Vec3f(i.column(k));
  }
  MNS_HD void addRow(Index k, const Vec4f& grad, Mat3f& bound) const {
    const Vec3f g = grad.xyz();
    bound = bound + Mat3f::outer(g * (scales.inRow[k] * float(j.entriesOf(k))), g);
  }
  MNS_HD Mat3f ofEdge(Index n, const EdgeRow& e) const {
    const Index other = e.a == n ? e.b : e.a;
    const float s2 = j.edgeScale * j.edgeScale * (j.w[other] > 0 ? 2.f : 1.f);  // two free ends, or one
    const float across = s2 * e.inNodes[EdgeRow::across], more = s2 * e.inNodes[EdgeRow::along] - across;
    const Vec3f direction = e.n.xyz();
    return Mat3f::identity() * across + Mat3f::outer(direction * more, direction);
  }
};

// What slots, edges and rows say to the nodes.
struct ToNodes {
  float *slot, *row;
  Vec4f* edge;
};

// C^T D0^-1 r before the sum at the nodes. Numbered slots, edges, rows.
struct WeighResidual {
  JointView j;
  const SolveScalars* solve;  // null: not begun
  JointScales scales;
  const Index* particle;  // of slots
  const float* r;         // of fluid rows
  SolidVector solid;
  ToNodes y;
  MNS_HD void operator()(Index i) const {
    if (solve && solve->done) return;
    if (i < j.slots) {
      y.slot[i] = -scales.push[i] * (r[particle[i]] * scales.fluid[particle[i]]);
    } else if (i < j.slots + j.edges) {
      const Index k = i - j.slots;
      y.edge[k] = j.edge[k].scaled(solid.edge()[k], j.edge[k].inNodes);
    } else {
      const Index k = i - j.slots - j.edges;
      y.row[k] = solid.row()[k] * scales.inRow[k];
    }
  }
};
// Behind pass 2: the update of the solids' rows, and what of the new residual is said to the nodes.
struct UpdateAndWeigh {
  SolidUpdate update;
  WeighResidual weigh;
  MNS_HD void operator()(Index i) const {
    if (i >= weigh.j.slots) update(i - weigh.j.slots);
    weigh(i);
  }
};

// D0^-1 C u of one slot, edge or row.
struct OfNodes {
  const JointView& j;
  const JointScales& scales;
  const Vec4f* u;
  MNS_HD float slot(Index s) const { return j.slot[s].carried() ? scales.slot[s] * j.slot[s].speed(j.plane[s], u) : 0.f; }
  MNS_HD Vec4f edge(Index k) const { return j.edge[k].scaled(j.edgeRate(k, u), j.edge[k].inNodes); }
  MNS_HD float row(Index k) const { return scales.inRow[k] > 0 ? scales.inRow[k] * j.rowRate(k, u) : 0.f; }
};

// out = u + relaxation B^-1 (f - N u); the first step finds f and starts from u = 0.
struct StepNode {
  JointView j;
  const SolveScalars* solve;
  JointScales scales;
  const NodeBlock* inverse;
  ToNodes y;
  bool first;
  float relaxation;
  Vec3f* f;
  const Vec4f* u;
  Vec4f* out;
  MNS_HD void operator()(Index n) const {
    if (solve && solve->done) return;
    if (first) {
      f[n] = Vec3f(j.gather(n, OfArrays{y.slot, y.edge, y.row}));
      out[n] = Vec4f(inverse[n].times(f[n]) * relaxation, 0.f);
      return;
    }
    const Vec3f sum(j.gather(n, OfNodes{j, scales, u}));
    const float m = j.w[n] > 0 ? float(1 / (j.V * j.w[n])) : 0.f;
    const Vec3f left = f[n] - (sum + u[n].xyz() * m);
    out[n] = u[n] + Vec4f(inverse[n].times(left) * relaxation, 0.f);
  }
};

// z = D0^-1 (r - C u) of all rows, the fluid's first; acc: r . z
struct ScatterNodes {
  JointView j;
  const SolveScalars* solve;
  JointScales scales;
  Index n;  // of the fluid's rows
  PairView v;
  const Vec4f* u;
  const float* r;
  float* z;
  SolidVector rSolid, zSolid;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (solve && solve->done) return;
    if (i < n) return fluid(i, acc);
    i -= n;
    if (i < j.edges) {
      const EdgeRow& e = j.edge[i];
      const Vec4f ri = rSolid.edge()[i], zi = e.scaled(ri, e.inverse) - e.scaled(j.edgeRate(i, u), e.inNodes);
      zSolid.edge()[i] = zi;
      acc[0] += double((zi * ri).sum());
      return;
    }
    const Index k = i - j.edges;
    const float ri = rSolid.row()[k];
    zSolid.row()[k] = (scales.inRow[k] > 0 ? ri - j.rowRate(k, u) : ri) * scales.row[k];
    acc[0] += double(zSolid.row()[k]) * ri;
  }
  MNS_HD void fluid(Index i, double (&acc)[1]) const {
    float s = r[i];
    const Index k = v.near[i];
    for (Index slot = k < 0 ? 0 : v.slotBegin[k]; k >= 0 && slot < v.slotBegin[k + 1]; ++slot)
      if (j.slot[slot].carried()) s += scales.push[slot] * j.slot[slot].speed(j.plane[slot], u);
    z[i] = s * scales.fluid[i];
    acc[0] += double(z[i]) * double(r[i]);
  }
};

MNS_NS_END
