// Which device a run uses, and why.
#pragma once

#include <string>

namespace meniscus::cli {

// The device for `asked` (auto, cpu, cuda): "cpu" or "cuda". Throws Error(deviceNotAvailable) with the reason where cuda is asked
// for.
std::string chooseDevice(const std::string& asked);

}  // namespace meniscus::cli
