#include "apps/cli/device.h"

#include "apps/cli/call.h"

namespace meniscus::cli {

mnsDevice chooseDevice(const std::string& asked) {
  if (asked != "cuda") return asked == "cpu" ? MNS_DEVICE_CPU : MNS_DEVICE_AUTO;
  mnsContextDef def = mnsDefaultContextDef();
  def.device = MNS_DEVICE_CUDA;
  mnsContext* context = nullptr;
  need(mnsCreateContext(MNS_VERSION, &def, &context));
  need(mnsDestroyContext(context));
  return MNS_DEVICE_CUDA;
}

}  // namespace meniscus::cli
