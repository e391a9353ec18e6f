// Nodes of deformable bodies at obstacles that do not give way, in the sweeps of a projection: the same on the CPU and on a device,
// which has walls and analytic solids of them.
#pragma once

#include "kernels/contact/primitives.h"
#include "kernels/core/vec.h"

MNS_NS_BEGIN

// The nearest point of what has been looked at so far.
struct NearestObstacle {
  double distance;  // m
  Vec3d n, v;       // unit normal out of it, its velocity there [m/s]
  double friction;
  Index rigid;  // -1: a wall of the domain
};

struct ObstacleWalls {
  Vec3d min, max;  // of the domain [m]
  bool wall[6];    // x lower, x upper, y lower ...
  double friction;
  // Takes what is nearer than `best`.
  MNS_HD bool look(const Vec3d& p, NearestObstacle& best) const {
    bool found = false;
    for (int k = 0; k < 6; ++k) {
      if (!wall[k]) continue;
      const int axis = k / 2;
      const double d = k % 2 ? max[axis] - p[axis] : p[axis] - min[axis];
      if (d >= best.distance) continue;
      best = {d, {}, {}, friction, -1};
      best.n[axis] = k % 2 ? -1 : 1;
      found = true;
    }
    return found;
  }
};

// A solid of analytic shape, where it is now.
struct NodeObstacle {
  PrimitiveShape<double> shape;
  Quatd turn;         // from the shape's frame to the world
  Vec3d x, v, omega;  // of its centre [m, m/s], 1/s
  double reach;       // of a bounded one, from its centre [m]
  double friction;
  Index rigid;
  bool bounded;
  MNS_HD bool look(const Vec3d& p, NearestObstacle& best) const {
    const Vec3d r = p - x;
    if (bounded && best.distance > 0 && norm2(r) >= (reach + best.distance) * (reach + best.distance)) return false;
    PrimitiveFeature<double> f[kMaxPrimitiveFeatures];
    const int count = primitiveFeatures(shape, turn.conjugate().rotate(r), best.distance, f);
    bool found = false;
    for (int k = 0; k < count; ++k) {
      if (!(f[k].d < best.distance)) continue;
      const Vec3d n = turn.rotate(f[k].n);
      best = {f[k].d, n, v + cross(omega, (p - n * f[k].d) - x), friction, rigid};
      found = true;
    }
    return found;
  }
};

// All of them, as a device has them.
struct AnalyticObstacles {
  ObstacleWalls walls;
  const NodeObstacle* solid;
  Index solids;
  MNS_HD bool nearest(const Vec3d& p, double reach, NearestObstacle& best) const {
    best.distance = reach;
    bool found = walls.look(p, best);
    for (Index k = 0; k < solids; ++k) found |= solid[k].look(p, best);
    return found;
  }
};

// What a node has had to do with obstacles in a projection: NodeContact of engine/solid/solid_state.h.
struct NodeAtObstacle {
  Vec3d n, v, seen, moved;
  double room, depth;
};

// Puts node i as far from obstacles as they are to be, against friction.
template <class Obstacles, class Contact>
struct ProjectNodeContact {
  Obstacles obstacles;
  Vec3d* x;
  const Vec3d* xPrev;
  const double* w;
  Contact* contacts;
  const double* clearance;  // m, by node; null: the margin is kept by all
  double widest, dt;        // widest: the margin [m]

  MNS_HD void project(Index i, double friction) const {
    if (w[i] <= 0) return;
    Contact& c = contacts[i];
    const double margin = clearance && clearance[i] < widest ? clearance[i] : widest;
    if (c.room >= 0 && norm2(x[i] - c.seen) < c.room * c.room) return;
    const double look = 2 * norm(x[i] - xPrev[i]) + margin;  // looking farther than needed now saves looking again
    NearestObstacle at;
    c.seen = x[i];
    if (!obstacles.nearest(x[i], margin + look, at)) {
      c.room = look;
      return;
    }
    const double d = at.distance;
    c.room = d > margin ? d - margin : 0;
    if (d >= margin) return;
    const Vec3d before = x[i];
    c.n = at.n;
    c.v = at.v;
    c.depth += margin - d;
    x[i] += at.n * (margin - d);
    Vec3d slip = x[i] - xPrev[i] - at.v * dt;
    slip -= at.n * dot(at.n, slip);
    const double length = norm(slip), most = (at.friction < friction ? friction : at.friction) * (margin - d);
    if (length > 0) x[i] -= slip * (length > most ? most / length : 1.0);
    c.moved += x[i] - before;
  }
};

// On a device: nodes of solids that do not deform have no inverse mass.
struct ProjectNodes {
  ProjectNodeContact<AnalyticObstacles, NodeAtObstacle> contact;
  const double* friction;  // a node
  MNS_HD void operator()(Index i) const { contact.project(i, friction[i]); }
};
struct NoNodeContact {
  NodeAtObstacle* contacts;
  MNS_HD void operator()(Index i) const { contacts[i] = {{}, {}, {}, {}, -1.0, 0.0}; }
};
struct DeepestNode {
  const NodeAtObstacle* contacts;
  MNS_HD void operator()(Index i, double (&acc)[1]) const {
    if (contacts[i].depth > acc[0]) acc[0] = contacts[i].depth;
  }
};

MNS_NS_END
