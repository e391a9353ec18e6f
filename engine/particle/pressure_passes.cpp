// The sweeps of the pressure equation: D on velocities (right-hand side, divergence) and D^T on pressures and multipliers.
#include <algorithm>

#include "engine/particle/constraint_rate.h"
#include "engine/particle/pressure_system.h"
#include "kernels/fluid/four_rows.h"
#include "kernels/fluid/mirror_pass.h"
#include "kernels/fluid/straight_paths.h"

namespace meniscus {
namespace {

struct PackPressure {
  PairView v;
  const float* p;
  Vec4f* q;
  float* e;
  void operator()(Index begin, Index end) const {
    for (Index i = begin; i < end; ++i) q[i] = v.xh[i] * p[i];
    packMirrorPressures(v, nearRange(v, begin, end), p, e);
  }
};

// Surfaces move as prescribed; what nodes and rigid bodies carry comes after.
struct PackVelocity {
  PairView v;
  const Vec4f* u;
  const SlotBinding* slots;  // null: nothing moves
  Vec4f* q;
  float *g, *nu;
  void operator()(Index begin, Index end) const {
    for (Index i = begin; i < end; ++i) q[i] = u[i].withW(dot(u[i].xyz(), v.xh[i].xyz()));
    const NearRange near = nearRange(v, begin, end);
    packMirrorVelocities(v, near, u, g, nu);
    for (Index s = near.slotBegin; slots && s < near.slotEnd; ++s) {
      nu[s] = slots[s].prescribed;
      g[s] -= nu[s];
    }
  }
};

// Pass 1 on particles: b = (1/rho) D^T p packed for pass 2 and the quadratic form's fluid part.
struct TransposePass {
  PairView v;
  PackedLinkRows links;
  const float* p;
  const Vec4f* q;
  const float *e, *invRho, *dirichlet;
  float gamma;
  Vec4f* b;
  float *phi, *g, *nu;
  Vec4f* surface;
  void operator()(Index begin, Index end, double* acc) const {
    const NearRange near = nearRange(v, begin, end);
    linkSums(links, near.slotBegin, near.slotEnd, e, phi);
    mirrorForces(v, near, p, phi, surface);
    const auto group = [&](Index i, const Vec4f(&t)[kGroupRows]) __attribute__((always_inline)) {
      const Vec4f pi = loadVec4(p + i), rho = loadVec4(invRho + i);
      const FourRows x = FourRows::of(v.xh + i), a = transposeRows(v, i, t, pi, x, surface);
      FourRows bi{a.x * rho, a.y * rho, a.z * rho, a.w * gamma};
      const Vec4f products = dotRows(a, bi) + loadVec4(dirichlet + i) * pi * pi;
      bi.w = (bi.x * x.x + bi.z * x.z) + (bi.y * x.y - bi.w * x.w);
      bi.store(b + i);
      addInOrder(products, acc);
    };
    forEachGroupSum(v, begin, end, q, group, [&](Index i, const Vec4f& t) {
      const Vec4f a = transposeRow(v, i, t, p[i], surface);
      const Vec4f bi = a * Vec4f(invRho[i], invRho[i], invRho[i], gamma);  // w: gamma L p
      b[i] = bi.withW((bi * v.xh[i] * Vec4f(1, 1, 1, -1)).sum());
      acc[0] += double((a * bi).sum() + dirichlet[i] * p[i] * p[i]);
    });
    packMirrorVelocities(v, near, b, g, nu);
  }
};

struct RightHandSide {
  PairView v;
  PackedLinkRows links;
  const Vec4f* q;
  const float *g, *nu, *density;
  float *linkSum, *surface;
  float invDt;
  RowLayout layout;
  const EdgeRow* edges;
  float edgeScale;
  const Vec4f* edgeRate;
  ConstraintRates rows;
  const float* rowRate;
  const Vec3d* nodeVelocity;
  float* rhs;
  void operator()(Index begin, Index end) const {
    const NearRange near = nearRange(v, begin, layout.fluidEnd(end));
    linkSums(links, near.slotBegin, near.slotEnd, g, linkSum);
    mirrorDivergences(v, near, linkSum, nu, surface);
    forEachRowSum(v, begin, layout.fluidEnd(end), q, [&](Index i, const Vec4f& t) {
      rhs[i] = -invDt * divergenceRow(v, i, t, q[i], surface) + (density ? density[i] : 0.f);
    });
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const EdgeRow& e = edges[k];
          const Vec3d rate = (nodeVelocity[e.a] - nodeVelocity[e.b]) * double(edgeScale * invDt);
          storeVec4(rhs + i, edgeRate[k] - e.scaled(Vec4f(Vec3f(rate), 0.f), e.on));
        },
        [&](Index k, Index i) { rhs[i] = rowRate[k] - float(rows.rate(k, nodeVelocity) * double(invDt)); });
  }
};

}  // namespace

void PressureSystem::packPressure(Exec& exec, const Buffer<float>& x) {
  parallelBlocks(exec, "solve: pack", fluidRows_, PackPressure{view_, x.data(), q_.data(), e_.data()});
}

void PressureSystem::packVelocity(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& node, const std::vector<Vec3d>& lin,
                                  const std::vector<Vec3d>& ang) {
  parallelBlocks(exec, "system: pack", fluidRows_,
                 PackVelocity{view_, u.data, coupled_ ? slots_.data() : nullptr, q_.data(), g_.data(), nu_.data()});
  if (!coupled_) return;
  for (Index n = 0; n < nodes_; ++n) nodeV_[n] = Vec4f(Vec3f(node[n]), 0.f);
  surfaceVelocities(exec, lin, ang);
}

void PressureSystem::divergence(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& nodeVelocity,
                                const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular, Buffer<float>& out) {
  out.resizeUninitialized(fluidRows_);
  packVelocity(exec, u, nodeVelocity, rigidLinear, rigidAngular);
  parallelBlocks(exec, "system: divergence", fluidRows_,
                 RightHandSide{view_,

                               packedLinks_.rows(),
                               q_.data(),
                               g_.data(),
                               nu_.data(),
                               nullptr,
                               linkSum_.data(),
                               surfaceDivergence_.data() + 1,
                               -1.f,
                               {fluidRows_, fluidRows_, fluidRows_, fluidRows_},
                               nullptr,
                               0.f,
                               nullptr,
                               {},
                               nullptr,
                               nullptr,
                               out.data()});
}

void PressureSystem::addStraightPaths(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& nodeVelocity,
                                      const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                      const PairLists& lists, const Buffer<float>& deficiency, float invH, double mostError,
                                      double dt, Buffer<float>& densityTerm) {
  packVelocity(exec, u, nodeVelocity, rigidLinear, rigidAngular);
  parallelFor(exec, "straight paths", fluidRows_,
              StraightPaths{view_, u.data, g_.data(), deficiency.data(), lists.sumC.data(), invH, float(mostError / (dt * dt)),
                            densityTerm.data()});
}

void PressureSystem::setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                                      const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                      View<const float> density, double dt) {
  dt_ = dt;
  packVelocity(exec, uStar, nodeVelocity, rigidLinear, rigidAngular);
  parallelBlocks(
      exec, "system: right-hand side", rows(),
      RightHandSide{view_,

                    packedLinks_.rows(), q_.data(), g_.data(), nu_.data(), density.n ? density.data : nullptr, linkSum_.data(),
                    surfaceDivergence_.data() + 1, float(1.0 / dt), layout_, edges_.data(), edgeScale_, edgeRate_.data(),
                    rates(rigidLinear, rigidAngular), rowRate_.data(), nodeVelocity.data(), rhs_.data()});
}

double PressureSystem::transposePass(Exec& exec, const Buffer<float>& x, bool precise) {
  double sum[1];
  parallelBlockSums<1>(exec, "solve: pass 1", fluidRows_,
                       TransposePass{view_, packedLinks_.rows(), x.data(), q_.data(), e_.data(), invRho_.data(), dirichlet_.data(),
                                     gamma_, b_.data(), phi_.data(), g_.data(), nu_.data(), surfaceForce_.data() + 1},
                       sum);
  return coupled_ ? sum[0] + solidPass(exec, x.data(), precise) : sum[0];
}

}  // namespace meniscus
