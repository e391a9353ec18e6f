// State of deformable and rigid bodies. Double precision: bodies have few nodes, and stiff constraints amplify round-off.
// World frame, metres, relative to the scene's origin (not the domain's).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/buffer.h"
#include "engine/scene/scene.h"
#include "engine/solid/body_contact_memory.h"
#include "engine/solid/edge_sweep.h"
#include "engine/solid/rigid_normals.h"
#include "engine/solid/rigid_pair_memory.h"
#include "kernels/core/vec.h"
#include "kernels/solid/rigid_hold.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {

enum class ConstraintType : std::uint8_t {
  distance,        // 2 nodes: stretch, shear
  bendDihedral,    // 4 nodes
  bendIsometric,   // 4 nodes
  membrane,        // 3 nodes: neo-Hookean
  tetVolume,       // 4 nodes
  tetDeviatoric,   // 4 nodes: stable neo-Hookean, deviatoric part
  tetHydrostatic,  // 4 nodes: stable neo-Hookean, hydrostatic part
  count
};

// One constraint C(x) = 0 of at most four nodes, hot part.
struct Constraint {
  Index node[4];      // unused ones are -1
  float compliance;   // alpha, SI of its type; stiffness-mode constraints have 0 here
  float stiffness;    // the paper's k in 0..1 per projection, or -1: XPBD
  float damping;      // s
  std::int32_t rest;  // first entry of its rest data in SolidState::rest
  ConstraintType type;
  std::uint8_t reserved;  // 0; without it a byte of padding with any value would be hashed
  std::uint16_t body;
};
static_assert(sizeof(Constraint) == 4 * sizeof(Index) + 3 * sizeof(float) + sizeof(std::int32_t) + 4,
              "no padding: the bytes are hashed");

struct ConstraintSet {
  Buffer<Constraint> items;        // sorted by colour, then by original order
  Buffer<double> lambda;           // XPBD multiplier of each (force = lambda grad C / dt^2), warm start and output
  std::vector<Index> colourBegin;  // colour c: items [colourBegin[c], colourBegin[c+1]); one type, no two share a node
  Index serialBegin = 0;           // items from here on are the serial overflow group
};

// A closed surface whose enclosed volume is held, or which is filled with gas.
struct VolumeConstraint {
  Index body = 0;
  Index triBegin = 0, triEnd = 0;  // in SolidState::tri
  double restVolume = 0;           // m^3
  double compliance = 0;           // m^3/Pa: 0 is incompressible
  double stiffness = -1;           // PBD stiffness 0..1, or -1
  double pressure = 0;             // Pa, gas; used where restVolume = 0
  double lambda = 0;
  bool filled = false;  // with fluid, in this sub-step: that holds the volume, and the constraint rests. Not state
};

struct Body {
  std::string name;
  SolidKind kind = SolidKind::cloth;
  MaterialDef material;
  Index nodeBegin = 0, nodeEnd = 0;
  Index triBegin = 0, triEnd = 0;  // surface
  Index tetBegin = 0, tetEnd = 0;
  bool closed = false;    // surface encloses a volume
  bool twoSided = false;  // a shell that may have fluid on both sides (cloth, inflatable)
  Index rigid = -1;       // >= 0: nodes are the surface of this rigid body
};

struct RigidBody {
  std::string name;
  MaterialDef material;
  ShapeDef shape;  // primitive, or mesh (then `body` has the nodes)
  Vec3d scale{1, 1, 1};
  Index body = -1;
  bool kinematic = false;
  std::vector<KeyFrame> motion;
  Transform start;
  double mass = 0, invMass = 0;   // kg; 0 inverse: kinematic or fixed
  Vec3d inertia{}, invInertia{};  // principal, body frame [kg m^2]
  Vec3d x{}, v{}, omega{};        // centre of mass (fixed and kinematic ones: the transform's origin), m, m/s, rad/s
  Quatd q{};                      // body to world
  Vec3d xPrev{};
  Quatd qPrev{};
  Quatd qFree{};       // where it turns by itself in the sub-step, from qPrev
  Vec3d omegaFree{};   // rad/s, and what it has then
  double reach = 0;    // m, of its farthest point from x
  Vec3d fluidForce{};  // N, of the fluid's pressure on the body in the last sub-step; a result, not state
};

struct Pin {
  Index node;
  Vec3d start;   // m
  Index motion;  // index into SolidState::motions, or -1: held still
  Vec3d origin;  // m, what the key frames rotate about
};

// A node's contact with an obstacle during projectSolids.
struct NodeContact {
  Vec3d n;       // unit normal out of the obstacle, of the last contact
  Vec3d v;       // m/s, the obstacle's there
  Vec3d seen;    // m, where the node was when the obstacle was last looked for
  Vec3d moved;   // m, sum of the corrections, friction included
  double room;   // m, how far from `seen` it cannot touch; negative: not looked for yet
  double depth;  // m, sum of the corrections along the normal
};

// A point of a rigid body near an obstacle, or near another body that moves by itself.
struct RigidContact {
  Index rigid;
  Index other = -1;  // that body
  Vec3d local;       // m, body frame
  Vec3d otherLocal;  // m, the same place in the other body's frame, halfway between the two
  Vec3d n;           // unit normal out of the obstacle, or the other body
  double height;     // m: the gap is n . p + height at the world position p, or what n . (p - other's) and height add up to
  double least;      // m, the gap that the contact keeps
  Vec3d v;           // m/s, the obstacle's there
  double friction;
  double approach;  // m/s, normal velocity before the contact was solved
  double lambda;    // kg m, >= 0, along n
  Vec3d lambdaT;    // kg m, in the tangent plane
  double seed;      // kg m, lambda before the projection
  double load;      // kg m, of lambda what the projections before brought: friction is limited by that, not by what water presses
  std::int64_t sample;  // which of the body's points; those of round parts lie elsewhere on the body as it turns
  bool held;            // by the pressure solve
  bool sticks;          // and in the tangent plane as well: its friction is below its limit
};

// A rigid body that touched something in the step in progress.
struct RigidTouch {
  Index rigid, other;   // other: as in RigidContact
  std::int64_t sample;  // likewise; of two bodies 0
  Vec3d x;              // m, where
};

// Working memory of the solids' stages. A snapshot does not need it.
struct SolidWork {
  Buffer<Vec3d> before;     // m, nodes at the start of the projection
  Buffer<Vec3d> predicted;  // m/s, node velocities before the projection
  Buffer<double> share;     // by constraint: what one projection removes of the violation, stiffness mode
  Buffer<NodeContact> nodeContacts;
  Buffer<double> clearance;       // m, by node, or empty: it keeps no more than this off obstacles, see keepStartingGaps
  Buffer<double> rigidClearance;  // the same by rigid body, to obstacles that face x, -x, y, -y, z and -z
  Buffer<RigidContact> rigidContacts;
  Buffer<RigidContact> heldContacts;  // that carry already, with what they carry: a projection starts from that
  std::vector<NormalRow> normalRows;  // of a rigid body
  RigidPairMemory rigidPairs;
  std::vector<RigidRate> rigidByNodes;    // a rigid body: what contacts with nodes made of its velocities in the projection
  std::vector<RigidTouch> touches;        // since the start of the step, ascending
  std::vector<BodyContact> bodyContacts;  // in the order of their bodies and nodes; those of edges behind
  BodyContactMemory bodyContactMemory;
  Buffer<Vec3d> volumeGradient;  // m^2, by node
  std::vector<ActiveColour> colours;
  Buffer<EdgeFour> edgeFours;
  Buffer<Index> single;  // constraints that are projected one at a time, by colour
  Buffer<NodeMass> nodeMass;
  double gravity = 0;           // m/s^2, magnitude, of the last prediction
  double solvable = kSolvable;  // least compliance beside a joint solve, a share of gWg over the square of the sub-step
};

struct SolidState {
  // nodes, contiguous by body
  Buffer<Vec3d> x, v;   // m, m/s
  Buffer<Vec3d> xPrev;  // m, at the start of the sub-step
  Buffer<Vec3d> xRest;  // m, undeformed
  Buffer<double> w;     // 1/kg; 0: pinned, or node of a rigid body
  Buffer<double> mass;  // kg, lumped, also of pinned nodes
  Buffer<Index> tri;    // 3 a triangle, outward winding where closed; global node numbers
  Buffer<Index> tet;    // 4 a tetrahedron
  Buffer<double> rest;  // rest data of the constraints
  ConstraintSet constraints;
  Buffer<double>
      contactLambda;           // kg m, by node: multiplier of its contact with an obstacle, a warm start like those of constraints
  int couplingIterations = 0;  // of the last sub-step: what the next one may expect
  double multiplierStep = 0;   // s: the sub-step that the multipliers belong to; they scale with its square. 0: none yet
  std::vector<VolumeConstraint> volumes;
  std::vector<Pin> pins;
  std::vector<std::vector<KeyFrame>> motions;
  std::vector<Body> bodies;
  std::vector<RigidBody> rigid;  // also fixed and kinematic ones
  SolidWork work;
};

// How far node i is kept off obstacles that are kept off by the margin [m].
inline double clearanceOf(const SolidState& s, std::size_t i, double margin) {
  return i < s.work.clearance.size() ? std::min(margin, s.work.clearance[i]) : margin;
}

// Index into bodies: their nodes are contiguous and ascend.
inline std::size_t bodyOfNode(const SolidState& s, Index node) {
  const auto after =
      std::upper_bound(s.bodies.begin(), s.bodies.end(), node, [](Index i, const Body& b) { return i < b.nodeBegin; });
  return std::size_t(after - s.bodies.begin()) - 1;
}

}  // namespace meniscus
