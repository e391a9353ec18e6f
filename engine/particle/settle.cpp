// Packing of a fresh world. Particles cut from a lattice leave gaps and overlaps at curved and tilted walls, which the first steps
// would answer with pressure spikes. Here the density term alone moves them, without velocities, until the density by summation is
// the rest density wherever the kernel is full.
#include <algorithm>
#include <cmath>

#include "engine/particle/solver_impl.h"

namespace meniscus {
namespace {

constexpr int kMaxRounds = 80;
constexpr double kGoalMean = 2e-4, kGoalMax = 5e-3;  // density error
constexpr double kStep = 0.01;                       // s; a pseudo time, cancels

// Displacement h^2 a, at most a tenth of a spacing, and never nearer to a surface than the contact distance.
struct Shift {
  const Vec4f* a;
  float h2, most, contact;
  View<const Index> nearIndex;
  View<const Index> slotBegin;
  View<const Feature> features;
  Vec4f* x;
  void operator()(Index i) const {
    Vec3f d = a[i].xyz() * h2;
    const float l = norm(d);
    if (l > most) d *= most / l;
    const Index k = nearIndex[i];
    for (Index slot = k < 0 ? 0 : slotBegin[k]; k >= 0 && slot < slotBegin[k + 1]; ++slot) {
      const Feature& s = features[slot];
      const float gap = s.d + dot(s.n, d) - contact;
      if (gap < 0.f) d -= s.n * gap;
    }
    x[i] = Vec4f(x[i].xyz() + d, 0.f);
  }
};

void holdStill(SolidState& s) {
  s.xPrev = s.x;
  for (RigidBody& r : s.rigid) {
    r.xPrev = r.x;
    r.qPrev = r.q;
  }
}

}  // namespace

void ParticleSolver::settle(World& w) {
  Impl& m = *impl_;
  FluidState& f = w.fluid;
  m.drop.clear();
  holdStill(w.solid);
  const RowList none;
  for (int round = 0; round < kMaxRounds && f.n > 0; ++round) {
    m.sorter.sort(m.exec, f, m.drop);
    m.neighbours(w, 0, true);
    m.densityError(w, kStep, 1.0);
    double sum = 0, most = 0;
    for (Index i = 0; i < f.n; ++i) {
      if (f.deficiency[i] > 0.05f) continue;
      sum += std::fabs(double(f.e[i]));
      most = std::max(most, std::fabs(double(f.e[i])));
    }
    if (sum <= kGoalMean * f.n && most <= kGoalMax) break;
    m.system.setRows(m.exec, w, none, kStep);
    m.uStar.assign(std::size_t(f.n), Vec4f());
    m.start.node.assign(w.solid.x.size(), Vec3d{});
    m.start.linear.assign(w.solid.rigid.size(), Vec3d{});
    m.start.angular.assign(w.solid.rigid.size(), Vec3d{});
    Buffer<float>& p = m.system.pressure();
    p.assign(std::size_t(f.n), 0.f);
    m.system.setRightHandSide(m.exec, m.uStar.view(), m.start.node, m.start.linear, m.start.angular, m.densityTerm.view(), kStep);
    m.system.solve(m.exec, 3e-2, 200);
    m.system.applyResult(m.exec);
    parallelFor(m.exec, "settle: shift", f.n,
                Shift{m.system.fluidAcceleration().data, float(kStep * kStep), float(0.1 * w.dx),
                      float(w.scene.solver.contactDistance * w.dx), m.boundary.nearIndex(), m.boundary.slotBegin(),
                      m.boundary.features(), f.x.data()});
  }
  for (Index i = 0; i < f.n; ++i) f.p[i] = 0;
  m.clock.end();
}

}  // namespace meniscus
