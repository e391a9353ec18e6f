// Calls of the program into the device from within a call of its own.
#pragma once

#include <exception>

#include "engine/base/error.h"
#include "kernels/core/view.h"

MNS_NS_BEGIN

// Nothing is thrown into the program: an error waits until the program's call has come back. The kind of error, or 0.
template <class Call>
int guardedCall(std::exception_ptr& error, const Call& call) {
  try {
    call();
    return 0;
  } catch (const Error& e) {
    error = std::current_exception();
    return int(e.kind);
  } catch (...) {
    error = std::current_exception();
    return int(ErrorKind::internal);
  }
}

MNS_NS_END
