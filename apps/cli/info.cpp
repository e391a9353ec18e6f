#include <vector>

#include "apps/cli/call.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "engine/base/build_info.h"
#include "engine/offline/vdb.h"
#include "engine/scene/methods.h"

namespace meniscus::cli {

int info() {
  say(stdout, "meniscus {}\nbuild: {}{}{}\n", mnsGetVersionText(), mnsGetBuildText(), *sanitizers() ? ", sanitizers " : "",
      sanitizers());
  say(stdout, "methods: {}\n", fmt::join(methodNames(), ", "));
  say(stdout, "OpenVDB frames: {}\n", offline::vdbMissing().empty() ? "yes" : "no: " + offline::vdbMissing());
  std::int32_t count = 0;
  need(mnsGetDevices(nullptr, sizeof(mnsDeviceInfo), 0, &count));
  std::vector<mnsDeviceInfo> devices(std::size_t(count), mnsDeviceInfo{});
  need(mnsGetDevices(devices.data(), sizeof(mnsDeviceInfo), count, &count));
  for (const mnsDeviceInfo& d : devices) {
    const char* kind = d.device == MNS_DEVICE_CPU ? "cpu" : "cuda";
    if (d.usable)
      say(stdout, "{}: usable ({})\n", kind, d.name);
    else
      say(stdout, "{}: not usable: {}\n", kind, d.reason);
  }
  return 0;
}

}  // namespace meniscus::cli
