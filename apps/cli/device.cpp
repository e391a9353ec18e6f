#include "apps/cli/device.h"

#include "apps/cli/call.h"

namespace meniscus::cli {

std::string chooseDevice(const std::string& asked) {
  if (asked != "cuda") return "cpu";
  mnsContextDef def = mnsDefaultContextDef();
  def.device = MNS_DEVICE_CUDA;
  mnsContext* context = nullptr;
  need(mnsCreateContext(MNS_VERSION, &def, &context));
  need(mnsDestroyContext(context));
  return "cuda";
}

}  // namespace meniscus::cli
