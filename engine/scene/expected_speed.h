// How fast a scene is expected to be, and what a speed of sound must be for that.
#pragma once

#include <string>

#include "engine/scene/scene.h"

namespace meniscus {

constexpr double kMostDensityError = 0.1;  // density errors are cut off here in all pressure modes

// The fastest speed expected [m/s]: that of a fall through the domain from the greatest speed at which fluid or solids start or
// fluid is emitted, and of what surface tension draws together.
double fastestExpected(const SceneDef& scene);

// Least speed of sound [m/s] at which Tait's equation (gamma = 7) stops fluid of a speed v: p(kMostDensityError) = rho v^2 / 2.
double leastSoundSpeed(double v);

// What is wrong with the scene's "sound_speed", or "".
std::string soundSpeedMistake(const SceneDef& scene);

}  // namespace meniscus
