#include "engine/grid/water/air_gaps.h"

#include <algorithm>

#include "engine/grid/pressure_problem.h"

namespace meniscus {
namespace {

constexpr double kNoRoom = 1e-9;  // cells: the water is at the shell
constexpr Index kFarthest = 3;    // cells that the water reaches beyond the last one that the shell leaves to it
constexpr double kAcross = 0.5;   // of the slope of a distance: the surface is rather across the axis than along it

// The first crossing of a face's way, seen from the water.
template <int D>
struct Crossing {
  double at = 2;  // from the water's centre [cells]
  const ShellCrossing<D>* is = nullptr;
};

template <int D>
double alongAxis(const MacGrid<D>& g, const ShellMesh<D>& mesh, const ShellCrossing<D>& c, const std::vector<double>& x, int axis,
                 const Cell<D>& water, int way) {
  const double at = interpolated<D>(mesh.elements[std::size_t(c.element)], c.barycentric, x)[std::size_t(axis)];
  return way * (at - g.centre(water)[std::size_t(axis)]) / g.dx;
}

// Crossings are in the order of axes and elements: each row's are looked up by it.
template <int D>
std::vector<std::vector<const ShellCrossing<D>*>> byRow(const ShellFaces<D>& faces) {
  std::vector<std::vector<const ShellCrossing<D>*>> of(faces.face.size());
  for (const ShellCrossing<D>& c : faces.crossing) of[std::size_t(c.row)].push_back(&c);
  return of;
}

template <int D>
Crossing<D> firstOf(const MacGrid<D>& g, const ShellMesh<D>& mesh, const std::vector<const ShellCrossing<D>*>& all,
                    const std::vector<double>& x, int axis, const Cell<D>& water, int way) {
  Crossing<D> first;
  for (const ShellCrossing<D>* c : all) {
    const double at = std::clamp(alongAxis<D>(g, mesh, *c, x, axis, water, way), 0.0, 1.0);
    if (at < first.at) first = {at, c};
  }
  return first;
}

// A face of the shell with water on one side only.
template <int D>
struct OneSidedFace {
  Offset water, other;
  Cell<D> cell;  // of the water
  int way;
};

template <int D>
bool oneSided(const MacGrid<D>& g, const ShellFace<D>& f, const Buffer<double>& levelSet, OneSidedFace<D>& side) {
  const Offset upper = g.cell(f.cell), lower = upper - g.cellStride(f.axis);
  const bool wetUpper = levelSet[std::size_t(upper)] < 0, wetLower = levelSet[std::size_t(lower)] < 0;
  if (wetUpper == wetLower) return false;
  side = {wetLower ? lower : upper, wetLower ? upper : lower, f.cell, wetLower ? 1 : -1};
  side.cell[std::size_t(f.axis)] -= Index(wetLower);
  return true;
}

// Where the water's surface was at the beginning, from the centre of the cell along the axis [cells], and the air that was known
// before the shell there already; negative: none was, and how much there is says where the shell was. False where there is none.
template <int D>
bool surfaceBefore(const AirGapSearch<D>& at, int axis, Cell<D> c, int way, double& surface, double& known) {
  const MacGrid<D>& g = at.domain.grid;
  const std::size_t a = std::size_t(axis);
  for (Index k = 0; k < kFarthest; ++k) {
    Cell<D> next = c, upper = c;
    next[a] += way;
    upper[a] += way > 0;
    if (!g.contains(next)) return false;
    const Offset face = g.face(axis, upper);
    if (at.given.given(axis, face)) return false;
    const double own = at.matter.levelSet[std::size_t(g.cell(c))], beyond = at.matter.levelSet[std::size_t(g.cell(next))];
    if (at.before.closed(axis, face)) {
      known = at.matter.air[axis][std::size_t(face)];
      surface = k;
      return known > 0;
    }
    if (beyond >= 0) {
      surface = k + own / (own - beyond);
      known = -1;
      return true;
    }
    c = next;
  }
  return false;
}

// The air between the water of the beginning and where the shell was then, that crosses the way to the face there `is`: where the
// water's surface was [cells], and the room of the air [m]. False where there is none.
template <int D>
bool gapBefore(const AirGapSearch<D>& at, int axis, const OneSidedFace<D>& side, const ShellCrossing<D>& is, double& surface,
               double& room) {
  const MacGrid<D>& g = at.domain.grid;
  if (!surfaceBefore<D>(at, axis, side.cell, side.way, surface, room)) return false;
  const double start = alongAxis<D>(g, at.mesh, is, at.x0, axis, side.cell, side.way);
  if (room >= 0)
    surface = start - room / g.dx;  // the shell was in the way already, and what was before it is known
  else
    room = (start - surface) * g.dx;
  return true;
}

}  // namespace

template <int D>
void findAirGaps(const AirGapSearch<D>& at, const ShellFaces<D>& faces, const Buffer<double>& levelSet,
                 const std::vector<Index>& swept, std::vector<AirGap<D>>& gaps) {
  const MacGrid<D>& g = at.domain.grid;
  gaps.clear();
  const auto crossings = byRow(faces);
  for (std::size_t r = 0; r < faces.face.size(); ++r) {
    const ShellFace<D>& f = faces.face[r];
    OneSidedFace<D> side;
    if (!oneSided(g, f, levelSet, side) || swept[std::size_t(side.water)] >= 0 || !at.matter.wet(side.water)) continue;
    const Crossing<D> end = firstOf<D>(g, at.mesh, crossings[r], at.x1, f.axis, side.cell, side.way);
    double surface, room;
    if (!gapBefore<D>(at, f.axis, side, *end.is, surface, room) || !(room > kNoRoom * g.dx)) continue;
    gaps.push_back({f.axis, f.face, Index(r), side.water, side.other, side.way, std::clamp(surface, kLeastTheta, 1.0), room});
  }
}

template <int D>
void moveAirGaps(const AirGapSearch<D>& at, const ShellFaces<D>& faces, const Buffer<double>* velocity, double dt,
                 const SweptShell<D>& swept, const std::vector<std::pair<int, Offset>>& met, WaterMatter<D>& after,
                 std::vector<char>& touched) {
  const MacGrid<D>& g = at.domain.grid;
  for (int axis = 0; axis < D; ++axis) after.air[axis].assign(std::size_t(g.faces(axis)), 0);
  touched.assign(after.levelSet.size(), 0);
  const auto crossings = byRow(faces);
  std::vector<std::pair<Offset, double>> distance;
  for (std::size_t r = 0; r < faces.face.size(); ++r) {
    const ShellFace<D>& f = faces.face[r];
    OneSidedFace<D> side;
    if (std::binary_search(met.begin(), met.end(), std::pair(f.axis, f.face)) || !oneSided(g, f, after.levelSet, side)) continue;
    if (!swept.passing(ShellLattice<D>{g}.centre(side.cell)).empty()) continue;  // water that came along with the shell
    const Crossing<D> end = firstOf<D>(g, at.mesh, crossings[r], at.x1, f.axis, side.cell, side.way);
    double surface, room;
    if (at.matter.wet(side.water)) {
      if (!gapBefore<D>(at, f.axis, side, *end.is, surface, room) || !(room > kNoRoom * g.dx)) continue;
      surface += side.way * velocity[f.axis][std::size_t(f.face)] * dt / g.dx;
    } else {
      surface = -after.levelSet[std::size_t(side.water)] / g.dx;  // the water has risen over the centre
    }
    if (!(surface < end.at - kNoRoom)) continue;
    if (surface > 0) after.air[f.axis][std::size_t(f.face)] = (end.at - surface) * g.dx;
    distance.emplace_back(side.water, -surface * g.dx);
  }
  for (const auto& [cell, d] : distance) {
    double& own = after.levelSet[std::size_t(cell)];
    own = touched[std::size_t(cell)] ? std::max(own, d) : d;
    touched[std::size_t(cell)] = 1;
  }
}

template <int D>
void airAtStart(const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const std::vector<double>& x, const ShellFaces<D>& faces,
                WaterMatter<D>& matter, std::vector<char>& touched) {
  const MacGrid<D>& g = domain.grid;
  for (int axis = 0; axis < D; ++axis) matter.air[axis].assign(std::size_t(g.faces(axis)), 0);
  touched.assign(matter.levelSet.size(), 0);
  const auto crossings = byRow(faces);
  for (std::size_t r = 0; r < faces.face.size(); ++r) {
    const ShellFace<D>& f = faces.face[r];
    OneSidedFace<D> side;
    if (!oneSided(g, f, matter.levelSet, side)) continue;
    Cell<D> behind = side.cell;
    behind[std::size_t(f.axis)] -= side.way;
    if (!g.contains(behind)) continue;
    const double own = matter.levelSet[std::size_t(side.water)] / g.dx;
    const double slope = own - matter.levelSet[std::size_t(g.cell(behind))] / g.dx;
    const Crossing<D> is = firstOf<D>(g, mesh, crossings[r], x, f.axis, side.cell, side.way);
    if (!(slope > kAcross) || !(-own / slope < is.at - kNoRoom)) continue;
    matter.air[f.axis][std::size_t(f.face)] = (is.at + own / slope) * g.dx;
    touched[std::size_t(side.water)] = 1;
  }
}

template <int D>
void withoutRows(const ShellFaces<D>& faces, const ShellWeights& weights, const std::vector<char>& mark, ShellFaces<D>& left,
                 ShellWeights& leftWeights) {
  left.face.clear();
  left.crossing.clear();
  left.before = faces.before;
  leftWeights = {};
  leftWeights.begin.push_back(0);
  std::vector<Index> number(faces.face.size(), -1);
  for (int axis = 0; axis < D; ++axis) left.row[axis].assign(faces.row[axis].size(), -1);
  for (std::size_t r = 0; r < faces.face.size(); ++r) {
    if (mark[r]) continue;
    number[r] = Index(left.face.size());
    left.row[faces.face[r].axis][std::size_t(faces.face[r].face)] = number[r];
    left.face.push_back(faces.face[r]);
    for (Index k = weights.begin[r]; k < weights.begin[r + 1]; ++k) {
      leftWeights.node.push_back(weights.node[std::size_t(k)]);
      leftWeights.weight.push_back(weights.weight[std::size_t(k)]);
    }
    leftWeights.begin.push_back(Index(leftWeights.node.size()));
  }
  for (ShellCrossing<D> c : faces.crossing) {
    c.row = number[std::size_t(c.row)];
    if (c.row >= 0) left.crossing.push_back(c);
  }
  for (ShellWeights::Across a : weights.across) {
    a.row = number[std::size_t(a.row)];
    if (a.row >= 0) leftWeights.across.push_back(a);
  }
}

#define MNS_INSTANTIATE(D)                                                                                                        \
  template void findAirGaps<D>(const AirGapSearch<D>&, const ShellFaces<D>&, const Buffer<double>&, const std::vector<Index>&,    \
                               std::vector<AirGap<D>>&);                                                                          \
  template void moveAirGaps<D>(const AirGapSearch<D>&, const ShellFaces<D>&, const Buffer<double>*, double, const SweptShell<D>&, \
                               const std::vector<std::pair<int, Offset>>&, WaterMatter<D>&, std::vector<char>&);                  \
  template void airAtStart<D>(const SmokeDomain<D>&, const ShellMesh<D>&, const std::vector<double>&, const ShellFaces<D>&,       \
                              WaterMatter<D>&, std::vector<char>&);                                                               \
  template void withoutRows<D>(const ShellFaces<D>&, const ShellWeights&, const std::vector<char>&, ShellFaces<D>&, ShellWeights&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
