// Prediction and velocity update of nodes and rigid bodies.
#include <cmath>

#include "engine/solid/body_contact.h"
#include "engine/solid/contact.h"
#include "engine/solid/motion.h"
#include "engine/solid/rigid.h"
#include "engine/solid/solid.h"
#include "engine/solid/volume.h"

namespace meniscus {
namespace {

struct PredictNodes {
  View<Vec3d> x, v, xPrev;
  View<const double> w;
  Vec3d g;
  double dt;
  void operator()(Index i) const {
    xPrev[i] = x[i];
    if (w[i] <= 0) return;  // pinned nodes and those of rigid bodies follow their own rules
    v[i] += g * dt;
    x[i] += v[i] * dt;
  }
};

struct MoveNodes {
  View<Vec3d> x;
  View<const Vec3d> xPrev, v;
  View<const double> w;
  double dt;
  void operator()(Index i) const {
    if (w[i] > 0) x[i] = xPrev[i] + v[i] * dt;
  }
};

struct FinishNodes {
  View<const Vec3d> x, xPrev;
  View<Vec3d> v;
  double invDt;
  void operator()(Index i) const { v[i] = (x[i] - xPrev[i]) * invDt; }
};

void movePins(SolidState& s, double t, double dt) {
  for (const Pin& p : s.pins) {
    Vec3d target = p.start;
    if (p.motion >= 0) {
      const Pose k = poseAt(s.motions[std::size_t(p.motion)], t);
      target = p.origin + k.x + k.q.rotate(p.start - p.origin);
    }
    s.x[p.node] = target;
    s.v[p.node] = (target - s.xPrev[p.node]) * (1 / dt);
  }
}

}  // namespace

void predictSolids(Exec& exec, SolidState& s, const Vec3d& g, double t, double dt) {
  s.work.gravity = norm(g);
  parallelFor(exec, "predict nodes", Index(s.x.size()), PredictNodes{s.x.view(), s.v.view(), s.xPrev.view(), s.w.view(), g, dt});
  movePins(s, t + dt, dt);
  for (RigidBody& b : s.rigid) {
    predictRigid(b, g, t + dt, dt);
    placeRigidNodes(s, b);
  }
}

void finishSolids(Exec& exec, SolidState& s, double dt) {
  parallelFor(exec, "node velocities", Index(s.x.size()), FinishNodes{s.x.view(), s.xPrev.view(), s.v.view(), 1 / dt});
  bounceNodes(exec, s, dt);
  bounceRigid(s, std::as_const(s.work.rigidContacts).view(), dt);
  for (RigidBody& b : s.rigid) rigidNodeVelocities(s, b);
}

void stepSolids(Exec& exec, SolidState& s, const Obstacles* obstacles, double contactMargin, const Vec3d& g, double t, double dt,
                int substeps, int iterations) {
  const double h = dt / substeps;
  for (int k = 0; k < substeps; ++k) {
    predictSolids(exec, s, g, t + k * h, h);
    applyGasPressure(s, h);
    parallelFor(exec, "move nodes", Index(s.x.size()), MoveNodes{s.x.view(), s.xPrev.view(), s.v.view(), s.w.view(), h});
    findBodyContacts(s, obstacles ? obstacles->pairs() : nullptr, contactMargin);
    resetMultipliers(s);
    projectSolids(exec, s, obstacles, contactMargin, h, iterations, nullptr, nullptr);
    finishSolids(exec, s, h);
  }
}

}  // namespace meniscus
