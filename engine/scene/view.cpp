#include "engine/scene/view.h"

namespace meniscus {

CameraDef cameraAt(const std::vector<CameraDef>& path, double time) {
  CameraDef c = time <= path.front().time ? path.front() : path.back();
  c.time = time;
  if (time <= path.front().time || time >= path.back().time) return c;
  std::size_t k = 1;
  while (path[k].time < time) ++k;
  const CameraDef &a = path[k - 1], &b = path[k];
  const double dt = b.time - a.time, s = (time - a.time) / dt;
  // cubic Hermite: slopes are those between the neighbours, and level at the ends of the path
  const double h1 = s * s * (3 - 2 * s), h0 = 1 - h1, g0 = s * (1 - s) * (1 - s), g1 = s * s * (s - 1);
  const auto curve = [&](auto value) {
    const auto slope = [&](std::size_t at) {
      if (at == 0 || at + 1 == path.size()) return value(a) * 0.0;
      return (value(path[at + 1]) - value(path[at - 1])) * (1 / (path[at + 1].time - path[at - 1].time));
    };
    return value(a) * h0 + value(b) * h1 + (slope(k - 1) * g0 + slope(k) * g1) * dt;
  };
  c.eye = curve([](const CameraDef& x) { return x.eye; });
  c.target = curve([](const CameraDef& x) { return x.target; });
  c.fieldOfView = curve([](const CameraDef& x) { return x.fieldOfView; });
  return c;
}

}  // namespace meniscus
