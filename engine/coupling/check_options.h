// The ranges of options that several methods share.
#pragma once

namespace meniscus::coupling {

// Both throw Error(input) naming the option, its value and its range.

void checkRelaxation(double omega);  // (0, 1]

// The filter's threshold in [0, 1), the cap of a step and the number of earlier steps not negative.
void checkColumns(double threshold, double stepCap, int reuse);

}  // namespace meniscus::coupling
