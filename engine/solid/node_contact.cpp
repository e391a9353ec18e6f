#include "engine/solid/contact.h"

#include <algorithm>
#include <cmath>

namespace meniscus {
namespace {

struct ProjectNodeContact {
  const Obstacles* obstacles;
  View<Vec3d> x;
  View<const Vec3d> xPrev;
  View<const double> w;
  View<NodeContact> contacts;
  Index first;
  double margin, friction, dt;

  void operator()(Index k) const {
    const Index i = first + k;
    if (w[i] <= 0) return;
    NodeContact& c = contacts[i];
    if (c.room >= 0 && norm2(x[i] - c.seen) < c.room * c.room) return;
    const double look = 2 * norm(x[i] - xPrev[i]) + margin;  // looking farther than needed now saves looking again
    double d, mu;
    Vec3d n, v;
    c.seen = x[i];
    if (!obstacles->nearest(x[i], margin + look, d, n, v, mu)) {
      c.room = look;
      return;
    }
    c.room = d > margin ? d - margin : 0;
    if (d >= margin) return;
    const Vec3d before = x[i];
    c.n = n;
    c.v = v;
    c.depth += margin - d;
    x[i] += n * (margin - d);
    Vec3d slip = x[i] - xPrev[i] - v * dt;
    slip -= n * dot(n, slip);
    const double length = norm(slip), most = std::max(mu, friction) * (margin - d);
    if (length > 0) x[i] -= slip * (length > most ? most / length : 1.0);
    c.moved += x[i] - before;
  }
};

struct BounceNode {
  View<const NodeContact> contacts;
  View<const Vec3d> vBefore;
  View<Vec3d> v;
  Index first;
  double restitution, slow, invDt;

  void operator()(Index k) const {
    const Index i = first + k;
    const NodeContact& c = contacts[i];
    if (!(c.depth > 0)) return;
    v[i] += c.n * bounceOf(restitution, dot(c.n, vBefore[i] - c.v), dot(c.n, v[i] - c.v), c.depth * invDt, slow);
  }
};

}  // namespace

void projectNodeContacts(Exec& exec, SolidState& s, const Obstacles& obstacles, double margin, double dt) {
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    parallelFor(exec, "node contacts", b.nodeEnd - b.nodeBegin,
                ProjectNodeContact{&obstacles, s.x.view(), s.xPrev.view(), s.w.view(), s.work.nodeContacts.view(), b.nodeBegin,
                                   margin, b.material.friction, dt});
  }
}

void bounceNodes(Exec& exec, SolidState& s, double dt) {
  if (s.work.nodeContacts.size() != s.x.size()) return;
  const double slow = restingSpeed(s, dt);
  for (const Body& b : s.bodies) {
    if (b.rigid >= 0) continue;
    parallelFor(exec, "node bounce", b.nodeEnd - b.nodeBegin,
                BounceNode{s.work.nodeContacts.view(), s.work.predicted.view(), s.v.view(), b.nodeBegin, b.material.restitution,
                           slow, 1 / dt});
  }
}

}  // namespace meniscus
