#include "apps/cli/device.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/exec/cuda/probe.h"

namespace meniscus::cli {

std::string chooseDevice(const std::string& asked) {
  if (asked != "cuda") return "cpu";
  const CudaProbe probe = probeCuda();
  const std::string why = probe.devices.empty() ? probe.reason : "this version steps particles on CPU threads only";
  throw Error(ErrorKind::deviceNotAvailable, fmt::format("--device cuda cannot be used: {}", why));
}

}  // namespace meniscus::cli
