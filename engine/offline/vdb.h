// OpenVDB files of smoke and water, which film renderers read. A plug-in writes them, where it was built.
#pragma once

#include <string>

#include "engine/offline/run.h"

namespace meniscus::offline {

// Why no such files can be written; "" where they can. Opens the plug-in.
std::string vdbMissing();

// A float grid with its transform, at time [s]: "density" of smoke, or of water its level set "surface" within a narrow band. The
// bytes of the file. Throws Error(input) where vdbMissing.
std::string vdbFluid(const GridFields& fields, double time);

}  // namespace meniscus::offline
