// The sweeps of the pressure equation: D on velocities (right-hand side, divergence) and D^T on pressures and multipliers.
#include "engine/particle/constraint_rate.h"
#include "engine/particle/pressure_system.h"

namespace meniscus {
namespace {

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

void PressureSystem::surfaceVelocities(Exec& exec, const Buffer<Vec3d>* node, const std::vector<Vec3d>* lin,
                                       const std::vector<Vec3d>* ang, bool prescribed) {
  parallelFor(exec, "system: surface velocities", near_ * kMaxFeatures,
              SlotVelocities{slots_.data(), node->data(), lin->data(), ang->data(), prescribed, nu_.data()});
}

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

}  // namespace meniscus
