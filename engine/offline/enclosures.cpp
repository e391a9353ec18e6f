#include "engine/offline/enclosures.h"

#include <algorithm>
#include <cmath>

namespace meniscus::offline {

RegionSides sidesOf(const EnclosedRegion& region, const std::vector<double>& x, const std::vector<Eigen::Index>& begin,
                    int dimension) {
  RegionSides s;
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    const std::size_t first = std::size_t(begin[b]), end = std::size_t(begin[b + 1]);
    double moment = 0, all[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t axis = (i - first) % std::size_t(dimension);
      moment += region.area[i] * (x[i] - x[first + axis]);  // about the first node: round-off of the solid's own size
      all[axis] += std::abs(region.area[i]);
      sum[axis] += region.area[i];
    }
    s.moment.push_back(moment);
    s.touches.push_back(all[0] + all[1] + all[2] > 0);
    double push = 0;
    for (int k = 0; k < dimension; ++k)
      if (all[k] > 0) push = std::max(push, std::abs(sum[k]) / all[k]);
    s.push.push_back(push);
  }
  return s;
}

namespace {

// A piston is pushed by all of its faces; of a body within the region, those that have nothing opposite are the few that it shares
// with another body or a wall less than a cell off.
constexpr double kPushed = 0.5;

}  // namespace

template <int D>
bool isPushed(const RegionSides& sides, std::size_t b, const SceneSolid<D>& s) {
  if (!sides.touches[b]) return false;
  return s.isRigid() ? sides.push[b] > kPushed : s.kind != SolidKind::soft || sides.moment[b] < 0;
}

template <int D>
bool canMove(const SceneSolid<D>& s) {
  return !s.isGiven() && std::count(s.held.begin(), s.held.end(), 0) > 0;
}

template <int D>
bool canGrow(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids) {
  for (std::size_t b = 0; b < solids.size(); ++b)
    if (canMove(solids[b]) && isPushed(sides, b, solids[b])) return true;
  return false;
}

template <int D>
bool hasPressure(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids) {
  for (std::size_t b = 0; b < solids.size(); ++b)
    if (!solids[b].isStatic() && isPushed(sides, b, solids[b])) return true;
  return false;
}

template <int D>
int filledBy(const RegionSides& sides, const std::vector<SceneSolid<D>>& solids) {
  for (std::size_t b = 0; b < solids.size(); ++b)
    if (solids[b].kind == SolidKind::inflatable && sides.touches[b] && sides.moment[b] > 0) return int(b);
  return -1;
}

template bool isPushed<2>(const RegionSides&, std::size_t, const SceneSolid<2>&);
template bool isPushed<3>(const RegionSides&, std::size_t, const SceneSolid<3>&);
template bool canMove<2>(const SceneSolid<2>&);
template bool canMove<3>(const SceneSolid<3>&);
template bool canGrow<2>(const RegionSides&, const std::vector<SceneSolid<2>>&);
template bool canGrow<3>(const RegionSides&, const std::vector<SceneSolid<3>>&);
template bool hasPressure<2>(const RegionSides&, const std::vector<SceneSolid<2>>&);
template bool hasPressure<3>(const RegionSides&, const std::vector<SceneSolid<3>>&);
template int filledBy<2>(const RegionSides&, const std::vector<SceneSolid<2>>&);
template int filledBy<3>(const RegionSides&, const std::vector<SceneSolid<3>>&);

}  // namespace meniscus::offline
