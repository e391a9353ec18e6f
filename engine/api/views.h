// Arrays of vectors as callers give them.
#pragma once

#include <vector>

#include "engine/api/call.h"
#include "kernels/core/vec.h"

namespace meniscus::api {

// The vectors of a host view of FLOAT3 or FLOAT4 (of which the fourth is not read). what: the argument's name; item: what each of
// them is of ("particle"). Throws Failure(INVALID_ARGUMENT, DEVICE_MISMATCH), naming the first item that is not finite.
std::vector<Vec3d> vectorsOf(const mnsView* view, const char* what, const char* item);

}  // namespace meniscus::api
