#include "engine/render/colour_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace meniscus::render {

namespace {

// Evenly spaced points of viridis (van der Walt & Smith 2015), the cool-to-warm map (Moreland 2009) and turbo (Mikhailov 2019),
// straight between them; the grey runs from nearly black to nearly white, so that both ends stand out from their surroundings.
constexpr std::uint32_t kViridis[] = {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
                                      0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725};
constexpr std::uint32_t kCoolwarm[] = {0x3b4cc0, 0x6788ee, 0x9abbff, 0xc9d7f0, 0xedd1c2, 0xf7a889, 0xe26952, 0xb40426};
constexpr std::uint32_t kTurbo[] = {0x30123b, 0x4145ab, 0x4675ed, 0x39a2fc, 0x1bcfd4, 0x24eca6, 0x61fc6c, 0xa4fc3b,
                                    0xd1e834, 0xf3c63a, 0xfe9b2d, 0xf36315, 0xd93806, 0xb11901, 0x7a0402};
constexpr std::uint32_t kGrey[] = {0x1a1a1a, 0xf2f2f2};

glm::vec3 unpack(std::uint32_t c) { return glm::vec3(c >> 16 & 255, c >> 8 & 255, c & 255) / 255.f; }

template <int N>
glm::vec3 between(const std::uint32_t (&points)[N], float t) {
  const float s = t * (N - 1);
  const int i = std::min(static_cast<int>(s), N - 2);
  return glm::mix(unpack(points[i]), unpack(points[i + 1]), s - static_cast<float>(i));
}

}  // namespace

glm::vec3 mapColour(ColourMap map, float t) {
  if (std::isnan(t)) return {1, 0, 1};
  t = std::clamp(t, 0.f, 1.f);
  switch (map) {
    case ColourMap::viridis:
      return between(kViridis, t);
    case ColourMap::coolwarm:
      return between(kCoolwarm, t);
    case ColourMap::turbo:
      return between(kTurbo, t);
    case ColourMap::grey:
      return between(kGrey, t);
  }
  return {1, 0, 1};
}

}  // namespace meniscus::render
