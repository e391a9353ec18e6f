// Triangles of surfaces placed at an instant, and those within reach of each cell: counted by triangle, filled as pairs of cell and
// triangle, sorted by cell.
#pragma once

#include "kernels/contact/binned_triangles.h"
#include "kernels/contact/surface_set.h"
#include "kernels/core/fold.h"

MNS_NS_BEGIN

struct PlaceSurfaceNode {
  const Vec3d* exact;
  Vec4f* node;
  MNS_HD void operator()(Index n) const { node[n] = Vec4f(Vec3f(exact[n]), 0.f); }
};

// Nodes of rigid bodies that move, and those that are moved one by one, at both ends of the sub-step; acc: the farthest way of one
// [m].
struct PlaceRigidNodes {
  const Index* rigidOf;  // -1: the node rests; kOfNodes: where it is exactly is known
  const Vec3d* rest;     // in the body's frame
  const SurfaceRigid* rigid;
  SurfaceInstant start, end;
  MNS_HD void operator()(Index n, double (&acc)[1]) const {
    if (rigidOf[n] == kOfNodes) {
      start.node[n] = Vec4f(Vec3f(start.exact[n]), 0.f);
      end.node[n] = Vec4f(Vec3f(end.exact[n]), 0.f);
    } else if (rigidOf[n] >= 0) {
      const SurfaceRigid& r = rigid[rigidOf[n]];
      place(start, n, r.start);
      place(end, n, r.end);
    } else {
      return;
    }
    acc[0] = MaxOf::fold(acc[0], double(norm((end.node[n] - start.node[n]).xyz())));
  }
  MNS_HD void place(const SurfaceInstant& g, Index n, const PrimitivePlace& at) const {
    g.exact[n] = at.origin + at.rotation * rest[n];
    g.node[n] = Vec4f(Vec3f(g.exact[n]), 0.f);
  }
};
struct PlacePrimitives {
  const SurfaceMaterial* material;
  const SurfaceRigid* rigid;
  const Mat3d* frame;
  PlacedPrimitive* primitive;
  MNS_HD void operator()(Index k) const {
    if (material[k].rigid < 0) return;
    const SurfaceRigid& r = rigid[material[k].rigid];
    primitive[k].start = {r.start.rotation * frame[k], r.start.origin};
    primitive[k].end = {r.end.rotation * frame[k], r.end.origin};
  }
};

struct PlaceSurfaceTriangle {
  const SurfaceTopology* topology;
  const float* side;  // see TriangleSide
  SurfaceInstant g;
  MNS_HD void operator()(Index t) const {
    const SurfaceTopology& topo = topology[t];
    const Vec3f a = g.node[topo.node[0]].xyz(), b = g.node[topo.node[1]].xyz(), c = g.node[topo.node[2]].xyz();
    g.tri[t] = PackedTriangle::make(a, b, c, side[t]);
    const Vec3f m = (a + b + c) * (1.f / 3.f);
    const float da = norm2(a - m), db = norm2(b - m), dc = norm2(c - m), ab = da < db ? db : da;
    g.sphere[t] = Vec4f(m, std::sqrt(ab < dc ? dc : ab) * 1.00001f);
  }
};

// Tangent of the angle by which the direction from the triangle to a point can lean when the triangle holds a local minimum of the
// distance. Such directions lie between the normals around the closest point, so twice the largest angle to a neighbour's normal
// bounds it (twice: a saddle vertex may see a little more than its faces do). kSharp where it can lean any way: rims and sharp
// edges.
struct SlopeOfSurfaceTriangle {
  const SurfaceTopology* topology;
  const Index *ringBegin, *ring;
  SurfaceInstant g;
  TriangleFilter* out;
  MNS_HD void operator()(Index t) const {
    const SurfaceTopology& topo = topology[t];
    const Vec3f n = g.tri[t].n.xyz();
    float cosine = 1.f;
    for (int k = 0; k < 3; ++k)
      for (Index j = ringBegin[topo.node[k]]; j < ringBegin[topo.node[k] + 1]; ++j) {
        const SurfaceTopology& o = topology[ring[j]];
        if (o.acrossTri[0] < 0 || o.acrossTri[1] < 0 || o.acrossTri[2] < 0) cosine = -1.f;
        const float c = dot(n, g.tri[ring[j]].n.xyz());
        if (c < cosine) cosine = c;
      }
    // tan 2a = 2 sin cos / (2 cos^2 - 1), from 40 degrees on as sharp
    const float rest = 1.f - cosine * cosine, sine = std::sqrt(rest > 0.f ? rest : 0.f);
    const float slope = cosine > 0.766f ? 2.f * sine * cosine / (2.f * cosine * cosine - 1.f) + 0.02f : kSharp;
    out[t] = {g.sphere[t], Vec4f(n, topo.separates & kSurfaceSeparates ? -slope : slope)};
  }
};

// The cells that a triangle can be within reach of some point of.
struct CellsOfTriangle {
  Cells cells;
  const PackedTriangle* tri;
  const Vec4f* sphere;
  float reach;
  // visit(cell), ascending
  template <class Visit>
  MNS_HD void each(Index t, const Visit& visit) const {
    const Vec4f s = sphere[t];
    const Vec3f n = tri[t].n.xyz(), middle = s.xyz();
    const float far = s.w + reach, half = 0.5f * cells.size, slab = slabOf(n, half, reach) * 1.0001f, far2 = far * far * 1.0001f;
    const Vec3f all{far, far, far}, size = Vec3f{float(cells.dim.x), float(cells.dim.y), float(cells.dim.z)} * cells.size;
    const Vec3f below = middle - all, above = middle + all;
    // not-a-number is nowhere
    if (!(above.x >= 0.f && above.y >= 0.f && above.z >= 0.f && below.x <= size.x && below.y <= size.y && below.z <= size.z))
      return;
    const Vec3<Index> lo = cells.cellOf(below), hi = cells.cellOf(above);
    for (Index z = lo.z; z <= hi.z; ++z)
      for (Index y = lo.y; y <= hi.y; ++y)
        for (Index x = lo.x; x <= hi.x; ++x) {
          const Vec3f d = Vec3f{float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f} * cells.size - middle;
          const float dx = beyond(d.x, half), dy = beyond(d.y, half), dz = beyond(d.z, half);
          if ((dx * dx + dy * dy) + dz * dz <= far2 && std::fabs(dot(d, n)) <= slab) visit(cells.indexOf({x, y, z}));
        }
  }
  MNS_HD static float beyond(float d, float half) {
    const float b = std::fabs(d) - half;
    return b > 0.f ? b : 0.f;
  }
};

struct CountCellsOfTriangle {
  CellsOfTriangle of;
  Index* count;
  MNS_HD void operator()(Index t) const {
    Index n = 0;
    of.each(t, [&](Index) { ++n; });
    count[t] = n;
  }
};
struct FillCellsOfTriangle {
  CellsOfTriangle of;
  const Offset* begin;
  Index *cell, *tri;
  MNS_HD void operator()(Index t) const {
    Offset at = begin[t];
    of.each(t, [&](Index c) {
      cell[at] = c;
      tri[at++] = t;
    });
  }
};

MNS_NS_END
