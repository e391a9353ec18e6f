// Restitution of solids that hit obstacles, in steps with fluid. The solve and the projection bring colliding points to rest
// against the obstacle; what a contact with restitution e gives back, e times the speed of approach, is added to the velocities
// afterwards, for the next sub-step to move by. The speed of approach is that of the prediction: later ones know of the contact
// already.
#include "engine/particle/solver_impl.h"
#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

Vec3d rigidMomentum(const SolidState& s) {
  Vec3d sum{};
  for (const RigidBody& b : s.rigid)
    if (b.invMass > 0) sum += b.v * b.mass;
  return sum;
}

}  // namespace

// Contacts of the projection just made that carried. A point may be here once for each projection: all want the same.
void ParticleSolver::Impl::noteImpacts(SolidState& s) {
  noteTouches(s);
  const auto rateOf = [this](std::size_t k) { return RigidRate{predicted.linear[k], predicted.angular[k]}; };
  for (RigidContact c : s.work.rigidContacts) {
    if (!(c.lambda > 0)) continue;
    c.approach = approachOf(s, c, rateOf);
    impacts.push_back(c);
  }
}

// Only impacts: what a resting contact has given is left as it is, because the water beside it was solved with it.
void ParticleSolver::Impl::bounce(World& w, double h) {
  SolidState& s = w.solid;
  const double slow = restingSpeed(s, h);
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    if (rows.rows[k].constraint != kContactRow || !(system.multiplier(Index(k)) > 0)) continue;
    const RowEntry& e = rows.entries[std::size_t(rows.rows[k].begin)];
    const double restitution = s.bodies[bodyOfNode(s, e.node)].material.restitution;
    double d, mu;
    Vec3d n, v;
    if (restitution == 0 || !obstacles->nearest(s.x[e.node], 4 * w.dx, d, n, v, mu)) continue;
    const double approach = dot(e.grad, predicted.node[e.node] - v), received = system.multiplier(Index(k)) / h * s.w[e.node];
    if (!(approach < -slow)) continue;
    const Vec3d dv = e.grad * bounceOf(restitution, approach, dot(e.grad, s.v[e.node] - v), received, slow);
    s.v[e.node] += dv;
    addContactImpulse(w, dv / s.w[e.node]);
  }
  leaveImpacts(s, slow, impacts.data(), impacts.size());
  const Vec3d before = rigidMomentum(s);
  bounceRigid(s, std::as_const(impacts).view(), h);
  addContactImpulse(w, rigidMomentum(s) - before);
}

}  // namespace meniscus
