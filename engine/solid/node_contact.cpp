#include "engine/solid/contact.h"

#include <algorithm>
#include <cmath>

#include "kernels/contact/node_contact.h"

namespace meniscus {
namespace {

// Obstacles of any kind.
struct AnyObstacles {
  const Obstacles* all;
  bool nearest(const Vec3d& x, double reach, NearestObstacle& at) const {
    return all->nearest(x, reach, at.distance, at.n, at.v, at.friction);
  }
};
struct ProjectNodesOfBody {
  ProjectNodeContact<AnyObstacles, NodeContact> contact;
  Index first;
  double friction;
  void operator()(Index k) const { contact.project(first + k, friction); }
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
                ProjectNodesOfBody{{{&obstacles},
                                    s.x.data(),
                                    s.xPrev.data(),
                                    s.w.data(),
                                    s.work.nodeContacts.data(),
                                    s.work.clearance.size() == s.x.size() ? s.work.clearance.data() : nullptr,
                                    margin,
                                    dt},
                                   b.nodeBegin,
                                   b.material.friction});
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
