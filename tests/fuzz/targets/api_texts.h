// Small scene files of every method, chosen by bytes.
#pragma once

#include <string>

#include "tests/fuzz/targets/bytes.h"

namespace meniscus::fuzz {

// ofGrid: whether the fluid of the scene is on a grid.
std::string sceneText(Bytes& b, bool& ofGrid);

}  // namespace meniscus::fuzz
