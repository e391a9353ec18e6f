// The solids' part of a step. Called in this order: predict, (rows, project)*, finish.
#pragma once

#include <limits>
#include <utility>
#include "engine/exec/exec.h"
#include "engine/scene/mesh.h"
#include "engine/solid/solid_state.h"
#include "kernels/solid/linearise_edge.h"

namespace meniscus {

class ConstraintSweeps;
class RigidPairs;

// A static or moving obstacle for solid nodes: returns the signed distance [m] to the nearest obstacle surface within reach of x,
// with the unit normal n out of the obstacle and the obstacle's velocity v at the closest point. Solids stay free of the particle
// code by seeing obstacles through this.
struct Obstacles {
  virtual ~Obstacles() = default;
  // friction: Coulomb coefficient. Returns false when nothing is within reach. May be called from several threads.
  virtual bool nearest(const Vec3d& x, double reach, double& distance, Vec3d& n, Vec3d& v, double& friction) const = 0;
  // The rigid bodies that touch each other as well; null: none do.
  virtual const RigidPairs* pairs() const { return nullptr; }
};

// xPrev = x; free nodes and rigid bodies: v += dt g, x = xPrev + dt v (rigid: also q from omega, with the gyroscopic term);
// gas does not act yet (applyGasPressure, volume.h);
// pinned nodes and kinematic bodies: x, q at their target for time t + dt, v = (x - xPrev)/dt, omega likewise.
void predictSolids(Exec& exec, SolidState& s, const Vec3d& g, double t, double dt);

// One linearised compliant constraint: sum_k grad_k . dx_k + alphaTilde * lambda = -C at the positions given.
struct ConstraintRow {
  Index constraint;   // index into constraints.items, or -1 - volumeIndex, or one of the following
  Index begin, end;   // entries
  double C;           // value of the constraint at x
  double alphaTilde;  // alpha / dt^2
  double lambda;      // starting value
};
constexpr Index kContactRow = std::numeric_limits<Index>::max();  // a node on an obstacle
constexpr Index kModeRow = kContactRow - 1;                       // of an elastic element
constexpr Index kBodyContactRow = kContactRow - 2;                // a node on another deformable body
struct RowEntry {
  Index node;
  Vec3d grad;
};
// What a rigid body has in a row: gradient by its position, and by a turn about its centre.
struct RigidRowEntry {
  Index row, rigid;
  Vec3d linear, angular;
};
// A tetrahedron or membrane triangle of which the whole energy takes part: a row for each mode of its second-order model.
struct ElasticElement {
  Index constraint, hydrostatic;  // indices into constraints.items; the second may be -1
  Index rowBegin, rowEnd, firstMode;
  Mat3d taken;  // dt^2 V dpsi/dF, negative: what is not in the rows [kg m^2]
};
// An edge (a distance constraint) of the joint solve: rows along it and across it, see kernels/solid/edge_row.h.
struct SolidEdge {
  enum State : std::uint8_t { off, weak, pulls, taut };  // no row; explicit; a row along it; rows across it as well
  Index constraint;
  State state;
  Vec3d n;               // unit, from its second node to its first
  Vec3d moved;           // of the first against the second since the start of the step [m]
  double C, alphaTilde;  // along
  double acrossTilde;    // alpha / dt^2 across: length / (dt^2 tension)
  double lambda;         // starting value along

  bool hasRow() const { return state == pulls || state == taut; }
};
struct RowList {
  bool constraintsElsewhere = false;  // those of SolidState::constraints are linearised by others: there are rows of the rest only
  std::vector<SolidEdge> edges;       // every distance constraint, ascending
  std::vector<ConstraintRow> rows;
  std::vector<RowEntry> entries;
  // Constraints so weak beside the inertia of their nodes that their force can be taken from the positions given: multipliers, and
  // the impulses dt^2 * force on the nodes [kg m].
  std::vector<std::pair<Index, double>> weak;
  std::vector<RowEntry> weakImpulses;
  std::vector<ElasticElement> elements;
  std::vector<Mat3d> modes;  // Q_k of the elements' rows, in their order
  // once known: per constraint, the hydrostatic part of a deviatoric one, or -1; the constraints of the rows that are neither edges
  // nor elements; the elements
  std::vector<Index> partner, general, element;
  // Of each of `general`, at s.x: what becomes of it, and where that goes.
  using Outcome = RowOutcome;
  struct Evaluated {
    double C, alphaTilde;
    Vec3d grad[4];
    Index number, first;  // among the rows and entries, or among the weak ones and their impulses
  };
  std::vector<Evaluated> evaluated;
  std::vector<Outcome> outcome;
  std::vector<std::uint8_t> freeNodes;
  // By node: distance and normal of the obstacle it touches; negative infinity where it touches none.
  struct Touch {
    double distance;
    Vec3d n;
  };
  std::vector<Touch> touches;
  std::vector<RigidRowEntry> rigidEntries;  // ascending; at most one a row
  // Contacts of bodies with each other: of the rows from the first one on, their index into SolidWork::bodyContacts.
  std::vector<Index> bodyContact;
  Index firstBodyContact = 0;
};
// Rows of all constraints, to be solved together with the pressure, linearised at s.x: edges, the others of at most four nodes,
// closed-volume constraints, contacts of nodes with obstacles (by distance: where s.x touches) and, last, of bodies with each other
// (those of SolidWork::bodyContacts that act). A taut edge (by its multiplier)
// has rows across it with the compliance L/T: they carry the turning of its force, without which the linearisation is
// not one of the force and repeating it diverges where T dt^2 / (L m) > 1. Tetrahedra and membranes that have an energy are not
// linearised as constraints but have a row a mode (kernels/solid/elastic_modes.h).
// contact, edge (may be null): per node, whether its contact has a row; per constraint, whether it has one if it is an edge. By
// state: where s.x touches; where the edge is longer than at rest or pulled last.
enum class ActiveRow : std::uint8_t { byState, never, always };
void constraintRows(Exec& exec, const SolidState& s, const Obstacles* obstacles, double contactMargin, double dt,
                    const ActiveRow* contact, const ActiveRow* edge, RowList& rows);

// Multipliers back from the joint solve, for s.x as it left it: lambda[r] of row r, edgeLambda[k] of edge k. Without a row, 0.
void storeMultipliers(SolidState& s, const RowList& rows, double dt, const double* lambda, const double* edgeLambda);
// Zero multipliers: the start of a projection without a joint solve.
void resetMultipliers(SolidState& s);

// Gauss-Seidel sweeps of XPBD over all constraints, obstacle contacts included, on s.x; multipliers start from constraints.lambda.
// invMassNormal/normal (may be null): anisotropic inverse mass of a node: w in the tangent plane, invMassNormal along the unit
// `normal` (water that has to move with a light sheet). The gradients are taken at the moving positions, which alone would brake
// rotation; bodies without pinned nodes therefore get back the angular momentum that their own constraints took, by a rigid
// rotation. Rigid bodies have v and omega changed with their pose. leftOut (may be null): per constraint, 1 where it is taken as an
// explicit force and not projected. elsewhere (may be null, only with normal): where the sweeps over the constraints are made.
void projectSolids(Exec& exec, SolidState& s, const Obstacles* obstacles, double contactMargin, double dt, int iterations,
                   const double* invMassNormal, const Vec3d* normal, const std::uint8_t* leftOut = nullptr,
                   ConstraintSweeps* elsewhere = nullptr);

// v = (x - xPrev)/dt for free nodes; restitution at the contacts of the last projection; nodes of rigid bodies get their
// velocities. For steps without fluid.
void finishSolids(Exec& exec, SolidState& s, double dt);

// A whole step of solids alone: substeps times predict, project, finish.
void stepSolids(Exec& exec, SolidState& s, const Obstacles* obstacles, double contactMargin, const Vec3d& g, double t, double dt,
                int substeps, int iterations);

// Kinetic, elastic and gravitational energy [J]; gravitational relative to the origin.
struct SolidEnergy {
  double kinetic = 0, elastic = 0, potential = 0;
};
SolidEnergy energyOfSolids(const SolidState& s, const Vec3d& g);

// ---- building ----

// Appends a cloth or inflatable body; mesh in world coordinates. Returns the body's index.
Index addShell(SolidState& s, const SolidDef& def, const SurfaceMesh& mesh);
// Appends a soft body. Throws Error(input) for tetrahedra of zero or negative volume, naming them.
Index addSoft(SolidState& s, const SolidDef& def, const TetMesh& mesh);
// Appends a fixed, kinematic or rigid body. mesh: world coordinates, for ShapeKind::mesh and sheet (closed for rigid); null for
// primitives. Returns the index into SolidState::rigid.
Index addRigid(SolidState& s, const SolidDef& def, const SurfaceMesh* mesh);
// After all bodies are added: colours the constraints (greedy, deterministic), or puts all into the serial group.
void colourConstraints(SolidState& s, bool serial);

// Signed volume enclosed by triangles [begin, end) of s.tri [m^3].
double enclosedVolume(const SolidState& s, Index triBegin, Index triEnd);

}  // namespace meniscus
