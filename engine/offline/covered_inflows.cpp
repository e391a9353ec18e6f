#include "engine/offline/covered_inflows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/grid/smoke/filled_cells.h"
#include "engine/scene/diagnostic.h"

namespace meniscus::offline {
namespace {

template <int D>
Cell<D> cellBehind(const Inflow<D>& inflow) {
  Cell<D> c = inflow.face;
  if (c[std::size_t(inflow.axis)] > 0) --c[std::size_t(inflow.axis)];
  return c;
}

// Whether any of these cells has its centre in the box about the nodes [begin, end): most solids are nowhere near an inflow.
template <int D>
bool isNear(const SmokeDomain<D>& domain, const std::vector<double>& x, std::size_t begin, std::size_t end) {
  Point<D> lo, hi;
  lo.fill(std::numeric_limits<double>::max());
  hi.fill(std::numeric_limits<double>::lowest());
  for (std::size_t i = begin; i < end; ++i)
    for (std::size_t a = 0; a < D; ++a) {
      lo[a] = std::min(lo[a], x[i * D + a]);
      hi[a] = std::max(hi[a], x[i * D + a]);
    }
  return std::any_of(domain.inflow.begin(), domain.inflow.end(), [&](const Inflow<D>& inflow) {
    const Point<D> centre = domain.grid.centre(cellBehind<D>(inflow));
    for (std::size_t a = 0; a < D; ++a)
      if (centre[a] < lo[a] || centre[a] > hi[a]) return false;
    return true;
  });
}

}  // namespace

template <int D>
std::vector<int> solidsOverInflows(const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                   const std::vector<SceneSolid<D>>& solids) {
  std::vector<int> over(domain.inflow.size(), -1);
  ShellFaces<D> faces;
  bool found = false;
  std::size_t node = 0, element = 0;
  for (std::size_t b = 0; b < solids.size(); ++b) {
    const std::size_t nodes = solids[b].start.size(), elements = solids[b].elements.size();
    if (solids[b].displacesFluid() && isNear<D>(domain, x, node, node + nodes)) {
      if (!found) {
        const GivenFaces<D> given(domain);
        findShellFaces(ShellLattice<D>{domain.grid}, mesh, x, &given, faces);
        found = true;
      }
      std::vector<char> marks(mesh.elements.size(), 0);
      std::fill_n(marks.begin() + std::ptrdiff_t(element), elements, char(1));
      const std::vector<char> within = findFilledCells(domain.grid, faces, marks);
      for (std::size_t k = 0; k < over.size(); ++k)
        if (over[k] < 0 && within[std::size_t(domain.grid.cell(cellBehind<D>(domain.inflow[k])))]) over[k] = int(b);
    }
    node += nodes;
    element += elements;
  }
  return over;
}

template <int D>
void checkCovered(const SceneDef& scene, const SmokeDomain<D>& domain, const std::vector<int>& over,
                  const std::vector<SceneSolid<D>>& solids, std::vector<std::string>* notes) {
  const std::vector<InflowDef>& inflows = scene.fluids[0].inflows;
  Diagnostics mistakes;
  for (std::size_t n = 0; n < inflows.size(); ++n) {
    std::size_t faces = 0, covered = 0, forever = 0;
    int by = -1;
    for (std::size_t k = 0; k < over.size(); ++k) {
      if (std::size_t(domain.inflow[k].opening) != n) continue;
      ++faces;
      if (over[k] < 0) continue;
      ++covered;
      forever += solids[std::size_t(over[k])].isStatic();
      by = over[k];
    }
    if (covered == 0) continue;
    const std::string& name = solids[std::size_t(by)].name;
    const SourceRef& at = inflows[n].where;
    if (forever == faces)
      mistakes.push_back(
          {scene.file, at.line, at.column,
           fmt::format("this inflow lies wholly behind the static solid \"{}\", through which nothing flows; move one "
                       "of them, or remove the inflow",
                       name)});
    else if (notes)
      notes->push_back(
          fmt::format("{}:{}:{}: the solid \"{}\" lies over {} of this inflow's {} faces: what it covers does not flow", scene.file,
                      at.line, at.column, name, covered, faces));
  }
  throwIfAny(mistakes);
}

#define MNS_INSTANTIATE(D)                                                                                               \
  template std::vector<int> solidsOverInflows<D>(const SmokeDomain<D>&, const ShellMesh<D>&, const std::vector<double>&, \
                                                 const std::vector<SceneSolid<D>>&);                                     \
  template void checkCovered<D>(const SceneDef&, const SmokeDomain<D>&, const std::vector<int>&,                         \
                                const std::vector<SceneSolid<D>>&, std::vector<std::string>*);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
