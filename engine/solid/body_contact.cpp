#include "engine/solid/body_contact.h"

#include <algorithm>

#include "engine/solid/body_contact_search.h"
#include "engine/solid/rigid.h"
#include "engine/solid/rigid_pairs.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

// Of what two surfaces are nearer to each other than the margin, a sub-step gives back this share. All of it at once would throw
// apart what was built too near.
constexpr double kRecovered = 0.1;
// A contact at its distance acts from the start, or what rests on another would be let go in every sub-step.
constexpr double kTouching = 0.02;  // of the margin
// Of gWg. Nodes of each body before the triangles of the other say nearly the same twice; what gives way is a thousandth of the way
// that the contact's force would move its nodes in the sub-step.
constexpr double kGivesWay = 1e-3;

Vec3d gradient(const BodyContact& c, int k) { return c.n * c.weight[k]; }

// Of its point, from its centre [m].
Vec3d armOf(const RigidBody& b, const BodyContact& c) { return b.q.rotate(c.local); }

double inverseMass(const SolidState& s, const BodyContact& c) {
  double gWg = 0;
  if (c.rigid >= 0) {
    const RigidBody& b = s.rigid[std::size_t(c.rigid)];
    gWg = inverseMassAt(b, armOf(b, c), c.n);
  }
  for (int k = 0; k < 4; ++k) gWg += s.w[std::size_t(c.node[k])] * c.weight[k] * c.weight[k];
  return gWg;
}

}  // namespace

double bodyContactValue(const SolidState& s, const BodyContact& c) {
  // from the first node on, so that nothing is lost to the distance from the origin
  const Vec3d& origin = s.x[std::size_t(c.node[0])];
  Vec3d r{};
  for (int k = 1; k < 4; ++k) r += (s.x[std::size_t(c.node[k])] - origin) * c.weight[k];
  if (c.rigid >= 0) {
    const RigidBody& b = s.rigid[std::size_t(c.rigid)];
    r -= b.x + armOf(b, c) - origin;
  }
  return dot(c.n, r) - c.distance;
}

void findBodyContacts(SolidState& s, const RigidPairs* rigid, double margin) {
  std::vector<BodyContact>& contacts = s.work.bodyContacts;
  searchBodyContacts(s, margin, s.work.bodyContactMemory, contacts);
  if (rigid) rigid->searchDeformables(s, margin, contacts);
  for (BodyContact& c : contacts) {
    const double start = c.distance;
    c.distance = start < margin ? start + kRecovered * (margin - start) : margin;
    c.acts = start < margin * (1 + kTouching) || bodyContactValue(s, c) < 0;
  }
}

void addBodyContacts(const SolidState& s, RowList& out) {
  out.bodyContact.clear();
  out.rigidEntries.clear();
  out.firstBodyContact = Index(out.rows.size());
  for (std::size_t k = 0; k < s.work.bodyContacts.size(); ++k) {
    const BodyContact& c = s.work.bodyContacts[k];
    if (!c.acts) continue;
    const double gWg = inverseMass(s, c);
    if (!(gWg > 0)) continue;
    const Index begin = Index(out.entries.size());
    for (int n = 0; n < 4; ++n)
      if (c.weight[n] != 0 && s.w[std::size_t(c.node[n])] > 0) out.entries.push_back({c.node[n], gradient(c, n)});
    if (c.rigid >= 0) {
      const Vec3d arm = armOf(s.rigid[std::size_t(c.rigid)], c);
      out.rigidEntries.push_back({Index(out.rows.size()), c.rigid, -c.n, cross(arm, -c.n)});
    }
    out.rows.push_back({kBodyContactRow, begin, Index(out.entries.size()), bodyContactValue(s, c),
                        std::max(kGivesWay, s.work.solvable) * gWg, c.lambda});
    out.bodyContact.push_back(Index(k));
  }
}

void projectBodyContacts(SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal) {
  for (BodyContact& c : s.work.bodyContacts) {
    const double value = bodyContactValue(s, c);
    if (!(value < 0) && c.lambda == 0) continue;
    Vec3d step[4];
    double gWg = 0;
    for (int n = 0; n < 4; ++n) {
      const std::size_t i = std::size_t(c.node[n]);
      const Vec3d g = gradient(c, n);
      step[n] = normal && s.w[i] > 0 ? applyInverseMass(s.w[i], invMassNormal[i], normal[i], g) : g * s.w[i];
      gWg += dot(g, step[n]);
    }
    RigidBody* const b = c.rigid >= 0 ? &s.rigid[std::size_t(c.rigid)] : nullptr;
    const Vec3d arm = b ? armOf(*b, c) : Vec3d{};
    if (b) gWg += inverseMassAt(*b, arm, c.n);
    if (!(gWg > 0)) continue;
    const Xpbd<double> compliant{std::max(kGivesWay, s.work.solvable) * inverseMass(s, c), 0};
    const double change = std::max(-c.lambda, compliant.increment(value, c.lambda, 0, gWg));
    c.lambda += change;
    if (b) {
      const RigidRate before{b->v, b->omega};
      pushRigid(*b, arm, c.n * -change, dt);
      RigidRate& sum = s.work.rigidByNodes[std::size_t(c.rigid)];
      sum.linear += b->v - before.linear;
      sum.angular += b->omega - before.angular;
    }
    for (int n = 0; n < 4; ++n) {
      s.x[std::size_t(c.node[n])] += step[n] * change;
      s.work.nodeContacts[std::size_t(c.node[n])].moved += step[n] * change;
    }
  }
}

}  // namespace meniscus
