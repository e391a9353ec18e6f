// Table 2 of the ISPH-PBD paper: the time that each pressure mode takes for a whole motion at one error of the density.
#pragma once

#include <string>

#include "apps/cli/bench_table.h"
#include "apps/cli/options.h"
#include "engine/scene/scene.h"

namespace meniscus::cli {

// The compatible mode runs at the scene's own settings, and its mean density error is what the others are held to; or a mean
// density error is given, and the compatible mode's step is searched for it too. By bisection over the parameter that each mode has
// for it: the weakly compressible mode's density_variation (the speed of sound, and with it the sub-steps), the position-based
// mode's density_iterations. A mode that does not reach the error is shown with the error that it
// came to, or with how far it came before it was beyond. Throws ModeRunStopped.
void benchAtEqualError(const std::string& file, const SceneDef& scene, const BenchModesOptions& options, BenchTable& table);

}  // namespace meniscus::cli
