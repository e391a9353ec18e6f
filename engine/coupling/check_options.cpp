#include "engine/coupling/check_options.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"

namespace meniscus::coupling {
namespace {

void refuse(const char* name, double value, const char* range) {
  throw Error(ErrorKind::input, fmt::format("coupling: {} is {}; give a number {}", name, value, range));
}

}  // namespace

void checkRelaxation(double omega) {
  if (!(omega > 0) || omega > 1) refuse("the relaxation factor", omega, "above 0 and at most 1");
}

void checkColumns(double threshold, double stepCap, int reuse) {
  if (!(threshold >= 0) || threshold >= 1) refuse("the threshold of the column filter", threshold, "from 0 to below 1");
  if (!(stepCap >= 0) || !std::isfinite(stepCap)) refuse("the cap of a step", stepCap, "that is not negative");
  constexpr int kMostReuse = 1000;
  if (reuse < 0 || reuse > kMostReuse) refuse("the number of steps whose columns are kept", reuse, "from 0 to 1000");
}

void checkAllRead(std::size_t read, std::size_t size) {
  if (read != size)
    throw Error(ErrorKind::input,
                fmt::format("coupling: the method read {} of the snapshot's {} numbers; resume with the method that "
                            "wrote it",
                            read, size));
}

}  // namespace meniscus::coupling
