// OpenVDB files of smoke, which film renderers read. A plug-in writes them, where it was built.
#pragma once

#include <string>

#include "engine/offline/run.h"

namespace meniscus::offline {

// Why no such files can be written; "" where they can. Opens the plug-in.
std::string vdbMissing();

// A float grid "density" of the smoke with its transform, at time [s]: the bytes of the file. Throws Error(input) where vdbMissing.
std::string vdbSmoke(const GridFields& fields, double time);

}  // namespace meniscus::offline
