// A scene as the user wrote it: plain structs, SI units, world frame (z is up in the assets, but only `gravity` says so).
// Loaders fill it, build() turns it into a World, nothing else reads it.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/scene/grid_def.h"
#include "kernels/core/vec.h"

namespace meniscus {

// x_world = rotate(x_local * scale) + translate
struct Transform {
  Vec3d translate{};  // m
  Quatd rotate{};     // unit quaternion
  Vec3d scale{1, 1, 1};
};

struct MeshFile;

enum class ShapeKind { box, plane, sphere, cylinder, capsule, mesh, sheet };

struct ShapeDef {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{};           // box: full edge lengths [m]; sheet: size.x, size.y in its local xy plane
  double radius = 0;      // sphere, cylinder, capsule [m]
  double mouth = 0;       // sphere: radius of the round hole about local -z of an open skin [m]; 0: none
  double height = 0;      // cylinder, capsule (between the cap centres) along local z [m]
  Vec3d normal{0, 0, 1};  // plane, towards the free side, local frame
  double resolution = 0;  // target edge length of the surface's triangles [m]; 0: two particle spacings, or the exact primitive
  std::string file;       // mesh, resolved against the scene file's folder
  std::shared_ptr<const MeshFile> mesh;  // mesh given as arrays, instead of the file; local frame
  bool container = false;                // the fluid is inside: faces act inwards
  bool openMesh = false;                 // mesh: an open (two-sided) sheet is intended
  std::string inside;  // fluids: the space inside the closed solid of this name; kind, transform and the rest are not used
  SourceRef where;
};

struct KeyFrame {
  double time = 0;    // s
  Vec3d translate{};  // m, added to the transform's
  Quatd rotate{};     // applied after the transform's, about the transform's origin
};

enum class PressureMode { compatible, kernelDiagonal, weaklyCompressible, positionBased };
enum class KrylovMethod { conjugateGradients, bicgstab };

struct SolverDef {
  std::string method = "isph-pbd";
  double dt = 0.002;     // largest step [s]
  double cfl = 0.4;      // sub-step limit: dt <= cfl * spacing / fastest speed
  int maxSubsteps = 64;  // per step; reaching it is a counted status
  // Kernel support radius H in particle spacings. The kernel (kernels/core/smoothing_kernel.h) is made for 2: there a lattice
  // hardly resists small shear. From 2.1 on a lattice falls into disorder by itself.
  double support = 2.0;
  PressureMode pressure = PressureMode::compatible;
  KrylovMethod krylov = KrylovMethod::conjugateGradients;
  double tolerance = 1e-2;            // of the pressure solve, relative residual in the diagonal's norm
  int maxIterations = 500;            // of the pressure solve
  double densityCorrection = 0.5;     // beta: share of the density error removed in a step
  double highPass = 0.02;             // f: weight of the term that removes checkerboard pressures
  double xsph = 0.02;                 // damping of velocity differences at dt = 2 ms, dx = 20 mm; scaled as a viscosity
  double contactDistance = 0.25;      // particles are kept this far off solids, in spacings
  double couplingTolerance = 0.5e-3;  // relative velocity mismatch at the interface (paper, section 8)
  int maxCouplingIterations = 8;
  int constraintIterations = 10;   // Gauss-Seidel sweeps of the solid constraints in a coupling iteration
  int solidSubsteps = 1;           // solid-only scenes and bodies away from the fluid
  bool serialConstraints = false;  // every constraint into the serial overflow group
  bool clampSeparation = true;     // no suction on particles with a deficient kernel
  // of the weakly compressible mode
  double soundSpeed = 0;             // m/s; 0: from densityVariation and the fastest speed the scene can be expected to reach
  double densityVariation = 0.01;    // eta: admissible relative change of density, c = v_max / sqrt(eta)
  double artificialViscosity = 0.1;  // alpha
  // of the position-based mode
  int densityIterations = 4;        // Jacobi iterations over the density constraints
  double constraintRelaxation = 1;  // epsilon, in units of sum |grad C|^2 of a full lattice
  double tensileCorrection = 0.1;   // k of the artificial pressure, as a density error
  // of the grid methods
  GridDef grid;
  CouplingDef coupling;
  SourceRef where;
};

enum class FluidKind { particles, smoke, water };
enum class FlowStart { rest, potential };

struct FluidDef {
  std::string name;
  FluidKind kind = FluidKind::particles;
  std::vector<ShapeDef> shapes;       // filled with particles, or with smoke; a mesh must be closed
  std::vector<Transform> transforms;  // one a shape
  double spacing = 0;                 // dx [m], the same for all fluids of a scene
  double density = 1000;              // kg/m^3
  double viscosity = 0;               // kinematic, m^2/s
  double surfaceTension = 0;          // of its free surface, N/m
  Vec3d velocity{};                   // m/s
  double jitter = 0;                  // random displacement of the start lattice, in spacings, each axis in [-jitter/2, jitter/2]
  bool relax = true;                  // settle the packing at walls before the first step
  bool carve = false;                 // leave out what would lie inside solids, instead of refusing the overlap
  // of smoke, which fills the whole grid
  double smoke = 1;                   // in the shapes at the start
  Vec3d buoyancy{};                   // m/s^2 of fluid with smoke 1
  FlowStart start = FlowStart::rest;  // potential: the flow that the inflows drive is there at once
  std::vector<InflowDef> inflows;
  SourceRef where;
};

enum class OpeningKind { disc, rectangle };

struct EmitterDef {
  std::string name, fluid;
  OpeningKind kind = OpeningKind::disc;
  Transform transform;                 // the opening lies in the local xy plane; the jet leaves along local +z
  double radius = 0;                   // disc [m]
  Vec3d size{};                        // rectangle, x and y [m]
  double speed = 0;                    // m/s, or 0 where rate gives it
  double rate = 0;                     // m^3/s, or 0 where speed gives it
  std::vector<ScheduleSpan> schedule;  // empty: always; in a World ascending and disjoint (mergeSpans)
  double maxVolume = 0;                // m^3; 0: no limit
  SourceRef where;

  double area() const { return kind == OpeningKind::disc ? 3.14159265358979323846 * radius * radius : size.x * size.y; }  // m^2
  double jetSpeed() const { return speed > 0 ? speed : rate / area(); }                                                   // m/s
};

struct DrainDef {
  std::string name;
  OpeningKind kind = OpeningKind::disc;
  Transform transform;           // particles crossing the opening towards local -z, or within depth below it, are removed
  double radius = 0, depth = 0;  // m
  Vec3d size{};
  double rate = 0;  // m^3/s at most; 0: no limit
  std::vector<ScheduleSpan> schedule;
  SourceRef where;
};

enum class SolidKind { fixed, kinematic, rigid, cloth, inflatable, soft };

// How a constraint resists: a compliance in SI units, or the paper's dimensionless PBD stiffness. Exactly one is set.
struct Resistance {
  enum class Kind { none, compliance, stiffness } kind = Kind::none;
  double value = 0;    // compliance: per constraint type (stretch m/N, bend rad^2/J, volume 1/Pa ...); stiffness: 0..1
  double damping = 0;  // s: Rayleigh-like time constant of the XPBD damping
};

enum class BendModel { isometric, dihedral };
enum class MembraneModel { springs, neoHookean };

struct MaterialDef {
  double density = 1000;     // rigid, soft [kg/m^3]
  double arealDensity = 0;   // cloth, inflatable [kg/m^2]
  double youngsModulus = 0;  // soft, and neo-Hookean membranes [Pa]; 0: the springs below
  double poissonRatio = 0.3;
  double thickness = 0;  // membranes [m]
  MembraneModel membrane = MembraneModel::springs;
  BendModel bendModel = BendModel::isometric;
  Resistance stretch, shear, bend, volume;
  double friction = 0;  // Coulomb coefficient, against fluid and solids
  bool noSlip = false;  // the fluid sticks
  double restitution = 0;
  double damping = 0;  // s: of implicit solids, force of a rate of strain over that of the strain
};

struct PinDef {
  // nodes that are within the box or sphere at the start, on the rim, or listed by index are held, or carried by key frames
  enum class Select { indices, box, sphere, rim } select = Select::indices;
  std::vector<Index> indices;
  Vec3d boxMin{}, boxMax{};                                // m, world frame
  Vec3d center{};                                          // m, world frame
  double radius = 0;                                       // m
  std::vector<KeyFrame> motion;                            // empty: held still
  double until = std::numeric_limits<double>::infinity();  // s, when it lets go; of grid methods
  SourceRef where;
};

struct SolidDef {
  std::string name;
  SolidKind kind = SolidKind::fixed;
  ShapeDef shape;
  Transform transform;
  MaterialDef material;
  Vec3d velocity{};              // m/s
  Vec3d angularVelocity{};       // rad/s
  std::vector<KeyFrame> motion;  // kinematic
  std::vector<PinDef> pins;      // cloth, inflatable, soft
  double pressure = 0;           // inflatable: target gauge pressure of a gas inside [Pa]; 0: none (filled with fluid)
  double inflation = 1;          // inflatable: rest volume of the closed-volume constraint over the mesh's volume; 0: none
  double meshVolume = 0;         // soft: largest tetrahedron [m^3]; 0: from the surface's edge length
  GuideDef guide;                // rigid, of grid methods
  SourceRef where;
};

struct CameraDef {
  double time = 0;          // s
  Vec3d eye{}, target{};    // m
  double fieldOfView = 40;  // degrees, upright
};

enum class FluidLook { surface, spheres, hidden };
enum class FluidColour { none, speed, pressure, densityError, vorticity, deficiency, smoke };

// A plane of a grid, in colours.
struct SliceDef {
  int axis = -1;        // it is across: 0, 1, 2 for x, y, z; -1: there is none
  double position = 0;  // m, its coordinate along the axis
};

// How pictures show the scene. What is not said is for the program that makes them to choose.
struct ViewDef {
  std::vector<CameraDef> camera;  // a path, in the order of time; one: it stands still
  FluidLook fluid = FluidLook::surface;
  FluidColour colour = FluidColour::none;
  std::vector<double> range;  // of colours, in the unit of the quantity: low and high; empty: by the values
  bool stretch = false;       // deformable solids are coloured by it
  bool sky = false;           // around the scene; otherwise a studio
  bool shadows = true, tank = true, dark = false;
  double sheetOpacity = 1;
  SliceDef slice;
};

struct OutputDef {
  double every = 0;                  // s between frames; 0: no frames
  std::vector<std::string> formats;  // "vtk", "ply", "surface", "vdb", "png"
  ViewDef view;
};

struct ExpectDef {
  std::string name;  // a summary key, dots for nested ones: "density_error.max"
  bool hasMin = false, hasMax = false;
  double min = 0, max = 0;
  SourceRef where;
};

struct DomainDef {
  Vec3d min{}, max{};                                    // m
  bool walls[6] = {true, true, true, true, true, true};  // -x +x -y +y -z +z; an open side lets particles leave (they are removed)
  double friction = 0;
  bool noSlip = false;
  SourceRef where;
};

struct SceneDef {
  int format = 1;
  std::string file;  // as given on the command line; for messages
  std::string name;
  Vec3d gravity{0, 0, -9.81};  // m/s^2
  double duration = 1;         // s simulated by `run` unless the command line says otherwise
  DomainDef domain;
  SolverDef solver;
  std::vector<FluidDef> fluids;
  std::vector<EmitterDef> emitters;
  std::vector<DrainDef> drains;
  std::vector<SolidDef> solids;
  OutputDef output;
  std::vector<ExpectDef> expect;
  SourceRef where;
  Index maxParticles = 0;  // capacity; 0: the start's count plus what the emitters can emit in `duration`
};

}  // namespace meniscus
