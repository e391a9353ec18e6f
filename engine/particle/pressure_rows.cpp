// Lists of the pressure equation: what acts on a node or a rigid body, and the rows of the solids' constraints.
#include <algorithm>
#include <cstring>

#include "engine/particle/pressure_system.h"
#include "engine/solid/rigid.h"
#include "kernels/solid/linearise_constraint.h"
#include "kernels/solid/rotation.h"

namespace meniscus {
namespace {

// One constraint row in the units of the pressure equation.
struct ScaleRow {
  const ConstraintRow* rows;
  const RowEntry* entries;
  const double* w;
  const Vec3d *x, *xPrev;
  RowUnits units;
  Index *rowBegin, *rowNode;
  Vec4f* rowGrad;
  float *compliance, *rate, *measure, *diag, *multiplier;
  void operator()(Index k) const {
    const ConstraintRow& row = rows[k];
    RowSums sums;
    for (Index e = row.begin; e < row.end; ++e) {
      const RowEntry& entry = entries[e];
      rowNode[e] = entry.node;
      rowGrad[e] = Vec4f(Vec3f(entry.grad * units.scale), 0.f);
      sums.add(entry.grad, w[entry.node], x[entry.node] - xPrev[entry.node]);
    }
    rowBegin[k] = row.begin;
    const ScaledRow r = sums.scaled(units, row.C, row.alphaTilde, row.lambda, row.constraint == kModeRow);
    compliance[k] = r.compliance;
    rate[k] = r.rate;
    measure[k] = r.measure;
    diag[k] = r.diag;
    multiplier[k] = r.guess;
  }
};

// An edge in the same units.
struct ScaleEdge {
  const SolidEdge* edges;
  const Constraint* constraints;
  const double* w;
  RowUnits units;
  EdgeRow* out;
  Vec4f* rate;
  float* multiplier;
  void operator()(Index k) const {
    const Index* node = constraints[edges[k].constraint].node;
    units.scaleEdge(edges[k], node[0], node[1], w, out[k], rate[k], multiplier + 4 * k);
  }
};

// Each share of the nodes looks through all entries and takes those of its own: every node's list is in the order of the rows.
constexpr Index kNodeShares = 4;

struct CountEntries {
  const Index* node;
  Index entries, share, nodes;
  Index* count;
  void operator()(Index s) const {
    const Index begin = std::min(s * share, nodes), end = std::min(begin + share, nodes);
    for (Index n = begin; n < end; ++n) count[n] = 0;
    for (Index e = 0; e < entries; ++e)
      if (node[e] >= begin && node[e] < end) ++count[node[e]];
  }
};

struct TransposeEntries {
  const Index *rowBegin, *node;
  const Vec4f* grad;
  Index rows, share, nodes;
  const Index* nodeBegin;
  Index *cursor, *row;
  Vec4f* nodeGrad;
  void operator()(Index s) const {
    const Index begin = std::min(s * share, nodes), end = std::min(begin + share, nodes);
    for (Index n = begin; n < end; ++n) cursor[n] = nodeBegin[n];
    for (Index k = 0; k < rows; ++k)
      for (Index e = rowBegin[k]; e < rowBegin[k + 1]; ++e) {
        const Index n = node[e];
        if (n < begin || n >= end) continue;
        row[cursor[n]] = k;
        nodeGrad[cursor[n]++] = grad[e];
      }
  }
};

}  // namespace

// Transposed lists by counting: which slots act on a node, which on a rigid body, in the order of slots.
void PressureSystem::buildNodeLists(const World& world, bool frozen) {
  const SolidState& s = world.solid;
  nodeW_ = s.w;
  if (frozen) nodeW_.assign(s.w.size(), 0.0);
  const Index rigids = Index(s.rigid.size()), slots = Index(slots_.size());
  nodeSlots_.start(nodes_);
  rigidSlotBegin_.assign(std::size_t(rigids) + 1, 0);
  for (const SlotBinding& b : slots_) {
    if (b.node[0] >= 0)
      for (const Index n : b.node) nodeSlots_.expect(n);
    if (b.rigid >= 0) ++rigidSlotBegin_[b.rigid + 1];
  }
  nodeSlots_.layOut();
  for (Index n = 0; n < rigids; ++n) rigidSlotBegin_[n + 1] += rigidSlotBegin_[n];
  rigidSlots_.resizeUninitialized(rigidSlotBegin_[rigids]);
  cursor_.assign(std::size_t(rigids), 0);
  for (Index i = 0; i < slots; ++i) {
    const SlotBinding& b = slots_[i];
    if (b.node[0] >= 0)
      for (int q = 0; q < 3; ++q) {
        const Index lane = b.node[q] % kLanes;
        SlotEnds& ends = nodeSlots_.place(b.node[q]);
        ends.slot[lane] = i;
        ends.weight[lane] = b.b[q];
      }
    if (b.rigid >= 0) rigidSlots_[rigidSlotBegin_[b.rigid] + cursor_[b.rigid]++] = i;
  }
  nodeSlots_.finish();
  nodeEntryBegin_.assign(std::size_t(nodes_) + 1, 0);
  nodeB_.resizeUninitialized(nodes_);
  nodeV_.assign(std::size_t(laneGroups(nodes_)) * kLanes, Vec4f{});
  rigidB_.assign(rigids, {});
  rigidBOmega_.assign(rigids, {});
  rigidLeft_.assign(rigids, {});
  rigidLeftOmega_.assign(rigids, {});
  holds_.own.assign(rigids, {});
  holds_.islands.assign(1, 0.0);
  for (auto* b : {&rigidLoad_, &rigidFree_, &rigidHeld_}) b->assign(rigids, {});
  rigidQuadratic_.assign(rigids, 0.0);
  rigidInvMass_.resize(rigids);
  rigidInvInertia_.resize(rigids);
  for (Index i = 0; i < rigids; ++i) {
    const RigidBody& r = s.rigid[i];
    rigidInvMass_[i] = frozen ? 0 : r.invMass;
    rigidInvInertia_[i] = inWorldAxes(r.qPrev, frozen ? Vec3d{} : r.invInertia);
  }
}

// Adds what rigid bodies have in the rows.
void PressureSystem::setRigidEntries(const World& world, const RowList& rows, const RowUnits& units) {
  const std::size_t entries = rows.rigidEntries.size();
  for (auto* b : {&rigidEntryBody_, &rigidEntryRow_}) b->resizeUninitialized(entries);
  rigidEntryGrad_.resizeUninitialized(entries);
  if (entries == 0) return;
  rigidEntryOf_.assign(std::size_t(constraintRows_), -1);
  rowD0_ = rowCompliance_;
  for (std::size_t e = 0; e < entries; ++e) {
    const RigidRowEntry& entry = rows.rigidEntries[e];
    const RigidBody& b = world.solid.rigid[std::size_t(entry.rigid)];
    const std::size_t i = std::size_t(entry.rigid), k = std::size_t(entry.row);
    rigidEntryOf_[k] = Index(e);
    rigidEntryBody_[e] = entry.rigid;
    rigidEntryRow_[e] = entry.row;
    rigidEntryGrad_[e] = {entry.linear * units.scale, entry.angular * units.scale};
    const double inverseMass = rigidInvMass_[i] * norm2(entry.linear) + dot(entry.angular, rigidInvInertia_[i] * entry.angular);
    // of the way from the start of the sub-step to where the row is linearised
    const double moved = dot(entry.linear, b.x - b.xPrev) + dot(entry.angular, rotationToVector(b.q * b.qPrev.conjugate()));
    const float more = float(units.scale * units.scale * units.V * inverseMass);
    diag_[std::size_t(layout_.rows) + k] += more;
    rowD0_[k] += more;
    rowRate_[k] += float(units.scale * moved / (units.dt * units.dt));
  }
}

void PressureSystem::setRows(Exec& exec, const World& world, const RowList& rows, double dt) {
  const double scale = 1.0 / dx_;
  constraintRows_ = Index(rows.rows.size());
  const Index entries = Index(rows.entries.size());
  multiplierScale_ = dt * dt * V_ * scale;
  rowBegin_.resizeUninitialized(std::size_t(constraintRows_) + 1);
  rowNode_.resizeUninitialized(std::size_t(entries));
  rowGrad_.resizeUninitialized(std::size_t(entries));
  rowCompliance_.resizeUninitialized(constraintRows_);
  rowRate_.resizeUninitialized(constraintRows_);
  rowMeasure_.resizeUninitialized(constraintRows_);
  layout_ = RowLayout::make(fluidRows_, Index(rows.edges.size()), constraintRows_);
  constraintsAct_ =
      constraintRows_ > 0 || std::any_of(rows.edges.begin(), rows.edges.end(), [](const SolidEdge& e) { return e.hasRow(); });
  for (auto* b : {&r_, &z_, &d_, &diag_, &invDiag_, &rhs_}) b->resizeUninitialized(layout_.total);
  p_.resize(layout_.total);
  for (Index i = fluidRows_; i < layout_.edges; ++i) p_[i] = r_[i] = z_[i] = d_[i] = rhs_[i] = 0;
  if (fluidRows_) std::memcpy(diag_.data(), fluidDiag_.data(), fluidRows_ * sizeof(float));
  edgeRate_.resizeUninitialized(rows.edges.size());
  const RowUnits units{scale, V_, dt, multiplierScale_, diagFloor_};
  parallelFor(exec, "rows: scale edges", layout_.edgeCount(),
              ScaleEdge{rows.edges.data(), world.solid.constraints.items.data(), nodeW_.data(), units, edges_.data(),
                        edgeRate_.data(), p_.data() + layout_.edges});
  parallelFor(exec, "rows: scale", constraintRows_,
              ScaleRow{rows.rows.data(), rows.entries.data(), nodeW_.data(), world.solid.x.data(), world.solid.xPrev.data(), units,
                       rowBegin_.data(), rowNode_.data(), rowGrad_.data(), rowCompliance_.data(), rowRate_.data(),
                       rowMeasure_.data(), diag_.data() + layout_.rows, p_.data() + layout_.rows});
  rowBegin_[constraintRows_] = entries;
  setRigidEntries(world, rows, units);

  // node -> rows by counting
  nodeEntryBegin_.resizeUninitialized(std::size_t(nodes_) + 1);
  nodeEntryBegin_[0] = 0;
  nodeEntryRow_.resizeUninitialized(std::size_t(entries));
  nodeEntryGrad_.resizeUninitialized(std::size_t(entries));
  cursor_.resizeUninitialized(std::size_t(nodes_));
  const Index share = (nodes_ + kNodeShares - 1) / kNodeShares;
  parallelFor(exec, "rows: count", kNodeShares, CountEntries{rowNode_.data(), entries, share, nodes_, nodeEntryBegin_.data() + 1},
              1);
  for (Index n = 0; n < nodes_; ++n) nodeEntryBegin_[n + 1] += nodeEntryBegin_[n];
  parallelFor(exec, "rows: transpose", kNodeShares,
              TransposeEntries{rowBegin_.data(), rowNode_.data(), rowGrad_.data(), constraintRows_, share, nodes_,
                               nodeEntryBegin_.data(), cursor_.data(), nodeEntryRow_.data(), nodeEntryGrad_.data()},
              1);
}

}  // namespace meniscus
