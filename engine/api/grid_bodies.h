// The bodies of a grid scene: where they are, and which of them a ray meets.
#pragma once

#include "engine/api/grid_scene.h"

namespace meniscus::api {

struct GridBody {
  offline::SolidReport report;
  const SolidDef* def = nullptr;
  Quatd rotation;  // of the shape
};

// Throws Failure(INVALID_HANDLE, NOT_STARTED, WRONG_KIND).
GridBody gridBody(mnsScene& s, const mnsBodyId& id);

// Closed bodies: enclosed volume [m^3, in two dimensions m^2]. Throws Failure(WRONG_KIND) for others.
double gridVolume(mnsScene& s, const mnsBodyId& id);

// The first body whose surface, as it is drawn, is met from either side on the way from origin to origin + ray [m].
mnsRayHit gridRayCast(mnsScene& s, const Vec3d& origin, const Vec3d& ray);

}  // namespace meniscus::api
