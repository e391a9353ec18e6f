// Contacts of deformable bodies with each other, and the memory in which they are looked for: it lives with the solids, so that a
// steady step allocates nothing. A snapshot does not need it.
#pragma once

#include "engine/base/buffer.h"
#include "engine/solid/point_cells.h"
#include "kernels/core/vec.h"

namespace meniscus {

// A point of one deformable body before a point of another, or of a rigid one, during a sub-step, by the weights of four nodes that
// add up to zero, or to one with a rigid body: positive ones are of the first body. See body_contact.h.
struct BodyContact {
  Index node[4];
  double weight[4];
  Vec3d n;           // unit, towards the first body
  double distance;   // m, along n, that the sub-step leaves at least
  double lambda;     // kg m, >= 0: the multiplier of the last solve or projection
  bool acts;         // has a row in the joint solve
  Index rigid = -1;  // before a rigid body, all nodes are of the first body
  Vec3d local = {};  // m, in the rigid body's frame: its point, of weight -1
};

struct BodyContactMemory {
  // Of a body: the box of its nodes at the start and as predicted, and the longest way between.
  struct Extent {
    Vec3d lo, hi;
    double way;
  };
  // The closest triangle to a node so far.
  struct Closest {
    double distance, aligned;  // m; cosine between the direction and the triangle's normal, without sign
    BodyContact contact;
  };
  struct Edge {
    Index a, b, opposite[2];  // the third nodes of its triangles; -1: a rim has one, and what is no manifold none
  };
  Buffer<Index> bodies;  // that deform and have a surface
  Buffer<Extent> extents;
  PointCells cells;
  Buffer<Closest> best;
  Buffer<Edge> edges;       // of all these bodies
  Buffer<Index> edgeBegin;  // of each of them, and behind the last one
  Buffer<Index> edgesOf;    // the triangles that they are edges of
};

}  // namespace meniscus
