// Coloured Gauss-Seidel sweeps of XPBD.
#include <cmath>

#include "engine/solid/angular_momentum.h"
#include "engine/solid/contact.h"
#include "engine/solid/evaluate.h"
#include "engine/solid/rigid.h"
#include "engine/solid/solid.h"
#include "engine/solid/volume.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

struct ProjectConstraint {
  View<const Constraint> items;
  View<double> lambda;
  const double* rest;
  View<Vec3d> x;
  View<const Vec3d> xPrev;
  View<const double> w;
  const double* invMassNormal;
  const Vec3d* normal;
  View<const double> share;
  double invDt;
  Index begin;

  void operator()(Index k) const {
    const Index i = begin + k;
    const Constraint& c = items[i];
    ConstraintValue e;
    evaluateConstraint(c, rest, x.data, e);
    Vec3d step[4];
    double gWg = 0, moved = 0;
    for (int n = 0; n < e.nodes; ++n) {
      const Index a = c.node[n];
      step[n] = w[a] <= 0 ? Vec3d{} : normal ? applyInverseMass(w[a], invMassNormal[a], normal[a], e.grad[n]) : e.grad[n] * w[a];
      gWg += dot(e.grad[n], step[n]);
      if (c.damping > 0) moved += dot(e.grad[n], x[a] - xPrev[a]);
    }
    if (!(gWg > 0)) return;
    const double d = c.stiffness >= 0 ? Xpbd<double>::plainIncrement(e.C, gWg, share[i])
                                      : Xpbd<double>{c.compliance * invDt * invDt, c.damping * invDt}.increment(e.C, lambda[i], moved, gWg);
    lambda[i] += d;
    for (int n = 0; n < e.nodes; ++n) x[c.node[n]] += step[n] * d;
  }
};

// The paper's stiffness k of a whole projection, spread over its sweeps: k' = 1 - (1 - k)^(1/sweeps).
double shareOfSweep(double k, int sweeps) { return 1 - std::pow(1 - k, 1.0 / sweeps); }

void prepareShares(SolidState& s, int sweeps) {
  const std::size_t n = s.constraints.items.size();
  s.work.share.resizeUninitialized(n);
  float last = -1;
  double share = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float k = s.constraints.items[i].stiffness;
    if (k != last && k >= 0) share = shareOfSweep(k, sweeps);
    last = k;
    s.work.share[i] = share;
  }
}

void sweepConstraints(Exec& exec, SolidState& s, ProjectConstraint body) {
  const ConstraintSet& set = s.constraints;
  for (std::size_t c = 0; c + 1 < set.colourBegin.size(); ++c) {
    body.begin = set.colourBegin[c];
    parallelFor(exec, "constraints", set.colourBegin[c + 1] - body.begin, body);
  }
  body.begin = 0;
  for (Index i = set.serialBegin; i < Index(set.items.size()); ++i) body(i);
}

}  // namespace

void projectSolids(Exec& exec, SolidState& s, const Obstacles* obstacles, double contactMargin, double dt, int iterations,
                   const double* invMassNormal, const Vec3d* normal) {
  s.work.before = s.x;
  s.work.predicted = s.v;
  s.work.volumeGradient.resize(s.x.size());
  prepareShares(s, iterations);
  beginContacts(s, obstacles, contactMargin, dt);
  const ProjectConstraint body{s.constraints.items.view(), s.constraints.lambda.view(), s.rest.data(), s.x.view(), s.xPrev.view(),
                               s.w.view(), invMassNormal, normal, s.work.share.view(), 1 / dt, 0};
  for (int k = 0; k < iterations; ++k) {
    sweepConstraints(exec, s, body);
    for (VolumeConstraint& c : s.volumes)
      projectVolume(s, c, dt, c.stiffness >= 0 ? shareOfSweep(c.stiffness, iterations) : 1.0, invMassNormal, normal);
    if (!obstacles) continue;
    projectNodeContacts(exec, s, *obstacles, contactMargin, dt);
    projectRigidContacts(s, contactMargin, dt);
  }
  if (!normal) restoreAngularMomentum(exec, s);
  for (const RigidBody& b : s.rigid)
    if (b.invMass > 0) placeRigidNodes(s, b);
}

void resetMultipliers(SolidState& s, bool alsoRows) {
  for (std::size_t i = 0; i < s.constraints.items.size(); ++i)
    if (alsoRows || !s.constraints.items[i].inRows) s.constraints.lambda[i] = 0;
  if (!alsoRows) return;
  for (VolumeConstraint& c : s.volumes) c.lambda = 0;
}

}  // namespace meniscus
