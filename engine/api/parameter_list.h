// The parameters that can be changed between steps, found by name. What each of them is called, means and accepts comes from the
// tables of the scene format.
#pragma once

#include <string>

#include "engine/api/objects.h"

namespace meniscus::api {

std::int32_t countParameters(mnsScene& scene);
// k in [0, count).
mnsParameter parameterAt(mnsScene& scene, std::int32_t k);
// All throw Failure(NOT_FOUND) with the nearest name there is.
mnsParameter parameterOf(mnsScene& scene, const char* name);
double valueOf(mnsScene& scene, const char* name);
// In the definitions and, once started, in the world. Throws Failure(INVALID_ARGUMENT) or Error(input), and changes nothing then.
void setParameter(mnsScene& scene, const char* name, double value);

// Those whose names begin so are gone: their initial values mean nothing any more.
void forgetParameters(mnsScene& scene, const std::string& prefix) noexcept;

}  // namespace meniscus::api
