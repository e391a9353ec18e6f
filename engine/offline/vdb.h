// OpenVDB files of smoke, which film renderers read. Built where OpenVDB is found.
#pragma once

#include <string>

#include "engine/offline/run.h"

namespace meniscus::offline {

// Why this build writes no such files; "" where it does.
std::string vdbMissing();

// A float grid "density" of the smoke with its transform, at time [s]: the bytes of the file. Throws Error(input) where vdbMissing.
std::string vdbSmoke(const GridFields& fields, double time);

}  // namespace meniscus::offline
