// Which device a run may use.
#pragma once

#include <string>

#include "meniscus/meniscus.h"

namespace meniscus::cli {

// The device for `asked` (auto, cpu, cuda). Throws Error(deviceNotAvailable) with the reason where cuda is asked for.
mnsDevice chooseDevice(const std::string& asked);

}  // namespace meniscus::cli
