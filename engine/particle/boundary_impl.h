// Inside of Boundary: the triangles with their topology and candidate lists, the primitives with their poses, the features found.
#pragma once

#include <limits>
#include <vector>

#include "engine/particle/boundary.h"
#include "engine/particle/boundary_lanes.h"
#include "engine/particle/candidate_lists.h"
#include "engine/particle/given_impulse.h"
#include "kernels/contact/primitives.h"
#include "kernels/contact/triangle_query.h"

namespace meniscus {

// ---- triangles (boundary_triangles.cpp) ----

// Neighbourhood of a triangle in its surface.
struct TriangleTopology {
  Index node[3];    // in SolidState
  Index across[3];  // edge k (vertex k to k+1): third node and number of the triangle across it; -1 at a rim
  Index acrossTri[3];
  std::uint8_t owns;  // bit k: the lower-numbered one at edge k; bit 3+k: the lowest-numbered one at vertex k
};

// The fluids on the two sides of a sheet, or of a wall of a closed body thinner than the support, do not feel each other.
constexpr std::uint8_t kSeparates = 1;       // a pair whose segment crosses the triangle is apart
constexpr std::uint8_t kNearSeparating = 2;  // of a body that has such triangles: its distance bounds theirs

struct TriangleSet {
  Index count = 0;
  Buffer<TriangleTopology> topology;
  Buffer<Index> ringBegin, ring;   // triangles at each node
  Buffer<std::uint8_t> separates;  // per triangle: kSeparates, kNearSeparating
  Buffer<Index> body;              // per triangle
  Buffer<TriangleFilter> filter;   // per triangle at the start
  Buffer<Index> moving, still;     // triangle numbers, ascending
  Buffer<Index> movingNodes;
  TriangleGeometry start, end;  // at xPrev and at x; `end` is filled by the contact stage
  CandidateLists movingLists, stillLists;
  bool anySeparating = false;

  void build(const World& world, float support);
  // Puts the moving nodes, or all of them, at x.
  void place(Exec& exec, const World& world, const Buffer<Vec3d>& x, TriangleGeometry& g, bool all);
  void findSlopes(Exec& exec, const Buffer<Index>& which);
  std::size_t bytes() const;
};
inline bool separatesOf(const TriangleSet& set, Index t) { return set.separates[std::size_t(t)] != 0; }

// ---- primitives (boundary_primitives.cpp) ----

struct Pose {
  Mat3d rotation;  // body to world
  Vec3d origin;    // relative to the domain's corner [m]
};

struct Primitive {
  PrimitiveShape<float> shape;
  PrimitiveShape<double> shapeD;
  Mat3f rotation;  // body to world, start of the sub-step
  Vec3f origin;
  Pose start, end;
  float bound = 0;  // radius about the origin that holds the solid; infinite: always test
  SurfaceOwner owner = SurfaceOwner::fixed;
  Index rigid = -1;
  float friction = 0;
  bool noSlip = false;
  bool wall = false;  // side of the domain
  bool thin = false;  // an obstacle thinner than the support: separates what is on its two sides
};

std::vector<Primitive> makePrimitives(const World& world, float support);
void placePrimitives(const World& world, std::vector<Primitive>& primitives);
// Does the straight path a + s d, s in [0, 1], of the body's frame go deeper than `depth` into a convex obstacle it starts outside
// of? inside: a time when it is in.
bool pathEnters(const Primitive& p, const Vec3d& a, const Vec3d& d, double depth, double& inside);
double signedDistance(const Primitive& p, const Vec3d& x, Vec3d& n);  // in the body's frame
// Planes and containers have the fluid on the inside of a convex region: there is no way past them, only out of them.
inline bool enclosing(const Primitive& p) { return p.shape.container || p.shape.kind == PrimitiveKind::plane; }
// Marks the triangles of closed bodies that have the other side of the body less than `support` behind them.
void markThinWalls(const World& world, float support, TriangleSet& t);
// fluid side first: signed distances and normals in the domain's frame, at the start or (end = true) the end of the sub-step
int featuresOf(const Primitive& p, const Vec3f& x, float reach, bool end, PrimitiveFeature<float> (&out)[kMaxPrimitiveFeatures]);

// ---- features (boundary_features.cpp) ----

constexpr int kMaxHits = kMostHits;  // local minima kept per query, nearest first
using Hit = SurfaceHit;

// Large: kept by the caller and cleared for each query.
struct HitList {
  Hit hit[kMaxHits];
  int n = 0;
  float nearest = 0;       // distance to the nearest triangle of any kind, at most the query's reach [m]
  float nearestSheet = 0;  // to the nearest of a body that separates; infinite beyond reach
  void clear(float reach) {
    n = 0;
    nearest = reach;
    nearestSheet = std::numeric_limits<float>::infinity();
  }
  void add(const Hit& h) { insertHit(hit, n, kMaxHits, h); }
};

struct FeatureTable {
  Buffer<Index> nearIndex, nearParticle;
  Buffer<std::uint8_t> count;
  Buffer<Index> slotBegin;
  Buffer<Feature> features;
  Buffer<float> triangleDistance;  // per particle: to the nearest triangle, at most the support [m]
  Buffer<float> sheetDistance;     // per particle, infinite where none within the support
  Buffer<Vec4f> x;                 // positions the features belong to
  // per block of particles, before compaction
  Buffer<Index> blockCount, blockBegin, blockSlots;
  Buffer<Feature> blockFeatures;
  Buffer<std::uint8_t> blockFeatureCount;
  Buffer<Index> blockParticle;
};

struct RigidMotion {
  Vec3d v, omega, x;  // m/s, rad/s; centre relative to the domain's corner [m]
};

// ---- contact after the move (boundary_contacts.cpp, boundary_impulses.cpp) ----

// A particle held off a surface, at the end of the sub-step.
struct Contact {
  Index particle;
  std::int32_t surface;
  Vec3f n;        // from the surface to the particle
  float b0, b1;   // barycentric weights of the closest point, triangles only
  Vec3f moved;    // how far the surface moved the particle [m]
  bool squeezed;  // it found no place at the contact distance
};

// Displacement of a group of points: every one moves by `mean` to within `spread`.
struct Shift {
  Vec3f mean{};
  float spread = 0;  // m
};

// What the contacts owe to the bodies that can move: see boundary_reaction.cpp.
class ContactReaction {
 public:
  // resting: see Boundary::resolveContacts
  void begin(const World& world, View<const std::uint8_t> resting);
  // A particle of mass m and velocity u has been moved by a surface.
  void moved(const SurfaceInfo& surface, const Contact& c, double mass, const Vec4f& u);
  // An impulse j [N s] acted on a particle at x, and its reaction on the surface at c [m].
  void exchanged(const SurfaceInfo& surface, const Vec3d& j, const Vec3d& x, const Vec3d& c);
  // After moved(): the bodies back, with the particles they hold. limit: of the way [m]
  void shiftBack(World& world, View<Vec4f> x, View<const Vec4f> u, double limit);
  // After exchanged(): the spin that is missing.
  void restoreSpin(World& world, View<const Vec4f> x, View<Vec4f> u);

 private:
  struct Body {
    bool free = false, touched = false;
    Vec3d firstMoment{};  // sum of mass times way [kg m]
    Vec3d spin{};         // angular momentum that came into being [kg m^2/s]
  };
  struct Held {
    Index particle, body;
    double mass;
  };
  std::size_t bodyOf(const SurfaceInfo& s) const;
  std::vector<Body> bodies_;  // rigid bodies, then SolidState::bodies
  std::vector<Held> held_;    // each particle once a body, ordered by particle
  std::size_t rigids_ = 0;
  bool squeezed_ = false;
  Vec3d origin_{};
};

struct ContactStage {
  struct Block {
    Buffer<Contact> contacts;  // in the order of the particles
    Index corrected = 0, leaked = 0;
  };
  std::vector<Block> blocks;
  ContactReaction reaction;
  std::vector<GivenImpulse> given;         // of the last resolveContacts, one a rigid body; 0 for free ones
  Buffer<Shift> triangleShift, cellShift;  // cells: over their moving candidates
  float largestShift = 0;                  // of any vertex [m]
};

inline double particleMass(const World& w, Index particle) {  // kg
  return w.scene.fluids[w.fluid.kind[std::size_t(particle)]].density * w.particleVolume;
}

void applyContactImpulses(World& world, const Boundary& boundary, ContactStage& stage, View<const Vec4f> x, View<Vec4f> u);

struct Boundary::Impl {
  float support = 0, contact = 0;
  Vec3d origin{};      // the domain's lower corner, world frame [m]
  Vec3f extent{};      // of the domain [m]
  float roundoff = 0;  // of positions in single precision, with room to spare [m]
  TriangleSet triangles;
  std::vector<Primitive> primitives;  // the domain's walls first
  bool separating = false;            // there are sheets or thin obstacles
  bool anyThinPrimitive = false;
  std::size_t walls = 0, wallOfSide[6] = {};  // their number; a side's among the primitives
  Vec3f wallMin{}, wallMax{};                 // the box they enclose, infinite on open sides [m]
  std::vector<SurfaceInfo> bodySurface;       // per body: what its triangles have in common
  std::vector<RigidMotion> rigidMotion;       // per SolidState::rigid, as the last update saw it
  FeatureTable table;
  ContactStage stage;
  const CellGrid* grid = nullptr;
  float cellSize = 0;  // of the grid last seen [m]
  Vec3<Index> cellDim{};
  Index leaked = 0;

  void readMotion(const World& world);
  CandidateSpan moving(Index cell) const { return triangles.movingLists.at(*grid, cell); }
  CandidateSpan still(Index cell) const { return triangles.stillLists.at(*grid, cell); }
  // Adds to `out` the local minima of the distance from x to triangles within reach. The first form also finds weights; the
  // second leaves them out.
  void collectTriangleHits(const TriangleGeometry& g, const TriangleLanes& candidates, const Vec3f& x, float reach,
                           HitList& out) const;
  void collectTriangleHits(const TriangleGeometry& g, CandidateSpan candidates, const Vec3f& x, float reach, HitList& out) const;
  // Bit s: the domain's side s is a wall nearer than reach.
  unsigned wallsNear(const Vec3f& x, float reach) const;
  // Signed distances to primitives, as hits.
  void collectPrimitiveHits(const Vec3f& x, float reach, bool end, HitList& out) const;
  // Do any of the candidates (of x's cell) stand between x and y?
  bool crossesTriangle(const TriangleGeometry& g, CandidateSpan candidates, const Vec3f& x, const Vec3f& y,
                       bool separatingOnly) const;
  void prepareContacts(Exec& exec, const World& world, View<const Vec4f> xOld, View<const Vec4f> x);
  // Clustered, occlusion-tested features of x; returns their number. sheetDistance is infinite where no sheet is within the
  // support.
  int featuresAt(const Vec3f& x, Index cell, const TriangleLanes& candidates, HitList& hits, Feature (&out)[kMaxFeatures],
                 float& sheetDistance) const;
};

}  // namespace meniscus
