// Which bodies hold each other, and the directions that contacts leave none of them.
#include <cmath>

#include "engine/particle/held_bodies.h"
#include "engine/solid/contact.h"
#include "engine/solid/rigid.h"

namespace meniscus {
namespace {

using held::addScaled;
using held::along;

// A direction that others already hold to this share of it (squared) is no further one.
constexpr double kFurther = 1e-3;

}  // namespace

Index HeldBodies::rootOf(Index body) const {
  while (parent_[std::size_t(body)] != body) {
    Index& up = parent_[std::size_t(body)];
    up = parent_[std::size_t(up)];
    body = up;
  }
  return body;
}

// False: they would be too many.
bool HeldBodies::unite(Index a, Index b) {
  a = rootOf(a);
  b = rootOf(b);
  if (a == b) return true;
  if (sizeOf_[std::size_t(a)] + sizeOf_[std::size_t(b)] > kMostOfIsland) return false;
  if (b < a) std::swap(a, b);
  parent_[std::size_t(b)] = a;
  sizeOf_[std::size_t(a)] += sizeOf_[std::size_t(b)];
  return true;
}

// Of the bodies with contacts in now_, in the order of their first bodies.
void HeldBodies::findIslands(const SolidState& s) {
  const std::size_t bodies = s.rigid.size();
  for (std::size_t k = 0; k < islandCount_; ++k) {
    islands_[k].bodies.clear();
    islands_[k].directions.clear();
  }
  islandCount_ = 0;
  islandOf_.assign(bodies, -1);
  placeOf_.assign(bodies, -1);
  for (const RigidContact& c : now_) islandOf_[std::size_t(rootOf(c.rigid))] = -2;  // has one
  for (std::size_t i = 0; i < bodies; ++i) {
    Index& island = islandOf_[std::size_t(rootOf(Index(i)))];  // a root comes before the others
    if (island == -1 || s.rigid[i].invMass == 0) continue;
    if (island == -2) {
      island = Index(islandCount_++);
      if (islands_.size() < islandCount_) islands_.emplace_back();
    }
    std::vector<Index>& members = islands_[std::size_t(island)].bodies;
    islandOf_[i] = island;
    placeOf_[i] = Index(members.size());
    members.push_back(Index(i));
  }
}

// Linearised where the projection left the bodies: what a turn of them does to a gap is no more linear than what a constraint does.
HeldBodies::Row HeldBodies::rowOf(const SolidState& s, const RigidContact& c, const Vec3d& direction, double h) const {
  Row p{};
  p.ends = c.other < 0 ? 1 : 2;
  double gap = c.height - c.least, slip = c.other < 0 ? -dot(direction, c.v) * h : 0, speed = 0;
  for (int e = 0; e < p.ends; ++e) {
    const Index body = e ? c.other : c.rigid;
    const RigidBody& b = s.rigid[std::size_t(body)];
    const double side = e ? -1 : 1;
    const Vec3d &local = e ? c.otherLocal : c.local, r = armOf(s, c, e == 1), u = direction * side;
    p.body[e] = placeOf_[std::size_t(body)];
    p.normal[e] = {u, cross(r, u)};
    p.along[e] = {u * b.invMass, inWorldAxes(b.qPrev, b.invInertia) * p.normal[e].angular};
    p.size += along(p.normal[e], p.along[e]);
    gap += side * dot(c.n, b.x + b.q.rotate(local));
    slip += dot(u, b.x + b.q.rotate(local) - b.xPrev - b.qPrev.rotate(local));
    speed += dot(u, b.v + cross(b.omega, r));
  }
  p.speed = speed - (dot(direction, c.n) > 0.5 ? gap : slip) / h;
  return p;
}

// Of left_, the one first that is least held by those before it.
void HeldBodies::addDirections(Island& island) {
  const std::size_t m = island.bodies.size(), rows = rows_.size();
  left_.assign(2 * m * rows, {});
  leftSpeed_.resize(rows);
  const auto alongOf = [&](std::size_t k) { return left_.data() + 2 * m * k; };
  const auto normalOf = [&](std::size_t k) { return left_.data() + 2 * m * k + m; };
  for (std::size_t k = 0; k < rows; ++k) {
    leftSpeed_[k] = rows_[k].speed;
    for (int e = 0; e < rows_[k].ends; ++e) {
      alongOf(k)[rows_[k].body[e]] = rows_[k].along[e];
      normalOf(k)[rows_[k].body[e]] = rows_[k].normal[e];
    }
  }
  const auto product = [m](const RigidRate* a, const RigidRate* b) {
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) sum += along(a[i], b[i]);
    return sum;
  };
  const auto takeOut = [&](const Direction& d) {
    const RigidRate *const dAlong = &rates_[d.first], *const dNormal = dAlong + m;
    for (std::size_t k = 0; k < rows; ++k) {
      const double share = product(normalOf(k), dAlong);
      if (share == 0) continue;
      for (std::size_t i = 0; i < m; ++i) {
        addScaled(normalOf(k)[i], dNormal[i], -share);
        addScaled(alongOf(k)[i], dAlong[i], -share);
      }
      leftSpeed_[k] -= share * d.speed;
    }
  };
  for (const Direction& d : island.directions) takeOut(d);
  while (island.directions.size() < kFreedoms * m) {
    std::size_t best = 0;
    double most = kFurther;
    for (std::size_t k = 0; k < rows; ++k) {
      const double share = product(normalOf(k), alongOf(k)) / rows_[k].size;
      if (share > most * (1 + 1e-9)) most = share, best = k + 1;
    }
    if (best == 0) break;
    const double scale = 1 / std::sqrt(product(normalOf(best - 1), alongOf(best - 1)));
    const Direction d{rates_.size(), leftSpeed_[best - 1] * scale};
    rates_.resize(rates_.size() + 2 * m);
    for (std::size_t i = 0; i < m; ++i) {
      addScaled(rates_[d.first + i], alongOf(best - 1)[i], scale);
      addScaled(rates_[d.first + m + i], normalOf(best - 1)[i], scale);
    }
    takeOut(d);
    island.directions.push_back(d);
  }
}

void HeldBodies::findDirections(const SolidState& s, Island& island, double h) {
  const Index number = islandOf_[std::size_t(island.bodies[0])];
  const auto has = [&](const RigidContact& c) { return islandOf_[std::size_t(c.rigid)] == number; };
  rows_.clear();
  for (const RigidContact& c : now_)
    if (has(c)) rows_.push_back(rowOf(s, c, c.n, h));
  addDirections(island);
  rows_.clear();
  for (const RigidContact& c : now_)
    for (int k = 0; k < 2 && has(c) && c.sticks; ++k) rows_.push_back(rowOf(s, c, held::across(c.n, k), h));
  addDirections(island);
}

// To the solve.
void HeldBodies::pass(const Island& island) {
  const std::size_t m = island.bodies.size();
  if (m == 1) {
    RigidHold& hold = holds_.own[std::size_t(island.bodies[0])];
    for (std::size_t k = 0; k < island.directions.size(); ++k) hold.along[k] = rates_[island.directions[k].first];
    return;
  }
  std::vector<double>& to = holds_.islands;
  to[0] += 1;
  to.push_back(double(m));
  to.push_back(double(island.directions.size()));
  to.insert(to.end(), island.bodies.begin(), island.bodies.end());
  const auto number = [&](const Vec3d& v) { to.insert(to.end(), {v.x, v.y, v.z}); };
  for (const Direction& d : island.directions)
    for (std::size_t k = d.first; k < d.first + 2 * m; ++k) {
      number(rates_[k].linear);
      number(rates_[k].angular);
    }
}

void HeldBodies::take(const SolidState& s, double h) {
  now_.clear();
  for (const RigidContact& c : next_)
    if (c.held) now_.push_back(c);
  rates_.clear();
  holds_.islands.assign(1, 0.0);
  for (RigidHold& hold : holds_.own) hold = {};
  findIslands(s);
  for (std::size_t k = 0; k < islandCount_; ++k) {
    findDirections(s, islands_[k], h);
    pass(islands_[k]);
  }
}

void HeldBodies::hold(std::vector<Vec3d>& linear, std::vector<Vec3d>& angular) const {
  for (std::size_t k = 0; k < islandCount_; ++k) {
    const std::vector<Index>& bodies = islands_[k].bodies;
    const std::size_t m = bodies.size();
    for (const Direction& d : islands_[k].directions) {
      const RigidRate *const alongIt = &rates_[d.first], *const normal = alongIt + m;
      double more = d.speed;
      for (std::size_t i = 0; i < m; ++i)
        more -= along(normal[i], {linear[std::size_t(bodies[i])], angular[std::size_t(bodies[i])]});
      for (std::size_t i = 0; i < m; ++i) {
        linear[std::size_t(bodies[i])] += alongIt[i].linear * more;
        angular[std::size_t(bodies[i])] += alongIt[i].angular * more;
      }
    }
  }
}

}  // namespace meniscus
