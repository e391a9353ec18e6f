#include "engine/offline/body_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meniscus::offline {
namespace {

using Place = std::array<double, 3>;

template <int D>
Place placeOf(const SceneSolid<D>& s, Index i) {
  const Vec3d& x = s.start[std::size_t(i)];
  return {x.x, D == 2 ? 0 : x.y, x.z};
}

Place minus(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double times(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Across an element, of any length.
template <int D>
Place acrossElement(const SceneSolid<D>& s, const std::array<Index, D>& e) {
  const Place u = minus(placeOf(s, e[1]), placeOf(s, e[0]));
  const Place v = D == 2 ? Place{0, 1, 0} : minus(placeOf(s, e[D - 1]), placeOf(s, e[0]));
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

}  // namespace

template <int D>
double bodyWidth(const SceneSolid<D>& solid) {
  double width = 1e300;
  for (const std::array<Index, D>& e : solid.elements) {
    const Place n = acrossElement<D>(solid, e);
    const double size = std::sqrt(times(n, n));
    if (size == 0) continue;
    double low = 1e300, high = -1e300;
    for (const std::array<Index, D>& other : solid.elements)
      for (const Index i : other) {
        const double at = times(placeOf(solid, i), n) / size;
        low = std::min(low, at), high = std::max(high, at);
      }
    width = std::min(width, high - low);
  }
  return width;
}

template <int D>
std::string narrowBody(const SceneDef& scene, const SceneSolid<D>& solid, double cell) {
  if (scene.fluids[0].kind != FluidKind::water || !solid.isBody() || !solid.displacesFluid()) return {};
  // no body is narrower than its volume over half of its surface; most are not looked at closer
  double surface = 0;
  const Place first = placeOf(solid, solid.elements[0][0]);
  double volume = 0;
  for (const std::array<Index, D>& e : solid.elements) {
    const Place n = acrossElement<D>(solid, e);
    surface += std::sqrt(times(n, n)) / (D - 1);
    volume += times(n, minus(placeOf(solid, e[0]), first)) / (D * (D - 1));
  }
  if (!(std::abs(volume) < 0.5 * cell * surface)) return {};
  const double width = bodyWidth(solid);
  if (!(width < cell)) return {};
  return fmt::format(
      "solid \"{}\": is {:.3g} m wide, less than a cell of the grid ({:.3g} m): the water lifts it by its volume, but "
      "flows around whole cells or none, by where it lies; more cells show it",
      solid.name, width, cell);
}

#define MNS_INSTANTIATE(D)                            \
  template double bodyWidth<D>(const SceneSolid<D>&); \
  template std::string narrowBody<D>(const SceneDef&, const SceneSolid<D>&, double);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
