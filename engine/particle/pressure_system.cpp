// Assembly of the pressure equation: how feature slots act on bodies, and the diagonal.
#include "engine/particle/pressure_system.h"

#include "engine/particle/without_fluid.h"
#include "kernels/fluid/fluid_diagonal.h"

namespace meniscus {
namespace {

struct MakeSlots {
  const Boundary* boundary;
  const SolidState* solid;
  View<const Index> nearParticle;
  View<const Index> slotBegin;
  View<const Feature> features;
  const std::uint8_t* tracked;
  const Vec4f* x;
  Vec3d origin;
  View<SlotBinding> slots;
  NodeSurface* surfaces;
  void operator()(Index k) const {
    const Vec3f xa = x[nearParticle[k]].xyz();
    for (Index s = slotBegin[k]; s < slotBegin[k + 1]; ++s) {
      SlotBinding b{{-1, -1, -1}, -1, {0, 0, 0}, {}, {}, 0};
      const Feature& f = features[s];
      b.n = f.n;
      if (tracked[s]) {
        const SurfaceInfo info = boundary->surface(f.surface);
        const Vec3f c = xa - f.n * f.d;
        if (info.owner == SurfaceOwner::nodes) {
          for (int q = 0; q < 3; ++q) b.node[q] = info.node[q];
          b.b[0] = f.b0;
          b.b[1] = f.b1;
          b.b[2] = 1.f - f.b0 - f.b1;
        } else if (info.owner == SurfaceOwner::rigid) {
          b.rigid = info.rigid;
          b.arm = c - Vec3f(solid->rigid[info.rigid].xPrev - origin);
        } else {
          b.prescribed = dot(f.n, boundary->surfaceVelocity(f.surface, c));
        }
      }
      slots[s] = b;
      surfaces[s] = {b.n, b.b[0], b.b[1], {b.node[0], b.node[1], b.node[2]}};
    }
  }
};

struct InverseDensity {
  const float* ofKind;
  const std::uint8_t* kind;
  float* invRho;
  void operator()(Index i) const { invRho[i] = ofKind[kind[i]]; }
};

// Share of the solids' columns in the diagonal. The neighbours' features are taken to act on the particle's own closest nodes,
// which is exact for triangles larger than the support and a good scale otherwise.
struct SlotDiagonal {
  PairView v;
  const SlotBinding* slots;
  const float* push;
  const double* nodeW;
  const double* rigidInvMass;
  const Mat3d* rigidInvInertia;
  double V;
  View<float> diag, withoutNodes;
  void operator()(Index k) const {
    double nodes = 0, rigids = 0;
    for (Index s = v.slotBegin[k]; s < v.slotBegin[k + 1]; ++s) {
      const SlotBinding& b = slots[s];
      const double kappa2 = double(push[s]) * push[s];
      for (int q = 0; q < 3; ++q)
        if (b.node[q] >= 0) nodes += kappa2 * b.b[q] * b.b[q] * nodeW[b.node[q]];
      if (b.rigid >= 0) {
        const Vec3d rn = cross(Vec3d(b.arm), Vec3d(b.n));
        rigids += kappa2 * (rigidInvMass[b.rigid] + dot(rn, rigidInvInertia[b.rigid] * rn));
      }
    }
    const Index a = v.nearParticle[k];
    withoutNodes[a] = diag[a] + float(V * rigids);
    diag[a] += float(V * (nodes + rigids));
  }
};

}  // namespace

void PressureSystem::configure(const World& world, const PairBuilder& builder) {
  dx_ = world.dx;
  V_ = world.particleVolume;
  rho0_ = world.scene.fluids.empty() ? kDensityWithoutFluid : world.scene.fluids[0].density;
  S0_ = builder.lattice().S0;
  highPass_ = world.scene.solver.highPass;
  gamma_ = float(highPass_ * builder.lattice().c2r2 / (S0_ * S0_) / rho0_);
  diagFloor_ = float(1e-6 * 2 * S0_ / rho0_);
  edgeScale_ = float(1 / dx_);
  listEdges(world.solid);
  preconditioner_.configure(world.solid);
}

// Both ends of every distance constraint, by node; the numbers are those of RowList::edges.
void PressureSystem::listEdges(const SolidState& solid) {
  const Index nodes = Index(solid.x.size());
  noEdges_.assign(std::size_t(nodes) + kLanes, 0);
  nodeEdges_.start(nodes);
  Index edges = 0;
  for (const Constraint& c : solid.constraints.items) {
    if (c.type != ConstraintType::distance) continue;
    ++edges;
    for (int k = 0; k < 2; ++k) nodeEdges_.expect(c.node[k]);
  }
  nodeEdges_.layOut();
  edges_.resize(std::size_t(edges));
  Index edge = 0;
  for (const Constraint& c : solid.constraints.items) {
    if (c.type != ConstraintType::distance) continue;
    for (int k = 0; k < 2; ++k) {
      const Index n = c.node[k];
      EdgeEnds& ends = nodeEdges_.place(n);
      ends.edge[n % kLanes] = edge;
      ends.sign[n % kLanes] = k ? -edgeScale_ : edgeScale_;
    }
    ++edge;
  }
  nodeEdges_.finish();
}

NodeListView<EdgeEnds> PressureSystem::edgesOfNodes() const {
  return layout_.edgeCount() > 0 ? nodeEdges_.view() : NodeListView<EdgeEnds>{noEdges_.data(), noEdges_.data(), nullptr};
}

ConstraintRates PressureSystem::rates(const std::vector<Vec3d>& linear, const std::vector<Vec3d>& angular) const {
  ConstraintRates r{rowBegin_.data(), rowNode_.data(), rowGrad_.data()};
  if (!rigidEntryBody_.empty())
    r.rigid = {rigidEntryOf_.data(), rigidEntryBody_.data(), rigidEntryGrad_.data(), linear.data(), angular.data()};
  return r;
}

SolidRowProducts PressureSystem::solidRows(const Buffer<float>& x, Buffer<float>& y) const {
  return {layout_,       edges_.data(),         edgeScale_, rates(rigidLeft_, rigidLeftOmega_),
          nodeV_.data(), rowCompliance_.data(), x.data(),   y.data()};
}

void PressureSystem::assemble(Exec& exec, const World& world, const Boundary& boundary, const PairLists& lists, bool frozen) {
  world_ = &world;
  boundary_ = &boundary;
  preconditioner_.join(world.solid.work.bodyContacts);
  const FluidState& f = world.fluid;
  fluidRows_ = f.n;
  frozen_ = frozen;
  constraintRows_ = 0;
  layout_ = RowLayout::make(f.n, 0, 0);
  constraintsAct_ = false;
  held_.clear();
  near_ = boundary.nearParticle().n;
  nodes_ = Index(world.solid.x.size());
  coupled_ = !world.solid.rigid.empty() || nodes_ > 0;
  view_ = {lists.directBegin.data(),
           lists.folded.count.data(),
           lists.folded.items.data(),
           lists.folded.begin.data(),
           boundary.nearIndex().data,
           boundary.nearParticle().data,
           near_,
           boundary.featureCount().data,
           boundary.slotBegin().data,
           lists.slotParticle.data(),
           lists.linkBegin.data(),
           lists.linkCount.data(),
           lists.links.data(),
           lists.plane.data(),
           lists.slotK.data(),
           lists.xh.data(),
           lists.T.data(),
           kGroupStride,
           lists.packed.rows()};
  packedLinks_.build(exec, view_);
  invRho_.resizeUninitialized(f.n);
  kindInvRho_.clear();
  for (const FluidDef& fluid : world.scene.fluids) kindInvRho_.push_back(float(1.0 / fluid.density));
  parallelFor(exec, "system: densities", f.n, InverseDensity{kindInvRho_.data(), f.kind.data(), invRho_.data()});

  const std::size_t slots = std::size_t(boundary.slotBegin()[near_]);
  slots_.resizeUninitialized(slots);
  nodeSurfaces_.resizeUninitialized(slots);
  for (auto* b : {&phi_, &nu_, &e_, &g_, &linkSum_}) b->resizeUninitialized(slots);
  if (coupled_) {
    parallelFor(exec, "system: slots", near_,
                MakeSlots{&boundary, &world.solid, boundary.nearParticle(), boundary.slotBegin(), boundary.features(),
                          lists.tracked.data(), f.x.data(), world.scene.domain.min, slots_.view(), nodeSurfaces_.data()});
    push_ = lists.slotPush.data();
    buildNodeLists(world, frozen);
  }
  for (auto* b : {&q_, &b_}) b->resizeUninitialized(f.n);
  surfaceForce_.resizeUninitialized(std::size_t(near_) + 1);
  surfaceForce_[0] = {};
  surfaceDivergence_.resizeUninitialized(std::size_t(near_) + 1);
  surfaceDivergence_[0] = 0;
  fluidDiag_.resizeUninitialized(f.n);
  dirichlet_.resizeUninitialized(f.n);
  fluidDiagonal(exec, lists);
  if (coupled_) solidsDiagonal(exec);
}

void PressureSystem::solidsDiagonal(Exec& exec) {
  fluidDiagRigid_ = fluidDiag_;
  parallelFor(exec, "system: solids' diagonal", near_,
              SlotDiagonal{view_, slots_.data(), push_, nodeW_.data(), rigidInvMass_.data(), rigidInvInertia_.data(), V_,
                           fluidDiag_.view(), fluidDiagRigid_.view()});
}

void PressureSystem::holdPressure(const std::vector<Index>& particles) {
  float* diagonal = operatorDiagonal();
  for (const HeldPressure& h : held_) {
    diagonal[h.particle] = h.operatorDiagonal;
    fluidDiag_[h.particle] = h.fluidDiag;
    if (coupled_) fluidDiagRigid_[h.particle] = h.fluidDiagRigid;
  }
  held_.clear();
  for (const Index i : particles) {
    held_.push_back({i, diagonal[i], fluidDiag_[i], coupled_ ? fluidDiagRigid_[i] : 0});
    const float more = kHoldPressure * fluidDiag_[i];
    diagonal[i] += more;
    fluidDiag_[i] += more;
    if (coupled_) fluidDiagRigid_[i] += more;
  }
}

void PressureSystem::fluidDiagonal(Exec& exec, const PairLists& lists) {
  parallelFor(exec, "system: diagonal", fluidRows_,
              FluidDiagonal{lists.T.data(), lists.c2r2.data(), lists.c2.data(), lists.sumC.data(), invRho_.data(), gamma_,
                            diagFloor_, float(1.0 / rho0_), float(S0_), dirichlet_.view(), fluidDiag_.view()});
}

std::size_t PressureSystem::bytes() const {
  std::size_t s = slots_.capacityBytes() + nodeSurfaces_.capacityBytes();
  for (const auto* b : {&p_,         &r_,         &z_,   &d_,  &diag_, &invDiag_, &rhs_,     &fluidDiag_,         &fluidDiagRigid_,
                        &dirichlet_, &invRho_,    &phi_, &nu_, &e_,    &g_,       &linkSum_, &surfaceDivergence_, &rowCompliance_,
                        &rowRate_,   &rowMeasure_})
    s += b->capacityBytes();
  for (const auto* b : {&q_, &b_, &surfaceForce_, &nodeV_, &nodeEntryGrad_, &rowGrad_}) s += b->capacityBytes();
  for (const auto* b : {&nodeEntryRow_, &rowNode_, &noEdges_}) s += b->capacityBytes();
  s += edges_.capacityBytes() + edgeRate_.capacityBytes() + nodeEdges_.bytes() + nodeSlots_.bytes();
  return s + packedLinks_.bytes() + preconditioner_.bytes();
}

}  // namespace meniscus
