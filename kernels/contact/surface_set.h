// The surfaces of solids as kernels see them: triangles with their topology at the two ends of a sub-step, the triangles near each
// cell, analytic solids. Triangles are numbered from 0, analytic solid k is surface -1 - k; the domain's walls are the first of
// those. Positions are relative to the domain's lower corner.
#pragma once

#include "kernels/contact/feature.h"
#include "kernels/contact/placed_primitive.h"
#include "kernels/contact/triangle.h"
#include "kernels/contact/triangle_lanes.h"
#include "kernels/search/cells.h"

MNS_NS_BEGIN

// Neighbourhood of a triangle in its surface.
struct SurfaceTopology {
  Index node[3];
  Index across[3];  // edge k (vertex k to k+1): third node and number of the triangle across it; -1 at a rim
  Index acrossTri[3];
  std::int32_t owns;       // bit k: the lower-numbered one at edge k; bit 3+k: the lowest-numbered one at vertex k
  std::int32_t body;       // among the bodies with triangles
  std::int32_t separates;  // bits of SurfaceSeparation
};
// The fluids on the two sides of a sheet, or of a wall of a closed body thinner than the support, do not feel each other.
enum SurfaceSeparation : std::int32_t {
  kSurfaceSeparates = 1,      // a pair whose segment crosses the triangle is apart
  kSurfaceNearSeparating = 2  // of a body that has such triangles: its distance bounds theirs
};

// What a surface is to particles that touch it.
constexpr std::int32_t kOfNodes = -2;  // in place of a rigid body: nodes that the step moves
struct SurfaceMaterial {
  double friction;  // Coulomb coefficient
  std::int32_t noSlip;
  std::int32_t rigid;  // -1: of no rigid body, or kOfNodes
};

// A rigid body, fixed and kinematic ones as well, in a sub-step.
struct SurfaceRigid {
  PrimitivePlace start, end;
  Vec3d v, omega;    // m/s, rad/s
  double invMass;    // 1/kg; 0: does not give way
  Mat3d invInertia;  // in world axes at the start [1/(kg m^2)]
  // of the point c, relative to the centre at the start
  MNS_HD Vec3f velocityAtStart(const Vec3f& c) const { return Vec3f(v + cross(omega, Vec3d(c) - start.origin)); }
  MNS_HD Vec3d velocityAtEnd(const Vec3d& c) const { return v + cross(omega, c - end.origin); }
};

// Positions of all triangles at one instant.
struct SurfaceInstant {
  Vec3d* exact;  // of nodes [m]
  Vec4f* node;
  PackedTriangle* tri;
  Vec4f* sphere;  // centroid and the radius about it that holds the vertices [m]
};

// Triangles within reach of each cell, ascending.
struct CellTriangles {
  const Index *begin, *tri;  // null: there are no triangles
  float reach;               // m, from any point of the cell
  MNS_HD Index first(Index cell) const { return begin ? begin[cell] : 0; }
  MNS_HD Index last(Index cell) const { return begin ? begin[cell + 1] : 0; }
};

struct SurfaceSet {
  Index triangles, primitives, walls;
  const SurfaceTopology* topology;
  const Index *ringBegin, *ring;  // triangles at each node
  const SurfaceMaterial *ofBodies, *ofPrimitives;
  const SurfaceRigid* rigid;
  SurfaceInstant start, end;
  const TriangleFilter* filter;  // at the start
  const PlacedPrimitive* primitive;
  Cells cells;
  CellTriangles near;
  Vec3f wallMin, wallMax;      // the box that the walls enclose, infinite on open sides [m]
  float support, contact;      // m
  const double* largestShift;  // of any vertex in the sub-step [m]; null: none moves
  float roundoff;              // of positions in single precision, with room to spare [m]

  MNS_HD Index cellOf(const Vec3f& x) const { return cells.indexOf(cells.cellOf(x)); }
  MNS_HD const SurfaceMaterial& material(std::int32_t surface) const {
    return surface >= 0 ? ofBodies[topology[surface].body] : ofPrimitives[-1 - surface];
  }
  // Of the surface at its point c at the start of the sub-step [m/s].
  MNS_HD Vec3f velocity(std::int32_t surface, const Vec3f& c) const {
    const std::int32_t r = material(surface).rigid;
    return r < 0 ? Vec3f{} : rigid[r].velocityAtStart(c);
  }
  MNS_HD Vec3d velocityAtEnd(std::int32_t surface, const Vec3d& c) const {
    const std::int32_t r = material(surface).rigid;
    return r < 0 ? Vec3d{} : rigid[r].velocityAtEnd(c);
  }
  // Number of the first primitive that can be within reach of x.
  MNS_HD Index firstPrimitive(const Vec3f& x, float reach) const {
    const Vec3f lo = x - wallMin, hi = wallMax - x;
    const float a = lo.x < lo.y ? lo.x : lo.y, b = lo.z < hi.x ? lo.z : hi.x, c = hi.y < hi.z ? hi.y : hi.z;
    const float d = a < b ? a : b, least = d < c ? d : c;
    return least >= reach ? walls : 0;
  }
};

MNS_NS_END
