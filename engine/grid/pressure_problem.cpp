#include "engine/grid/pressure_problem.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"

namespace meniscus {
namespace {

template <int D>
std::string coordinatesOf(Cell<D> extent, Offset i) {
  std::string text;
  for (std::size_t a = 0; a < D; ++a) {
    text += fmt::format("{}{}", a ? ", " : "(", i % extent[a]);
    i /= extent[a];
  }
  return text + ")";
}

// right(value) for every value; the first that is wrong is named.
template <int D, class Right>
void checkValues(const Cell<D>& extent, const Buffer<double>& values, const std::string& name, const char* range, Right right) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (right(values[i])) continue;
    throw Error(ErrorKind::simulation, fmt::format("pressure problem: {} {} is {}; it must be {}", name,
                                                   coordinatesOf<D>(extent, Offset(i)), values[i], range));
  }
}

void checkSize(std::size_t size, Offset wanted, const std::string& name, bool mayBeEmpty) {
  if (Offset(size) == wanted || (mayBeEmpty && size == 0)) return;
  throw Error(ErrorKind::input, fmt::format("pressure problem: {} has {} values; the grid needs {}", name, size, wanted));
}

template <int D>
void checkGrid(const MacGrid<D>& g) {
  double padded = 1;
  for (const Index k : g.n) {
    if (k < 0) throw Error(ErrorKind::input, fmt::format("pressure problem: the grid has {} cells along an axis", k));
    padded *= double(k) + 3;
  }
  if (padded > double(std::numeric_limits<Index>::max()) / 2)
    throw Error(ErrorKind::input, fmt::format("pressure problem: {} cells are too many; use a larger dx", g.cells()));
  if (!(g.dx > 0) || !std::isfinite(g.dx))
    throw Error(ErrorKind::input, fmt::format("pressure problem: dx is {}; it must be positive", g.dx));
}

}  // namespace

template <int D>
void checkCellArray(const MacGrid<D>& grid, const Buffer<double>& values, const char* name) {
  checkSize(values.size(), grid.cells(), name, false);
  checkValues<D>(grid.n, values, std::string(name) + " of cell", "finite", [](double v) { return std::isfinite(v); });
}

template <int D>
void checkPressureProblem(const PressureProblem<D>& p) {
  const MacGrid<D>& g = p.grid;
  checkGrid(g);
  checkSize(p.kind.size(), g.cells(), "kind", false);
  if (!(p.constantBeta > 0) || !std::isfinite(p.constantBeta))
    throw Error(ErrorKind::simulation, fmt::format("pressure problem: constantBeta is {}; it must be positive", p.constantBeta));
  for (int a = 0; a < D; ++a) {
    const std::string axis(1, "xyz"[a]);
    const Cell<D> extent = g.faceExtent(a);
    checkSize(p.openFraction[a].size(), g.faces(a), "openFraction." + axis, true);
    checkValues<D>(extent, p.openFraction[a], "openFraction." + axis + " of face", "in [0, 1]",
                   [](double v) { return v >= 0 && v <= 1; });
    checkSize(p.beta[a].size(), g.faces(a), "beta." + axis, true);
    checkValues<D>(extent, p.beta[a], "beta." + axis + " of face", "positive", [](double v) { return v > 0 && std::isfinite(v); });
  }
  for (const auto& [values, name] : {std::pair(&p.levelSet, "levelSet"), std::pair(&p.airPressure, "airPressure")})
    if (!values->empty()) checkCellArray(g, *values, name);
}

template void checkPressureProblem<2>(const PressureProblem<2>&);
template void checkPressureProblem<3>(const PressureProblem<3>&);
template void checkCellArray<2>(const MacGrid<2>&, const Buffer<double>&, const char*);
template void checkCellArray<3>(const MacGrid<3>&, const Buffer<double>&, const char*);

}  // namespace meniscus
