/* clang-format off: comments stand in columns */
/** @file
 * Meniscus beside OpenGL: the arrays of a scene written into buffer objects of the host's, for hosts that draw with OpenGL.
 *
 * Register a buffer object once for one array (mnsRegisterGlBuffer), have it written after a step (mnsGlBuffer_Update), draw from
 * it, unregister it. Where a graphics card steps the scene and the OpenGL context is on the same card, the card writes the buffer
 * and the array does not pass through the host; everywhere else it is uploaded from the host's view. mnsGlBuffer_GetInfo says which
 * way was taken, and why. Nothing is allocated by an update once sizes have settled.
 *
 *   Context      The calls that use OpenGL (marked so) are made on the thread where the context is current to which the buffer
 *                belongs, or one that shares objects with it. OpenGL's functions are found by the host's own loader: the library
 *                links no OpenGL. It needs OpenGL 3.1 or OpenGL ES 3.0, and leaves no state of the context changed.
 *   Threads      The calls read the scene: they may run beside other calls that read it, and return MNS_ERROR_BUSY during a step.
 *                Borrowed views stay as they are.
 *   Lost buffers A buffer object that was deleted, or a context that was lost: MNS_ERROR_INVALID_HANDLE, nothing is written;
 *                unregister it. Of a buffer whose storage the host has made anew in another size the next update knows by itself;
 *                made anew in the same size, register it again.
 *   Sizes        The number of particles changes. Where the array does not fit: MNS_ERROR_BUFFER_TOO_SMALL, nothing is written and
 *                mnsGlBufferInfo::needed says how many bytes it takes; or the buffer grows, where `grow` was asked for.
 */
#ifndef MENISCUS_GL_H
#define MENISCUS_GL_H

#include "meniscus/meniscus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup gl OpenGL
 *  @{ */

/** Names a buffer object that is registered with a scene. */
typedef struct mnsGlBufferId {
  int32_t index;       /**< from 1; 0: null */
  uint16_t scene;      /**< tells its scene from others */
  uint16_t generation; /**< tells it from those that had its place before */
} mnsGlBufferId;
/** The id that MNS_STORE_ID made the number of. */
static inline mnsGlBufferId mnsLoadGlBufferId(uint64_t v) {
  mnsGlBufferId id = {(int32_t)(v >> 32), (uint16_t)(v >> 16), (uint16_t)v};
  return id;
}

/** Any function of OpenGL's; it is called as what it is. */
typedef void mnsGlFunction(void);

/** The host's loader: the function of OpenGL of this name ("glBindBuffer"), or null. What glfwGetProcAddress, eglGetProcAddress and
 * the like do. Called by mnsRegisterGlBuffer only, on its thread. */
typedef mnsGlFunction* mnsGlLoad(void* user, const char* name);

/** The context that is current on the calling thread, as any pointer that tells those that share objects from others. */
typedef void* mnsGlCurrent(void* user);

/** How to register a buffer object. */
typedef struct mnsGlBufferDef {
  uint32_t structSize;            /**< set by mnsDefaultGlBufferDef */
  uint32_t cookie;                /**< set by mnsDefaultGlBufferDef */
  mnsGlLoad* load;                /**< needed */
  mnsGlCurrent* current;          /**< null: whether the right context is current is told by the buffer's name alone */
  void* user;                     /**< first argument of both */
  uint32_t buffer;                /**< name of the buffer object */
  mnsParticleField particleField; /**< what is written where `body` is null; default MNS_PARTICLE_POSITION */
  mnsBodyId body;                 /**< null: particles */
  mnsBodyField bodyField;         /**< what is written where it is not; default MNS_NODE_POSITION */
  int64_t offset;                 /**< bytes of the buffer before the array; a multiple of 16 */
  int64_t bytes;                  /**< bytes that the array may take; 0: up to the buffer's end. What it does not fill of them is
                                     undefined */
  bool grow;                      /**< makes the buffer larger where the array does not fit; needs offset and bytes 0 */
  bool share;                     /**< default true. False: always uploaded */
} mnsGlBufferDef;

/** Writes the defaults; size: sizeof(mnsGlBufferDef). For bindings; C and C++ have mnsDefaultGlBufferDef. */
MNS_API void mnsInitGlBufferDef(mnsGlBufferDef* def, size_t size);
/** The defaults. */
static inline mnsGlBufferDef mnsDefaultGlBufferDef(void) {
  mnsGlBufferDef def;
  mnsInitGlBufferDef(&def, sizeof def);
  return def;
}

/** How a buffer is written. */
typedef enum mnsGlWay {
  MNS_GL_UPLOAD = 0, /**< from the host's view, through the host's memory */
  MNS_GL_SHARED = 1  /**< by the device that steps the scene, in the card's memory */
} mnsGlWay;

/** What is known of a registered buffer. */
typedef struct mnsGlBufferInfo {
  uint32_t structSize; /**< sizeof(mnsGlBufferInfo) */
  mnsGlWay way;        /**< of the last update */
  char reason[256];    /**< why it was uploaded; "" where it was not */
  uint32_t buffer;     /**< its name */
  mnsFormat format;    /**< of an item; items follow each other without gaps */
  int64_t count;       /**< items written by the last update */
  int64_t room;        /**< bytes that the last update found for the array */
  int64_t needed;      /**< bytes that the array took, or would have taken, in the last update */
  uint64_t updates;    /**< that were made */
} mnsGlBufferInfo;

/** Registers a buffer object for one array, before the start of the scene or after it. The same buffer may be registered for
 * several arrays, at several offsets. Uses OpenGL. Errors: INVALID_DEFINITION, INVALID_ARGUMENT (also where the loader has not a
 * function that is needed), INVALID_HANDLE (no context is current, the name is none of a buffer object in it: bind it once; or the
 * body). */
MNS_API mnsResult mnsRegisterGlBuffer(mnsScene* scene, const mnsGlBufferDef* def, mnsGlBufferId* buffer);

/** Writes the array as it is now; written (may be null) gets the number of items. What OpenGL draws after it sees it: no waiting is
 * needed. A started scene (NOT_STARTED). Uses OpenGL. Errors: BUSY, INVALID_HANDLE (buffer or body are gone, no context),
 * DEVICE_MISMATCH (another context is current), BUFFER_TOO_SMALL, OUT_OF_MEMORY (OpenGL has no room to grow), INVALID_ARGUMENT
 * (OpenGL does not let the buffer be mapped: it is mapped by the host, or its storage forbids it), WRONG_KIND. */
MNS_API mnsResult mnsGlBuffer_Update(mnsScene* scene, mnsGlBufferId buffer, int64_t* written);

/** What is known of it. info->structSize must be set. */
MNS_API mnsResult mnsGlBuffer_GetInfo(mnsScene* scene, mnsGlBufferId buffer, mnsGlBufferInfo* info);
/** Whether the id names a registered buffer of the scene. */
MNS_API bool mnsGlBuffer_IsValid(mnsScene* scene, mnsGlBufferId buffer);

/** Ends it; the buffer object stays the host's, with what is in it. Uses OpenGL where the buffer is shared: before the buffer or
 * the context are deleted. Destroying a scene unregisters what is left, on the thread that destroys it. */
MNS_API mnsResult mnsUnregisterGlBuffer(mnsScene* scene, mnsGlBufferId buffer);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
