#include "engine/grid/water/body_shares.h"

#include "engine/grid/water/shell_gaps.h"

namespace meniscus {

template <int D>
FilledBodies<D>::FilledBodies(const ShellMesh<D>& mesh, const std::vector<char>& filled)
    : mesh_(mesh), filled_(filled), bodies_(filledBodies(mesh, filled)) {}

template <int D>
void FilledBodies<D>::orient(const std::vector<double>& x) {
  const std::size_t count = std::size_t(bodies_.count);
  std::vector<double> volume(count, 0);
  std::vector<Point<D>> first(count);
  std::vector<char> known(count, 0);
  for (std::size_t e = 0; e < bodies_.of.size(); ++e) {
    if (bodies_.of[e] < 0) continue;
    const std::size_t b = std::size_t(bodies_.of[e]);
    std::array<Point<D>, D> p;
    for (std::size_t i = 0; i < D; ++i) p[i] = nodeOf<D>(x, mesh_.elements[e][i]);
    if (!known[b]) first[b] = p[0], known[b] = 1;
    for (std::size_t i = 0; i < D; ++i) volume[b] += projectedArea<D>(p, D - 1) * (p[i][D - 1] - first[b][D - 1]) / D;
  }
  sense_.assign(count, 1);
  for (std::size_t b = 0; b < count; ++b)
    if (volume[b] < 0) sense_[b] = -1;
}

// A piece whose outward side looks up has the body below it: in its own cell, and in all of them below.
template <int D>
void findBodyShares(const MacGrid<D>& grid, FilledBodies<D>& bodies, const std::vector<double>& x, std::vector<double>& share) {
  share.assign(std::size_t(grid.cells()), 0);
  if (!bodies.any()) return;
  constexpr std::size_t kUp = D - 1;
  const double face = std::pow(grid.dx, D - 1);
  const Offset stride = grid.cellStride(int(kUp));
  std::vector<double> below(share.size(), 0);  // what a cell adds to all below it
  bodies.orient(x);
  for (std::size_t e = 0; e < bodies.mesh().elements.size(); ++e) {
    if (!bodies.filled(Index(e))) continue;
    const double sense = bodies.outward(Index(e)) / face;
    forPieces<D>(grid, x, bodies.mesh().elements[e], kUp, [&](Cell<D> c, const element_clip::Polygon<D>& piece) {
      const bool beyond = c[kUp] >= grid.n[kUp];
      if (beyond) c[kUp] = grid.n[kUp] - 1;
      const std::size_t i = std::size_t(grid.cell(c));
      const double bottom = grid.origin[kUp] + c[kUp] * grid.dx;
      forFan<D>(piece, [&](const std::array<element_clip::Corner<D>, D>& part) {
        std::array<Point<D>, D> p;
        double height = 0;
        for (std::size_t k = 0; k < D; ++k) p[k] = part[k].x, height += (part[k].x[kUp] - bottom) / (grid.dx * D);
        const double area = sense * projectedArea<D>(p, kUp);
        share[i] += area * (beyond ? 1 : height);
        below[i] += area;
      });
    });
  }
  for (Offset i = grid.cells() - stride; i-- > 0;) {
    share[std::size_t(i)] += below[std::size_t(i + stride)];
    below[std::size_t(i)] += below[std::size_t(i + stride)];
  }
  for (double& s : share) s = std::clamp(s, 0.0, 1.0);  // bodies may overlap
}

namespace {

constexpr double kLeast = 1e-3;  // weight of a neighbour along gravity, or that the cell is not free towards

template <int D>
struct ExtendLevelSet {
  const WaterAtBodies<D>& at;
  const std::vector<double>& levelSet;
  std::vector<std::array<double, 2>> gaps;  // of each face of the shell
  Point<D> down{};                          // unit; 0 without gravity
  std::vector<char> known;

  // What a neighbour says, and how much it counts: by the part of the cell that is free towards it, and across gravity.
  void look(const Cell<D>& c, std::size_t a, Index step, double& sum, double& weights) const {
    const MacGrid<D>& g = at.grid;
    Cell<D> n = c, upper = c;
    n[a] += step;
    upper[a] += step > 0;
    if (!g.contains(n) || !known[std::size_t(g.cell(n))]) return;
    double weight = 1 - down[a] * down[a] + kLeast;
    const Index row = at.faces.row[a][std::size_t(g.face(int(a), upper))];
    if (!at.filled[std::size_t(g.cell(n))] && row >= 0)
      weight *= std::max(gaps[std::size_t(row)][step > 0 ? 1 : 0] - 0.5, 0.0) + kLeast;
    sum += weight * (levelSet[std::size_t(g.cell(n))] + step * down[a] * g.dx);
    weights += weight;
  }
};

}  // namespace

template <int D>
void levelSetInBodies(const WaterAtBodies<D>& at, std::vector<double>& extended) {
  extended.assign(at.levelSet.data(), at.levelSet.data() + at.levelSet.size());
  if (at.filled.empty()) return;
  ExtendLevelSet<D> extend{at, extended, shellGaps(at.grid, at.mesh, at.x, at.faces), at.gravity, {}};
  double size = 0;
  for (const double a : at.gravity) size += a * a;
  for (double& a : extend.down) a = size > 0 ? a / std::sqrt(size) : 0;
  std::vector<Offset> left, rest, ring;
  std::vector<double> value;
  for (std::size_t i = 0; i < at.filled.size(); ++i) {
    extend.known.push_back(!at.filled[i]);
    if (at.filled[i]) left.push_back(Offset(i));
  }
  while (!left.empty()) {
    rest.clear(), ring.clear(), value.clear();
    for (const Offset i : left) {
      double sum = 0, weights = 0;
      for (std::size_t a = 0; a < D; ++a)
        for (const Index step : {-1, 1}) extend.look(at.grid.cellAt(i), a, step, sum, weights);
      (weights > 0 ? ring : rest).push_back(i);
      if (weights > 0) value.push_back(sum / weights);
    }
    if (ring.empty()) break;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      extended[std::size_t(ring[k])] = value[k];
      extend.known[std::size_t(ring[k])] = 1;
    }
    left.swap(rest);
  }
}

template <int D>
double volumeBesideBodies(const WaterAtBodies<D>& at, const Buffer<double>* air, const std::vector<double>& share) {
  if (at.filled.empty()) return 0;
  const MacGrid<D>& g = at.grid;
  std::vector<double> levelSet;
  levelSetInBodies(at, levelSet);
  std::vector<char> open(share.size(), 0);  // the body is beyond the air
  for (const ShellFace<D>& f : at.faces.face) {
    if (!(air[f.axis][std::size_t(f.face)] > 0)) continue;
    const Offset upper = g.cell(f.cell), lower = upper - g.cellStride(f.axis);
    open[std::size_t(upper)] = open[std::size_t(lower)] = 1;
  }
  double sum = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double wet = wetPart(levelSet[i], g.dx), body = open[i] ? 0 : share[i];
    sum += (1 - body) * wet - wetPart(at.levelSet[i], g.dx);
  }
  return sum * std::pow(g.dx, D);
}

#define MNS_INSTANTIATE(D)                                                                                                \
  template class FilledBodies<D>;                                                                                         \
  template void findBodyShares<D>(const MacGrid<D>&, FilledBodies<D>&, const std::vector<double>&, std::vector<double>&); \
  template void levelSetInBodies<D>(const WaterAtBodies<D>&, std::vector<double>&);                                       \
  template double volumeBesideBodies<D>(const WaterAtBodies<D>&, const Buffer<double>*, const std::vector<double>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
