/* clang-format off: comments stand in columns */
/** @file
 * Meniscus beside CUDA: the arrays of a scene where a graphics card steps it, for hosts that go on with them on the card.
 *
 * Needs no header of CUDA's: streams and events are the same pointers as cudaStream_t and cudaEvent_t (or CUstream and CUevent) of
 * the device's primary context. Of a scene of particles that the CPU steps every call here is MNS_ERROR_DEVICE_NOT_AVAILABLE, and
 * mnsGetLastError says why: "the scene runs on the CPU, because ..."; of a scene on a grid it is MNS_ERROR_WRONG_KIND.
 *
 *   Order        An array is written on the scene's stream. A host that reads it on a stream of its own lets that wait for
 *                mnsCudaView::ready first (cudaStreamWaitEvent). Before the next call that changes the scene or asks for the same
 *                array again, it lets the scene wait for its own reading: mnsScene_WaitForCuda.
 *   Lifetime     Pointers hold until the next call that changes the scene, like borrowed views. They are not to be written to.
 *   Threads      The calls read the scene; MNS_ERROR_BUSY during a step.
 */
#ifndef MENISCUS_CUDA_H
#define MENISCUS_CUDA_H

#include "meniscus/meniscus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup cuda CUDA
 *  @{ */

/** An array in a card's memory. */
typedef struct mnsCudaView {
  uint32_t structSize; /**< sizeof(mnsCudaView) */
  int32_t device;      /**< number of the card, as cudaSetDevice takes it */
  mnsView view;        /**< data is a device pointer; memory is MNS_MEMORY_CUDA */
  void* stream;        /**< that writes the array */
  void* ready;         /**< event behind what writes it; null: it is written */
} mnsCudaView;

/** A field of all particles; the same items as mnsScene_GetParticles gives on the host. MNS_PARTICLE_VORTICITY is made on the host
 * and sent; all others do not leave the card. view->structSize must be set; a started scene (NOT_STARTED). Errors:
 * DEVICE_NOT_AVAILABLE. */
MNS_API mnsResult mnsScene_GetCudaParticles(mnsScene* scene, mnsParticleField field, mnsCudaView* view);

/** The same for a field of a body, as mnsBody_GetArray gives it: made on the host and sent. Errors: DEVICE_NOT_AVAILABLE,
 * INVALID_HANDLE. */
MNS_API mnsResult mnsBody_GetCudaArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, mnsCudaView* view);

/** The card and the stream on which the scene is stepped; pointers may be null. The stream holds until the next call that changes
 * the scene. A started scene (NOT_STARTED). Errors: DEVICE_NOT_AVAILABLE. */
MNS_API mnsResult mnsScene_GetCudaStream(mnsScene* scene, int32_t* device, void** stream);

/** What the scene does from now on comes behind an event of the host's on the same device (needed), which it has recorded behind
 * its reading. Returns at once; the event may be recorded anew afterwards. Errors: DEVICE_NOT_AVAILABLE. */
MNS_API mnsResult mnsScene_WaitForCuda(mnsScene* scene, void* event);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
