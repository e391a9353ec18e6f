#include <fmt/format.h>

#include "apps/cli/device.h"
#include "apps/cli/options.h"
#include "engine/base/build_info.h"
#include "engine/exec/exec.h"

namespace meniscus::cli {

int info() {
  fmt::print("meniscus {}\nbuild: {}{}{}\n", version(), buildDescription(), *sanitizers() ? ", sanitizers " : "", sanitizers());
  fmt::print("methods: isph-pbd\n");
  fmt::print("cpu: usable, {} threads\n", Exec(0).threads());
  const CudaProbe probe = probeCuda();
  for (const std::string& device : probe.devices)
    fmt::print("cuda: {}; works, but this version steps particles on CPU threads only\n", device);
  if (probe.devices.empty()) fmt::print("cuda: not usable: {}\n", probe.reason);
  return 0;
}

}  // namespace meniscus::cli
