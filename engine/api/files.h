// Files named by callers: what is wrong with the file itself is MNS_ERROR_FILE, what is wrong in it another error.
#pragma once

#include "engine/api/call.h"
#include "engine/base/error.h"

namespace meniscus::api {

// touch() reads or writes the file; where that fails, the failure is the file's. Then the result of use().
template <class Touch, class Use>
auto asFile(const Touch& touch, const Use& use) {
  try {
    touch();
  } catch (const Error& e) { throw Failure(MNS_ERROR_FILE, e.what()); }
  return use();
}

}  // namespace meniscus::api
