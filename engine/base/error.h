// The one exception type of the engine. It never crosses the C API or main().
#pragma once

#include <stdexcept>
#include <string>

namespace meniscus {

enum class ErrorKind {
  internal = 1,           // a bug in the engine
  input = 2,              // command line, scene, mesh or snapshot: the user can mend it
  simulation = 3,         // not finite, not converged in strict mode, an expectation not met
  deviceNotAvailable = 4  // the device asked for cannot be used
};

// kind is also the process's exit status. The text names the place ("file:line:column: ...") and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind k, const std::string& text) : std::runtime_error(text), kind(k) {}
  ErrorKind kind;
};

}  // namespace meniscus
