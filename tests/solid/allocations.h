// What this program has taken from the heap so far, by its own operator new and by the engine's buffers.
#pragma once

#include <cstdint>

namespace meniscus::testing {

std::uint64_t allocationsOfProgram();

}  // namespace meniscus::testing
