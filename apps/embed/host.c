#include "host.h"

#include <SDL.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- heap ---- */

struct HostHeap {
  SDL_atomic_t blocks;
};

static HostHeap theHeap;

HostHeap* hostHeap(void) { return &theHeap; }
long long hostHeapBlocks(const HostHeap* heap) { return SDL_AtomicGet((SDL_atomic_t*)&heap->blocks); }

/* Memory of any alignment from malloc: the address that malloc gave stands just before the block. */
static void* allocateAligned(void* user, size_t bytes, size_t alignment) {
  HostHeap* heap = (HostHeap*)user;
  char* memory;
  char* block;
  if (bytes > SIZE_MAX - alignment - sizeof(void*)) return NULL;
  memory = (char*)malloc(bytes + alignment + sizeof(void*));
  if (!memory) return NULL;
  block = (char*)(((uintptr_t)memory + sizeof(void*) + alignment - 1) / alignment * alignment);
  ((void**)block)[-1] = memory;
  SDL_AtomicAdd(&heap->blocks, 1);
  return block;
}

static void freeAligned(void* user, void* block) {
  HostHeap* heap = (HostHeap*)user;
  SDL_AtomicAdd(&heap->blocks, -1);
  free(((void**)block)[-1]);
}

mnsAllocator hostAllocator(HostHeap* heap) {
  mnsAllocator a;
  a.user = heap;
  a.allocate = allocateAligned;
  a.free = freeAligned;
  return a;
}

/* ---- threads ---- */

/* One launch at a time: run posts a semaphore for each worker and takes part itself; whoever comes takes the next index. */
struct HostTasks {
  SDL_Thread** threads;
  int workers;
  SDL_sem *begin, *end;
  SDL_atomic_t next, quit;
  int32_t count;
  mnsTask* task;
  void* context;
};

static void takePart(HostTasks* t) {
  int k;
  while ((k = SDL_AtomicAdd(&t->next, 1)) < t->count) t->task(t->context, k);
}

static int SDLCALL work(void* user) {
  HostTasks* t = (HostTasks*)user;
  for (;;) {
    SDL_SemWait(t->begin);
    if (SDL_AtomicGet(&t->quit)) return 0;
    takePart(t);
    SDL_SemPost(t->end);
  }
}

HostTasks* hostCreateTasks(int workers) {
  HostTasks* t = (HostTasks*)calloc(1, sizeof *t);
  if (!t) return NULL;
  t->threads = (SDL_Thread**)calloc((size_t)workers + 1, sizeof *t->threads);
  t->begin = SDL_CreateSemaphore(0);
  t->end = SDL_CreateSemaphore(0);
  while (t->threads && t->begin && t->end && t->workers < workers &&
         (t->threads[t->workers] = SDL_CreateThread(work, "worker", t)) != NULL)
    ++t->workers;
  if (t->workers == workers) return t;
  hostDestroyTasks(t);
  return NULL;
}

void hostDestroyTasks(HostTasks* t) {
  int k;
  if (!t) return;
  SDL_AtomicSet(&t->quit, 1);
  for (k = 0; k < t->workers; ++k) SDL_SemPost(t->begin);
  for (k = 0; k < t->workers; ++k) SDL_WaitThread(t->threads[k], NULL);
  if (t->begin) SDL_DestroySemaphore(t->begin);
  if (t->end) SDL_DestroySemaphore(t->end);
  free(t->threads);
  free(t);
}

void hostRunTasks(void* user, int32_t count, mnsTask* task, void* taskContext) {
  HostTasks* t = (HostTasks*)user;
  int k, helpers = t->workers < count - 1 ? t->workers : count - 1;
  t->task = task;
  t->context = taskContext;
  t->count = count;
  SDL_AtomicSet(&t->next, 0);
  for (k = 0; k < helpers; ++k) SDL_SemPost(t->begin);
  takePart(t);
  for (k = 0; k < helpers; ++k) SDL_SemWait(t->end);
}
