#include <fmt/format.h>

#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "engine/base/build_info.h"
#include "engine/exec/cuda/probe.h"
#include "engine/exec/exec.h"

namespace meniscus::cli {

int info() {
  say(stdout, "meniscus {}\nbuild: {}{}{}\n", version(), buildDescription(), *sanitizers() ? ", sanitizers " : "", sanitizers());
  say(stdout, "methods: isph-pbd\n");
  say(stdout, "cpu: usable, {} threads\n", Exec(0).threads());
  const CudaProbe probe = probeCuda();
  for (const std::string& device : probe.devices)
    say(stdout, "cuda: {}; works, but this version steps particles on CPU threads only\n", device);
  if (probe.devices.empty()) say(stdout, "cuda: not usable: {}\n", probe.reason);
  return 0;
}

}  // namespace meniscus::cli
