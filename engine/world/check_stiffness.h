// Soft solids that are stiffer than a scene's steps can be solved for.
#pragma once

#include "engine/world/build_parts.h"

namespace meniscus {

// Refuses a soft solid of a Young's modulus whose elements the joint solve would take for softer than they are (kSolvable), and
// notes one that comes near. body: its index in the state.
void checkStiffness(Builder& b, const SolidDef& def, std::size_t body);

}  // namespace meniscus
