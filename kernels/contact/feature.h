// A boundary feature of a particle: a local minimum of the distance to a solid surface, within the kernel support.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

constexpr int kMaxFeatures = 4;  // kept per particle, nearest first

struct Feature {
  Vec3f n;               // unit normal, from the surface to the particle (into the fluid)
  float d;               // distance [m], > 0
  float w;               // weight: 1 on a face, less on convex edges and rims (1 - 2 phi / pi)
  float b0, b1;          // barycentric weights of the triangle's nodes 0 and 1 (node 2: 1 - b0 - b1); 0 for primitives
  std::int32_t surface;  // triangle number t >= 0, or -1 - k for primitive k
  // the closest point is x - d n
};

MNS_NS_END
