#include "engine/particle/pressure_system.h"

#include <algorithm>
#include <cmath>

#include "engine/particle/constraint_rate.h"

namespace meniscus {
namespace {

struct MakeSlots {
  const Boundary* boundary;
  const SolidState* solid;
  View<const Index> nearParticle;
  View<const std::uint8_t> featureCount;
  View<const Feature> features;
  const std::uint8_t* tracked;
  const Vec4f* x;
  Vec3d origin;
  View<SlotBinding> slots;
  void operator()(Index k) const {
    const Vec3f xa = x[nearParticle[k]].xyz();
    for (int i = 0; i < kMaxFeatures; ++i) {
      const Offset s = Offset(k) * kMaxFeatures + i;
      SlotBinding b{{-1, -1, -1}, -1, {0, 0, 0}, {}, {}, 0};
      if (i < featureCount[k]) {
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
      }
      slots[s] = b;
    }
  }
};

// Spray: a particle that has lost most of its kernel belongs to no continuum, but its row would still ask for zero divergence, and
// with the tiny coefficients of distant neighbours only a huge pressure can give that: pairs at the rim of the support could
// neither part nor meet. The kernel-deficiency diagonal K of the ISPH-PBD paper (eq. 12), switched on between these deficiencies,
// ties such pressures to zero and leaves the particles to ballistics. A flat free surface has 0.4, a single free layer 0.7.
constexpr float kSprayBegin = 0.6f, kSprayEnd = 0.9f;

struct FluidDiagonal {
  const Vec4f* T;
  const float *c2r2, *c2, *sumC, *invRho;
  float gamma, floor, invRho0, S0;
  View<float> dirichlet, diag;
  void operator()(Index i) const {
    const float delta = 1.f - sumC[i] / S0;
    float s = (delta - kSprayBegin) / (kSprayEnd - kSprayBegin);
    s = s < 0.f ? 0.f : (s > 1.f ? 1.f : s);
    dirichlet[i] = 2.f * S0 * invRho[i] * s * s * (3.f - 2.f * s) * delta + floor;
    diag[i] = invRho[i] * norm2(T[i].xyz()) + invRho0 * c2r2[i] + gamma * (T[i].w * T[i].w + c2[i]) + dirichlet[i];
  }
};

// Share of the solids' columns in the diagonal. The neighbours' features are taken to act on the particle's own closest nodes,
// which is exact for triangles larger than the support and a good scale otherwise.
struct SlotDiagonal {
  PairView v;
  const SlotBinding* slots;
  const std::uint8_t* featureCount;
  const double* nodeW;
  const double* rigidInvMass;
  const Mat3d* rigidInvInertia;
  double V;
  View<float> diag;
  void operator()(Index k) const {
    const PackedLink* l = static_cast<const PackedLink*>(v.linkItems) + v.linkBegin[k];
    float kappa[kMaxFeatures];
    for (int f = 0; f < featureCount[k]; ++f) kappa[f] = v.selfLink[k * kMaxFeatures + f];
    for (Index s = 0; s < v.linkCount[k]; ++s) kappa[l[s].own - k * kMaxFeatures] += l[s].kOwn + l[s].kOther;
    double sum = 0;
    for (int f = 0; f < featureCount[k]; ++f) {
      const SlotBinding& b = slots[k * kMaxFeatures + f];
      double w = 0;
      for (int q = 0; q < 3; ++q)
        if (b.node[q] >= 0) w += double(b.b[q]) * b.b[q] * nodeW[b.node[q]];
      if (b.rigid >= 0) {
        const Vec3d rn = cross(Vec3d(b.arm), Vec3d(b.n));
        w += rigidInvMass[b.rigid] + dot(rn, rigidInvInertia[b.rigid] * rn);
      }
      sum += double(kappa[f]) * kappa[f] * w;
    }
    diag[v.nearParticle[k]] += float(V * sum);
  }
};

struct PackPressure {
  const float* p;
  const Vec4f* xh;
  Vec4f* q;
  void operator()(Index i) const { q[i] = xh[i] * p[i]; }
};

struct PackVelocity {
  const Vec4f* u;
  const Vec4f* xh;
  Vec4f* q;
  void operator()(Index i) const { q[i] = Vec4f(u[i].xyz(), dot(u[i].xyz(), xh[i].xyz())); }
};

// Pass 1 on particles: b = (1/rho) D^T p packed for pass 2, h, and the quadratic form's fluid part.
struct TransposePass {
  PairView v;
  const Vec4f* q;
  const float *invRho, *dirichlet;
  float gamma;
  Vec4f* b;
  float* h;
  void operator()(Index i, double* acc) const {
    float hi;
    const Vec3f a = transposeRow(v, i, q, hi);
    const Vec3f bi = a * invRho[i];
    h[i] = hi;
    b[i] = Vec4f(bi, dot(bi, v.xh[i].xyz()) - gamma * hi);
    acc[0] += double(dot(a, bi)) + double(gamma) * hi * hi + double(dirichlet[i]) * q[i].w * q[i].w;
  }
};

struct SurfaceForces {
  PairView v;
  const Vec4f* q;
  const std::uint8_t* featureCount;
  float* phi;
  void operator()(Index k) const { surfaceForce(v, k, featureCount[k], kMaxFeatures, q, phi); }
};

template <class NodeSlot, class NodeEntry>
struct NodeForces {
  const Index *slotBegin, *entryBegin;
  const NodeSlot* slots;
  const NodeEntry* entries;
  const SlotBinding* binding;
  const float* phi;
  const float* rowX;  // constraint rows of the vector
  const double* w;
  double V;
  Vec3d* out;
  void operator()(Index n, double* acc) const {
    Vec3d f{};
    for (Index s = slotBegin[n]; s < slotBegin[n + 1]; ++s)
      f += Vec3d(binding[slots[s].slot].n) * (double(slots[s].b) * double(phi[slots[s].slot]));
    for (Index e = entryBegin[n]; e < entryBegin[n + 1]; ++e) f += Vec3d(entries[e].grad) * double(rowX[entries[e].row]);
    out[n] = f * (V * w[n]);
    acc[0] += dot(f, out[n]);
  }
};

// nu of every slot from the velocities of nodes and rigid bodies, or prescribed.
struct SlotVelocities {
  const SlotBinding* slots;
  const Vec3d* node;
  const Vec3d *lin, *ang;
  bool prescribed;
  float* nu;
  void operator()(Index s) const {
    const SlotBinding& b = slots[s];
    double v = prescribed ? b.prescribed : 0;
    if (b.node[0] >= 0) {
      Vec3d u{};
      for (int q = 0; q < 3; ++q) u += node[b.node[q]] * double(b.b[q]);
      v = dot(u, Vec3d(b.n));
    } else if (b.rigid >= 0) {
      v = dot(lin[b.rigid] + cross(ang[b.rigid], Vec3d(b.arm)), Vec3d(b.n));
    }
    nu[s] = float(v);
  }
};

// Pass 2 and the updates of conjugate gradients in one sweep: x += alpha d, r -= alpha A d, and r . z.
template <class RowNode>
struct ApplyAndUpdate {
  PairView v;
  const Vec4f* b;
  const float* h;
  const float* nu;
  const std::uint8_t* featureCount;
  bool coupled;
  float gamma, alpha;
  Index fluidRows;
  const Index* rowBegin;
  const RowNode* rowNodes;
  const Vec3d* nodeB;
  const float *rowCompliance, *dirichlet;
  const float *d, *diag;
  float *p, *r;
  void operator()(Index i, double* acc) const {
    const float Ad = i < fluidRows ? fluidRow(i) : constraintRow(i);
    p[i] += alpha * d[i];
    const float ri = r[i] - alpha * Ad;
    r[i] = ri;
    acc[0] += double(ri) * ri / diag[i];
  }
  float fluidRow(Index i) const {
    float s = divergenceRow(v, i, b, h, gamma) + dirichlet[i] * d[i];
    const Index k = v.near[i];
    if (coupled && k >= 0) s += surfaceDivergence(v, k, featureCount[k], kMaxFeatures, nu);
    return s;
  }
  float constraintRow(Index i) const {
    const Index k = i - fluidRows;
    return constraintRate(rowBegin, rowNodes, k, nodeB) + rowCompliance[k] * d[i];
  }
};

struct Direction {
  const float *r, *diag;
  float beta;
  Index fluidRows;
  const Vec4f* xh;
  float* d;
  Vec4f* q;
  void operator()(Index i) const {
    d[i] = r[i] / diag[i] + beta * d[i];
    if (i < fluidRows) q[i] = xh[i] * d[i];
  }
};

}  // namespace

void PressureSystem::configure(const World& world, const PairBuilder& builder) {
  dx_ = world.dx;
  V_ = world.particleVolume;
  rho0_ = world.scene.fluids.empty() ? 1000.0 : world.scene.fluids[0].density;
  S0_ = builder.lattice().S0;
  highPass_ = world.scene.solver.highPass;
  gamma_ = float(highPass_ * builder.lattice().c2r2 / (S0_ * S0_) / rho0_);
  diagFloor_ = float(1e-6 * 2 * S0_ / rho0_);
}

void PressureSystem::assemble(Exec& exec, const World& world, const Boundary& boundary, const PairLists& lists, bool frozen) {
  world_ = &world;
  boundary_ = &boundary;
  const FluidState& f = world.fluid;
  fluidRows_ = f.n;
  constraintRows_ = 0;
  near_ = boundary.nearParticle().n;
  nodes_ = Index(world.solid.x.size());
  coupled_ = !world.solid.rigid.empty() || nodes_ > 0;
  view_ = {lists.direct.begin.data(), lists.direct.count.data(),
           lists.direct.items.data(), boundary.nearIndex().data,
           lists.mirror.begin.data(), lists.mirror.count.data(),
           lists.mirror.items.data(), lists.links.begin.data(),
           lists.links.count.data(),  lists.links.items.data(),
           lists.selfLink.data(),     boundary.nearParticle().data,
           lists.xh.data(),           lists.T.data()};
  invRho_.resizeUninitialized(f.n);
  for (Index i = 0; i < f.n; ++i) invRho_[i] = float(1.0 / world.scene.fluids[f.kind[i]].density);

  const std::size_t slots = std::size_t(near_) * kMaxFeatures;
  slots_.resizeUninitialized(slots);
  phi_.resizeUninitialized(slots);
  nu_.resizeUninitialized(slots);
  if (coupled_) {
    parallelFor(exec, "system: slots", near_,
                MakeSlots{&boundary, &world.solid, boundary.nearParticle(), boundary.featureCount(), boundary.features(),
                          lists.tracked.data(), f.x.data(), world.scene.domain.min, slots_.view()});
    buildNodeLists(world, frozen);
  }
  for (auto* b : {&q_, &b_}) b->resizeUninitialized(f.n);
  h_.resizeUninitialized(f.n);
  fluidDiag_.resizeUninitialized(f.n);
  dirichlet_.resizeUninitialized(f.n);
  fluidDiagonal(exec, lists);
  if (coupled_)
    parallelFor(exec, "system: solids' diagonal", near_,
                SlotDiagonal{view_, slots_.data(), boundary.featureCount().data, nodeW_.data(), rigidInvMass_.data(),
                             rigidInvInertia_.data(), V_, fluidDiag_.view()});
}

void PressureSystem::fluidDiagonal(Exec& exec, const PairLists& lists) {
  parallelFor(exec, "system: diagonal", fluidRows_,
              FluidDiagonal{lists.T.data(), lists.c2r2.data(), lists.c2.data(), lists.sumC.data(), invRho_.data(), gamma_,
                            diagFloor_, float(1.0 / rho0_), float(S0_), dirichlet_.view(), fluidDiag_.view()});
}

// Transposed lists by counting: which slots act on a node, which on a rigid body, in the order of slots.
void PressureSystem::buildNodeLists(const World& world, bool frozen) {
  const SolidState& s = world.solid;
  nodeW_ = s.w;
  if (frozen) nodeW_.assign(s.w.size(), 0.0);
  nodeSlotBegin_.assign(std::size_t(nodes_) + 1, 0);
  const Index rigids = Index(s.rigid.size());
  rigidSlotBegin_.assign(std::size_t(rigids) + 1, 0);
  for (const SlotBinding& b : slots_) {
    for (int q = 0; q < 3; ++q)
      if (b.node[q] >= 0) ++nodeSlotBegin_[b.node[q] + 1];
    if (b.rigid >= 0) ++rigidSlotBegin_[b.rigid + 1];
  }
  for (Index n = 0; n < nodes_; ++n) nodeSlotBegin_[n + 1] += nodeSlotBegin_[n];
  for (Index n = 0; n < rigids; ++n) rigidSlotBegin_[n + 1] += rigidSlotBegin_[n];
  nodeSlots_.resizeUninitialized(nodeSlotBegin_[nodes_]);
  rigidSlots_.resizeUninitialized(rigidSlotBegin_[rigids]);
  cursor_.assign(std::size_t(nodes_) + rigids, 0);
  for (Index i = 0; i < Index(slots_.size()); ++i) {
    const SlotBinding& b = slots_[i];
    for (int q = 0; q < 3; ++q)
      if (b.node[q] >= 0) nodeSlots_[nodeSlotBegin_[b.node[q]] + cursor_[b.node[q]]++] = {i, b.b[q]};
    if (b.rigid >= 0) rigidSlots_[rigidSlotBegin_[b.rigid] + cursor_[nodes_ + b.rigid]++] = i;
  }
  nodeEntryBegin_.assign(std::size_t(nodes_) + 1, 0);
  nodeB_.resizeUninitialized(nodes_);
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
  rowNodes_.resizeUninitialized(rows.entries.size());
  rowCompliance_.resizeUninitialized(constraintRows_);
  rowRate_.resizeUninitialized(constraintRows_);
  const Index total = fluidRows_ + constraintRows_;
  for (auto* b : {&r_, &d_, &diag_, &rhs_}) b->resizeUninitialized(total);
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
      rowNodes_[filled++] = {entry.node, Vec3f(entry.grad * scale)};
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
  nodeEntries_.resizeUninitialized(rows.entries.size());
  cursor_.assign(nodes_, 0);
  for (Index k = 0; k < constraintRows_; ++k)
    for (Index e = rowBegin_[k]; e < rowBegin_[k + 1]; ++e) {
      const RowNode& rn = rowNodes_[e];
      nodeEntries_[nodeEntryBegin_[rn.node] + cursor_[rn.node]++] = {k, rn.grad};
    }
}

void PressureSystem::surfaceVelocities(Exec& exec, const Buffer<Vec3d>* node, const std::vector<Vec3d>* lin,
                                       const std::vector<Vec3d>* ang, bool prescribed) {
  parallelFor(exec, "system: surface velocities", near_ * kMaxFeatures,
              SlotVelocities{slots_.data(), node->data(), lin->data(), ang->data(), prescribed, nu_.data()});
}

namespace {
struct RightHandSide {
  PairView v;
  const Vec4f* q;
  const float* nu;
  const std::uint8_t* featureCount;
  bool coupled;
  const float* density;
  float invDt;
  float* rhs;
  void operator()(Index i) const {
    float d = divergenceRow(v, i, q);
    const Index k = v.near[i];
    if (coupled && k >= 0) d += surfaceDivergence(v, k, featureCount[k], kMaxFeatures, nu);
    rhs[i] = -invDt * d + (density ? density[i] : 0.f);
  }
};
}  // namespace

void PressureSystem::divergence(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& nodeVelocity,
                                const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular, Buffer<float>& out) {
  out.resizeUninitialized(fluidRows_);
  parallelFor(exec, "system: pack", fluidRows_, PackVelocity{u.data, view_.xh, q_.data()});
  if (coupled_) surfaceVelocities(exec, &nodeVelocity, &rigidLinear, &rigidAngular, true);
  parallelFor(exec, "system: divergence", fluidRows_,
              RightHandSide{view_, q_.data(), nu_.data(), boundary_->featureCount().data, coupled_, nullptr, -1.f, out.data()});
}

void PressureSystem::setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                                      const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                      View<const float> density, double dt) {
  dt_ = dt;
  parallelFor(exec, "system: pack", fluidRows_, PackVelocity{uStar.data, view_.xh, q_.data()});
  if (coupled_) surfaceVelocities(exec, &nodeVelocity, &rigidLinear, &rigidAngular, true);
  parallelFor(exec, "system: right-hand side", fluidRows_,
              RightHandSide{view_, q_.data(), nu_.data(), boundary_->featureCount().data, coupled_,
                            density.n ? density.data : nullptr, float(1.0 / dt), rhs_.data()});
  for (Index k = 0; k < constraintRows_; ++k)
    rhs_[fluidRows_ + k] = rowRate_[k] - float(constraintRate(rowBegin_.data(), rowNodes_.data(), k, nodeVelocity.data()) / dt);
}

double PressureSystem::transposePass(Exec& exec, const Buffer<float>& x) {
  double sum[1];
  parallelSum<1>(exec, "solve: pass 1", fluidRows_,
                 TransposePass{view_, q_.data(), invRho_.data(), dirichlet_.data(), gamma_, b_.data(), h_.data()}, sum);
  double quadratic = sum[0];
  if (coupled_) solidPass(exec, x.data() + fluidRows_, quadratic);
  return quadratic;
}

void PressureSystem::solidPass(Exec& exec, const float* rowX, double& quadratic) {
  parallelFor(exec, "solve: surface forces", near_, SurfaceForces{view_, q_.data(), boundary_->featureCount().data, phi_.data()});
  double sum[1];
  parallelSum<1>(
      exec, "solve: node forces", nodes_,
      NodeForces<NodeSlot, NodeEntry>{nodeSlotBegin_.data(), nodeEntryBegin_.data(), nodeSlots_.data(), nodeEntries_.data(),
                                      slots_.data(), phi_.data(), rowX, nodeW_.data(), V_, nodeB_.data()},
      sum);
  quadratic += sum[0];
  for (Index k = 0; k < constraintRows_; ++k) quadratic += double(rowCompliance_[k]) * rowX[k] * rowX[k];
  for (std::size_t i = 0; i < rigidB_.size(); ++i) {
    Vec3d force{}, torque{};
    for (Index e = rigidSlotBegin_[i]; e < rigidSlotBegin_[i + 1]; ++e) {
      const SlotBinding& b = slots_[rigidSlots_[e]];
      const Vec3d f = Vec3d(b.n) * double(phi_[rigidSlots_[e]]);
      force += f;
      torque += cross(Vec3d(b.arm), f);
    }
    rigidB_[i] = force * (V_ * rigidInvMass_[i]);
    rigidBOmega_[i] = rigidInvInertia_[i] * torque * V_;
    quadratic += dot(force, rigidB_[i]) + dot(torque, rigidBOmega_[i]);
  }
  surfaceVelocities(exec, &nodeB_, &rigidB_, &rigidBOmega_, false);
}

void PressureSystem::fillPacked(Exec& exec, const Buffer<float>& x) {
  parallelFor(exec, "solve: pack", fluidRows_, PackPressure{x.data(), view_.xh, q_.data()});
}

// Hestenes & Stiefel 1952 with diagonal preconditioner z = r / diag. Four sweeps an iteration; every sum in fixed blocks, in
// double.
SolveReport PressureSystem::solve(Exec& exec, double tolerance, int maxIterations) {
  const Index n = rows();
  SolveReport report;
  double bNorm2 = 0, quiet2 = 0;
  for (Index i = 0; i < n; ++i) {
    bNorm2 += double(rhs_[i]) * rhs_[i] / diag_[i];
    quiet2 += 1 / double(diag_[i]);
  }
  const double target = std::max(tolerance * std::sqrt(bNorm2), kQuiet / (dt_ * dt_) * std::sqrt(quiet2));
  if (!(bNorm2 > 0)) {
    for (Index i = 0; i < n; ++i) p_[i] = 0;
    report.converged = bNorm2 == 0;
    applyResult(exec);
    return report;
  }
  const auto update = [&](float alpha, const Buffer<float>& d) {
    double sum[1];
    parallelSum<1>(exec, "solve: pass 2", n,
                   ApplyAndUpdate<RowNode>{view_, b_.data(), h_.data(), nu_.data(), boundary_->featureCount().data, coupled_,
                                           gamma_, alpha, fluidRows_, rowBegin_.data(), rowNodes_.data(), nodeB_.data(),
                                           rowCompliance_.data(), dirichlet_.data(), d.data(), diag_.data(), p_.data(), r_.data()},
                   sum);
    return sum[0];
  };
  // r = b - A p:  one pass with d = p and alpha = 1, starting from r = b and p = 0
  d_.resizeUninitialized(n);
  for (Index i = 0; i < n; ++i) {
    d_[i] = p_[i];
    p_[i] = 0;
    r_[i] = rhs_[i];
  }
  fillPacked(exec, d_);
  transposePass(exec, d_);
  double rz = update(1.f, d_);
  double beta = 0;
  for (;;) {
    report.residual = std::sqrt(rz / bNorm2);
    report.converged = std::sqrt(rz) <= target;
    if (report.converged || report.iterations >= maxIterations || !(rz == rz)) break;
    parallelFor(exec, "solve: direction", n,
                Direction{r_.data(), diag_.data(), float(beta), fluidRows_, view_.xh, d_.data(), q_.data()});
    const double dAd = transposePass(exec, d_);
    if (!(dAd > 0)) break;
    const double next = update(float(rz / dAd), d_);
    beta = next / rz;
    rz = next;
    ++report.iterations;
  }
  applyResult(exec);
  return report;
}

void PressureSystem::applyResult(Exec& exec) {
  fillPacked(exec, p_);
  transposePass(exec, p_);
}

std::size_t PressureSystem::bytes() const {
  std::size_t s = slots_.capacityBytes() + phi_.capacityBytes() + nu_.capacityBytes() + q_.capacityBytes() + b_.capacityBytes();
  for (const auto* b : {&p_, &r_, &d_, &diag_, &rhs_, &fluidDiag_, &dirichlet_, &h_, &invRho_}) s += b->capacityBytes();
  return s + nodeSlots_.capacityBytes() + nodeEntries_.capacityBytes() + rowNodes_.capacityBytes();
}

}  // namespace meniscus
