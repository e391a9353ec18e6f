#include "apps/picture/colouring.h"

#include <algorithm>
#include <cmath>

namespace meniscus::picture {

const QuantityName& nameOf(FluidQuantity quantity) {
  static const QuantityName names[kFluidQuantities] = {
      {"none", "Fluid's own colour", ""},      {"speed", "Speed", "m/s"},
      {"pressure", "Pressure", "Pa"},          {"density_error", "Density error", ""},
      {"deficiency", "Kernel deficiency", ""}, {"leaked", "Leaked", ""},
      {"vorticity", "Vorticity", "1/s"},       {"smoke", "Smoke", ""},
      {"level_set", "Level set", "m"}};
  return names[int(quantity)];
}

const QuantityName& nameOf(MeshQuantity quantity) {
  static const QuantityName names[kMeshQuantities] = {
      {"none", "Body's own colour", ""}, {"speed", "Speed", "m/s"}, {"stretch", "Stretch", ""}};
  return names[int(quantity)];
}

bool isOfGrids(FluidQuantity q) {
  return q == FluidQuantity::smoke || q == FluidQuantity::levelSet || q == FluidQuantity::speed || q == FluidQuantity::pressure;
}

Range rangeOf(const std::vector<float>& values, FluidQuantity quantity, std::vector<float>& some) {
  if (quantity == FluidQuantity::leaked) return {0, 1};
  if (values.empty()) return {0, 1};
  // some thousand values tell the range; all of them would cost more than drawing them
  some.clear();
  const std::size_t stride = std::max<std::size_t>(1, values.size() / 4096);
  for (std::size_t k = 0; k < values.size(); k += stride)
    if (std::isfinite(values[k])) some.push_back(values[k]);
  if (some.empty()) return {0, 1};
  std::sort(some.begin(), some.end());
  const std::size_t cut = some.size() / 50;
  float low = some[cut], high = some[some.size() - 1 - cut];
  if (quantity == FluidQuantity::speed || quantity == FluidQuantity::vorticity) low = 0;
  if (quantity == FluidQuantity::densityError) low = -(high = std::max(std::abs(low), std::abs(high)));
  const float least = std::max(1e-6f, 1e-4f * std::max(std::abs(low), std::abs(high)));
  if (!(high - low > least)) high = low + least;
  return {low, high};
}

Range rangeOfGrid(const std::vector<float>& values, const std::vector<float>& levelSet, FluidQuantity quantity) {
  Range range{0, 0};
  const bool fromZero = quantity == FluidQuantity::smoke || quantity == FluidQuantity::speed;
  bool first = !fromZero;
  const bool wet = !levelSet.empty() && quantity != FluidQuantity::levelSet;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const float v = values[k];
    if (!std::isfinite(v) || (wet && levelSet[k] > 0)) continue;
    range = first ? Range{v, v} : Range{std::min(range.low, v), std::max(range.high, v)};
    first = false;
  }
  if (fromZero) range.low = 0;
  const float least = std::max(1e-6f, 1e-4f * std::max(std::abs(range.low), std::abs(range.high)));
  if (!(range.high - range.low > least)) range.high = range.low + least;
  return range;
}

Range follow(const Range& before, const Range& now) {
  const float rate = 0.05f;  // of a picture
  return {now.low < before.low ? now.low : before.low + rate * (now.low - before.low),
          now.high > before.high ? now.high : before.high + rate * (now.high - before.high)};
}

}  // namespace meniscus::picture
