#include "engine/solid/remove_body.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/solid/prescribed.h"

namespace meniscus {
namespace {

// Items [begin, end) of a list go, and numbers of those after them get smaller.
struct Gap {
  Index begin, end;

  Index count() const { return end - begin; }
  bool has(Index i) const { return i >= begin && i < end; }
  Index after(Index i) const { return i >= end ? i - count() : i; }
  template <class T>
  void closeIn(Buffer<T>& list, Index each = 1) const {
    std::size_t to = std::size_t(begin * each);
    for (std::size_t from = std::size_t(end * each); from < list.size(); ++from) list[to++] = list[from];
    list.resize(to);
  }
  void renumber(Buffer<Index>& list) const {
    for (Index& i : list) i = after(i);
  }
};

template <class List, class Gone>
void eraseIf(List& list, const Gone& gone) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (gone(list[k])) continue;
    if (kept != k) list[kept] = list[k];
    ++kept;
  }
  list.resize(kept);
}

// Rest data are appended body by body, so those of a body are contiguous.
Gap restOf(const SolidState& s, Index body) {
  Gap rest{std::numeric_limits<Index>::max(), 0};
  Index next = Index(s.rest.size());
  for (const Constraint& c : s.constraints.items)
    if (Index(c.body) == body) {
      rest.begin = std::min(rest.begin, Index(c.rest));
      rest.end = std::max(rest.end, Index(c.rest));
    }
  if (rest.end < rest.begin) return {next, next};  // it has no constraints
  for (const Constraint& c : s.constraints.items)
    if (Index(c.body) != body && c.rest > rest.end) next = std::min(next, Index(c.rest));
  return {rest.begin, next};
}

void removeConstraints(SolidState& s, Index body, const Gap& nodes) {
  ConstraintSet& set = s.constraints;
  const Gap rest = restOf(s, body);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < set.items.size(); ++k) {
    Constraint c = set.items[k];
    if (Index(c.body) == body) continue;
    if (Index(c.body) > body) --c.body;
    for (Index& i : c.node)
      if (i >= 0) i = nodes.after(i);
    c.rest = rest.after(c.rest);
    set.items[kept] = c;
    set.lambda[kept++] = set.lambda[k];
  }
  set.items.resize(kept);
  set.lambda.resize(kept);
  rest.closeIn(s.rest);
}

void removeVolumes(SolidState& s, Index body, const Gap& triangles) {
  eraseIf(s.volumes, [&](const VolumeConstraint& c) { return c.body == body; });
  for (VolumeConstraint& c : s.volumes) {
    if (c.body > body) --c.body;
    c.triBegin = triangles.after(c.triBegin);
    c.triEnd = triangles.after(c.triEnd);
  }
}

void removePins(SolidState& s, const Gap& nodes) {
  eraseIf(s.pins, [&](const Pin& p) { return nodes.has(p.node); });
  for (Pin& p : s.pins) p.node = nodes.after(p.node);
  dropUnusedMotions(s);
}

void removeNodes(SolidState& s, Index body) {
  const Body gone = s.bodies[std::size_t(body)];
  const Gap nodes{gone.nodeBegin, gone.nodeEnd}, triangles{gone.triBegin, gone.triEnd}, tets{gone.tetBegin, gone.tetEnd};
  removeConstraints(s, body, nodes);
  removeVolumes(s, body, triangles);
  removePins(s, nodes);
  for (Buffer<Vec3d>* list : {&s.x, &s.v, &s.xPrev, &s.xRest}) nodes.closeIn(*list);
  for (Buffer<double>* list : {&s.w, &s.mass, &s.contactLambda}) nodes.closeIn(*list);
  triangles.closeIn(s.tri, 3);
  tets.closeIn(s.tet, 4);
  nodes.renumber(s.tri);
  nodes.renumber(s.tet);
  s.bodies.erase(s.bodies.begin() + body);
  for (Body& b : s.bodies) {
    b.nodeBegin = nodes.after(b.nodeBegin);
    b.nodeEnd = nodes.after(b.nodeEnd);
    b.triBegin = triangles.after(b.triBegin);
    b.triEnd = triangles.after(b.triEnd);
    b.tetBegin = tets.after(b.tetBegin);
    b.tetEnd = tets.after(b.tetEnd);
  }
  for (RigidBody& r : s.rigid)
    if (r.body > body) --r.body;
}

}  // namespace

void removeBody(SolidState& s, Index body, Index rigid) {
  if (body >= 0) removeNodes(s, body);
  if (rigid >= 0) {
    s.rigid.erase(s.rigid.begin() + rigid);
    for (Body& b : s.bodies)
      if (b.rigid > rigid) --b.rigid;
  }
  SolidWork fresh;  // its arrays are by node and by constraint
  fresh.gravity = s.work.gravity;
  fresh.solvable = s.work.solvable;
  s.work = std::move(fresh);
}

}  // namespace meniscus
