#include "apps/cli/call.h"

#include <new>

#include "engine/base/error.h"

namespace meniscus::cli {

void need(mnsResult result) {
  if (result >= 0) return;
  ErrorKind kind = ErrorKind::internal;
  switch (result) {
    case MNS_ERROR_OUT_OF_MEMORY:
      throw std::bad_alloc();
    case MNS_ERROR_SCENE:
    case MNS_ERROR_SNAPSHOT:
    case MNS_ERROR_FILE:
    case MNS_ERROR_CAPACITY:
    case MNS_ERROR_INVALID_ARGUMENT:
      kind = ErrorKind::input;
      break;
    case MNS_ERROR_SIMULATION:
      kind = ErrorKind::simulation;
      break;
    case MNS_ERROR_DEVICE_NOT_AVAILABLE:
      kind = ErrorKind::deviceNotAvailable;
      break;
    default:
      break;
  }
  throw Error(kind, mnsGetLastError());
}

}  // namespace meniscus::cli
