// Results of the C interface as exceptions.
#pragma once

#include <meniscus/meniscus.h>

#include "engine/base/error.h"

namespace meniscus::picture {

// Throws Error with the library's sentence for a negative result; others are handed through.
inline mnsResult check(mnsResult result) {
  if (result >= 0) return result;
  const ErrorKind kind = result == MNS_ERROR_INTERNAL               ? ErrorKind::internal
                         : result == MNS_ERROR_SIMULATION           ? ErrorKind::simulation
                         : result == MNS_ERROR_DEVICE_NOT_AVAILABLE ? ErrorKind::deviceNotAvailable
                                                                    : ErrorKind::input;
  throw Error(kind, mnsGetLastError());
}

}  // namespace meniscus::picture
