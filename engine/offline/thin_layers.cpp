#include "engine/offline/thin_layers.h"

#include <algorithm>

#include "engine/offline/grid_axes.h"

namespace meniscus::offline {
namespace {

constexpr double kTouches = 0.06;  // cells: what lies on a wall, by the gap of contacts, shuts in nothing

// The farthest that the solid reaches along the grid's axis, up or down [m].
template <int D>
double reach(const SceneSolid<D>& solid, int axis, bool up) {
  double far = up ? -1e300 : 1e300;
  for (const Vec3d& x : solid.start) {
    const double at = x[sceneAxis<D>(axis)];
    far = up ? std::max(far, at) : std::min(far, at);
  }
  return far;
}

}  // namespace

template <int D>
double shutLayer(const SceneDef& scene, const MacGrid<D>& g, const SceneSolid<D>& solid, const std::vector<char>& within,
                 const std::vector<char>& dry, const std::function<bool(const Vec3d&)>& isWater) {
  for (int axis = 0; axis < D; ++axis)
    for (const bool up : {false, true}) {
      const int k = sceneAxis<D>(axis);
      const double wall = up ? scene.domain.max[k] : scene.domain.min[k], solidAt = reach<D>(solid, axis, up);
      const double thick = up ? wall - solidAt : solidAt - wall;
      if (!(thick > kTouches * g.dx) || !(thick < 0.5 * g.dx)) continue;
      // the layer's cells at the wall: all of them within solids, and water between this one and the wall somewhere
      bool rim = false, water = false;
      for (Offset i = 0; i < g.cells() && !rim; ++i) {
        const Cell<D> c = g.cellAt(i);
        if (c[std::size_t(axis)] != (up ? g.n[std::size_t(axis)] - 1 : 0)) continue;
        rim = !dry[std::size_t(i)];
        if (!within[std::size_t(i)] || water) continue;
        Vec3d middle = toScene<D>(g.centre(c), planeOf(scene.domain));
        middle[k] = 0.5 * (wall + solidAt);
        water = isWater(middle);
      }
      if (water && !rim) return thick;
    }
  return 0;
}

template double shutLayer<2>(const SceneDef&, const MacGrid<2>&, const SceneSolid<2>&, const std::vector<char>&,
                             const std::vector<char>&, const std::function<bool(const Vec3d&)>&);
template double shutLayer<3>(const SceneDef&, const MacGrid<3>&, const SceneSolid<3>&, const std::vector<char>&,
                             const std::vector<char>&, const std::function<bool(const Vec3d&)>&);

}  // namespace meniscus::offline
