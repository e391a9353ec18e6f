/** @file
 * Meniscus: incompressible fluids and the rigid and deformable solids they push, in both directions. The whole public interface.
 *
 * C99. SI units: metres, kilograms, seconds, radians, pascals. One right-handed world frame; which way is up only the gravity says.
 *
 * Life of a scene: create a context, create a scene, create fluids and bodies in it, step it, read it, destroy it.
 *
 *   Pointers     mnsContext and mnsScene are opaque. What lives in a scene is named by ids of 8 bytes; an id of zeros is null. What
 *                is null, destroyed or of another scene is refused (MNS_ERROR_INVALID_HANDLE), not followed: an id always, a
 *                pointer until a context or scene made later has its address, which is then the one that it means.
 *   Definitions  come from mnsDefault...Def(), are read during the call and not kept. Unless said otherwise every pointer in them
 *                may be null, which means "none".
 *   Results      Every call that can fail returns mnsResult: 0 is success, negative an error. mnsGetLastError() has the sentence
 *                that says what was wrong and what to do, per thread. A call that fails changes nothing, neither in a scene nor
 *                where its pointers lead (an id or handle that was to be made keeps its value), unless it says otherwise.
 *                Nothing is thrown, exits or jumps across this border.
 *   Threads      Contexts and scenes may be used from any thread. A scene has one writer at a time: a call that changes it while
 *                another call uses it, or any call during a step, returns MNS_ERROR_BUSY at once. Calls that only read (marked
 *                "reads") may run at the same time between steps. Different scenes are independent. Every call computes with
 *                IEEE arithmetic, rounding to nearest without traps, whatever the thread it is on has set, and gives that back.
 *                After fork() the child cannot use what the parent made; it makes its own.
 *   Arrays       cross as views: pointer, kind of memory, format, stride, count. Views handed out (marked "borrowed") hold until
 *                the next call that changes the scene. Particles come in the order of ascending ids, nodes in that of the mesh.
 *   Versions     The same MNS_VERSION_MAJOR is binary compatible: functions are only added, definitions only grow at their end.
 */
/* clang-format off: comments stand in columns */
#ifndef MENISCUS_H
#define MENISCUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Changes when programs must be compiled anew; the soname. */
#define MNS_VERSION_MAJOR 0
/** Changes when functions or fields are added. */
#define MNS_VERSION_MINOR 1
/** Changes when only the behaviour is mended. */
#define MNS_VERSION_PATCH 0
/** The version as one number, for mnsCreateContext and for `#if`. */
#define MNS_VERSION (MNS_VERSION_MAJOR * 10000 + MNS_VERSION_MINOR * 100 + MNS_VERSION_PATCH)

/** @def MNS_API
 * Marks what the library exports. Define MNS_STATIC where Meniscus is linked as a static library. */
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
/** @defgroup results Results
 *  @{ */

/** What a call came to: 0 is success, positive numbers are not errors, negative ones are. */
typedef enum mnsResult {
  MNS_OK = 0,                           /**< done */
  MNS_PENDING = 1,                      /**< mnsScene_Wait: the step is not done yet */
  MNS_INTERRUPTED = 2,                  /**< mnsScene_Step: cancelled; the scene is as it was before the step */
  MNS_ERROR_INTERNAL = -1,              /**< a bug in Meniscus */
  MNS_ERROR_INVALID_ARGUMENT = -2,      /**< a value out of its range, not finite, or a null pointer where one is needed */
  MNS_ERROR_INVALID_HANDLE = -3,        /**< a context, scene or id that is null, destroyed or of another scene */
  MNS_ERROR_INVALID_DEFINITION = -4,    /**< a definition that did not come from mnsDefault...Def() */
  MNS_ERROR_VERSION_MISMATCH = -5,      /**< header and library differ in the major version, or the header is newer */
  MNS_ERROR_OUT_OF_MEMORY = -6,         /**< the allocator gave null */
  MNS_ERROR_BUSY = -7,                  /**< a step or another call is using the scene */
  MNS_ERROR_NOT_STARTED = -8,           /**< there is no state yet: mnsScene_Start or a step makes it */
  MNS_ERROR_STARTED = -9,               /**< only possible before the start */
  MNS_ERROR_DEVICE_NOT_AVAILABLE = -10, /**< the device asked for cannot be used; the text says why */
  MNS_ERROR_DEVICE_MISMATCH = -11,      /**< a view of memory that this scene's device cannot reach */
  MNS_ERROR_BUFFER_TOO_SMALL = -12,     /**< the memory given does not hold the result */
  MNS_ERROR_FILE = -13,                 /**< a file that is missing, unreadable, damaged or cannot be written */
  MNS_ERROR_SCENE = -14,                /**< what was defined cannot be simulated; the text has a line for each mistake */
  MNS_ERROR_SIMULATION = -15,           /**< the state is not finite any more; the scene is as it was before the step */
  MNS_ERROR_CAPACITY = -16,             /**< no room for more particles or bodies */
  MNS_ERROR_SNAPSHOT = -17,             /**< a snapshot that is damaged, of another version or of another scene */
  MNS_ERROR_NOT_FOUND = -18,            /**< no object or parameter of this name */
  MNS_ERROR_WRONG_KIND = -19            /**< the body's kind does not have this */
} mnsResult;

/** The constant's name, "MNS_OK" and so on; "MNS_UNKNOWN" for other numbers. Never null. Any thread. */
MNS_API const char* mnsResult_ToString(mnsResult result);

/** What the last failing call of this thread had to say; "" if none failed. Never null; holds until the next failing call of this
 * thread. */
MNS_API const char* mnsGetLastError(void);

/** MNS_VERSION of the library. */
MNS_API uint32_t mnsGetVersion(void);
/** The library's version as text, "0.1.0". */
MNS_API const char* mnsGetVersionText(void);
/** What the library was built by and for. */
MNS_API const char* mnsGetBuildText(void);

/** @} */

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */
/** @defgroup numbers Numbers
 *  @{ */

/** Point or vector in the world frame, if nothing else is said. */
typedef struct mnsVec3 {
  double x; /**< first axis */
  double y; /**< second axis */
  double z; /**< third axis; up with the default gravity */
} mnsVec3;

/** Unit quaternion; need not be normalised when given, must not be zero. */
typedef struct mnsQuat {
  double x; /**< axis x, times the sine of half the angle */
  double y; /**< axis y, times the sine */
  double z; /**< axis z, times the sine */
  double w; /**< cosine of half the angle; 1 in the identity */
} mnsQuat;

/** Axis-aligned box. */
typedef struct mnsBox {
  mnsVec3 min; /**< corner of the least coordinates */
  mnsVec3 max; /**< corner of the greatest coordinates */
} mnsBox;

/** @} */

/* ---- ids ----------------------------------------------------------------------------------------------------------------- */
/** @defgroup ids Ids
 *  @{ */

/* index is counted from 1; generation tells an object from those that had its place before. */
/** Names a fluid of a scene. */
typedef struct mnsFluidId {
  int32_t index;       /**< from 1; 0: null */
  uint16_t scene;      /**< tells its scene from others */
  uint16_t generation; /**< tells it from those that had its place before */
} mnsFluidId;
/** Names a body of a scene. */
typedef struct mnsBodyId {
  int32_t index;       /**< from 1; 0: null */
  uint16_t scene;      /**< tells its scene from others */
  uint16_t generation; /**< tells it from those that had its place before */
} mnsBodyId;
/** Names an emitter of a scene. */
typedef struct mnsEmitterId {
  int32_t index;       /**< from 1; 0: null */
  uint16_t scene;      /**< tells its scene from others */
  uint16_t generation; /**< tells it from those that had its place before */
} mnsEmitterId;
/** Names a drain of a scene. */
typedef struct mnsDrainId {
  int32_t index;       /**< from 1; 0: null */
  uint16_t scene;      /**< tells its scene from others */
  uint16_t generation; /**< tells it from those that had its place before */
} mnsDrainId;

/** Whether an id of any kind is null. */
#define MNS_IS_NULL(id) ((id).index == 0)
/** Whether two ids of one kind name the same object. */
#define MNS_SAME_ID(a, b) ((a).index == (b).index && (a).scene == (b).scene && (a).generation == (b).generation)

/** Ids as integers, for hosts that store them; zero is null. */
#define MNS_STORE_ID(id) ((uint64_t)(uint32_t)(id).index << 32 | (uint64_t)(id).scene << 16 | (uint64_t)(id).generation)
/** The id that MNS_STORE_ID made the number of. */
static inline mnsFluidId mnsLoadFluidId(uint64_t v) {
  mnsFluidId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
/** The id that MNS_STORE_ID made the number of. */
static inline mnsBodyId mnsLoadBodyId(uint64_t v) {
  mnsBodyId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
/** The id that MNS_STORE_ID made the number of. */
static inline mnsEmitterId mnsLoadEmitterId(uint64_t v) {
  mnsEmitterId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}
/** The id that MNS_STORE_ID made the number of. */
static inline mnsDrainId mnsLoadDrainId(uint64_t v) {
  mnsDrainId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}

/** @} */

/* ---- context ------------------------------------------------------------------------------------------------------------- */
/** @defgroup context Context
 *  @{ */

/** What scenes have in common: device, threads, log. */
typedef struct mnsContext mnsContext;
/** One world: its fluids and bodies, their state, the solver. */
typedef struct mnsScene mnsScene;

/** How much a message matters. */
typedef enum mnsLogLevel {
  MNS_LOG_DEBUG = 0,   /**< for those who work on Meniscus */
  MNS_LOG_INFO = 1,    /**< what was chosen or adjusted */
  MNS_LOG_WARNING = 2, /**< what may not be what was meant */
  MNS_LOG_ERROR = 3    /**< what failed */
} mnsLogLevel;

/** topic: "scene", "mesh", "step", "device" ... file and line: of Meniscus' source. The strings hold during the call. Called from
 * any thread, several at once; must not call back into Meniscus. */
typedef void mnsLogFunction(void* user, mnsLogLevel level, const char* topic, const char* message, const char* file, int32_t line);

/** One task of a launch: number k. */
typedef void mnsTask(void* taskContext, int32_t k);

/** The host's threads. It must call task(taskContext, k) once for every k in [0, count), on any threads, several at once where it
 * can, and return when all have returned. It is called from the thread that steps a scene. */
typedef void mnsRunTasks(void* user, int32_t count, mnsTask* task, void* taskContext);

/** What steps a scene. */
typedef enum mnsDevice {
  MNS_DEVICE_AUTO = 0, /**< CUDA where it can be used, else the CPU */
  MNS_DEVICE_CPU = 1,  /**< threads of this machine */
  MNS_DEVICE_CUDA = 2  /**< an NVIDIA graphics card */
} mnsDevice;

/** How to make a context. */
typedef struct mnsContextDef {
  uint32_t structSize;   /**< set by mnsDefaultContextDef */
  uint32_t cookie;       /**< set by mnsDefaultContextDef */
  mnsDevice device;      /**< AUTO: CUDA where it can be used, else the CPU, said once in the log */
  int32_t threads;       /**< of each scene's steps; 0: all processors of the process. Results do not depend on it. */
  mnsLogFunction* log;   /**< null: nothing is logged */
  void* logUser;         /**< first argument of log */
  mnsLogLevel logLevel;  /**< the least that is logged; default MNS_LOG_INFO */
  mnsRunTasks* runTasks; /**< null: Meniscus' own threads. Else a launch is cut into `threads` (> 0) tasks */
  void* tasksUser;       /**< first argument of runTasks */
} mnsContextDef;

/** Writes the defaults; size: sizeof(mnsContextDef). For bindings; C and C++ have mnsDefaultContextDef. */
MNS_API void mnsInitContextDef(mnsContextDef* def, size_t size);
/** The defaults. */
static inline mnsContextDef mnsDefaultContextDef(void) {
  mnsContextDef def;
  mnsInitContextDef(&def, sizeof def);
  return def;
}

/** headerVersion: MNS_VERSION, as the caller was compiled with. def may be null for the defaults. Errors: VERSION_MISMATCH,
 * INVALID_DEFINITION, INVALID_ARGUMENT, DEVICE_NOT_AVAILABLE (CUDA asked for and not usable), OUT_OF_MEMORY. */
MNS_API mnsResult mnsCreateContext(uint32_t headerVersion, const mnsContextDef* def, mnsContext** context);

/** Destroys the context's scenes too, as mnsDestroyScene does. Null does nothing. */
MNS_API mnsResult mnsDestroyContext(mnsContext* context);

/** What a context would run on. */
typedef struct mnsDeviceInfo {
  uint32_t structSize;  /**< sizeof(mnsDeviceInfo) */
  mnsDevice device;     /**< CPU or CUDA */
  bool usable;          /**< whether a context can be made for it */
  char name[128];       /**< "2 threads of this machine", "NVIDIA ..." */
  char reason[256];     /**< why it is not usable; "" where it is */
  uint64_t memoryBytes; /**< 0: not known */
} mnsDeviceInfo;

/** The devices of this machine, the CPU first. infos may be null to ask for the count. At most `capacity` are written, each of
 * `stride` bytes (sizeof(mnsDeviceInfo)). */
MNS_API mnsResult mnsGetDevices(mnsDeviceInfo* infos, size_t stride, int32_t capacity, int32_t* count);

/** The host's heap, for all that the library allocates (thread stacks apart). allocate returns memory of the alignment given (a
 * power of two), or null: the call in progress then fails with MNS_ERROR_OUT_OF_MEMORY. Both are called from any thread. From the C
 * library come only tables of the scene format, which stay until the process ends, and, where allocate gives null while JSON is at
 * work, what that needs to come to an end; it is given back in the same call. Everything else is given back by
 * mnsDestroyContext. */
typedef struct mnsAllocator {
  void* user;                                                    /**< first argument of both */
  void* (*allocate)(void* user, size_t bytes, size_t alignment); /**< needed */
  void (*free)(void* user, void* memory);                        /**< needed; memory is never null */
} mnsAllocator;

/** For the process; null: the C library's. Only while no context exists, else MNS_ERROR_BUSY. Copied. */
MNS_API mnsResult mnsSetAllocator(const mnsAllocator* allocator);

/** What the library has on the heap, in all contexts together. */
typedef struct mnsMemoryUse {
  uint64_t bytes;       /**< allocated now */
  uint64_t peakBytes;   /**< at any time since the process started */
  uint64_t allocations; /**< made so far: a steady step makes none */
} mnsMemoryUse;
/** What the library has on the heap now. Any thread, at any time. */
MNS_API mnsMemoryUse mnsGetMemoryUse(void);

/** @} */

/* ---- scene --------------------------------------------------------------------------------------------------------------- */
/** @defgroup scene Scene
 *  @{ */

/** How the pressure equation is set up. */
typedef enum mnsPressureMode {
  MNS_PRESSURE_COMPATIBLE = 0,          /**< divergence of the gradient: keeps momentum */
  MNS_PRESSURE_KERNEL_DIAGONAL = 1,     /**< the kernel's Laplacian: cheaper, does not keep momentum */
  MNS_PRESSURE_WEAKLY_COMPRESSIBLE = 2, /**< Tait's equation of state, explicit: for comparison */
  MNS_PRESSURE_POSITION_BASED = 3       /**< position-based fluids, a few iterations: for comparison */
} mnsPressureMode;

/** How the pressure equation is solved. */
typedef enum mnsKrylov {
  MNS_KRYLOV_CONJUGATE_GRADIENTS = 0, /**< of the symmetric system */
  MNS_KRYLOV_BICGSTAB = 1             /**< stabilised bi-conjugate gradients */
} mnsKrylov;

/** Sides of the domain, to be or-ed. */
typedef enum mnsSide {
  MNS_SIDE_MIN_X = 1,  /**< x = domain.min.x */
  MNS_SIDE_MAX_X = 2,  /**< x = domain.max.x */
  MNS_SIDE_MIN_Y = 4,  /**< y = domain.min.y */
  MNS_SIDE_MAX_Y = 8,  /**< y = domain.max.y */
  MNS_SIDE_MIN_Z = 16, /**< z = domain.min.z */
  MNS_SIDE_MAX_Z = 32  /**< z = domain.max.z */
} mnsSide;

/** How to make an empty scene. */
typedef struct mnsSceneDef {
  uint32_t structSize;   /**< set by mnsDefaultSceneDef */
  uint32_t cookie;       /**< set by mnsDefaultSceneDef */
  const char* name;      /**< UTF-8 */
  mnsBox domain;         /**< m; outside it nothing is simulated */
  uint32_t openSides;    /**< mnsSide; fluid leaves through these and is removed; default 0: six walls */
  double domainFriction; /**< Coulomb coefficient of the walls */
  bool domainNoSlip;     /**< the fluid sticks to the walls */
  mnsVec3 gravity;       /**< m/s^2; default (0, 0, -9.81) */
  double spacing;        /**< particle spacing dx [m], of all fluids */
  int32_t maxParticles;  /**< capacity; 0: what the fluids hold at the start. Beyond it emitters are blocked and say so, and a
                              scene with emitters and 0 here gets a note and a warning in the log. */
  double maxStep;        /**< s; the longest step that will be asked for; default 0.01. What moves faster is sub-stepped. */
  bool settle;           /**< the packing at walls is settled by the start; default true */
  /* The solver, as in the scene file. The defaults serve most scenes. */
  mnsPressureMode pressure;      /**< default MNS_PRESSURE_COMPATIBLE */
  mnsKrylov krylov;              /**< default MNS_KRYLOV_CONJUGATE_GRADIENTS */
  double support;                /**< radius of the kernel's support, in spacings; default 2 */
  double cfl;                    /**< sub-steps: dt <= cfl * spacing / fastest speed; default .4 */
  int32_t maxSubsteps;           /**< of a step; default 64 */
  double tolerance;              /**< of the pressure solve; default .01 */
  int32_t maxIterations;         /**< of the pressure solve; default 500 */
  double densityCorrection;      /**< share of the density error removed in a step; default .5 */
  double highPass;               /**< weight of the term against checkerboard pressures; default .02 */
  double xsph;                   /**< damping of velocity differences; default .02 */
  double contactDistance;        /**< particles are kept this far off solids, in spacings; default .25 */
  double couplingTolerance;      /**< relative velocity mismatch of fluid and solid that ends the coupling; default .0005 */
  int32_t maxCouplingIterations; /**< default 8 */
  int32_t constraintIterations;  /**< sweeps over the solids' constraints in a coupling iteration; default 10 */
  int32_t solidSubsteps;         /**< of solids in scenes without fluid; default 1 */
  double duration;               /**< s; what a run of the scene's file simulates. Steps go on beyond it; default 1 */
  double soundSpeed;             /**< weakly compressible: m/s; default 0: by densityVariation and the fastest speed expected */
  double densityVariation;       /**< weakly compressible: admissible relative change of density; default .01 */
  double artificialViscosity;    /**< weakly compressible: coefficient alpha; default .1 */
  int32_t densityIterations;     /**< position-based: Jacobi iterations over the density constraints; default 4 */
  double constraintRelaxation;   /**< position-based: epsilon, in units of a full lattice's sum |grad C|^2; default 1 */
  double tensileCorrection;      /**< position-based: k of the artificial pressure, as a density error; default .1 */
} mnsSceneDef;

/** Writes the defaults; size: sizeof(mnsSceneDef). For bindings; C and C++ have mnsDefaultSceneDef. */
MNS_API void mnsInitSceneDef(mnsSceneDef* def, size_t size);
/** The defaults. */
static inline mnsSceneDef mnsDefaultSceneDef(void) {
  mnsSceneDef def;
  mnsInitSceneDef(&def, sizeof def);
  return def;
}

/** An empty scene. Errors: INVALID_HANDLE, INVALID_DEFINITION, INVALID_ARGUMENT naming the field, OUT_OF_MEMORY. */
MNS_API mnsResult mnsCreateScene(mnsContext* context, const mnsSceneDef* def, mnsScene** scene);

/** A step in progress is stopped after its sub-step, and waited for; its result is lost. Null does nothing. */
MNS_API mnsResult mnsDestroyScene(mnsScene* scene);

/** A scene file (see the README). Errors: FILE, SCENE with a line for each mistake ("file:line:column: ..."). */
MNS_API mnsResult mnsLoadScene(mnsContext* context, const char* path, mnsScene** scene);
/** The text of a scene file; folder: what mesh files in it are relative to, null for the working folder. Errors: as of
 * mnsLoadScene. */
MNS_API mnsResult mnsLoadSceneText(mnsContext* context, const char* text, size_t length, const char* folder, mnsScene** scene);

/** Writes the scene's definitions, with the parameters as they are now, as a scene file (whole or not at all). Meshes given as
 * arrays are written beside it, as OFF or VTK files named after the scene file and the body; a file that is there with other
 * contents is never overwritten. The state is not in it: see mnsScene_SaveSnapshot. Errors: FILE, SCENE with a line for each thing
 * that a scene file cannot say. Reads. */
MNS_API mnsResult mnsScene_Save(mnsScene* scene, const char* path);

/** What the scene is now, in the words of its definition: of a scene file too, and with what parameters have changed.
 * def->structSize must be set (mnsDefaultSceneDef does). name holds as long as the scene. Reads. */
MNS_API mnsResult mnsScene_GetDef(mnsScene* scene, mnsSceneDef* def);

/** Bytes of memory a scene of this definition takes with so many particles and nodes of deformable bodies, to within a factor of
 * two. */
MNS_API mnsResult mnsEstimateMemory(const mnsSceneDef* def, int64_t particles, int64_t nodes, uint64_t* bytes);

/** @} */

/* ---- stepping ------------------------------------------------------------------------------------------------------------ */
/** @defgroup stepping Stepping
 *  @{ */

/** Fills the fluids with particles and checks that all fits together. The first step does it too; it can take seconds. Errors:
 * SCENE (a line for each mistake, naming the object), STARTED, OUT_OF_MEMORY. */
MNS_API mnsResult mnsScene_Start(mnsScene* scene);

/** Advances by dt [s], at most the scene's maxStep and at least a millionth of it, in as many sub-steps as needed; returns when
 * done. A step that did not converge is MNS_OK: see mnsStatistics. Errors: BUSY, INVALID_ARGUMENT, SIMULATION (not finite: a
 * smaller dt may help), OUT_OF_MEMORY; after any of them the scene is as it was, but after SIMULATION forces asked for are
 * forgotten. */
MNS_API mnsResult mnsScene_Step(mnsScene* scene, double dt);

/** Names a step in progress. It holds until it has been waited for, or the next step begins: the result of a step that nobody has
 * waited for is then lost, with a warning in the log where it is a failure. */
typedef struct mnsTicket {
  uint64_t value; /**< 0: none */
} mnsTicket;
/** The same as mnsScene_Step on a thread of the scene's; returns at once. */
MNS_API mnsResult mnsScene_StepAsync(mnsScene* scene, double dt, mnsTicket* ticket);

/** Waits for at most timeout seconds (0: only looks; negative: as long as it takes). MNS_PENDING if the step is not done; else the
 * step's result, once. */
MNS_API mnsResult mnsScene_Wait(mnsScene* scene, mnsTicket ticket, double timeout);

/** Asks a step in progress to stop after its sub-step; it then returns MNS_INTERRUPTED. Any thread, at any time. */
MNS_API mnsResult mnsScene_Cancel(mnsScene* scene);

/** @} */

/* ---- shapes and materials ------------------------------------------------------------------------------------------------ */
/** @defgroup shapes_and_materials Shapes and materials
 *  @{ */

/** What a shape is, and which fields it takes. */
typedef enum mnsShapeKind {
  MNS_SHAPE_BOX = 0,      /**< size */
  MNS_SHAPE_PLANE = 1,    /**< normal, towards the free side; static only */
  MNS_SHAPE_SPHERE = 2,   /**< radius */
  MNS_SHAPE_CYLINDER = 3, /**< radius, height along z */
  MNS_SHAPE_CAPSULE = 4,  /**< radius, height between the centres of the caps, along z */
  MNS_SHAPE_MESH = 5,     /**< file, or arrays */
  MNS_SHAPE_SHEET = 6     /**< size.x by size.y in the xy plane */
} mnsShapeKind;

/** In its own frame, centred at its origin (meshes: as their vertices say). A field that its kind does not take is refused where it
 * is not the default. */
typedef struct mnsShape {
  uint32_t structSize;       /**< set by mnsDefaultShape */
  uint32_t cookie;           /**< set by mnsDefaultShape */
  mnsShapeKind kind;         /**< default MNS_SHAPE_BOX */
  mnsVec3 size;              /**< full edge lengths [m] */
  double radius;             /**< m */
  double height;             /**< m */
  mnsVec3 normal;            /**< plane: towards the free side; need not be a unit vector */
  double scale;              /**< of all its lengths, about its origin; default 1 */
  double resolution;         /**< edge length of the triangles made of it [m]; 0: two spacings, or the exact primitive */
  bool container;            /**< the fluid is inside: the faces act inwards */
  bool open;                 /**< mesh: a two-sided sheet with a rim is intended */
  const char* file;          /**< mesh: OBJ, PLY, STL, OFF; MSH, VTK, TetGen for soft bodies */
  const float* vertices;     /**< mesh, instead of file: xyz, 3 floats each [m] */
  int32_t vertexCount;       /**< vertices, not floats */
  const int32_t* triangles;  /**< 3 a triangle; outward winding where closed. May be null where there are tetrahedra */
  int32_t triangleCount;     /**< triangles, not indices */
  const int32_t* tetrahedra; /**< soft bodies: 4 a tetrahedron. Null: the program tetgen makes them of the surface */
  int32_t tetrahedronCount;  /**< tetrahedra, not indices */
} mnsShape;

/** Writes the defaults; size: sizeof(mnsShape). For bindings; C and C++ have mnsDefaultShape. */
MNS_API void mnsInitShape(mnsShape* shape, size_t size);
/** The defaults. */
static inline mnsShape mnsDefaultShape(void) {
  mnsShape shape;
  mnsInitShape(&shape, sizeof shape);
  return shape;
}
/** A box of these full edge lengths [m]. */
static inline mnsShape mnsBoxShape(double x, double y, double z) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_BOX;
  shape.size.x = x;
  shape.size.y = y;
  shape.size.z = z;
  return shape;
}
/** A sphere of this radius [m]. */
static inline mnsShape mnsSphereShape(double radius) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_SPHERE;
  shape.radius = radius;
  return shape;
}
/** A flat sheet of these edge lengths [m]. */
static inline mnsShape mnsSheetShape(double x, double y) {
  mnsShape shape = mnsDefaultShape();
  shape.kind = MNS_SHAPE_SHEET;
  shape.size.x = x;
  shape.size.y = y;
  return shape;
}

/** What a constraint's resistance is given by. */
typedef enum mnsResistanceKind {
  MNS_RESISTANCE_NONE = 0,       /**< there is no such constraint; a value or damping is refused */
  MNS_RESISTANCE_COMPLIANCE = 1, /**< in SI units: stretch, shear m/N; bend rad^2/J; volume 1/Pa; 0 is rigid */
  MNS_RESISTANCE_STIFFNESS = 2   /**< the dimensionless stiffness 0..1 of position-based dynamics */
} mnsResistanceKind;
/** How a constraint resists. */
typedef struct mnsResistance {
  mnsResistanceKind kind; /**< what value is */
  double value;           /**< compliance or stiffness */
  double damping;         /**< time constant [s]; with a compliance */
} mnsResistance;

/** What a body is made of. What means nothing for its kind is refused where it is not the default. */
typedef struct mnsMaterial {
  uint32_t structSize;   /**< set by mnsDefaultMaterial */
  uint32_t cookie;       /**< set by mnsDefaultMaterial */
  double density;        /**< rigid, soft [kg/m^3]; default 1000 */
  double arealDensity;   /**< cloth, inflatable [kg/m^2]; must be given */
  double youngsModulus;  /**< soft, shells with a thickness [Pa] */
  double poissonRatio;   /**< default .3 */
  double thickness;      /**< shells, together with youngsModulus [m] */
  bool neoHookean;       /**< shells: a neo-Hookean membrane instead of springs along the edges */
  bool dihedralBending;  /**< shells: dihedral instead of isometric bending */
  mnsResistance stretch; /**< along edges */
  mnsResistance shear;   /**< across the triangles of a shell */
  mnsResistance bend;    /**< of shells, over edges */
  mnsResistance volume;  /**< of an inflatable's inside, a soft body's tetrahedra */
  double friction;       /**< Coulomb coefficient, against fluid and solids */
  bool noSlip;           /**< the fluid sticks */
  double restitution;    /**< 0..1, of collisions of solids */
} mnsMaterial;

/** Writes the defaults; size: sizeof(mnsMaterial). For bindings; C and C++ have mnsDefaultMaterial. */
MNS_API void mnsInitMaterial(mnsMaterial* material, size_t size);
/** The defaults. */
static inline mnsMaterial mnsDefaultMaterial(void) {
  mnsMaterial material;
  mnsInitMaterial(&material, sizeof material);
  return material;
}

/** @} */

/* ---- fluids -------------------------------------------------------------------------------------------------------------- */
/** @defgroup fluids Fluids
 *  @{ */

/** How to make a fluid. */
typedef struct mnsFluidDef {
  uint32_t structSize;   /**< set by mnsDefaultFluidDef */
  uint32_t cookie;       /**< set by mnsDefaultFluidDef */
  const char* name;      /**< unique in the scene; null: one is made */
  const mnsShape* shape; /**< filled with particles at the start; null: only emitters and mnsScene_EmitParticles bring fluid */
  mnsBodyId inside;      /**< instead of shape: fills this container or inflatable */
  mnsVec3 position;      /**< of the shape [m] */
  mnsQuat rotation;      /**< of the shape */
  double density;        /**< kg/m^3; default 1000 */
  double viscosity;      /**< kinematic [m^2/s]; default 0 */
  mnsVec3 velocity;      /**< m/s */
  bool carve;            /**< leave out what lies inside solids, instead of refusing the overlap */
  void* userData;        /**< the host's, for mnsFluid_GetUserData */
  double surfaceTension; /**< of its free surface [N/m]; default 0 */
} mnsFluidDef;

/** Writes the defaults; size: sizeof(mnsFluidDef). For bindings; C and C++ have mnsDefaultFluidDef. */
MNS_API void mnsInitFluidDef(mnsFluidDef* def, size_t size);
/** The defaults. */
static inline mnsFluidDef mnsDefaultFluidDef(void) {
  mnsFluidDef def;
  mnsInitFluidDef(&def, sizeof def);
  return def;
}

/** A fluid, before the start. Errors: STARTED, INVALID_..., CAPACITY (more than 256). */
MNS_API mnsResult mnsCreateFluid(mnsScene* scene, const mnsFluidDef* def, mnsFluidId* fluid);

/** One more volume of the fluid, before the start. */
MNS_API mnsResult mnsFluid_AddShape(mnsScene* scene, mnsFluidId fluid, const mnsShape* shape, mnsVec3 position, mnsQuat rotation);

/** Removes the fluid with its particles, and the emitters that feed it. Before the start only. */
MNS_API mnsResult mnsDestroyFluid(mnsScene* scene, mnsFluidId fluid);

struct mnsView;
/** Adds particles to a started scene. positions: xyz [m] in the domain, nowhere nearer than half a spacing to each other or to
 * other particles, nor inside solids (cloth and inflatables have two sides and no inside); velocities [m/s] may be null for rest.
 * Both: host views of MNS_FORMAT_FLOAT3 or FLOAT4 with the same count. All or none. firstId (may be null) gets the id of the first;
 * the others follow it. Errors: CAPACITY, INVALID_ARGUMENT naming the particle, DEVICE_MISMATCH. */
MNS_API mnsResult mnsScene_EmitParticles(mnsScene* scene, mnsFluidId fluid, const struct mnsView* positions,
                                         const struct mnsView* velocities, uint32_t* firstId);

/** Removes particles by id; unknown ids are passed over. removed (may be null) gets the number removed. */
MNS_API mnsResult mnsScene_RemoveParticles(mnsScene* scene, const uint32_t* ids, int32_t count, int32_t* removed);

/** Sets velocities of particles by id [m/s]; a host view of FLOAT3 or FLOAT4, one an id. Unknown ids are passed over; of an id that
 * is given twice the last counts. Errors: INVALID_ARGUMENT naming the particle, DEVICE_MISMATCH. */
MNS_API mnsResult mnsScene_SetParticleVelocities(mnsScene* scene, const uint32_t* ids, int32_t count,
                                                 const struct mnsView* velocities);

/** @} */

/* ---- emitters and drains ------------------------------------------------------------------------------------------------- */
/** @defgroup emitters_and_drains Emitters and drains
 *  @{ */

/** What an emitter or drain looks like. */
typedef enum mnsOpeningKind {
  MNS_OPENING_DISC = 0,     /**< radius; sizeX and sizeY are refused */
  MNS_OPENING_RECTANGLE = 1 /**< sizeX by sizeY; a radius is refused */
} mnsOpeningKind;

/** How to make an emitter. */
typedef struct mnsEmitterDef {
  uint32_t structSize; /**< set by mnsDefaultEmitterDef */
  uint32_t cookie;     /**< set by mnsDefaultEmitterDef */
  const char* name;    /**< unique in the scene; null: one is made */
  mnsFluidId fluid;    /**< what it lets go */
  mnsOpeningKind kind; /**< the opening lies in its local xy plane; the jet leaves along local +z */
  double radius;       /**< disc [m] */
  double sizeX;        /**< rectangle [m] */
  double sizeY;        /**< rectangle [m] */
  mnsVec3 position;    /**< of the opening's middle [m] */
  mnsQuat rotation;    /**< turns local +z into the jet's direction */
  double speed;        /**< m/s; or 0 and */
  double rate;         /**< m^3/s; both 0: shut */
  double maxVolume;    /**< m^3; 0: no limit */
  double begin;        /**< s of the scene's time; default 0 */
  double end;          /**< s of the scene's time; default infinity */
  void* userData;      /**< the host's */
} mnsEmitterDef;

/** How to make a drain. */
typedef struct mnsDrainDef {
  uint32_t structSize; /**< set by mnsDefaultDrainDef */
  uint32_t cookie;     /**< set by mnsDefaultDrainDef */
  const char* name;    /**< unique in the scene; null: one is made */
  mnsOpeningKind kind; /**< particles that cross the opening towards local -z, or are within depth below it, are removed */
  double radius;       /**< disc [m] */
  double sizeX;        /**< rectangle [m] */
  double sizeY;        /**< rectangle [m] */
  double depth;        /**< m */
  mnsVec3 position;    /**< of the opening's middle [m] */
  mnsQuat rotation;    /**< turns local -z into the direction it drains to */
  double rate;         /**< m^3/s at most; 0: no limit */
  double begin;        /**< s of the scene's time; default 0 */
  double end;          /**< s of the scene's time; default infinity */
  void* userData;      /**< the host's */
} mnsDrainDef;

/** Writes the defaults; size: sizeof(mnsEmitterDef). For bindings; C and C++ have mnsDefaultEmitterDef. */
MNS_API void mnsInitEmitterDef(mnsEmitterDef* def, size_t size);
/** Writes the defaults; size: sizeof(mnsDrainDef). For bindings; C and C++ have mnsDefaultDrainDef. */
MNS_API void mnsInitDrainDef(mnsDrainDef* def, size_t size);
/** The defaults. */
static inline mnsEmitterDef mnsDefaultEmitterDef(void) {
  mnsEmitterDef def;
  mnsInitEmitterDef(&def, sizeof def);
  return def;
}
/** The defaults. */
static inline mnsDrainDef mnsDefaultDrainDef(void) {
  mnsDrainDef def;
  mnsInitDrainDef(&def, sizeof def);
  return def;
}

/** An emitter, at any time between steps. It needs room: mnsSceneDef::maxParticles. With neither speed nor rate it is shut. Errors:
 * INVALID_..., and SCENE in a started scene for an opening outside of the domain or within a solid (else the start says so). */
MNS_API mnsResult mnsCreateEmitter(mnsScene* scene, const mnsEmitterDef* def, mnsEmitterId* emitter);
/** Takes an emitter away, at any time between steps; what it let go stays. */
MNS_API mnsResult mnsDestroyEmitter(mnsScene* scene, mnsEmitterId emitter);
/** A drain, at any time between steps. Errors: as for an emitter. */
MNS_API mnsResult mnsCreateDrain(mnsScene* scene, const mnsDrainDef* def, mnsDrainId* drain);
/** Takes a drain away, at any time between steps. */
MNS_API mnsResult mnsDestroyDrain(mnsScene* scene, mnsDrainId drain);
/** Moves the opening. Errors: as for creating it. */
MNS_API mnsResult mnsEmitter_SetTransform(mnsScene* scene, mnsEmitterId emitter, mnsVec3 position, mnsQuat rotation);
/** Speed of the jet [m/s], also where a rate was given; 0 shuts it. The same as the parameter "emitters.NAME.speed". */
MNS_API mnsResult mnsEmitter_SetSpeed(mnsScene* scene, mnsEmitterId emitter, double speed);
/** m^3 let go so far; 0 before the start; reads. */
MNS_API mnsResult mnsEmitter_GetVolume(mnsScene* scene, mnsEmitterId emitter, double* volume);
/** Particles taken so far; 0 before the start; reads. */
MNS_API mnsResult mnsDrain_GetCount(mnsScene* scene, mnsDrainId drain, uint64_t* count);
/** What the definition gave. Reads. */
MNS_API mnsResult mnsEmitter_GetUserData(mnsScene* scene, mnsEmitterId emitter, void** userData);
/** What the definition gave. Reads. */
MNS_API mnsResult mnsDrain_GetUserData(mnsScene* scene, mnsDrainId drain, void** userData);

/** @} */

/* ---- bodies -------------------------------------------------------------------------------------------------------------- */
/** @defgroup bodies Bodies
 *  @{ */

/** What a body does. */
typedef enum mnsBodyKind {
  MNS_BODY_STATIC = 0,     /**< stays where it is */
  MNS_BODY_KINEMATIC = 1,  /**< moves as told: mnsBody_MoveTo, or key frames of a scene file */
  MNS_BODY_RIGID = 2,      /**< moves as a whole */
  MNS_BODY_CLOTH = 3,      /**< an open shell */
  MNS_BODY_INFLATABLE = 4, /**< a closed skin filled with fluid (mnsFluidDef::inside), with gas, or holding its volume */
  MNS_BODY_SOFT = 5        /**< a mesh of tetrahedra */
} mnsBodyKind;

/** How held nodes are named. */
typedef enum mnsPinKind {
  MNS_PIN_NODES = 0,  /**< by number */
  MNS_PIN_BOX = 1,    /**< those in a box */
  MNS_PIN_SPHERE = 2, /**< those in a sphere */
  MNS_PIN_RIM = 3     /**< those at the rim of an open surface */
} mnsPinKind;
/** Nodes held from the start. */
typedef struct mnsPin {
  mnsPinKind kind;      /**< which of the fields below count */
  const int32_t* nodes; /**< NODES */
  int32_t nodeCount;    /**< NODES */
  mnsBox box;           /**< BOX, world frame [m] */
  mnsVec3 center;       /**< SPHERE, world frame [m] */
  double radius;        /**< SPHERE [m] */
} mnsPin;

/** How to make a body. */
typedef struct mnsBodyDef {
  uint32_t structSize;         /**< set by mnsDefaultBodyDef */
  uint32_t cookie;             /**< set by mnsDefaultBodyDef */
  const char* name;            /**< unique in the scene; null: one is made */
  mnsBodyKind kind;            /**< default MNS_BODY_STATIC */
  const mnsShape* shape;       /**< needed */
  const mnsMaterial* material; /**< null: mnsDefaultMaterial() */
  mnsVec3 position;            /**< m */
  mnsQuat rotation;            /**< of the shape */
  mnsVec3 velocity;            /**< m/s */
  mnsVec3 angularVelocity;     /**< rad/s */
  const mnsPin* pins;          /**< cloth, inflatable, soft */
  int32_t pinCount;            /**< of pins */
  double pressure;             /**< inflatable: gauge pressure of a gas inside [Pa]; 0: none */
  double inflation;            /**< inflatable: volume to hold over the mesh's; 0: none, as where fluid fills it; default 1 */
  double maxTetVolume;         /**< soft: largest tetrahedron to be made [m^3]; 0: by the surface's edges */
  void* userData;              /**< the host's, for mnsBody_GetUserData */
} mnsBodyDef;

/** Writes the defaults; size: sizeof(mnsBodyDef). For bindings; C and C++ have mnsDefaultBodyDef. */
MNS_API void mnsInitBodyDef(mnsBodyDef* def, size_t size);
/** The defaults. */
static inline mnsBodyDef mnsDefaultBodyDef(void) {
  mnsBodyDef def;
  mnsInitBodyDef(&def, sizeof def);
  return def;
}

/** A body, before the start or between steps. What is wrong with a mesh is said here (SCENE; FILE for one that cannot be read). How
 * bodies and fluids fit together is checked by the start; in a started scene here, and refused (SCENE) are bodies that stick out of
 * the domain, start in a static or kinematic one or around others, hold particles, or - cloth, inflatables, open meshes - are
 * nearer to particles than the contact distance. Creating and destroying bodies in a started scene takes about as long as a step.
 */
MNS_API mnsResult mnsCreateBody(mnsScene* scene, const mnsBodyDef* def, mnsBodyId* body);
/** Takes a body away, before the start or between steps. Fluid that filled it stays. Before the start, a body that a fluid is to
 * fill is refused (SCENE). */
MNS_API mnsResult mnsDestroyBody(mnsScene* scene, mnsBodyId body);

/** Whether the id names a body of the scene. Reads. */
MNS_API bool mnsBody_IsValid(mnsScene* scene, mnsBodyId body);
/** Whether the id names a fluid of the scene. Reads. */
MNS_API bool mnsFluid_IsValid(mnsScene* scene, mnsFluidId fluid);
/** Whether the id names an emitter of the scene. Reads. */
MNS_API bool mnsEmitter_IsValid(mnsScene* scene, mnsEmitterId emitter);
/** Whether the id names a drain of the scene. Reads. */
MNS_API bool mnsDrain_IsValid(mnsScene* scene, mnsDrainId drain);
/** The kind it was made as. Reads. */
MNS_API mnsResult mnsBody_GetKind(mnsScene* scene, mnsBodyId body, mnsBodyKind* kind);
/** The name it was given, or the one that was made for it. Holds until a body is created or destroyed. Reads. */
MNS_API mnsResult mnsBody_GetName(mnsScene* scene, mnsBodyId body, const char** name);
/** The shape it was made of; of a mesh its file or the name that stands for its arrays, which are null here: see mnsBody_GetArray.
 * shape->structSize must be set (mnsDefaultShape does). file holds until a body is created or destroyed. Reads. */
MNS_API mnsResult mnsBody_GetShape(mnsScene* scene, mnsBodyId body, mnsShape* shape);
/** mnsBodyDef::userData. Reads. */
MNS_API mnsResult mnsBody_GetUserData(mnsScene* scene, mnsBodyId body, void** userData);
/** mnsFluidDef::userData. Reads. */
MNS_API mnsResult mnsFluid_GetUserData(mnsScene* scene, mnsFluidId fluid, void** userData);
/** The body of this name. Errors: NOT_FOUND. Reads. */
MNS_API mnsResult mnsScene_FindBody(mnsScene* scene, const char* name, mnsBodyId* body);
/** The fluid of this name. Errors: NOT_FOUND. Reads. */
MNS_API mnsResult mnsScene_FindFluid(mnsScene* scene, const char* name, mnsFluidId* fluid);
/** The emitter of this name. Errors: NOT_FOUND. Reads. */
MNS_API mnsResult mnsScene_FindEmitter(mnsScene* scene, const char* name, mnsEmitterId* emitter);
/** The drain of this name. Errors: NOT_FOUND. Reads. */
MNS_API mnsResult mnsScene_FindDrain(mnsScene* scene, const char* name, mnsDrainId* drain);
/** The bodies of the scene. bodies may be null to ask for the count; at most `capacity` are written. Reads. */
MNS_API mnsResult mnsScene_GetBodies(mnsScene* scene, mnsBodyId* bodies, int32_t capacity, int32_t* count);

/* All that follow need a started scene (NOT_STARTED), and say WRONG_KIND of bodies they are not for. */

/** Centre of mass [m] and rotation of the shape; static and kinematic bodies: position and rotation of the shape; deformable ones:
 * centre of mass, rotation of the definition. Pointers may be null. Reads. */
MNS_API mnsResult mnsBody_GetTransform(mnsScene* scene, mnsBodyId body, mnsVec3* position, mnsQuat* rotation);
/** m/s and rad/s; deformable bodies: of the centre of mass, and angular momentum over inertia. Pointers may be null. Reads. */
MNS_API mnsResult mnsBody_GetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3* linear, mnsVec3* angular);
/** kg; infinite for static and kinematic bodies. Reads. */
MNS_API mnsResult mnsBody_GetMass(mnsScene* scene, mnsBodyId body, double* mass);
/** N, of the fluid's pressure on a rigid, static or kinematic body in the last sub-step. Reads. */
MNS_API mnsResult mnsBody_GetFluidForce(mnsScene* scene, mnsBodyId body, mnsVec3* force);

/** Kinematic bodies: moves to the pose within the next `seconds`, evenly, turning the shorter way, and rests there; key frames it
 * had are forgotten. INVALID_ARGUMENT where that is faster than maxSubsteps sub-steps resolve. */
MNS_API mnsResult mnsBody_MoveTo(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation, double seconds);
/** Rigid: centre of mass and rotation of the shape, as mnsBody_GetTransform gives them; at once, as if it had always been there.
 * Must not land in a static or kinematic body, in fluid or outside the domain (SCENE). Keeps its velocity. */
MNS_API mnsResult mnsBody_SetTransform(mnsScene* scene, mnsBodyId body, mnsVec3 position, mnsQuat rotation);
/** Rigid and deformable bodies (all nodes that are not held): m/s of the centre of mass, rad/s about it. */
MNS_API mnsResult mnsBody_SetVelocity(mnsScene* scene, mnsBodyId body, mnsVec3 linear, mnsVec3 angular);
/** Rigid and deformable: N s at a point in the world frame; null: at the centre of mass. Acts at once. On deformable bodies it is a
 * change of their rigid motion, of which held nodes take no part. */
MNS_API mnsResult mnsBody_ApplyImpulse(mnsScene* scene, mnsBodyId body, mnsVec3 impulse, const mnsVec3* point);
/** The same as a force [N] over the next step. Several add up. */
MNS_API mnsResult mnsBody_ApplyForce(mnsScene* scene, mnsBodyId body, mnsVec3 force, const mnsVec3* point);

/** Deformable bodies: holds nodes, by number in [0, node count), where they are, also those that are being carried. */
MNS_API mnsResult mnsBody_PinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count);
/** Lets them go with the velocity they have, also those pinned by the definition; free ones stay free. */
MNS_API mnsResult mnsBody_UnpinNodes(mnsScene* scene, mnsBodyId body, const int32_t* nodes, int32_t count);
/** Carries a held node (pins it if it is free) to the target [m] within the next `seconds`; it stays there. This is how a player
 * grabs cloth. INVALID_ARGUMENT where that is faster than maxSubsteps sub-steps resolve. */
MNS_API mnsResult mnsBody_MoveNode(mnsScene* scene, mnsBodyId body, int32_t node, mnsVec3 target, double seconds);
/** A force on every node [N] over the next step, as from wind; FLOAT3 or FLOAT4, one a node. */
MNS_API mnsResult mnsBody_ApplyNodeForces(mnsScene* scene, mnsBodyId body, const struct mnsView* forces);
/** Velocities of all nodes [m/s]; FLOAT3 or FLOAT4, one a node. Held nodes keep theirs. */
MNS_API mnsResult mnsBody_SetNodeVelocities(mnsScene* scene, mnsBodyId body, const struct mnsView* velocities);

/** Inflatables made with gas: gauge pressure [Pa], not negative. */
MNS_API mnsResult mnsBody_SetPressure(mnsScene* scene, mnsBodyId body, double pressure);
/** Closed bodies, whatever their kind: enclosed volume [m^3]. Reads. */
MNS_API mnsResult mnsBody_GetVolume(mnsScene* scene, mnsBodyId body, double* volume);

/** @} */

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */
/** @defgroup arrays Arrays
 *  @{ */

/** Where an array is. */
typedef enum mnsMemory {
  MNS_MEMORY_HOST = 0,     /**< the process's memory */
  MNS_MEMORY_CUDA = 1,     /**< memory of a CUDA device */
  MNS_MEMORY_GL_BUFFER = 2 /**< a buffer object of OpenGL */
} mnsMemory;

/** What an item of an array is. */
typedef enum mnsFormat {
  MNS_FORMAT_FLOAT = 0,   /**< float */
  MNS_FORMAT_FLOAT3 = 1,  /**< 3 floats, 12 bytes */
  MNS_FORMAT_FLOAT4 = 2,  /**< 4 floats, 16 bytes */
  MNS_FORMAT_UINT8 = 3,   /**< uint8_t */
  MNS_FORMAT_UINT32 = 4,  /**< uint32_t */
  MNS_FORMAT_INT32 = 5,   /**< int32_t */
  MNS_FORMAT_INT32X3 = 6, /**< 3 of int32_t */
  MNS_FORMAT_INT32X4 = 7  /**< 4 of int32_t */
} mnsFormat;

/** An array of somebody's. */
typedef struct mnsView {
  void* data;       /**< the first item */
  mnsMemory memory; /**< where it is */
  mnsFormat format; /**< of an item */
  int64_t stride;   /**< bytes from one item to the next; 0: they follow each other */
  int64_t count;    /**< items */
} mnsView;

/** A view of items that follow each other in the process's memory. */
static inline mnsView mnsHostView(const void* data, mnsFormat format, int64_t count) {
  mnsView view;
  view.data = (void*)data;
  view.memory = MNS_MEMORY_HOST;
  view.format = format;
  view.stride = 0;
  view.count = count;
  return view;
}

/** By particle, in the order of ascending ids. */
typedef enum mnsParticleField {
  MNS_PARTICLE_POSITION = 0,      /**< FLOAT4: xyz [m] and inverse mass [1/kg] */
  MNS_PARTICLE_VELOCITY = 1,      /**< FLOAT4: xyz [m/s], 0 */
  MNS_PARTICLE_PRESSURE = 2,      /**< FLOAT [Pa], of the last solve */
  MNS_PARTICLE_DENSITY_ERROR = 3, /**< FLOAT: density over rest density, minus 1; 0 where negative at a free surface */
  MNS_PARTICLE_DEFICIENCY = 4,    /**< FLOAT: missing share of the kernel; > .2 at a free surface */
  MNS_PARTICLE_ID = 5,            /**< UINT32: ascending, never reused */
  MNS_PARTICLE_FLUID = 6,         /**< INT32: index of its mnsFluidId */
  MNS_PARTICLE_LEAKED = 7,        /**< UINT8: 1 once its path has crossed a solid's surface */
  MNS_PARTICLE_VORTICITY = 8      /**< FLOAT4: curl of the velocity [1/s], 0; 0 where there are too few neighbours */
} mnsParticleField;

/** By node, triangle, tetrahedron or constraint of a deformable body, or of a rigid or static one with a mesh; or of any body's
 * surface. */
typedef enum mnsBodyField {
  MNS_NODE_POSITION = 0,   /**< FLOAT4: xyz [m] and inverse mass [1/kg]; 0: held, or of a body that moves as a whole */
  MNS_NODE_VELOCITY = 1,   /**< FLOAT4: xyz [m/s], 0 */
  MNS_NODE_NORMAL = 2,     /**< FLOAT4: unit outward normal by area, 0; nodes off the surface: 0 */
  MNS_BODY_TRIANGLES = 3,  /**< INT32X3: the surface, outward where closed */
  MNS_BODY_TETRAHEDRA = 4, /**< INT32X4 */
  MNS_NODE_STRETCH = 5,    /**< FLOAT, of deformable bodies: principal stretch minus 1, the largest by magnitude of the triangles or
                              tetrahedra around the node; negative where pressed together */
  MNS_BODY_CONSTRAINTS = 6,       /**< INT32X4: nodes of each constraint, -1 where it has fewer than four */
  MNS_BODY_CONSTRAINT_COLOUR = 7, /**< INT32: the colour of each constraint: those of one colour share no node and are solved at
                                    once; -1: one after the other */
  /** FLOAT4: xyz [m], 0: of the surface as it is drawn. Any kind of body: primitives are cut into triangles, a plane is a square as
   * wide as the domain's diagonal; rigid bodies have a point for each side of a sharp edge */
  MNS_SURFACE_POSITION = 8,
  MNS_SURFACE_NORMAL = 9,    /**< FLOAT4: unit outward normal, 0, at each of these points */
  MNS_SURFACE_TRIANGLES = 10 /**< INT32X3: between them, outward */
} mnsBodyField;

/** A borrowed view of a field of all particles, on the host. Reads; needs a started scene. */
MNS_API mnsResult mnsScene_GetParticles(mnsScene* scene, mnsParticleField field, mnsView* view);
/** A borrowed view of a field of a body, on the host. Reads; needs a started scene. */
MNS_API mnsResult mnsBody_GetArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, mnsView* view);

/** Copies a field of all particles into memory of the caller's (host), of the field's format; count: its room. written (may be
 * null) gets the number of items. Errors: BUFFER_TOO_SMALL (nothing is copied, but written gets the number), INVALID_ARGUMENT
 * (another format), DEVICE_MISMATCH. */
MNS_API mnsResult mnsScene_CopyParticles(mnsScene* scene, mnsParticleField field, const mnsView* to, int64_t* written);
/** The same for a field of a body. */
MNS_API mnsResult mnsBody_CopyArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, const mnsView* to, int64_t* written);

/** @} */

/* ---- view ---------------------------------------------------------------------------------------------------------------- */
/** @defgroup view View
 *  How pictures show the scene: the part "output.view" of a scene file. The engine itself only keeps it.
 *  @{ */

/** How the fluid is drawn. */
typedef enum mnsFluidLook {
  MNS_FLUID_SURFACE = 0, /**< its surface, as water */
  MNS_FLUID_SPHERES = 1, /**< every particle */
  MNS_FLUID_HIDDEN = 2   /**< not at all */
} mnsFluidLook;

/** What colours the fluid. */
typedef enum mnsFluidColour {
  MNS_COLOUR_NONE = 0,          /**< as water */
  MNS_COLOUR_SPEED = 1,         /**< m/s */
  MNS_COLOUR_PRESSURE = 2,      /**< Pa */
  MNS_COLOUR_DENSITY_ERROR = 3, /**< of MNS_PARTICLE_DENSITY_ERROR */
  MNS_COLOUR_VORTICITY = 4,     /**< 1/s, the magnitude */
  MNS_COLOUR_DEFICIENCY = 5,    /**< of MNS_PARTICLE_DEFICIENCY */
  MNS_COLOUR_SMOKE = 6          /**< density of smoke on a grid */
} mnsFluidColour;

/** Across which axis a slice of a grid is. */
typedef enum mnsSlice {
  MNS_SLICE_NONE = 0, /**< there is none */
  MNS_SLICE_X = 1,    /**< a plane x = const */
  MNS_SLICE_Y = 2,    /**< y = const */
  MNS_SLICE_Z = 3     /**< z = const */
} mnsSlice;

/** How it looks. */
typedef struct mnsLook {
  uint32_t structSize;   /**< sizeof(mnsLook) */
  mnsFluidLook fluid;    /**< how the fluid is drawn */
  mnsFluidColour colour; /**< what colours it */
  double low;            /**< least value of the colours, in the quantity's unit */
  double high;           /**< greatest value; not above low: the range is that of the values */
  bool stretch;          /**< deformable bodies are coloured by MNS_NODE_STRETCH */
  bool sky;              /**< around the scene; false: a studio */
  bool dark;             /**< the studio is dark */
  bool shadows;          /**< things throw shadows */
  bool tank;             /**< the domain's walls are shown */
  double sheetOpacity;   /**< 0..1, of cloth and inflatables */
  mnsSlice slice;        /**< a plane of the grid is shown in the colours of `colour`, or of smoke where that is NONE */
  double slicePosition;  /**< m, its coordinate along that axis */
} mnsLook;

/** Where it is seen from. */
typedef struct mnsCamera {
  double time;        /**< s; when, on a path */
  mnsVec3 eye;        /**< m */
  mnsVec3 target;     /**< m; what is in the middle of the picture */
  double fieldOfView; /**< degrees, from the lower to the upper edge: 1 to 170 */
} mnsCamera;

/** The look that the scene asks for. look->structSize must be set. Reads. */
MNS_API mnsResult mnsScene_GetLook(mnsScene* scene, mnsLook* look);
/** What mnsScene_Save will write. */
MNS_API mnsResult mnsScene_SetLook(mnsScene* scene, const mnsLook* look);
/** The camera at a time [s], on a smooth curve through those of the path. Errors: NOT_FOUND where the scene has none. Reads. */
MNS_API mnsResult mnsScene_GetCamera(mnsScene* scene, double time, mnsCamera* camera);
/** The path that mnsScene_Save will write, in the order of time; count 0: none. */
MNS_API mnsResult mnsScene_SetCameras(mnsScene* scene, const mnsCamera* cameras, int32_t count);

/** @} */

/* ---- events -------------------------------------------------------------------------------------------------------------- */
/** @defgroup events Events
 *  @{ */

/** What happened. */
typedef enum mnsEventKind {
  MNS_EVENT_TOUCH_BEGIN = 0, /**< body is wetted by fluid (other is null), or touches the body `other` */
  MNS_EVENT_TOUCH_END = 1,   /**< it is dry again, or they have parted */
  MNS_EVENT_LEAK = 2,        /**< particle has crossed a surface, at position */
  MNS_EVENT_DRAIN = 3,       /**< particle was taken by drain */
  MNS_EVENT_ESCAPE = 4,      /**< particle left through an open side */
  MNS_EVENT_OVERFLOW = 5,    /**< emitters found no room: capacity reached */
  MNS_EVENT_UNCONVERGED = 6, /**< the step ended short of a tolerance: mnsScene_GetStatusText; value: coupling residual */
  MNS_EVENT_NOT_FINITE = 7   /**< the step failed and was taken back */
} mnsEventKind;

/** Something that happened in a step. Fields that its kind does not name are zero. */
typedef struct mnsEvent {
  mnsEventKind kind; /**< what happened */
  uint32_t particle; /**< id */
  mnsBodyId body;    /**< the body it happened to */
  mnsBodyId other;   /**< the body it touched */
  mnsDrainId drain;  /**< the drain that took the particle */
  mnsVec3 position;  /**< m */
  double value;      /**< see the kind */
} mnsEvent;

/** The events of the last step. events may be null to ask for the count; at most `capacity` of `stride` bytes (sizeof(mnsEvent))
 * are written. Fluid touches a body once a particle is within .75 spacings of its surface (a quarter beyond the contact distance,
 * where that is more), until none is within a spacing; a body touches static and kinematic ones that hold it off, rigid ones each
 * other (`other` is the one created later) and bodies that deform (which are `other`), not the domain's walls. position: of the
 * contact, where it begins; of particles that are gone, where they were before the step. After a restore touches begin anew.
 * Reads. */
MNS_API mnsResult mnsScene_GetEvents(mnsScene* scene, mnsEvent* events, size_t stride, int32_t capacity, int32_t* count);

/** @} */

/* ---- queries ------------------------------------------------------------------------------------------------------------- */
/** @defgroup queries Queries
 *  @{ */

/* All read and need a started scene. */

/** What a ray met. */
typedef struct mnsRayHit {
  bool hit;          /**< whether there was anything */
  double share;      /**< of the ray, 0..1 */
  mnsVec3 position;  /**< m */
  mnsVec3 normal;    /**< unit, against the ray */
  mnsBodyId body;    /**< null: a fluid particle or the domain's walls */
  int32_t triangle;  /**< of the body's surface, or -1 */
  uint32_t particle; /**< its id, where fluid was hit */
  bool fluid;        /**< whether fluid was hit */
} mnsRayHit;

/** What a ray can meet, to be or-ed. */
typedef enum mnsQueryFilter {
  MNS_QUERY_BODIES = 1, /**< bodies and the domain's walls */
  MNS_QUERY_FLUID = 2   /**< particles */
} mnsQueryFilter;

/** The first thing on the way from origin to origin + ray [m], which must have a length. Surfaces are met from either side; a
 * particle is a sphere half a spacing in radius. filter: mnsQueryFilter. Where nothing is met, hit->hit is false and hit->share 1.
 */
MNS_API mnsResult mnsScene_RayCast(mnsScene* scene, mnsVec3 origin, mnsVec3 ray, uint32_t filter, mnsRayHit* hit);

/** Bodies with a point in the sphere [m], and ids, ascending, of particles with their centre in it. Solids are filled; sheets,
 * inflatables and containers are their skins, and containers what lies outside of them. Each pair may be null; counts are of all
 * found, of which at most the capacities are written. */
MNS_API mnsResult mnsScene_OverlapSphere(mnsScene* scene, mnsVec3 center, double radius, mnsBodyId* bodies, int32_t bodyCapacity,
                                         int32_t* bodyCount, uint32_t* particles, int32_t particleCapacity, int32_t* particleCount);

/** The fluid at a point. */
typedef struct mnsFluidSample {
  double filled;    /**< share of the kernel around the point that fluid fills: 0 in air, about 1 inside */
  double density;   /**< kg/m^3, of the fluid there; 0 in air */
  double pressure;  /**< Pa */
  mnsVec3 velocity; /**< m/s */
} mnsFluidSample;

/** The fluid at points: means by the kernel over its support. points: FLOAT3 or FLOAT4, host; samples: as many, of `stride` bytes.
 * At the surface half of the kernel is filled, and at a wall too; pressures there are those of the particles nearby, inside. */
MNS_API mnsResult mnsScene_SampleFluid(mnsScene* scene, const mnsView* points, mnsFluidSample* samples, size_t stride);

/** What water does to a sphere. */
typedef struct mnsBuoyancy {
  double volume;    /**< m^3 of the sphere that is under water */
  mnsVec3 force;    /**< N: buoyancy of that volume, against gravity */
  mnsVec3 center;   /**< m: centre of that volume */
  mnsVec3 velocity; /**< m/s: mean of the water there */
} mnsBuoyancy;

/** What water would do to a sphere of the host's that is not a body of the scene (a game's own boat or swimmer). To some per cent
 * where it is larger than the kernel, however large: there it takes time with the particles in it. The water does not feel it. */
MNS_API mnsResult mnsScene_ProbeBuoyancy(mnsScene* scene, mnsVec3 center, double radius, mnsBuoyancy* buoyancy);

/** @} */

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */
/** @defgroup parameters Parameters
 *  @{ */

/** What can be changed between steps and before the start, by name: "gravity.z", "solver.xsph", "fluids.water.viscosity",
 * "solids.NAME.friction", "solids.NAME.stretch.compliance", "emitters.NAME.speed" ... What a slider needs. A solid has those that
 * act in it: a compliance or a stiffness, as it was given; a modulus where its material has one. */
typedef struct mnsParameter {
  uint32_t structSize; /**< sizeof(mnsParameter) */
  char name[128];      /**< as mnsScene_FindParameter takes it; cut where it is longer */
  char unit[16];       /**< "" for pure numbers */
  char help[128];      /**< what it does, in a sentence */
  double value;        /**< now */
  double initial;      /**< before it was first changed */
  double min;          /**< least that is accepted */
  double max;          /**< greatest that is accepted */
  double low;          /**< where a slider should begin */
  double high;         /**< where a slider should end */
  bool integer;        /**< whole numbers only */
  bool logarithmic;    /**< better shown on a logarithmic scale */
} mnsParameter;

/** How many parameters the scene has. Reads. */
MNS_API mnsResult mnsScene_GetParameterCount(mnsScene* scene, int32_t* count);
/** Parameter k in [0, count), in an order that holds until objects come or go. parameter->structSize must be set. Reads. */
MNS_API mnsResult mnsScene_GetParameter(mnsScene* scene, int32_t k, mnsParameter* parameter);
/** The parameter of this name. parameter->structSize must be set. Errors: NOT_FOUND with a suggestion. Reads. */
MNS_API mnsResult mnsScene_FindParameter(mnsScene* scene, const char* name, mnsParameter* parameter);
/** The value of the parameter of this name. Errors: NOT_FOUND with a suggestion. Reads. */
MNS_API mnsResult mnsScene_GetValue(mnsScene* scene, const char* name, double* value);
/** Sets a parameter by name; acts from the next step on, and is what mnsScene_Save writes. Errors: NOT_FOUND, INVALID_ARGUMENT
 * outside its min and max, SCENE for what a step cannot resolve together with the other values (gravity, viscosity, speed of a
 * jet). */
MNS_API mnsResult mnsScene_SetValue(mnsScene* scene, const char* name, double value);

/** @} */

/* ---- statistics ---------------------------------------------------------------------------------------------------------- */
/** @defgroup statistics Statistics
 *  @{ */

/** Figures of the state and the last step. */
typedef struct mnsStatistics {
  uint32_t structSize;        /**< sizeof(mnsStatistics) */
  double time;                /**< s simulated */
  uint64_t steps;             /**< since the start; on a grid: sub-steps */
  int64_t particles;          /**< now */
  int64_t particleCapacity;   /**< room for so many */
  int64_t peakParticles;      /**< the most since the start */
  int64_t nodes;              /**< of deformable bodies */
  int64_t constraints;        /**< of deformable bodies */
  double milliseconds;        /**< wall time of the last step, of which the figures down to `blocked` are */
  int32_t substeps;           /**< the step was cut into */
  int32_t substepsUndone;     /**< done again in shorter ones */
  int32_t pressureIterations; /**< of all solves together */
  int32_t pressureSolves;     /**< in all sub-steps */
  int32_t couplingIterations; /**< the most of a sub-step; on a grid: fluid solves */
  double couplingResidual;    /**< relative mismatch of velocities at the interface; on a grid that of positions, in cells */
  bool converged;             /**< all tolerances were met */
  double densityErrorMean;    /**< |rho / rho0 - 1|, over the particles */
  double densityErrorMax;     /**< |rho / rho0 - 1|, the greatest */
  double volumeChange;        /**< relative, of the whole fluid */
  double divergenceError;     /**< root mean square of dt div u after the solve */
  double maxSpeed;            /**< m/s, of the fluid */
  int64_t contacts;           /**< of particles and solids, and of solids */
  int64_t emitted;            /**< particles let go by emitters */
  int64_t drained;            /**< particles taken by drains */
  int64_t escaped;            /**< particles that left through open sides */
  int64_t blocked;            /**< particles for which emitters found no room: one was there, or the capacity is reached */
  int64_t leaked;             /**< particles that have crossed a surface since the start */
  uint64_t memoryBytes;       /**< held by the scene's state and solver */
} mnsStatistics;

/** The figures. statistics->structSize must be set; reads. Before the start all is zero. */
MNS_API mnsResult mnsScene_GetStatistics(mnsScene* scene, mnsStatistics* statistics);
/** Why the last step did not converge, "" if it did. Holds until the next step. Reads. */
MNS_API mnsResult mnsScene_GetStatusText(mnsScene* scene, const char** text);
/** What was adjusted or mended when the scene was made, a line each; "" for nothing. Holds as long as the scene is not changed.
 * Reads. */
MNS_API mnsResult mnsScene_GetNotes(mnsScene* scene, const char** notes);

/** Time spent in a part of the step. */
typedef struct mnsStage {
  const char* name; /**< holds as long as the library is loaded */
  double seconds;   /**< since the start or the last reset */
} mnsStage;
/** Where the time went. stages may be null to ask for the count; at most `capacity` are written. None before the first step.
 * Reads. */
MNS_API mnsResult mnsScene_GetStages(mnsScene* scene, mnsStage* stages, int32_t capacity, int32_t* count);
/** Sets the times of all stages to zero. */
MNS_API mnsResult mnsScene_ResetStages(mnsScene* scene);

/** @} */

/* ---- snapshots ----------------------------------------------------------------------------------------------------------- */
/** @defgroup snapshots Snapshots
 *  @{ */

/** The whole state of a started scene. buffer may be null to ask for the size, which *size gets in any case. Goes on bit by bit as
 * the original would. A snapshot fits scenes with the same bodies, emitters and drains, made in the same order; parameters are not
 * in it, but for the pressure of gas, nor forces asked for but not applied yet. Errors: BUFFER_TOO_SMALL. Reads. */
MNS_API mnsResult mnsScene_Snapshot(mnsScene* scene, void* buffer, size_t capacity, size_t* size);
/** Takes a snapshot's state. SNAPSHOT, and nothing is changed, for one that is damaged or of another scene. Starts a scene that is
 * not started (errors of mnsScene_Start). What tells of the last step (events, density errors, deficiency, fluid forces, most
 * statistics) is zero until the next one. */
MNS_API mnsResult mnsScene_Restore(mnsScene* scene, const void* buffer, size_t size);
/** The same as a file, written whole or not at all; the ones `meniscus run --resume` takes. Errors: FILE. Reads. */
MNS_API mnsResult mnsScene_SaveSnapshot(mnsScene* scene, const char* path);
/** Takes the state of a snapshot's file. Errors: FILE, SNAPSHOT. */
MNS_API mnsResult mnsScene_LoadSnapshot(mnsScene* scene, const char* path);

/** 64 bits over the whole state: equal runs have equal hashes, on any number of threads. Reads. */
MNS_API mnsResult mnsScene_GetHash(mnsScene* scene, uint64_t* hash);

/** @} */

/* ---- grids --------------------------------------------------------------------------------------------------------------- */
/** @defgroup grids Grids
 *  Scenes whose file names a grid method (partitioned, iqn-ils, xpm, monolithic): smoke or water on a grid beside implicit solids,
 * as `meniscus run` steps them offline. They come whole from a file or its text and are started, stepped, saved and restored as
 *  others are; bodies are read as others are, parameters are those that act there. What is of particles says WRONG_KIND: particles
 *  themselves, emitters and drains, bodies created, destroyed, pushed or pinned by the host, spheres and samples in the water. A
 *  step cannot be cancelled within one of its sub-steps. Solving their linear systems takes memory from the C library beside the
 *  host's heap.
 *  @{ */

/** The grid. In two dimensions it is one layer of cells about the plane y = middle of the domain, and all is per metre of depth. */
typedef struct mnsGrid {
  uint32_t structSize; /**< sizeof(mnsGrid) */
  int32_t dimension;   /**< 2 or 3 */
  int32_t cells[3];    /**< along x, y, z */
  double cellSize;     /**< m, the edge of a cell */
  mnsVec3 origin;      /**< m, lower corner of the first cell */
} mnsGrid;

/** The grid of a started scene. grid->structSize must be set. WRONG_KIND: the scene is of particles. Reads. */
MNS_API mnsResult mnsScene_GetGrid(mnsScene* scene, mnsGrid* grid);

/** A field on the grid: one item a cell, at its centre, x fastest, then y, then z. */
typedef struct mnsGridField {
  uint32_t structSize; /**< sizeof(mnsGridField) */
  mnsFormat format;    /**< FLOAT or FLOAT3 */
  char name[32];       /**< as mnsScene_GetGridArray takes it: "smoke", "level_set", "velocity", "pressure" ... */
  char unit[16];       /**< "" for pure numbers */
  char help[128];      /**< what it is, in a sentence */
} mnsGridField;

/** How many fields the grid of a started scene has. Reads. */
MNS_API mnsResult mnsScene_GetGridFieldCount(mnsScene* scene, int32_t* count);
/** Field k in [0, count). field->structSize must be set. Reads. */
MNS_API mnsResult mnsScene_GetGridField(mnsScene* scene, int32_t k, mnsGridField* field);
/** A borrowed view of the field of this name, on the host. Errors: NOT_FOUND with a suggestion. Reads. */
MNS_API mnsResult mnsScene_GetGridArray(mnsScene* scene, const char* name, mnsView* view);

/** How the last step of fluid and solids was solved; of its last sub-step where nothing else is said. Zeros before the first. */
typedef struct mnsCoupling {
  uint32_t structSize;     /**< sizeof(mnsCoupling) */
  int32_t fluidSolves;     /**< in the sub-step that took the most */
  int32_t solidSolves;     /**< in the same one */
  double residual;         /**< m, 2-norm over all coordinates of what is left between fluid and solids */
  double tolerance;        /**< m, which ends the iterations */
  char stop[32];           /**< why they ended: "converged", ... */
  int32_t regions;         /**< that solids enclose, whose constant pressure is solved for */
  double enclosedPressure; /**< Pa, of these the largest by magnitude */
  double volumeError;      /**< m^3 (m^2 in two dimensions) that such a region gained or lost beside its inflow, the largest */
  double kineticEnergy;    /**< J, of fluid and solids */
  mnsVec3 fluidMomentum;   /**< kg m/s */
  mnsVec3 solidMomentum;   /**< kg m/s, of the bodies that move */
  double nextStep;         /**< s: a step of this length is not cut into sub-steps; those are what `meniscus run` takes */
  mnsVec3 owedMomentum;    /**< kg m/s that the fluid has given and the bodies get in the next step: all three together are kept */
} mnsCoupling;

/** The coupling of a started scene. coupling->structSize must be set. WRONG_KIND: the scene is of particles. Reads. */
MNS_API mnsResult mnsScene_GetCoupling(mnsScene* scene, mnsCoupling* coupling);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
