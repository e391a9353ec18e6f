// Checks that several methods share.
#pragma once

#include <cstddef>

namespace meniscus::coupling {

// Throw Error(input), the first two naming the option, its value and its range.

void checkRelaxation(double omega);  // (0, 1]

// The filter's threshold in [0, 1), the cap of a step and the number of earlier steps not negative.
void checkColumns(double threshold, double stepCap, int reuse);

void checkAllRead(std::size_t read, std::size_t size);  // the numbers of a snapshot that a method has read, of those that there are

}  // namespace meniscus::coupling
