// Rotations of key frames whose angles a scene gives.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/table.h"

namespace meniscus {

// Between two key frames a rotation goes the shorter way round. Where their angles say another one (about one axis, or where one of
// the two is no turn, it is the difference of the angles, of any size), key frames are put between them that lead that way. list:
// what the frames were read from. Refused is an angle beyond half a turn about another axis than that of the frame before.
void turnAsGiven(Reader& r, const JsonNode& list, const std::string& solid, std::vector<KeyFrame>& motion);

}  // namespace meniscus
