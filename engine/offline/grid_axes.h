// How a scene's space and its grid lie to one another: in two dimensions the grid's axes are the scene's x and z.
#pragma once

#include <Eigen/Core>

#include "engine/scene/scene.h"

namespace meniscus::offline {

// The scene's axis of the grid's.
template <int D>
constexpr int sceneAxis(int axis) {
  return D == 2 && axis == 1 ? 2 : axis;
}

template <int D>
Eigen::Matrix<double, D, 1> toGrid(const Vec3d& v) {
  Eigen::Matrix<double, D, 1> g;
  for (int a = 0; a < D; ++a) g[a] = v[sceneAxis<D>(a)];
  return g;
}

// rest: what the axis that the grid has not keeps.
template <int D, class V>
Vec3d toScene(const V& g, double rest = 0) {
  Vec3d v{0, rest, 0};
  for (int a = 0; a < D; ++a) v[sceneAxis<D>(a)] = g[std::size_t(a)];
  return v;
}

// y of the plane that a grid in two dimensions is [m].
inline double planeOf(const DomainDef& d) { return 0.5 * (d.min.y + d.max.y); }

}  // namespace meniscus::offline
