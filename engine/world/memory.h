// How much memory a world takes, and the machine has.
#pragma once

#include <cstddef>

#include "engine/world/world.h"

namespace meniscus {

// Of all arrays in the table of fields, with the room they have to grow [bytes].
std::size_t bytesOf(const World& world);

double physicalMemory();  // bytes

}  // namespace meniscus
