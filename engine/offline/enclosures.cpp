#include "engine/offline/enclosures.h"

#include <cmath>

namespace meniscus::offline {

RegionSides sidesOf(const EnclosedRegion& region, const std::vector<double>& x, const std::vector<Eigen::Index>& begin,
                    int dimension) {
  RegionSides s;
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    const std::size_t first = std::size_t(begin[b]), end = std::size_t(begin[b + 1]);
    double moment = 0, all = 0, sum[3] = {0, 0, 0};
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t axis = (i - first) % std::size_t(dimension);
      moment += region.area[i] * (x[i] - x[first + axis]);  // about the first node: round-off of the solid's own size
      all += std::abs(region.area[i]);
      sum[axis] += region.area[i];
    }
    s.moment.push_back(moment);
    s.touches.push_back(all > 0);
    s.push.push_back(all > 0 ? std::hypot(sum[0], sum[1], sum[2]) / all : 0);
  }
  return s;
}

template <int D>
bool hasPressure(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids) {
  constexpr double kRoundOff = 1e-9;
  for (std::size_t b = 0; b < solids.size(); ++b) {
    if (!sides.touches[b] || solids[b].isStatic()) continue;
    if (solids[b].isRigid() ? sides.push[b] > kRoundOff : solids[b].kind != SolidKind::soft || sides.moment[b] < 0) return true;
  }
  return false;
}

template <int D>
int filledBy(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids) {
  for (std::size_t b = 0; b < solids.size(); ++b)
    if (solids[b].kind == SolidKind::inflatable && sides.touches[b] && sides.moment[b] > 0) return int(b);
  return -1;
}

template bool hasPressure<2>(const RegionSides&, const std::vector<SceneSolid<2>>&);
template bool hasPressure<3>(const RegionSides&, const std::vector<SceneSolid<3>>&);
template int filledBy<2>(const RegionSides&, const std::vector<SceneSolid<2>>&);
template int filledBy<3>(const RegionSides&, const std::vector<SceneSolid<3>>&);

}  // namespace meniscus::offline
