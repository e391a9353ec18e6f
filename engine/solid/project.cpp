// Coloured Gauss-Seidel sweeps of XPBD.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/solid/angular_momentum.h"
#include "engine/solid/body_contact.h"
#include "engine/solid/constraint_sweeps.h"
#include "engine/solid/contact.h"
#include "engine/solid/edge_sweep.h"
#include "engine/solid/evaluate.h"
#include "engine/solid/rigid.h"
#include "engine/solid/solid.h"
#include "engine/solid/volume.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {
namespace {

using Projection = ConstraintProjection<Constraint>;

// Constraints of one colour, all of one kind.
template <class Kind>
struct ProjectColour {
  Projection projection;
  const Index* which;
  void operator()(Index k) const { projection.project<Kind>(which[k]); }
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

constexpr Index kFour = Double4::lanes;

// Edges of a colour as fours. More of them than lanes in the last four have no part in it.
struct PrepareFours {
  const Constraint* items;  // of the colour
  const std::uint8_t* leftOut;
  const double* rest;
  Index count;
  double invDt;
  bool wet;
  EdgeFour* out;
  void operator()(Index k) const {
    EdgeFour& f = out[k];
    f.damped = false;
    for (Index l = 0; l < kFour; ++l) {
      const Index i = std::min(kFour * k + l, count - 1);
      const Constraint& c = items[i];
      f.a[l] = c.node[0];
      f.b[l] = c.node[1];
      f.length[l] = rest[c.rest];
      f.gamma[l] = c.damping * invDt;
      f.alpha[l] = c.stiffness >= 0 ? 0 : c.compliance * invDt * invDt;
      f.equivalent[l] = c.stiffness > 0 ? Xpbd<double>::equivalentAlphaTilde(c.stiffness, 1.0) : 0;
      f.solvable[l] = wet ? (c.stiffness >= 0 ? 1 : 1 + f.gamma[l]) : 0;
      f.damped |= f.gamma[l] > 0;
      f.active[l] = c.stiffness != 0 && !(leftOut && leftOut[i]);
    }
  }
};

struct PrepareMass {
  const double *w, *invMassNormal;
  const Vec3d* normal;
  NodeMass* out;
  void operator()(Index n) const {
    const bool wet = normal && w[n] > 0;
    out[n] = {wet ? normal[n] : Vec3d{}, w[n], wet ? invMassNormal[n] - w[n] : 0, 0};
  }
};

struct ProjectFours {
  EdgeSweep sweep;
  double* lambda;
  Index count;
  void operator()(Index k) const { sweep.project(k, lambda + kFour * k, std::min(kFour, count - kFour * k)); }
};

// The plain method's stiffness knows no multiplier: its edges are projected one at a time.
bool inFours(const ConstraintSet& set, Index begin, Index end, bool wet) {
  if (set.items[begin].type != ConstraintType::distance) return false;
  return wet ||
         std::none_of(&set.items[begin], &set.items[begin] + (end - begin), [](const Constraint& c) { return c.stiffness >= 0; });
}

void prepareColours(Exec& exec, SolidState& s, const Projection& p, std::vector<ActiveColour>& colours) {
  const ConstraintSet& set = s.constraints;
  colours.clear();
  s.work.single.clear();
  Index fours = 0;
  for (std::size_t c = 0; c + 1 < set.colourBegin.size(); ++c) {
    const Index begin = set.colourBegin[c], end = set.colourBegin[c + 1];
    if (begin == end || (p.leftOut && std::memchr(p.leftOut + begin, 0, std::size_t(end - begin)) == nullptr)) continue;
    if (inFours(set, begin, end, p.normal != nullptr)) {
      colours.push_back({begin, end, fours});
      fours += (end - begin + kFour - 1) / kFour;
      continue;
    }
    const Index first = Index(s.work.single.size());
    for (Index i = begin; i < end; ++i)
      if (!p.leftOut || !p.leftOut[i]) s.work.single.push_back(i);
    colours.push_back({first, Index(s.work.single.size()), -1});
  }
  s.work.edgeFours.resizeUninitialized(std::size_t(fours));
  s.work.nodeMass.resizeUninitialized(s.x.size());
  if (fours == 0) return;
  parallelFor(exec, "constraints: masses", Index(s.x.size()),
              PrepareMass{s.w.data(), p.invMassNormal, p.normal, s.work.nodeMass.data()});
  for (const ActiveColour& c : colours)
    if (c.four >= 0)
      parallelFor(exec, "constraints: edges", (c.end - c.begin + kFour - 1) / kFour,
                  PrepareFours{&set.items[c.begin], p.leftOut ? p.leftOut + c.begin : nullptr, p.rest, c.end - c.begin, p.invDt,
                               p.normal != nullptr, &s.work.edgeFours[c.four]},
                  64);
}

void sweepConstraints(Exec& exec, SolidState& s, const std::vector<ActiveColour>& colours, const Projection& projection) {
  ConstraintSet& set = s.constraints;
  for (const ActiveColour& c : colours) {
    const Index count = c.end - c.begin;
    if (c.four >= 0) {
      const EdgeSweep sweep{&s.work.edgeFours[c.four], s.work.nodeMass.data(),      s.xPrev.data(), s.x.data(),
                            projection.solvable,       projection.normal != nullptr};
      parallelFor(exec, "constraints", (count + kFour - 1) / kFour, ProjectFours{sweep, &set.lambda[c.begin], count}, 32);
      continue;
    }
    const Index* const which = &s.work.single[c.begin];
    dispatchKind(set.items[which[0]].type, [&](auto tag) {
      parallelFor(exec, "constraints", count, ProjectColour<typename decltype(tag)::type>{projection, which}, 64);
    });
  }
  for (Index i = set.serialBegin; i < Index(set.items.size()); ++i)
    dispatchKind(set.items[i].type, [&](auto tag) { projection.project<typename decltype(tag)::type>(i); });
}

}  // namespace

namespace {

constexpr double kAnyWay = std::numeric_limits<double>::infinity();

// Would no node touch an obstacle that gets no farther than `way`?
bool farFrom(const SolidState& s, const Obstacles& obstacles, double margin, double way) {
  double distance, friction;
  Vec3d n, v;
  for (const Body& b : s.bodies)
    for (Index i = b.nodeBegin; b.rigid < 0 && i < b.nodeEnd; ++i)
      if (s.w[i] > 0 && obstacles.nearest(s.x[i], margin + way, distance, n, v, friction)) return false;
  return true;
}

// The k-th of so many.
void sweepRigidContacts(SolidState& s, double dt, int k, int times) {
  projectRigidContacts(s, dt);
  if (k + 1 == times / 2) fitRigidContacts(s, dt);  // with sweeps to follow for what friction makes of it
}

// Sweeps between which nothing else comes are made at once where they are made elsewhere, with the same outcome. False: all of them
// are still to be made.
bool sweepAtOnce(SolidState& s, double dt, const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut,
                 const Obstacles* obstacles, double margin, int times, ConstraintSweeps& elsewhere) {
  constexpr double kWay = 2;  // of a node in them, in margins
  const bool alone = nothingElseActs(s);
  const bool contactsToo = elsewhere.begin(s, dt, invMassNormal, normal, leftOut, alone ? obstacles : nullptr, margin);
  const bool atOnce = contactsToo || (alone && times > 1 && (!obstacles || farFrom(s, *obstacles, margin, kWay * margin)));
  if (!atOnce) return false;
  if (!elsewhere.sweep(s.x, times, obstacles && !contactsToo ? kWay * margin : kAnyWay)) {
    elsewhere.begin(s, dt, invMassNormal, normal, leftOut, nullptr, margin);
    return false;
  }
  // contacts of rigid bodies and nodes know nothing of each other
  for (int k = 0; k < times && obstacles; ++k) sweepRigidContacts(s, dt, k, times);
  return true;
}

}  // namespace

bool nothingElseActs(const SolidState& s) {
  for (const VolumeConstraint& c : s.volumes)
    if (c.restVolume > 0 && !c.filled) return false;
  return s.work.bodyContacts.empty();
}

void projectSolids(Exec& exec, SolidState& s, const Obstacles* obstacles, double contactMargin, double dt, int iterations,
                   const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut, ConstraintSweeps* elsewhere) {
  s.work.before = s.x;
  s.work.predicted = s.v;
  s.work.volumeGradient.resize(s.x.size());
  s.work.rigidByNodes.assign(s.rigid.size(), {});
  if (!normal) prepareShares(s, iterations);
  beginContacts(s, obstacles, contactMargin, dt);
  const Projection projection{s.constraints.items.data(),
                              s.constraints.lambda.data(),
                              s.rest.data(),
                              s.x.data(),
                              s.xPrev.data(),
                              s.w.data(),
                              invMassNormal,
                              normal,
                              s.work.share.data(),
                              1 / dt,
                              s.work.solvable,
                              leftOut};
  std::vector<ActiveColour>& colours = s.work.colours;
  bool done = false;
  if (elsewhere)
    done = sweepAtOnce(s, dt, invMassNormal, normal, leftOut, obstacles, contactMargin, iterations, *elsewhere);
  else
    prepareColours(exec, s, projection, colours);
  for (int k = 0; k < iterations && !done; ++k) {
    if (elsewhere)
      elsewhere->sweep(s.x, 1, kAnyWay);
    else
      sweepConstraints(exec, s, colours, projection);
    for (VolumeConstraint& c : s.volumes)
      projectVolume(s, c, dt, c.stiffness >= 0 ? shareOfSweep(c.stiffness, iterations) : 1.0, invMassNormal, normal);
    projectBodyContacts(s, dt, invMassNormal, normal);
    if (!obstacles) continue;
    projectNodeContacts(exec, s, *obstacles, contactMargin, dt);
    sweepRigidContacts(s, dt, k, iterations);
  }
  if (elsewhere) elsewhere->end(s.constraints.lambda, s.work.nodeContacts);
  if (!normal) restoreAngularMomentum(exec, s);
  for (const RigidBody& b : s.rigid)
    if (b.invMass > 0) placeRigidNodes(s, b);
}

void resetMultipliers(SolidState& s) {
  for (double& l : s.constraints.lambda) l = 0;
  for (VolumeConstraint& c : s.volumes) c.lambda = 0;
  for (BodyContact& c : s.work.bodyContacts) c.lambda = 0;
}

}  // namespace meniscus
