// The fluid on a device, behind plain C types, so that the program and a plug-in may be built by different compilers: what a scene
// has to say, the particles, the outcome of a step, and the calls.
#pragma once

#include <cstdint>

#include "engine/exec/device_arrays.h"
#include "engine/exec/device_options.h"
#include "kernels/core/macros.h"

namespace meniscus {

// What a surface is to particles that touch it.
struct DeviceMaterial {
  double friction;  // Coulomb coefficient
  std::int32_t noSlip;
  std::int32_t rigid;  // the rigid body, fixed and kinematic ones as well, that it belongs to; -1: none, -2: nodes that deform
};
// One triangle and its neighbourhood in its surface, as SurfaceTopology of kernels/contact/surface_set.h.
struct DeviceTriangle {
  std::int32_t node[3], across[3], acrossTri[3];
  std::int32_t owns, body, separates;
  float side;  // the fluid's: +1 where the normal points, -1, 0 both
};
// An analytic solid, or a wall of the domain, as PlacedPrimitive of kernels/contact/placed_primitive.h.
struct DevicePrimitive {
  std::int32_t kind, container, thin;
  double half[3], radius, halfHeight, bound;  // m
  double rotation[9], origin[3];              // row-major, body to world; m
  double frame[9];                            // the shape's own in that of its rigid body
  DeviceMaterial material;
};
// The surfaces of solids. Triangle t is surface t; primitive k is surface -1 - k, the domain's walls are
// the first.
struct DeviceSurfaceDef {
  std::int32_t nodes, triangles, bodies, primitives, walls;  // all 0: no solids
  std::int32_t rigids, moving, free;  // rigid bodies; 1: some solids move, some of them give way to the fluid
  std::int32_t deforming, skins;      // 1: some solids are of nodes that the step moves; some of those enclose fluid
  const double* node;                 // three a node [m]
  const double* rest;                 // the same in the frame of the node's rigid body
  const std::int32_t* rigidOfNode;    // those that move; -1: the node rests, -2: it belongs to a solid that deforms
  const DeviceTriangle* triangle;
  const std::int32_t *ringBegin, *ring;  // triangles at each node
  const DeviceMaterial* body;
  const DevicePrimitive* primitive;
  std::int32_t edges;            // distance constraints of the solids
  const std::int32_t* edgeNode;  // two an edge
};

// A rigid body at the start and at the end of a sub-step.
struct DeviceRigid {
  double xStart[3], x[3];                // centre, relative to the domain's corner [m]
  double rotationStart[9], rotation[9];  // row-major, body to world
  double v[3], omega[3];                 // m/s, rad/s
  double invMass, invInertia[9];         // 1/kg, 1/(kg m^2) in world axes at the start; 0: does not give way
};
// Contacts with bodies that give way, in the order of the particles; as kernels/contact/shared_contact.h.
struct DeviceContactRow {
  float x[4], u[4];
  std::int32_t particle, kind;
};
struct DeviceContact {
  std::int32_t row, surface;
  float n[3], b0, b1, moved[3];
  std::int32_t squeezed;
};
// Nodes of all solids in a sub-step, relative to the domain's corner, three numbers a node.
struct DeviceNodes {
  double *start, *end;  // m
  double* velocity;     // m/s
  double* inverseMass;  // one a node [1/kg]; 0: held, or of a rigid body
};
// Fluid that is connected, without a sheet between.
struct DeviceRegion {
  std::int32_t count, kind;      // particles; the fluid of one away from surfaces
  double asked, error, surface;  // sums of the density term [1/s^2] and of bounded density errors; particles at a surface
  double x[3];                   // of one away from surfaces [m]
};
// What a device has to know of the constraints of solids to make their rows (kernels/solid/own_rows.h). The numbers are always
// there, the arrays where something has changed since the last time.
struct DeviceConstraintTable {
  std::int32_t fresh;  // 1: the arrays are there
  std::int32_t constraints, edges, generals, elements, rows, entries, impulses, items, rest;
  const void *edge, *general, *element, *row;  // StoredEdge, StoredGeneral, StoredElement, OwnRow
  const double* restData;
  const std::int32_t* itemBegin;  // by node, and behind the last one
  const void* item;               // OwnItem
};
// The solids' rows of the joint system of pressures and multipliers: the device makes those of constraints, the program gives those
// of closed volumes and contacts in the system's units (engine/particle/pressure_system.h). Vectors of entries have four floats.
struct DeviceJointRows {
  DeviceConstraintTable table;
  std::int32_t firstOfStep;          // 1: nothing is known of which edges pull
  const double* nodeX;               // three a node: where to linearise [m]
  const double *nodeStart, *lambda;  // at the start of the sub-step, multipliers of the constraints; where it is the first solve
  double dt, solvable, multiplierScale;
  float diagFloor;
  std::int32_t rows, entries;  // given
  const std::int32_t *rowBegin, *rowNode;
  const float *rowGrad, *compliance, *rate, *measure, *diagonal;
  const std::int32_t *entryBegin, *entryRow;  // the entries of the rows by node
  const float* entryGrad;
  const double *nodeVelocity, *bodyVelocity;  // that the solve starts from: three a node, six a rigid body
  const double* bodyHold;                     // directions in which bodies do not give way: 36 a body, RigidHold of kernels/solid
  const double* islands;                      // of those that hold each other: HoldIslands of kernels/solid
  std::int32_t islandNumbers;
  double tolerance, quiet, quietConstraint;  // quiet: of a row, below which there is nothing to solve
  std::int32_t constraintsAct;               // 1: they set the measure of a quiet solve; 2: they do if one of the table has a row
  float* x;                                  // one a row that is given: where the solve starts, and its answer
  // Answers. Accelerations of nodes have in them what constraints that are too weak for a row do to them.
  double *nodeAcceleration, *bodyAcceleration;
  double constraintRows, edgePush2, edgeAll2;  // rows of the table; squares of multipliers of edges: those that pushed, all
  std::int32_t iterations, converged, filmsChanged;
};
// The constraints of solids for coloured sweeps of projections, three numbers a node.
struct DeviceSweep {
  std::int32_t constraints, restCount, colours;
  std::int32_t fresh;      // 1: the constraints, rest data and colours may be others than the last time
  const void* constraint;  // StoredConstraint of kernels/solid/project_constraint.h
  const double* rest;
  const std::int32_t* colourBegin;  // colours + 1; the constraints behind the last one are taken one after the other
  const double* x;
  const double *xPrev, *w, *wNormal, *normal;  // null: of the last solve, with the water that wetNodes() has found
  // Null: multipliers as the last solve or projection left them, without the constraints that the solve took explicitly.
  const double* lambda;
  const std::uint8_t* leftOut;
  std::int32_t again;  // 1: what has been begun is begun once more, with the multipliers of then
  double dt, solvable;
  std::int32_t contacts;               // 1: nodes are kept off obstacles after each sweep
  std::int32_t obstacles;              // analytic solids
  const void *walls, *obstacle;        // ObstacleWalls, NodeObstacle of kernels/contact/node_contact.h
  const double *friction, *clearance;  // a node; clearance [m]: it keeps no more off obstacles than this, null: the margin
  double margin;                       // m
};
// What the program may ask of the device within DeviceBodies::couple. A call returns 0, or an ErrorKind: the program ends its own
// call with it then.
struct DeviceJoint {
  void* device;
  // Finds the water that moves with each node; mass [kg], sum of its normals, three a node, unless null.
  int (*wetNodes)(void* device, double* mass, double* normal);
  int (*solve)(void* device, DeviceJointRows* rows);
  // Of the water before each body of nodes that resists its rigid motion about a pivot (three a body [m]): 21 values a body. Of the
  // momentum and spin about its first node that its constraints gave it in the last solve: 6 values. nodes: begin and end of each.
  int (*waterInertia)(void* device, const double* pivot, const std::int32_t* nodes, double* inertia, double* internal);
  // Takes rigid motions, six numbers a body, from that water.
  int (*takeMotion)(void* device, const double* motion);
  // A projection: its begin, sweeps over all constraints on x (three a node [m]; the first ones on that of the begin), its end with
  // the multipliers and, where a node touched an obstacle, all NodeAtObstacle of kernels/contact/node_contact.h (both null: they
  // stay there). moved: the farthest way from where it was that a node was at, after any of several sweeps
  // without contacts [m].
  int (*beginSweeps)(void* device, const DeviceSweep* sweep);
  int (*sweep)(void* device, std::int32_t times, double* x, double* moved);
  int (*endSweeps)(void* device, double* lambda, void* contacts);
  // After the last projection: multipliers of the constraints and, unless null, NodeAtObstacle::depth of the nodes.
  int (*outcome)(void* device, double* lambda, double* depth);
};
// The program's part in a step: the bodies that move. A call returns 0, or an ErrorKind: the step ends then.
struct DeviceBodies {
  void* user;
  // The greatest speed of any surface now and asked for in the next `remaining` seconds [m/s].
  int (*fastest)(void* user, double remaining, double* speed);
  // Moves all solids by h seconds. nodes: null where none deform.
  int (*move)(void* user, double h, DeviceRigid* rigids, const DeviceNodes* nodes);
  // After the viscous step, where some give way: changes of velocity, six a rigid body and three a node (null where none deform or
  // none is touched). gained: the momentum that they are [N s].
  int (*viscous)(void* user, double h, const double* rigidChange, const double* nodeChange, double* gained);
  // Where some give way. One after the other in a sub-step: the coupling begins, with the
  // velocities without the gravity of the sub-step; before each solve, six velocities a body, its
  // RigidHold (36 values), the numbers of HoldIslands (kept until the next call) and the tolerance; after it, six accelerations a
  // body, and whether another one is wanted; the coupling is over: bodies at their ends, and the six velocities of the last solve.
  int (*beginCoupling)(void* user, double h, double* velocity, const DeviceNodes* nodes);
  int (*beforeSolve)(void* user, double* velocity, double* hold, const double** islands, int* islandNumbers, double* tolerance);
  int (*afterSolve)(void* user, double h, const double* acceleration, int converged, int filmsChanged, int* again);
  int (*endCoupling)(void* user, double h, DeviceRigid* rigids, double* velocity, const DeviceNodes* nodes);
  // Impulses of contacts, and the bodies' way back: changes x and u of the rows.
  int (*contacts)(void* user, DeviceContactRow* rows, int count, const DeviceContact* contacts, int contactCount);
  // After a sub-step. force: of the fluid's pressure, three a rigid body [N]. volumeChange, surface: of the fluid, relative, and
  // the share of its particles at a surface.
  int (*finish)(void* user, double h, const double* force, double volumeChange, double surface);
  // Where some deform, between beginCoupling and endCoupling, in place of beforeSolve and afterSolve. more: what to add to the
  // density term of each of the regions, which may be none; and the whole coupling.
  int (*regions)(void* user, double h, int count, const DeviceRegion* regions, float* more);
  int (*couple)(void* user, double h, const DeviceJoint* device);
};

// Arrays of n particles, x and u of four floats each. e and deficiency may be null; of an upload they are then zero.
struct DeviceParticles {
  std::int32_t n;
  float *x, *u, *p;
  std::uint32_t* id;
  std::uint8_t *kind, *leaked;
  float *e, *deficiency;
};
// A layer of a jet that is let go, with the places of its sites, three numbers a site [m].
struct DeviceLayer {
  const void* place;  // LayerPlace of kernels/fluid/openings.h
  std::int32_t sites;
  const double* site;
};
// What the program may ask of the particles within DeviceOpenings::apply. A call returns 0, or an ErrorKind: the program ends its
// own call with it then.
struct DeviceFlow {
  void* device;
  std::int32_t (*count)(void* device);  // those that are to be taken out as well
  // Finds those at a drain (DrainPlace of kernels/fluid/openings.h) that none has taken; takes of them those with the lowest ids.
  int (*findAt)(void* device, const void* place, std::int32_t* count);
  int (*take)(void* device, std::int32_t most);
  // A byte a site: 1 where a particle is too near.
  int (*findTaken)(void* device, const DeviceLayer* layer, std::uint8_t* taken);
  // More particles; there has to be room for them.
  int (*append)(void* device, const DeviceParticles* particles);
};
// The program's part in a step with emitters and drains: what they do at the start of a sub-step.
struct DeviceOpenings {
  void* user;
  int (*apply)(void* user, double h, const DeviceFlow* flow);
};

// Positions are relative to the domain's lower corner. SI units.
struct DeviceFluidDef {
  double extent[3];  // of the domain [m]
  int wall[6];       // number of the side x lower, x upper, y lower ... among the surfaces; -1: open
  double wallFriction;
  int wallNoSlip;
  double gravity[3];
  double spacing, support, contactDistance, particleVolume;  // m, m, m, m^3
  double cfl;
  int maxSubsteps, askedSubsteps;
  double tolerance;
  int maxIterations;
  double densityCorrection, highPass, xsph;
  int clampSeparation;
  std::int32_t kernelDiagonal;        // 1: that pressure mode, solved by conjugate gradients; 0: the compatible one
  int kinds;                          // of fluids
  const double *density, *viscosity;  // a kind [kg/m^3], kinematic [m^2/s]
  std::int32_t openings, capacity;    // 1: particles come and go; room for so many then
  DeviceSurfaceDef surfaces;
};

// As StepReport, of what fluid alone has.
struct DeviceStepReport {
  int substeps, pressureIterations, pressureSolves, converged;
  char reason[256];  // why not converged
  double densityErrorMean, densityErrorMax, densitySigned, volumeChange, divergenceError, maxSpeed;
  std::int64_t pairs;                          // in the lists of the last sub-step, with the padding of their rows
  int leaked, escaped, lostThroughWalls;       // leaked: ever; the others: in this step
  int contacts;                                // particles corrected by the continuous test
  double impulseOnFluid[3], impulseExchanged;  // N s, of the walls
};

// A call that can fail returns 0, or an ErrorKind and writes a text of at most n bytes; after that the particles have to be
// uploaded again.
struct DeviceFluidCalls {
  int (*create)(const DeviceFluidDef* def, const DeviceOptions* options, void** fluid, char* reason, int n);
  void (*destroy)(void* fluid);
  int (*upload)(void* fluid, const DeviceParticles* particles, char* reason, int n);
  // bodies: null where there are no solids; openings: null where there are neither emitters nor drains
  int (*step)(void* fluid, double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport* report,
              char* reason, int n);
  std::int32_t (*count)(void* fluid);  // particles there are
  int (*download)(void* fluid, const DeviceParticles* particles, char* reason, int n);
  void (*counters)(void* fluid, DeviceCounters* counters);
  // At most `capacity` stages, where they are timed; returns how many there are.
  int (*stages)(void* fluid, DeviceStage* stages, int capacity);
  // What whoever steps this fluid should be told once, a text of at most n bytes; empty: nothing.
  void (*note)(void* fluid, char* text, int n);
  const DeviceArrayCalls* arrays;
};

}  // namespace meniscus

MNS_NS_BEGIN

// Of the device that the asking file is built for; engine/particle/device has them.
const DeviceFluidCalls& deviceFluidCalls();

MNS_NS_END
