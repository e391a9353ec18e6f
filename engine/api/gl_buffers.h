// Buffer objects of the host's that are registered with a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/api/gl_functions.h"
#include "engine/api/id_table.h"
#include "engine/particle/device_views.h"

namespace meniscus::api {

struct GlBuffer {
  GlBuffer(const mnsGlBufferDef& def);
  // Throws Failure(DEVICE_MISMATCH, INVALID_HANDLE) where the buffer cannot be reached from the context that is current.
  void needContext() const;

  const mnsGlBufferDef def;
  const GlFunctions gl;
  void* const context;  // as the host's `current` said when it was registered
  mnsGlBufferInfo info{};
  std::unique_ptr<SharedBuffer> shared;
  std::int64_t sharedSize = -1;  // of the buffer, when it was shared, or could not be
  std::string whyNot;            // it cannot be shared at that size
};

// Their ids' places are in the order of the list.
struct GlBuffers {
  IdTable ids;
  std::vector<std::unique_ptr<GlBuffer>> list;
};

}  // namespace meniscus::api
