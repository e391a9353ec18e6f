/* Meniscus: incompressible fluids and the rigid and deformable solids they push, in both directions. The whole public interface.
 *
 * C99. SI units: metres, kilograms, seconds, radians, pascals. One right-handed world frame; which way is up only the gravity says.
 *
 * Life of a scene: create a context, create a scene, create fluids and bodies in it, step it, read it, destroy it.
 *
 *   Pointers     mnsContext and mnsScene are opaque. What lives in a scene is named by ids of 8 bytes; an id of zeros is null. A
 *                pointer or id that is null, destroyed or of another scene is refused (MNS_ERROR_INVALID_HANDLE), never followed.
 *   Definitions  come from mnsDefault...Def(), are read during the call and not kept. Unless said otherwise every pointer in them
 *                may be null, which means "none".
 *   Results      Every call that can fail returns mnsResult: 0 is success, negative an error. mnsGetLastError() has the sentence
 *                that says what was wrong and what to do, per thread. A call that fails changes nothing, unless it says otherwise.
 *                Nothing is thrown, exits or jumps across this border.
 *   Threads      Contexts and scenes may be used from any thread. A scene has one writer at a time: a call that changes it while
 *                another call uses it, or any call during a step, returns MNS_ERROR_BUSY at once. Calls that only read (marked
 *                "reads") may run at the same time between steps. Different scenes are independent.
 *   Arrays       cross as views: pointer, kind of memory, format, stride, count. Views handed out (marked "borrowed") hold until
 *                the next call that changes the scene. Particles come in the order of ascending ids, nodes in the order of the mesh.
 *   Versions     The same MNS_VERSION_MAJOR is binary compatible: functions are only added, definitions only grow at their end.
 */
#ifndef MENISCUS_H
#define MENISCUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MNS_VERSION_MAJOR 0
#define MNS_VERSION_MINOR 1
#define MNS_VERSION_PATCH 0
#define MNS_VERSION (MNS_VERSION_MAJOR * 10000 + MNS_VERSION_MINOR * 100 + MNS_VERSION_PATCH)

#if defined(MNS_STATIC)
#define MNS_API
#elif defined(_WIN32)
#if defined(MNS_BUILD)
#define MNS_API __declspec(dllexport)
#else
#define MNS_API __declspec(dllimport)
#endif
#else
#define MNS_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ------------------------------------------------------------------------------------------------------------- */

typedef enum mnsResult {
  MNS_OK = 0,
  MNS_PENDING = 1,                       /* mnsScene_Wait: the step is not done yet */
  MNS_INTERRUPTED = 2,                   /* mnsScene_Step: cancelled; the scene is as it was before the step */
  MNS_ERROR_INTERNAL = -1,               /* a bug in Meniscus */
  MNS_ERROR_INVALID_ARGUMENT = -2,       /* a value out of its range, not finite, or a null pointer where one is needed */
  MNS_ERROR_INVALID_HANDLE = -3,         /* a context, scene or id that is null, destroyed or of another scene */
  MNS_ERROR_INVALID_DEFINITION = -4,     /* a definition that did not come from mnsDefault...Def() */
  MNS_ERROR_VERSION_MISMATCH = -5,       /* header and library differ in the major version, or the header is newer */
  MNS_ERROR_OUT_OF_MEMORY = -6,
  MNS_ERROR_BUSY = -7,                   /* a step or another call is using the scene */
  MNS_ERROR_NOT_STARTED = -8,            /* there is no state yet: mnsScene_Start or a step makes it */
  MNS_ERROR_STARTED = -9,                /* only possible before the start */
  MNS_ERROR_DEVICE_NOT_AVAILABLE = -10,  /* the device asked for cannot be used; the text says why */
  MNS_ERROR_DEVICE_MISMATCH = -11,       /* a view of memory that this scene's device cannot reach */
  MNS_ERROR_BUFFER_TOO_SMALL = -12,
  MNS_ERROR_FILE = -13,                  /* a file that is missing, unreadable, damaged or cannot be written */
  MNS_ERROR_SCENE = -14,                 /* what was defined cannot be simulated; the text has a line for each mistake */
  MNS_ERROR_SIMULATION = -15,            /* the state is not finite any more; the scene is as it was before the step */
  MNS_ERROR_CAPACITY = -16,              /* no room for more particles or bodies */
  MNS_ERROR_SNAPSHOT = -17,              /* a snapshot that is damaged, of another version or of another scene */
  MNS_ERROR_NOT_FOUND = -18,             /* no object or parameter of this name */
  MNS_ERROR_WRONG_KIND = -19             /* the body's kind does not have this */
} mnsResult;

/* The constant's name, "MNS_OK" and so on; "MNS_UNKNOWN" for other numbers. Never null. Any thread. */
MNS_API const char* mnsResult_ToString(mnsResult result);

/* What the last failing call of this thread had to say; "" if none failed. Never null; holds until the next failing call of this
 * thread. */
MNS_API const char* mnsGetLastError(void);

/* MNS_VERSION of the library, "0.1.0", and what it was built by and for. */
MNS_API uint32_t mnsGetVersion(void);
MNS_API const char* mnsGetVersionText(void);
MNS_API const char* mnsGetBuildText(void);

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

typedef struct mnsVec3 {
  double x, y, z;
} mnsVec3;

/* Unit quaternion; need not be normalised when given, must not be zero. */
typedef struct mnsQuat {
  double x, y, z, w;
} mnsQuat;

/* Axis-aligned box. */
typedef struct mnsBox {
  mnsVec3 min, max;
} mnsBox;

/* ---- ids ----------------------------------------------------------------------------------------------------------------- */

/* index is counted from 1; generation tells an object from those that had its place before. */
typedef struct mnsFluidId { int32_t index; uint16_t scene; uint16_t generation; } mnsFluidId;
typedef struct mnsBodyId { int32_t index; uint16_t scene; uint16_t generation; } mnsBodyId;
typedef struct mnsEmitterId { int32_t index; uint16_t scene; uint16_t generation; } mnsEmitterId;
typedef struct mnsDrainId { int32_t index; uint16_t scene; uint16_t generation; } mnsDrainId;

#define MNS_IS_NULL(id) ((id).index == 0)
#define MNS_SAME_ID(a, b) ((a).index == (b).index && (a).scene == (b).scene && (a).generation == (b).generation)

/* Ids as integers, for hosts that store them; zero is null. */
#define MNS_STORE_ID(id) ((uint64_t)(uint32_t)(id).index << 32 | (uint64_t)(id).scene << 16 | (uint64_t)(id).generation)
static inline mnsFluidId mnsLoadFluidId(uint64_t v) {
  mnsFluidId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
static inline mnsBodyId mnsLoadBodyId(uint64_t v) {
  mnsBodyId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
static inline mnsEmitterId mnsLoadEmitterId(uint64_t v) {
  mnsEmitterId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
static inline mnsDrainId mnsLoadDrainId(uint64_t v) {
  mnsDrainId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}

/* ---- context ------------------------------------------------------------------------------------------------------------- */

typedef struct mnsContext mnsContext;
typedef struct mnsScene mnsScene;

typedef enum mnsLogLevel { MNS_LOG_DEBUG = 0, MNS_LOG_INFO = 1, MNS_LOG_WARNING = 2, MNS_LOG_ERROR = 3 } mnsLogLevel;

/* topic: "scene", "mesh", "step", "device" ... file and line: of Meniscus' source. The strings hold during the call. Called from
 * any thread, several at once; must not call back into Meniscus. */
typedef void mnsLogFunction(void* user, mnsLogLevel level, const char* topic, const char* message, const char* file, int32_t line);

/* The host's threads. run must call task(taskContext, k) once for every k in [0, count), on any threads, several at once where it
 * can, and return when all have returned. It is called from the thread that steps a scene. */
typedef void mnsTask(void* taskContext, int32_t k);
typedef void mnsRunTasks(void* user, int32_t count, mnsTask* task, void* taskContext);

typedef enum mnsDevice { MNS_DEVICE_AUTO = 0, MNS_DEVICE_CPU = 1, MNS_DEVICE_CUDA = 2 } mnsDevice;

typedef struct mnsContextDef {
  uint32_t structSize, cookie;  /* set by mnsDefaultContextDef */
  mnsDevice device;             /* AUTO: CUDA where it can be used, else the CPU, said once in the log */
  int32_t threads;              /* of each scene's steps; 0: all processors of the process. Results do not depend on it. */
  mnsLogFunction* log;          /* null: nothing is logged */
  void* logUser;
  mnsLogLevel logLevel;         /* the least that is logged; default MNS_LOG_INFO */
  mnsRunTasks* runTasks;        /* null: Meniscus' own threads. Else `threads` (> 0) is the number of tasks a launch is cut into */
  void* tasksUser;
} mnsContextDef;

MNS_API void mnsInitContextDef(mnsContextDef* def, size_t size);
static inline mnsContextDef mnsDefaultContextDef(void) {
  mnsContextDef def;
  mnsInitContextDef(&def, sizeof def);
  return def;
}

/* headerVersion: MNS_VERSION, as the caller was compiled with. def may be null for the defaults. Errors: VERSION_MISMATCH,
 * INVALID_DEFINITION, INVALID_ARGUMENT, DEVICE_NOT_AVAILABLE (CUDA asked for and not usable), OUT_OF_MEMORY. */
MNS_API mnsResult mnsCreateContext(uint32_t headerVersion, const mnsContextDef* def, mnsContext** context);

/* Destroys the context's scenes too; waits for their steps. Null does nothing. */
MNS_API mnsResult mnsDestroyContext(mnsContext* context);

/* What a context would run on. */
typedef struct mnsDeviceInfo {
  uint32_t structSize;
  mnsDevice device;          /* CPU or CUDA */
  bool usable;
  char name[128];            /* "2 threads of this machine", "NVIDIA ..." */
  char reason[256];          /* why it is not usable; "" where it is */
  uint64_t memoryBytes;      /* 0: not known */
} mnsDeviceInfo;

/* The devices of this machine, the CPU first. infos may be null to ask for the count. At most `capacity` are written, each of
 * `stride` bytes (sizeof(mnsDeviceInfo)). */
MNS_API mnsResult mnsGetDevices(mnsDeviceInfo* infos, size_t stride, int32_t capacity, int32_t* count);

/* The host's heap, for all that the library allocates (thread stacks apart). allocate returns memory of the alignment given (a
 * power of two), or null: the call in progress then fails with MNS_ERROR_OUT_OF_MEMORY. Both are called from any thread. */
typedef struct mnsAllocator {
  void* user;
  void* (*allocate)(void* user, size_t bytes, size_t alignment);
  void (*free)(void* user, void* memory);
} mnsAllocator;

/* For the process; null: the C library's. Only while no context exists, else MNS_ERROR_BUSY. Copied. */
MNS_API mnsResult mnsSetAllocator(const mnsAllocator* allocator);

typedef struct mnsMemoryUse {
  uint64_t bytes;        /* allocated now */
  uint64_t peakBytes;    /* at any time since the process started */
  uint64_t allocations;  /* made so far: a steady step makes none */
} mnsMemoryUse;
MNS_API mnsMemoryUse mnsGetMemoryUse(void);

/* ---- scene --------------------------------------------------------------------------------------------------------------- */

typedef enum mnsPressureMode { MNS_PRESSURE_COMPATIBLE = 0, MNS_PRESSURE_KERNEL_DIAGONAL = 1 } mnsPressureMode;
typedef enum mnsKrylov { MNS_KRYLOV_CONJUGATE_GRADIENTS = 0, MNS_KRYLOV_BICGSTAB = 1 } mnsKrylov;

/* Sides of the domain, to be or-ed. */
typedef enum mnsSide {
  MNS_SIDE_MIN_X = 1, MNS_SIDE_MAX_X = 2, MNS_SIDE_MIN_Y = 4, MNS_SIDE_MAX_Y = 8, MNS_SIDE_MIN_Z = 16, MNS_SIDE_MAX_Z = 32
} mnsSide;

typedef struct mnsSceneDef {
  uint32_t structSize, cookie;
  const char* name;         /* UTF-8 */
  mnsBox domain;            /* m; outside it nothing is simulated */
  uint32_t openSides;       /* mnsSide; fluid leaves through these and is removed; default 0: six walls */
  double domainFriction;    /* Coulomb coefficient of the walls */
  bool domainNoSlip;        /* the fluid sticks to the walls */
  mnsVec3 gravity;          /* m/s^2; default (0, 0, -9.81) */
  double spacing;           /* particle spacing dx [m], of all fluids */
  int32_t maxParticles;     /* capacity; 0: what the fluids hold at the start. Beyond it emitters are blocked and say so. */
  double maxStep;           /* s; the longest step that will be asked for; default 0.01. What moves faster is sub-stepped. */
  bool settle;              /* the packing at walls is settled by the start; default true */
  /* The solver, as in the scene file. The defaults serve most scenes. */
  mnsPressureMode pressure;
  mnsKrylov krylov;
  double support;           /* radius of the kernel's support, in spacings; default 2 */
  double cfl;               /* sub-steps: dt <= cfl * spacing / fastest speed; default .4 */
  int32_t maxSubsteps;      /* of a step; default 64 */
  double tolerance;         /* of the pressure solve; default .01 */
  int32_t maxIterations;    /* of the pressure solve; default 500 */
  double densityCorrection; /* share of the density error removed in a step; default .5 */
  double highPass;          /* weight of the term against checkerboard pressures; default .02 */
  double xsph;              /* damping of velocity differences; default .02 */
  double contactDistance;   /* particles are kept this far off solids, in spacings; default .25 */
  double couplingTolerance; /* relative velocity mismatch of fluid and solid that ends the coupling; default .0005 */
  int32_t maxCouplingIterations; /* default 8 */
  int32_t constraintIterations;  /* sweeps over the solids' constraints in a coupling iteration; default 10 */
  int32_t solidSubsteps;         /* of solids in scenes without fluid; default 1 */
} mnsSceneDef;

MNS_API void mnsInitSceneDef(mnsSceneDef* def, size_t size);
static inline mnsSceneDef mnsDefaultSceneDef(void) {
  mnsSceneDef def;
  mnsInitSceneDef(&def, sizeof def);
  return def;
}

/* An empty scene. Errors: INVALID_HANDLE, INVALID_DEFINITION, INVALID_ARGUMENT naming the field, OUT_OF_MEMORY. */
MNS_API mnsResult mnsCreateScene(mnsContext* context, const mnsSceneDef* def, mnsScene** scene);

/* Waits for a step in progress. Null does nothing. */
MNS_API mnsResult mnsDestroyScene(mnsScene* scene);

/* A scene file (see the README), or its text; folder: what mesh files in the text are relative to, null for the working folder.
 * Errors: FILE, SCENE with a line for each mistake ("file:line:column: ..."). */
MNS_API mnsResult mnsLoadScene(mnsContext* context, const char* path, mnsScene** scene);
MNS_API mnsResult mnsLoadSceneText(mnsContext* context, const char* text, size_t length, const char* folder, mnsScene** scene);

/* Writes the scene's definitions, with the parameters as they are now, as a scene file (whole or not at all). Meshes given as
 * arrays are written beside it. Errors: FILE. */
MNS_API mnsResult mnsScene_Save(mnsScene* scene, const char* path);

/* Bytes of memory a scene of this definition takes with so many particles and nodes of deformable bodies, to within a factor of
 * two. */
MNS_API mnsResult mnsEstimateMemory(const mnsSceneDef* def, int64_t particles, int64_t nodes, uint64_t* bytes);

/* ---- stepping ------------------------------------------------------------------------------------------------------------ */

/* Fills the fluids with particles and checks that all fits together. The first step does it too; it can take seconds. Errors:
 * SCENE (a line for each mistake, naming the object), STARTED, OUT_OF_MEMORY. */
MNS_API mnsResult mnsScene_Start(mnsScene* scene);

/* Advances by dt [s], at most the scene's maxStep, in as many sub-steps as needed; returns when done. A step that did not converge
 * is MNS_OK: see mnsStatistics. Errors: BUSY, INVALID_ARGUMENT, SIMULATION (not finite: a smaller dt may help), OUT_OF_MEMORY;
 * after any of them the scene is as it was. */
MNS_API mnsResult mnsScene_Step(mnsScene* scene, double dt);

/* The same on a thread of the scene's. The ticket holds until it has been waited for, or the next step begins. */
typedef struct mnsTicket { uint64_t value; } mnsTicket;
MNS_API mnsResult mnsScene_StepAsync(mnsScene* scene, double dt, mnsTicket* ticket);

/* Waits for at most timeout seconds (0: only looks; negative: as long as it takes). MNS_PENDING if the step is not done; else the
 * step's result, once. */
MNS_API mnsResult mnsScene_Wait(mnsScene* scene, mnsTicket ticket, double timeout);

/* Asks a step in progress to stop after its sub-step; it then returns MNS_INTERRUPTED. Any thread, at any time. */
MNS_API mnsResult mnsScene_Cancel(mnsScene* scene);

/* ---- shapes and materials ------------------------------------------------------------------------------------------------ */

typedef enum mnsShapeKind {
  MNS_SHAPE_BOX = 0,      /* size */
  MNS_SHAPE_PLANE = 1,    /* normal, towards the free side; static only */
  MNS_SHAPE_SPHERE = 2,   /* radius */
  MNS_SHAPE_CYLINDER = 3, /* radius, height along z */
  MNS_SHAPE_CAPSULE = 4,  /* radius, height between the centres of the caps, along z */
  MNS_SHAPE_MESH = 5,     /* file, or arrays */
  MNS_SHAPE_SHEET = 6     /* size.x by size.y in the xy plane */
} mnsShapeKind;

/* In its own frame, centred at its origin (meshes: as their vertices say). */
typedef struct mnsShape {
  uint32_t structSize, cookie;
  mnsShapeKind kind;
  mnsVec3 size;              /* full edge lengths [m] */
  double radius, height;     /* m */
  mnsVec3 normal;
  double scale;              /* of meshes; default 1 */
  double resolution;         /* edge length of the triangles made of it [m]; 0: two spacings, or the exact primitive */
  bool container;            /* the fluid is inside: the faces act inwards */
  bool open;                 /* mesh: a two-sided sheet with a rim is intended */
  const char* file;          /* mesh: OBJ, PLY, STL, OFF; MSH, VTK, TetGen for soft bodies */
  const float* vertices;     /* mesh, instead of file: xyz, 3 floats each [m] */
  int32_t vertexCount;
  const int32_t* triangles;  /* 3 a triangle; outward winding where closed. May be null where there are tetrahedra */
  int32_t triangleCount;
  const int32_t* tetrahedra; /* soft bodies: 4 a tetrahedron. Null: the program tetgen makes them of the surface */
  int32_t tetrahedronCount;
} mnsShape;

MNS_API void mnsInitShape(mnsShape* shape, size_t size);
static inline mnsShape mnsDefaultShape(void) {
  mnsShape shape;
  mnsInitShape(&shape, sizeof shape);
  return shape;
}
static inline mnsShape mnsBoxShape(double x, double y, double z) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_BOX;
  shape.size.x = x;
  shape.size.y = y;
  shape.size.z = z;
  return shape;
}
static inline mnsShape mnsSphereShape(double radius) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_SPHERE;
  shape.radius = radius;
  return shape;
}
static inline mnsShape mnsSheetShape(double x, double y) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_SHEET;
  shape.size.x = x;
  shape.size.y = y;
  return shape;
}

/* How a constraint resists: a compliance in SI units (stretch, shear m/N; bend rad^2/J; volume 1/Pa; 0 is rigid) with the time
 * constant of its damping, or the dimensionless stiffness 0..1 of position-based dynamics. */
typedef enum mnsResistanceKind { MNS_RESISTANCE_NONE = 0, MNS_RESISTANCE_COMPLIANCE = 1, MNS_RESISTANCE_STIFFNESS = 2 } mnsResistanceKind;
typedef struct mnsResistance {
  mnsResistanceKind kind;
  double value;
  double damping; /* s */
} mnsResistance;

/* What means nothing for a kind of body is refused where it is not the default. */
typedef struct mnsMaterial {
  uint32_t structSize, cookie;
  double density;        /* rigid, soft [kg/m^3]; default 1000 */
  double arealDensity;   /* cloth, inflatable [kg/m^2]; must be given */
  double youngsModulus;  /* soft, shells with a thickness [Pa] */
  double poissonRatio;   /* default .3 */
  double thickness;      /* shells, together with youngsModulus [m] */
  bool neoHookean;       /* shells: a neo-Hookean membrane instead of springs along the edges */
  bool dihedralBending;  /* shells: dihedral instead of isometric bending */
  mnsResistance stretch, shear, bend, volume;
  double friction;       /* Coulomb coefficient, against fluid and solids */
  bool noSlip;           /* the fluid sticks */
  double restitution;    /* 0..1, of collisions of solids */
} mnsMaterial;

MNS_API void mnsInitMaterial(mnsMaterial* material, size_t size);
static inline mnsMaterial mnsDefaultMaterial(void) {
  mnsMaterial material;
  mnsInitMaterial(&material, sizeof material);
  return material;
}

/* ---- fluids -------------------------------------------------------------------------------------------------------------- */

typedef struct mnsFluidDef {
  uint32_t structSize, cookie;
  const char* name;       /* unique in the scene; null: one is made */
  const mnsShape* shape;  /* filled with particles at the start; null: only emitters and mnsScene_EmitParticles bring fluid */
  mnsBodyId inside;       /* instead of shape: fills this container or inflatable */
  mnsVec3 position;       /* of the shape [m] */
  mnsQuat rotation;
  double density;         /* kg/m^3; default 1000 */
  double viscosity;       /* kinematic [m^2/s]; default 0 */
  mnsVec3 velocity;       /* m/s */
  bool carve;             /* leave out what lies inside solids, instead of refusing the overlap */
  void* userData;
} mnsFluidDef;

MNS_API void mnsInitFluidDef(mnsFluidDef* def, size_t size);
static inline mnsFluidDef mnsDefaultFluidDef(void) {
  mnsFluidDef def;
  mnsInitFluidDef(&def, sizeof def);
  return def;
}

/* Before the start; errors: STARTED, INVALID_*, CAPACITY (more than 256). */
MNS_API mnsResult mnsCreateFluid(mnsScene* scene, const mnsFluidDef* def, mnsFluidId* fluid);

/* One more volume of the fluid, before the start. */
MNS_API mnsResult mnsFluid_AddShape(mnsScene* scene, mnsFluidId fluid, const mnsShape* shape, mnsVec3 position, mnsQuat rotation);

/* Removes the fluid with its particles, and the emitters that feed it. Before the start only. */
MNS_API mnsResult mnsDestroyFluid(mnsScene* scene, mnsFluidId fluid);

/* Adds particles to a started scene. positions: xyz [m] in the domain, nowhere nearer than half a spacing to each other, to other
 * particles or inside solids; velocities [m/s] may be null for rest. Both: host views of MNS_FORMAT_FLOAT3 or FLOAT4 with the same
 * count. All or none. firstId (may be null) gets the id of the first; the others follow it. Errors: CAPACITY, INVALID_ARGUMENT
 * naming the particle, DEVICE_MISMATCH. */
struct mnsView;
MNS_API mnsResult mnsScene_EmitParticles(mnsScene* scene, mnsFluidId fluid, const struct mnsView* positions,
                                         const struct mnsView* velocities, uint32_t* firstId);

/* Removes particles by id; unknown ids are passed over. removed (may be null) gets the number removed. */
MNS_API mnsResult mnsScene_RemoveParticles(mnsScene* scene, const uint32_t* ids, int32_t count, int32_t* removed);

/* Sets velocities of particles by id [m/s]; a host view of FLOAT3 or FLOAT4. Unknown ids are passed over. */
MNS_API mnsResult mnsScene_SetParticleVelocities(mnsScene* scene, const uint32_t* ids, int32_t count, const struct mnsView* velocities);

/* ---- emitters and drains ------------------------------------------------------------------------------------------------- */

typedef enum mnsOpeningKind { MNS_OPENING_DISC = 0, MNS_OPENING_RECTANGLE = 1 } mnsOpeningKind;

typedef struct mnsEmitterDef {
  uint32_t structSize, cookie;
  const char* name;
  mnsFluidId fluid;
  mnsOpeningKind kind;    /* the opening lies in its local xy plane; the jet leaves along local +z */
  double radius;          /* disc [m] */
  double sizeX, sizeY;    /* rectangle [m] */
  mnsVec3 position;       /* m */
  mnsQuat rotation;
  double speed;           /* m/s; or 0 and */
  double rate;            /* m^3/s */
  double maxVolume;       /* m^3; 0: no limit */
  double begin, end;      /* s of the scene's time; default 0 and infinity */
  void* userData;
} mnsEmitterDef;

typedef struct mnsDrainDef {
  uint32_t structSize, cookie;
  const char* name;
  mnsOpeningKind kind;    /* particles that cross the opening towards local -z, or are within depth below it, are removed */
  double radius;
  double sizeX, sizeY;
  double depth;           /* m */
  mnsVec3 position;
  mnsQuat rotation;
  double rate;            /* m^3/s at most; 0: no limit */
  double begin, end;
  void* userData;
} mnsDrainDef;

MNS_API void mnsInitEmitterDef(mnsEmitterDef* def, size_t size);
MNS_API void mnsInitDrainDef(mnsDrainDef* def, size_t size);
static inline mnsEmitterDef mnsDefaultEmitterDef(void) {
  mnsEmitterDef def;
  mnsInitEmitterDef(&def, sizeof def);
  return def;
}
static inline mnsDrainDef mnsDefaultDrainDef(void) {
  mnsDrainDef def;
  mnsInitDrainDef(&def, sizeof def);
  return def;
}

/* At any time between steps. An emitter needs room: mnsSceneDef::maxParticles. */
MNS_API mnsResult mnsCreateEmitter(mnsScene* scene, const mnsEmitterDef* def, mnsEmitterId* emitter);
MNS_API mnsResult mnsDestroyEmitter(mnsScene* scene, mnsEmitterId emitter);
MNS_API mnsResult mnsCreateDrain(mnsScene* scene, const mnsDrainDef* def, mnsDrainId* drain);
MNS_API mnsResult mnsDestroyDrain(mnsScene* scene, mnsDrainId drain);
/* Moves the opening. speed: m/s, of emitters; 0 shuts it. */
MNS_API mnsResult mnsEmitter_SetTransform(mnsScene* scene, mnsEmitterId emitter, mnsVec3 position, mnsQuat rotation);
MNS_API mnsResult mnsEmitter_SetSpeed(mnsScene* scene, mnsEmitterId emitter, double speed);
/* m^3 let go so far; reads. */
MNS_API mnsResult mnsEmitter_GetVolume(mnsScene* scene, mnsEmitterId emitter, double* volume);
/* Particles taken so far; reads. */
MNS_API mnsResult mnsDrain_GetCount(mnsScene* scene, mnsDrainId drain, uint64_t* count);

/* ---- bodies -------------------------------------------------------------------------------------------------------------- */

typedef enum mnsBodyKind {
  MNS_BODY_STATIC = 0,
  MNS_BODY_KINEMATIC = 1,  /* moves as told: mnsBody_MoveTo, or key frames of a scene file */
  MNS_BODY_RIGID = 2,
  MNS_BODY_CLOTH = 3,
  MNS_BODY_INFLATABLE = 4, /* a closed skin filled with fluid (mnsFluidDef::inside), with gas, or holding its volume */
  MNS_BODY_SOFT = 5
} mnsBodyKind;

/* Nodes held from the start. */
typedef enum mnsPinKind { MNS_PIN_NODES = 0, MNS_PIN_BOX = 1, MNS_PIN_SPHERE = 2, MNS_PIN_RIM = 3 } mnsPinKind;
typedef struct mnsPin {
  mnsPinKind kind;
  const int32_t* nodes; /* NODES */
  int32_t nodeCount;
  mnsBox box;           /* BOX, world frame [m] */
  mnsVec3 center;       /* SPHERE, world frame [m] */
  double radius;
} mnsPin;

typedef struct mnsBodyDef {
  uint32_t structSize, cookie;
  const char* name;             /* unique in the scene; null: one is made */
  mnsBodyKind kind;
  const mnsShape* shape;        /* needed */
  const mnsMaterial* material;  /* null: mnsDefaultMaterial() */
  mnsVec3 position;             /* m */
  mnsQuat rotation;
  mnsVec3 velocity;             /* m/s */
  mnsVec3 angularVelocity;      /* rad/s */
  const mnsPin* pins;           /* cloth, inflatable, soft */
  int32_t pinCount;
  double pressure;              /* inflatable: gauge pressure of a gas inside [Pa]; 0: none */
  double inflation;             /* inflatable: volume to hold over the mesh's; 0: none, as where fluid fills it; default 1 */
  double maxTetVolume;          /* soft: largest tetrahedron to be made [m^3]; 0: by the surface's edges */
  void* userData;
} mnsBodyDef;

MNS_API void mnsInitBodyDef(mnsBodyDef* def, size_t size);
static inline mnsBodyDef mnsDefaultBodyDef(void) {
  mnsBodyDef def;
  mnsInitBodyDef(&def, sizeof def);
  return def;
}

/* Before the start, or between steps: then a body that reaches into fluid is refused (SCENE) unless its place is free. Creating and
 * destroying bodies in a started scene takes about as long as a step. What is wrong with a mesh is said here; how bodies and fluids
 * fit together is checked by the start. */
MNS_API mnsResult mnsCreateBody(mnsScene* scene, const mnsBodyDef* def, mnsBodyId* body);
MNS_API mnsResult mnsDestroyBody(mnsScene* scene, mnsBodyId body);

/* All of these read. */
MNS_API bool mnsBody_IsValid(mnsScene* scene, mnsBodyId body);
MNS_API bool mnsFluid_IsValid(mnsScene* scene, mnsFluidId fluid);
MNS_API bool mnsEmitter_IsValid(mnsScene* scene, mnsEmitterId emitter);
MNS_API bool mnsDrain_IsValid(mnsScene* scene, mnsDrainId drain);
MNS_API mnsResult mnsBody_GetKind(mnsScene* scene, mnsBodyId body, mnsBodyKind* kind);
/* Holds as long as the body. */
MNS_API mnsResult mnsBody_GetName(mnsScene* scene, mnsBodyId body, const char** name);
MNS_API mnsResult mnsBody_GetUserData(mnsScene* scene, mnsBodyId body, void** userData);
MNS_API mnsResult mnsFluid_GetUserData(mnsScene* scene, mnsFluidId fluid, void** userData);
MNS_API mnsResult mnsScene_FindBody(mnsScene* scene, const char* name, mnsBodyId* body);
MNS_API mnsResult mnsScene_FindFluid(mnsScene* scene, const char* name, mnsFluidId* fluid);
MNS_API mnsResult mnsScene_FindEmitter(mnsScene* scene, const char* name, mnsEmitterId* emitter);
MNS_API mnsResult mnsScene_FindDrain(mnsScene* scene, const char* name, mnsDrainId* drain);
/* bodies may be null to ask for the count; at most `capacity` are written. */
MNS_API mnsResult mnsScene_GetBodies(mnsScene* scene, mnsBodyId* bodies, int32_t capacity, int32_t* count);

/* Centre of mass and orientation (static, kinematic: the transform), m; deformable bodies: centre of mass, rotation of the
 * definition. Pointers may be null. Reads; needs a started scene. */
MNS_API mnsResult mnsBody_GetTransform(mnsScene* scene, mnsBodyId body, mnsVec3* position, mnsQuat* rotation);
/* m/s and rad/s; deformable bodies: of the centre of mass, and angular momentum over inertia. Reads. */
MNS_API mnsResult mnsBody_GetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3* linear, mnsVec3* angular);
/* kg; infinite for static and kinematic bodies. Reads. */
MNS_API mnsResult mnsBody_GetMass(mnsScene* scene, mnsBodyId body, double* mass);
/* N, of the fluid's pressure on a rigid, static or kinematic body in the last sub-step. Reads. */
MNS_API mnsResult mnsBody_GetFluidForce(mnsScene* scene, mnsBodyId body, mnsVec3* force);

/* Kinematic bodies: moves to the pose within the next `seconds`, evenly, and rests there. WRONG_KIND for others; INVALID_ARGUMENT
 * where that is faster than maxSubsteps sub-steps resolve. */
MNS_API mnsResult mnsBody_MoveTo(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation, double seconds);
/* Rigid: at once, as if it had always been there; must not land in a static body or outside the domain. */
MNS_API mnsResult mnsBody_SetTransform(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation);
/* Rigid and deformable bodies (all nodes that are not held). */
MNS_API mnsResult mnsBody_SetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3 linear, mnsVec3 angular);
/* Rigid and deformable: N s at a point in the world frame; null: at the centre of mass. Acts at once. On deformable bodies it is a
 * change of their rigid motion. */
MNS_API mnsResult mnsBody_ApplyImpulse(mnsScene* scene, mnsBodyId body, mnsVec3 impulse, const mnsVec3* point);
/* The same as a force [N] over the next step. */
MNS_API mnsResult mnsBody_ApplyForce(mnsScene* scene, mnsBodyId body, mnsVec3 force, const mnsVec3* point);

/* Deformable bodies, by node in [0, node count): */
/* Holds nodes where they are. */
MNS_API mnsResult mnsBody_PinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count);
/* Lets them go, also those pinned by the definition. */
MNS_API mnsResult mnsBody_UnpinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count);
/* Carries a held node (pins it if it is free) to the target [m] within the next `seconds`; it stays there. This is how a player
 * grabs cloth. */
MNS_API mnsResult mnsBody_MoveNode(mnsScene* scene, mnsBodyId body, int32_t node, mnsVec3 target, double seconds);
/* A force on every node [N] over the next step, as from wind; FLOAT3 or FLOAT4, one a node. */
MNS_API mnsResult mnsBody_ApplyNodeForces(mnsScene* scene, mnsBodyId body, const struct mnsView* forces);
MNS_API mnsResult mnsBody_SetNodeVelocities(mnsScene* scene, mnsBodyId body, const struct mnsView* velocities);

/* Inflatables with gas: gauge pressure [Pa]. */
MNS_API mnsResult mnsBody_SetPressure(mnsScene* scene, mnsBodyId body, double pressure);
/* Closed bodies: enclosed volume [m^3]. Reads. */
MNS_API mnsResult mnsBody_GetVolume(mnsScene* scene, mnsBodyId body, double* volume);

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */

typedef enum mnsMemory { MNS_MEMORY_HOST = 0, MNS_MEMORY_CUDA = 1, MNS_MEMORY_GL_BUFFER = 2 } mnsMemory;

typedef enum mnsFormat {
  MNS_FORMAT_FLOAT = 0, MNS_FORMAT_FLOAT3 = 1, MNS_FORMAT_FLOAT4 = 2,
  MNS_FORMAT_UINT8 = 3, MNS_FORMAT_UINT32 = 4, MNS_FORMAT_INT32 = 5, MNS_FORMAT_INT32X3 = 6, MNS_FORMAT_INT32X4 = 7
} mnsFormat;

typedef struct mnsView {
  void* data;
  mnsMemory memory;
  mnsFormat format;
  int64_t stride; /* bytes from one item to the next; 0: they follow each other */
  int64_t count;
} mnsView;

static inline mnsView mnsHostView(const void* data, mnsFormat format, int64_t count) {
  mnsView view;
  view.data = (void*)data;
  view.memory = MNS_MEMORY_HOST;
  view.format = format;
  view.stride = 0;
  view.count = count;
  return view;
}

/* By particle, in the order of ascending ids. */
typedef enum mnsParticleField {
  MNS_PARTICLE_POSITION = 0,      /* FLOAT4: xyz [m] and inverse mass [1/kg] */
  MNS_PARTICLE_VELOCITY = 1,      /* FLOAT4: xyz [m/s], 0 */
  MNS_PARTICLE_PRESSURE = 2,      /* FLOAT [Pa], of the last solve */
  MNS_PARTICLE_DENSITY_ERROR = 3, /* FLOAT: density over rest density, minus 1; 0 where negative at a free surface */
  MNS_PARTICLE_DEFICIENCY = 4,    /* FLOAT: missing share of the kernel; > .2 at a free surface */
  MNS_PARTICLE_ID = 5,            /* UINT32: ascending, never reused */
  MNS_PARTICLE_FLUID = 6,         /* INT32: index of its mnsFluidId */
  MNS_PARTICLE_LEAKED = 7         /* UINT8: 1 once its path has crossed a solid's surface */
} mnsParticleField;

/* By node, triangle or tetrahedron of a deformable body, or of a rigid or static one with a mesh. */
typedef enum mnsBodyField {
  MNS_NODE_POSITION = 0,  /* FLOAT4: xyz [m] and inverse mass [1/kg]; 0: held, or of a body that moves as a whole */
  MNS_NODE_VELOCITY = 1,  /* FLOAT4: xyz [m/s], 0 */
  MNS_NODE_NORMAL = 2,    /* FLOAT4: unit outward normal by area, 0; nodes off the surface: 0 */
  MNS_BODY_TRIANGLES = 3, /* INT32X3: the surface, outward where closed */
  MNS_BODY_TETRAHEDRA = 4 /* INT32X4 */
} mnsBodyField;

/* Borrowed views on the host. Read; need a started scene. */
MNS_API mnsResult mnsScene_GetParticles(mnsScene* scene, mnsParticleField field, mnsView* view);
MNS_API mnsResult mnsBody_GetArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, mnsView* view);

/* Copies into memory of the caller's (host), of the field's format; count: its room. written (may be null) gets the number of items.
 * Errors: BUFFER_TOO_SMALL (nothing is written), INVALID_ARGUMENT (another format), DEVICE_MISMATCH. */
MNS_API mnsResult mnsScene_CopyParticles(mnsScene* scene, mnsParticleField field, const mnsView* to, int64_t* written);
MNS_API mnsResult mnsBody_CopyArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, const mnsView* to, int64_t* written);

/* ---- events -------------------------------------------------------------------------------------------------------------- */

typedef enum mnsEventKind {
  MNS_EVENT_TOUCH_BEGIN = 0, /* body is wetted by fluid (other is null), or touches the body `other` */
  MNS_EVENT_TOUCH_END = 1,
  MNS_EVENT_LEAK = 2,        /* particle has crossed a surface, at position */
  MNS_EVENT_DRAIN = 3,       /* particle was taken by drain */
  MNS_EVENT_ESCAPE = 4,      /* particle left through an open side */
  MNS_EVENT_OVERFLOW = 5,    /* emitters found no room: capacity reached; value: particles not let go */
  MNS_EVENT_UNCONVERGED = 6, /* the step ended short of a tolerance: mnsScene_GetStatusText; value: coupling residual */
  MNS_EVENT_NOT_FINITE = 7   /* the step failed and was taken back */
} mnsEventKind;

typedef struct mnsEvent {
  mnsEventKind kind;
  uint32_t particle;
  mnsBodyId body, other;
  mnsDrainId drain;
  mnsVec3 position; /* m */
  double value;
} mnsEvent;

/* Of the last step. events may be null to ask for the count; at most `capacity` of `stride` bytes (sizeof(mnsEvent)) are written.
 * Reads. */
MNS_API mnsResult mnsScene_GetEvents(mnsScene* scene, mnsEvent* events, size_t stride, int32_t capacity, int32_t* count);

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

/* All read and need a started scene. */

typedef struct mnsRayHit {
  bool hit;
  double share;      /* of the ray, 0..1 */
  mnsVec3 position;  /* m */
  mnsVec3 normal;    /* unit, against the ray */
  mnsBodyId body;    /* null: a fluid particle or the domain's walls */
  int32_t triangle;  /* of the body's surface, or -1 */
  uint32_t particle; /* where fluid was hit */
  bool fluid;
} mnsRayHit;

typedef enum mnsQueryFilter { MNS_QUERY_BODIES = 1, MNS_QUERY_FLUID = 2 } mnsQueryFilter;

/* The first thing on the way from origin to origin + ray [m]. Particles count as spheres of half a spacing. */
MNS_API mnsResult mnsScene_RayCast(mnsScene* scene, mnsVec3 origin, mnsVec3 ray, uint32_t filter, mnsRayHit* hit);

/* Bodies, and ids of particles, with a point in the sphere [m]. Each pair may be null; counts are of all found, of which at most the
 * capacities are written. */
MNS_API mnsResult mnsScene_OverlapSphere(mnsScene* scene, mnsVec3 center, double radius, mnsBodyId* bodies, int32_t bodyCapacity,
                                         int32_t* bodyCount, uint32_t* particles, int32_t particleCapacity, int32_t* particleCount);

typedef struct mnsFluidSample {
  double filled;    /* share of the kernel around the point that fluid fills: 0 in air, about 1 inside */
  double density;   /* kg/m^3, of the fluid there; 0 in air */
  double pressure;  /* Pa */
  mnsVec3 velocity; /* m/s */
} mnsFluidSample;

/* The fluid at points, by kernel interpolation. points: FLOAT3 or FLOAT4, host; samples: as many, of `stride` bytes. */
MNS_API mnsResult mnsScene_SampleFluid(mnsScene* scene, const mnsView* points, mnsFluidSample* samples, size_t stride);

typedef struct mnsBuoyancy {
  double volume;    /* m^3 of the sphere that is under water */
  mnsVec3 force;    /* N: buoyancy of that volume, against gravity */
  mnsVec3 center;   /* m: centre of that volume */
  mnsVec3 velocity; /* m/s: mean of the water there */
} mnsBuoyancy;

/* What water would do to a sphere of the host's that is not a body of the scene (a game's own boat or swimmer). */
MNS_API mnsResult mnsScene_ProbeBuoyancy(mnsScene* scene, mnsVec3 center, double radius, mnsBuoyancy* buoyancy);

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

/* What can be changed between steps, by name: "gravity.z", "solver.xsph", "fluids.water.viscosity", "solids.NAME.friction",
 * "solids.NAME.stretch.compliance", "emitters.NAME.speed" ... What a slider needs. */
typedef struct mnsParameter {
  uint32_t structSize;
  char name[128];
  char unit[16];   /* "" for pure numbers */
  char help[128];
  double value, initial;
  double min, max;  /* what is accepted; may be infinite */
  double low, high; /* a sensible range for a slider; finite */
  bool integer;
  bool logarithmic; /* better shown on a logarithmic scale */
} mnsParameter;

MNS_API mnsResult mnsScene_GetParameterCount(mnsScene* scene, int32_t* count); /* reads */
/* parameter->structSize must be set. Reads. */
MNS_API mnsResult mnsScene_GetParameter(mnsScene* scene, int32_t k, mnsParameter* parameter);
/* Read; NOT_FOUND with a suggestion. */
MNS_API mnsResult mnsScene_FindParameter(mnsScene* scene, const char* name, mnsParameter* parameter);
MNS_API mnsResult mnsScene_GetValue(mnsScene* scene, const char* name, double* value);
/* Acts from the next step on. */
MNS_API mnsResult mnsScene_SetValue(mnsScene* scene, const char* name, double value);

/* ---- statistics ---------------------------------------------------------------------------------------------------------- */

typedef struct mnsStatistics {
  uint32_t structSize;
  double time;                   /* s simulated */
  uint64_t steps;
  int64_t particles, particleCapacity, peakParticles, nodes, constraints;
  /* of the last step */
  double milliseconds;
  int32_t substeps, substepsUndone;
  int32_t pressureIterations, pressureSolves, couplingIterations;
  double couplingResidual;       /* relative mismatch of velocities at the interface */
  bool converged;
  double densityErrorMean, densityErrorMax; /* |rho / rho0 - 1| */
  double volumeChange;           /* relative, of the whole fluid */
  double divergenceError;
  double maxSpeed;               /* m/s */
  int64_t contacts;
  int64_t emitted, drained, escaped, blocked;
  /* since the start */
  int64_t leaked;                /* particles */
  uint64_t memoryBytes;          /* held by the scene's state and solver */
} mnsStatistics;

/* statistics->structSize must be set; reads. Before the start all is zero. */
MNS_API mnsResult mnsScene_GetStatistics(mnsScene* scene, mnsStatistics* statistics);
/* Why the last step did not converge, "" if it did. Holds until the next step. Reads. */
MNS_API mnsResult mnsScene_GetStatusText(mnsScene* scene, const char** text);
/* What was adjusted or mended when the scene was made, a line each; "" for nothing. Holds as long as the scene is not changed. */
MNS_API mnsResult mnsScene_GetNotes(mnsScene* scene, const char** notes);

typedef struct mnsStage {
  const char* name; /* holds as long as the scene */
  double seconds;   /* since the start or the last reset */
} mnsStage;
MNS_API mnsResult mnsScene_GetStages(mnsScene* scene, mnsStage* stages, int32_t capacity, int32_t* count); /* reads */
MNS_API mnsResult mnsScene_ResetStages(mnsScene* scene);

/* ---- snapshots ----------------------------------------------------------------------------------------------------------- */

/* The whole state of a started scene. buffer may be null to ask for the size. Goes on bit by bit as the original would. A snapshot
 * fits scenes with the same bodies, made in the same order; parameters are not in it. Errors: BUFFER_TOO_SMALL. Reads. */
MNS_API mnsResult mnsScene_Snapshot(mnsScene* scene, void* buffer, size_t capacity, size_t* size);
/* SNAPSHOT, and nothing is changed, for one that is damaged or of another scene. Starts a scene that is not started. */
MNS_API mnsResult mnsScene_Restore(mnsScene* scene, const void* buffer, size_t size);
/* The same as files, written whole or not at all; the ones `meniscus run --resume` takes. */
MNS_API mnsResult mnsScene_SaveSnapshot(mnsScene* scene, const char* path);
MNS_API mnsResult mnsScene_LoadSnapshot(mnsScene* scene, const char* path);

/* 64 bits over the whole state: equal runs have equal hashes, on any number of threads. Reads. */
MNS_API mnsResult mnsScene_GetHash(mnsScene* scene, uint64_t* hash);

#ifdef __cplusplus
}
#endif

#endif
