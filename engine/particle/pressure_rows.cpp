// Lists of the pressure equation: what acts on a node or a rigid body, and the rows of the solids' constraints.
#include <cstring>

#include "engine/particle/pressure_system.h"

namespace meniscus {

// Transposed lists by counting: which slots act on a node, which on a rigid body, in the order of slots.
void PressureSystem::buildNodeLists(const World& world, bool frozen) {
  const SolidState& s = world.solid;
  nodeW_ = s.w;
  if (frozen) nodeW_.assign(s.w.size(), 0.0);
  nodeSlotBegin_.assign(std::size_t(nodes_) + 1, 0);
  nodeSurfaces_.clear();
  const Index rigids = Index(s.rigid.size());
  rigidSlotBegin_.assign(std::size_t(rigids) + 1, 0);
  for (Index i = 0; i < Index(slots_.size()); ++i) {
    const SlotBinding& b = slots_[i];
    if (b.node[0] >= 0) {
      nodeSurfaces_.push_back({Vec4f(b.n, 0.f), {b.b[0], b.b[1], b.b[2]}, {b.node[0], b.node[1], b.node[2]}, i});
      for (int q = 0; q < 3; ++q) ++nodeSlotBegin_[b.node[q] + 1];
    }
    if (b.rigid >= 0) ++rigidSlotBegin_[b.rigid + 1];
  }
  for (Index n = 0; n < nodes_; ++n) nodeSlotBegin_[n + 1] += nodeSlotBegin_[n];
  for (Index n = 0; n < rigids; ++n) rigidSlotBegin_[n + 1] += rigidSlotBegin_[n];
  nodeSlot_.resizeUninitialized(nodeSlotBegin_[nodes_]);
  nodeSlotNormal_.resizeUninitialized(nodeSlotBegin_[nodes_]);
  rigidSlots_.resizeUninitialized(rigidSlotBegin_[rigids]);
  cursor_.assign(std::size_t(nodes_) + rigids, 0);
  for (Index i = 0; i < Index(slots_.size()); ++i) {
    const SlotBinding& b = slots_[i];
    for (int q = 0; q < 3; ++q) {
      if (b.node[q] < 0) continue;
      const Index at = nodeSlotBegin_[b.node[q]] + cursor_[b.node[q]]++;
      nodeSlot_[at] = i;
      nodeSlotNormal_[at] = Vec4f(b.n * b.b[q], 0.f);
    }
    if (b.rigid >= 0) rigidSlots_[rigidSlotBegin_[b.rigid] + cursor_[nodes_ + b.rigid]++] = i;
  }
  nodeEntryBegin_.assign(std::size_t(nodes_) + 1, 0);
  nodeB_.resizeUninitialized(nodes_);
  nodeV_.resizeUninitialized(nodes_);
  rigidB_.assign(rigids, {});
  rigidBOmega_.assign(rigids, {});
  rigidInvMass_.resize(rigids);
  rigidInvInertia_.resize(rigids);
  for (Index i = 0; i < rigids; ++i) {
    const RigidBody& r = s.rigid[i];
    const Mat3d R = r.qPrev.matrix();
    rigidInvMass_[i] = frozen ? 0 : r.invMass;
    rigidInvInertia_[i] = R * Mat3d::diagonal(frozen ? Vec3d{} : r.invInertia) * R.transposed();
  }
}

void PressureSystem::setRows(Exec&, const World& world, const RowList& rows, double dt) {
  const SolidState& s = world.solid;
  const double scale = 1.0 / dx_;
  constraintRows_ = Index(rows.rows.size());
  multiplierScale_ = dt * dt * V_ * scale;
  rowBegin_.resizeUninitialized(std::size_t(constraintRows_) + 1);
  rowNode_.resizeUninitialized(rows.entries.size());
  rowGrad_.resizeUninitialized(rows.entries.size());
  rowCompliance_.resizeUninitialized(constraintRows_);
  rowRate_.resizeUninitialized(constraintRows_);
  const Index total = fluidRows_ + constraintRows_;
  for (auto* b : {&r_, &z_, &d_, &diag_, &invDiag_, &rhs_}) b->resizeUninitialized(total);
  p_.resize(total);
  if (fluidRows_) std::memcpy(diag_.data(), fluidDiag_.data(), fluidRows_ * sizeof(float));
  rowBegin_[0] = 0;
  Index filled = 0;
  nodeEntryBegin_.assign(std::size_t(nodes_) + 1, 0);
  for (Index k = 0; k < constraintRows_; ++k) {
    const ConstraintRow& row = rows.rows[k];
    double w = 0, moved = 0;
    for (Index e = row.begin; e < row.end; ++e) {
      const RowEntry& entry = rows.entries[e];
      rowNode_[filled] = entry.node;
      rowGrad_[filled++] = Vec4f(Vec3f(entry.grad * scale), 0.f);
      w += nodeW_[entry.node] * norm2(entry.grad);
      moved += dot(entry.grad, s.x[entry.node] - s.xPrev[entry.node]);
      ++nodeEntryBegin_[entry.node + 1];
    }
    rowBegin_[k + 1] = filled;
    rowCompliance_[k] = float(scale * scale * row.alphaTilde * V_);
    // C at the end of the step without multipliers is C(x_lin) + grad C . (xPrev + dt v* - x_lin); the v* part enters with D u*
    rowRate_[k] = float(-scale * (row.C - moved) / (dt * dt));
    diag_[fluidRows_ + k] = float(scale * scale * V_ * (w + row.alphaTilde)) + diagFloor_;
    setMultiplier(k, row.lambda);
  }
  for (Index n = 0; n < nodes_; ++n) nodeEntryBegin_[n + 1] += nodeEntryBegin_[n];
  nodeEntryRow_.resizeUninitialized(rows.entries.size());
  nodeEntryGrad_.resizeUninitialized(rows.entries.size());
  cursor_.assign(nodes_, 0);
  for (Index k = 0; k < constraintRows_; ++k)
    for (Index e = rowBegin_[k]; e < rowBegin_[k + 1]; ++e) {
      const Index at = nodeEntryBegin_[rowNode_[e]] + cursor_[rowNode_[e]]++;
      nodeEntryRow_[at] = k;
      nodeEntryGrad_[at] = rowGrad_[e];
    }
}

}  // namespace meniscus
