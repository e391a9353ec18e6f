// Momentum that the linearisation of constraints gives a body, and that is taken back.
#include <algorithm>
#include <cmath>

#include "engine/particle/solver_impl.h"

namespace meniscus {
namespace {

// A rigid motion v + omega x r as one vector, and the momentum and spin that it takes to cause it.
struct Motion {
  double a[6] = {};
  void add(const Vec3d& linear, const Vec3d& angular, double scale = 1) {
    for (int k = 0; k < 3; ++k) {
      a[k] += linear[k] * scale;
      a[k + 3] += angular[k] * scale;
    }
  }
  Vec3d linear() const { return {a[0], a[1], a[2]}; }
  Vec3d angular() const { return {a[3], a[4], a[5]}; }
};

// Mass and inertia of what takes part in a rigid motion, and the way back from momentum to motion.
struct Inertia {
  double m[6][6] = {};

  // mass at r that follows the motion along n only
  void addAlong(double mass, const Vec3d& r, const Vec3d& n) {
    Motion g;
    g.add(n, cross(r, n));
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k) m[i][k] += mass * g.a[i] * g.a[k];
  }
  // the upper triangle, row by row
  void add(const double* upper) {
    for (int i = 0; i < 6; ++i)
      for (int k = i; k < 6; ++k, ++upper) {
        m[i][k] += *upper;
        if (k > i) m[k][i] += *upper;
      }
  }
  void add(double mass, const Vec3d& r) {
    addAlong(mass, r, {1, 0, 0});
    addAlong(mass, r, {0, 1, 0});
    addAlong(mass, r, {0, 0, 1});
  }
  // By Cholesky factors. What nothing resists (the turning of nodes in one line about it) stays as it is.
  Motion motion(const Motion& momentum) const {
    constexpr double kNothing = 1e-12;  // of a diagonal entry
    double l[6][6] = {};
    Motion y;
    for (int i = 0; i < 6; ++i) {
      double t = momentum.a[i], d = m[i][i];
      for (int k = 0; k < i; ++k) {
        double s = m[i][k];
        for (int j = 0; j < k; ++j) s -= l[i][j] * l[k][j];
        l[i][k] = l[k][k] > 0 ? s / l[k][k] : 0;
        t -= l[i][k] * y.a[k];
        d -= l[i][k] * l[i][k];
      }
      l[i][i] = d > kNothing * m[i][i] ? std::sqrt(d) : 0;
      y.a[i] = l[i][i] > 0 ? t / l[i][i] : 0;
    }
    for (int i = 5; i >= 0; --i) {
      for (int k = i + 1; k < 6; ++k) y.a[i] -= l[k][i] * y.a[k];
      y.a[i] = l[i][i] > 0 ? y.a[i] / l[i][i] : 0;
    }
    return y;
  }
};

}  // namespace

// What the rows of the bodies' constraints did to the nodes in the last solve.
void ParticleSolver::Impl::internalImpulses(const SolidState& s, double h) {
  internal.assign(s.x.size(), Vec3d{});
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    const ConstraintRow& row = rows.rows[k];
    if (row.constraint == kContactRow || row.constraint == kBodyContactRow) continue;
    const double impulse = system.multiplier(Index(k)) / h;
    for (Index e = row.begin; e < row.end; ++e)
      internal[rows.entries[std::size_t(e)].node] += rows.entries[std::size_t(e)].grad * impulse;
  }
  for (std::size_t k = 0; k < rows.edges.size(); ++k) {
    const Vec3d impulse = system.edgeImpulse(Index(k)) * (1 / h);
    const Index* node = s.constraints.items[rows.edges[k].constraint].node;
    internal[node[0]] += impulse;
    internal[node[1]] -= impulse;
  }
  for (const RowEntry& e : rows.weakImpulses) internal[std::size_t(e.node)] += e.grad * (1 / h);
}

// The particles that a body of nodes pushes before it: those within a spacing of its surface, by their closest feature. Sorted by
// body, so that each body looks at its own ones only.
void ParticleSolver::Impl::findWetting(const World& w) {
  const View<const Index> near = boundary.nearParticle();
  wettedBody.assign(std::size_t(near.n), -1);
  wettedNormal.resizeUninitialized(std::size_t(near.n));
  wettingBegin.assign(w.solid.bodies.size() + 1, 0);
  for (Index k = 0; k < near.n; ++k) {
    float closest = float(w.dx);
    for (Index slot = boundary.slotBegin()[k]; slot < boundary.slotBegin()[k + 1]; ++slot) {
      const SlotBinding& b = system.slots()[std::size_t(slot)];
      const float d = boundary.features()[slot].d;
      if (b.node[0] < 0 || d > closest) continue;
      closest = d;
      wettedBody[k] = Index(bodyOfNode(w.solid, b.node[0]));
      wettedNormal[k] = b.n;
    }
    if (wettedBody[k] >= 0) ++wettingBegin[std::size_t(wettedBody[k]) + 1];
  }
  for (std::size_t b = 1; b < wettingBegin.size(); ++b) wettingBegin[b] += wettingBegin[b - 1];
  wetting.resizeUninitialized(std::size_t(wettingBegin.back()));
  wettingNext = wettingBegin;
  for (Index k = 0; k < near.n; ++k)
    if (wettedBody[k] >= 0) wetting[std::size_t(wettingNext[std::size_t(wettedBody[k])]++)] = {near[k], wettedNormal[k]};
}

// Constraints are internal to a body: together they may give it neither momentum nor spin. They do give a little: spin, because
// their directions are those of the point of linearisation, while angular momentum wants those of the start of the step. What they
// gave to a free body is taken back as a rigid motion, in which the water before its surface takes part in the normal direction.
// (Of the body alone, it would be a motion against the water, and the larger the lighter the body is: it undid the solve.)
void ParticleSolver::Impl::restoreMomentum(World& w, double h) {
  const SolidState& s = w.solid;
  freeBodies.clear();
  for (std::size_t body = 0; body < s.bodies.size(); ++body) {
    const Body& b = s.bodies[body];
    bool moves = b.rigid < 0 && b.nodeEnd > b.nodeBegin;
    for (Index i = b.nodeBegin; i < b.nodeEnd && moves; ++i) moves = s.w[i] > 0;
    if (moves) freeBodies.push_back(Index(body));
  }
  if (freeBodies.empty()) return;
  FluidElsewhere* const far = system.fluidElsewhere();
  if (far) {
    askForWater(w, *far);
  } else {
    internalImpulses(s, h);
    findWetting(w);
  }
  for (const Index body : freeBodies) restoreMomentum(w, body, h);
  if (far) far->takeMotion(bodyMotion.data());
}

// What of FluidElsewhere resists the bodies' motions about their first nodes, and what gave them such motions.
void ParticleSolver::Impl::askForWater(const World& w, FluidElsewhere& far) {
  const SolidState& s = w.solid;
  waterPivot.assign(s.bodies.size(), Vec3d{});
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    if (s.bodies[b].nodeEnd > s.bodies[b].nodeBegin) waterPivot[b] = s.xPrev[s.bodies[b].nodeBegin] - w.scene.domain.min;
  wettingBegin.assign(s.bodies.size() + 1, 0);
  waterInertia.assign(21 * s.bodies.size(), 0.0);
  internalMomentum.assign(6 * s.bodies.size(), 0.0);
  bodyMotion.assign(6 * s.bodies.size(), 0.0);
  far.waterInertia(waterPivot.data(), waterInertia.data(), internalMomentum.data());
}

void ParticleSolver::Impl::restoreMomentum(World& w, Index body, double h) {
  SolidState& s = w.solid;
  const Body& b = s.bodies[std::size_t(body)];
  const bool far = system.fluidElsewhere() != nullptr;
  const Vec3d pivot = s.xPrev[b.nodeBegin];
  const auto arm = [&](Index particle) { return Vec3d(w.fluid.x[particle].xyz()) + (w.scene.domain.min - pivot); };
  Inertia inertia;
  Motion momentum;
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    inertia.add(1 / s.w[i], s.xPrev[i] - pivot);
    if (!far) momentum.add(internal[i], cross(s.xPrev[i] - pivot, internal[i]));
  }
  const auto own = [&](const auto& each) {  // the water before it; none where that is elsewhere
    for (Index k = wettingBegin[std::size_t(body)]; k < wettingBegin[std::size_t(body) + 1]; ++k)
      each(wetting[std::size_t(k)].particle, Vec3d(wetting[std::size_t(k)].n));
  };
  own([&](Index i, const Vec3d& n) { inertia.addAlong(w.scene.fluids[w.fluid.kind[i]].density * w.particleVolume, arm(i), n); });
  if (far) {
    inertia.add(&waterInertia[21 * std::size_t(body)]);
    std::copy_n(&internalMomentum[6 * std::size_t(body)], 6, momentum.a);
  }
  const Motion m = inertia.motion(momentum);
  if (far) std::copy(m.a, m.a + 6, &bodyMotion[6 * std::size_t(body)]);
  const Vec3d v = m.linear(), omega = m.angular();
  for (Index i = b.nodeBegin; i < b.nodeEnd; ++i) {
    linear.node[i] -= v + cross(omega, s.xPrev[i] - pivot);
    s.x[i] = s.xPrev[i] + linear.node[i] * h;
  }
  own([&](Index i, const Vec3d& n) { uStar[i] = uStar[i] - Vec4f(Vec3f(n * dot(n, v + cross(omega, arm(i)))), 0.f); });
}

}  // namespace meniscus
