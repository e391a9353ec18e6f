/* What a game engine brings of its own: its heap and its threads. */
#ifndef EMBED_HOST_H
#define EMBED_HOST_H

#include <meniscus/meniscus.h>

/* A heap that counts what Meniscus holds. */
typedef struct HostHeap HostHeap;
mnsAllocator hostAllocator(HostHeap* heap);
HostHeap* hostHeap(void);
long long hostHeapBlocks(const HostHeap* heap); /* not given back yet */

/* Worker threads that also run the game's own jobs. */
typedef struct HostTasks HostTasks;
HostTasks* hostCreateTasks(int workers);
void hostDestroyTasks(HostTasks* tasks);
/* An mnsRunTasks; user is the HostTasks. */
void hostRunTasks(void* user, int32_t count, mnsTask* task, void* taskContext);

#endif
