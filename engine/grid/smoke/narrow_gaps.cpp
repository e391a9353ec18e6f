#include "engine/grid/smoke/narrow_gaps.h"

#include "engine/grid/smoke/element_clip.h"

namespace meniscus {
namespace {

constexpr double kCovered = 0.25;  // of a face that a solid covers at least
constexpr double kSunk = 0.05;     // cells that a surface may be in a wall and still rest on it

// Across the element, as long as its size: to the right of an edge, by the right-hand rule of a triangle.
template <int D>
Point<D> areaVector(const std::vector<double>& x, const std::array<Index, D>& e) {
  const Point<D> a = nodeOf<D>(x, e[0]), b = nodeOf<D>(x, e[1]);
  if constexpr (D == 2) {
    return {b[1] - a[1], a[0] - b[0]};
  } else {
    const Point<D> c = nodeOf<D>(x, e[2]);
    Point<D> n{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] = 0.5 * ((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
    }
    return n;
  }
}

template <int D>
double sizeOf(const Point<D>& v) {
  double sum = 0;
  for (const double k : v) sum += k * k;
  return std::sqrt(sum);
}

}  // namespace

template <int D>
NarrowGaps<D>::NarrowGaps(const ShellMesh<D>& mesh, const std::vector<char>& filled)
    : mesh_(mesh), bodies_(filledBodies(mesh, filled)) {}

template <int D>
void NarrowGaps<D>::findCovers(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                               const std::vector<char>& filled) {
  const MacGrid<D>& g = domain.grid;
  covers_.clear();
  const auto isFilled = [&](const Cell<D>& c) { return g.contains(c) && filled[std::size_t(g.cell(c))] != 0; };
  const auto look = [&](int axis, const Cell<D>& cell, Offset f, bool border) {
    Cell<D> below = cell;
    --below[std::size_t(axis)];
    const bool solid[2] = {isFilled(below), isFilled(cell)};
    if (border ? !solid[0] && !solid[1] : !solid[0] || !solid[1]) return;
    number_[axis][std::size_t(f)] = Index(covers_.size());
    covers_.push_back({axis, cell, {}, {solid[0], solid[1]}});
  };
  for (int axis = 0; axis < D; ++axis) {
    number_[axis].assign(std::size_t(g.faces(axis)), -1);
    Cell<D> border = g.faceExtent(axis);
    border[std::size_t(axis)] = 2;
    const MacGrid<D> sides{border, g.dx, g.origin};
    for (Offset k = 0; k < sides.cells(); ++k) {
      Cell<D> c = sides.cellAt(k);
      c[std::size_t(axis)] *= g.n[std::size_t(axis)];
      if (const Offset f = g.face(axis, c); given.inflow[axis][std::size_t(f)] == GivenFaces<D>::kWall) look(axis, c, f, true);
    }
  }
  for (const ShellFace<D>& f : faces.face) look(f.axis, f.cell, f.face, false);
}

// The parts of the solids' surfaces in the dual cells of the faces, below a face what looks up and above it what looks down.
template <int D>
void NarrowGaps<D>::addPieces(const MacGrid<D>& g, const std::vector<double>& x) {
  pieces_.clear();
  volume_.assign(std::size_t(bodies_.count), 0);
  for (std::size_t e = 0; e < bodies_.of.size(); ++e) {
    if (bodies_.of[e] < 0) continue;
    const Point<D> n = areaVector<D>(x, mesh_.elements[e]), at = nodeOf<D>(x, mesh_.elements[e][0]);
    for (std::size_t a = 0; a < D; ++a) volume_[std::size_t(bodies_.of[e])] += n[a] * (at[a] - g.origin[a]);
  }
  for (std::size_t e = 0; e < bodies_.of.size(); ++e) {
    if (bodies_.of[e] < 0) continue;
    const std::array<Index, D>& element = mesh_.elements[e];
    Point<D> n = areaVector<D>(x, element), low = nodeOf<D>(x, element[0]), high = low;
    const double size = sizeOf<D>(n) * (volume_[std::size_t(bodies_.of[e])] < 0 ? -1 : 1);
    if (size == 0) continue;
    for (const Index i : element) {
      const Point<D> p = nodeOf<D>(x, i);
      for (std::size_t a = 0; a < D; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
    }
    Cell<D> lower, upper;
    for (std::size_t a = 0; a < D; ++a) {
      lower[a] = Index(std::clamp(std::floor((low[a] - g.origin[a]) / g.dx - 1), 0.0, double(g.n[a])));
      upper[a] = Index(std::clamp(std::ceil((high[a] - g.origin[a]) / g.dx + 1), 0.0, double(g.n[a])));
    }
    for (Cell<D> c = lower;;) {
      for (int axis = 0; axis < D; ++axis) {
        bool inside = true;
        for (std::size_t a = 0; a < D; ++a) inside = inside && c[a] < g.n[a] + Index(int(a) == axis);
        const Index k = inside ? number_[axis][std::size_t(g.face(axis, c))] : -1;
        const double up = n[std::size_t(axis)] / size;
        if (k < 0 || up == 0) continue;
        const std::array<double, D> w = partInDualCell<D>(g, g.faceCentre(axis, c), element, x);
        Side& side = covers_[std::size_t(k)].side[up > 0 ? 0 : 1];
        for (std::size_t i = 0; i < D; ++i) {
          if (!(w[i] > 0)) continue;
          (side.first < 0 ? side.first : pieces_[std::size_t(side.last)].next) = Index(pieces_.size());
          side.last = Index(pieces_.size());
          pieces_.push_back({element[i], w[i] * std::abs(up), -1});
          side.area += w[i] * std::abs(up);
          side.height += w[i] * std::abs(up) * nodeOf<D>(x, element[i])[std::size_t(axis)];
          side.body = bodies_.of[e];
        }
      }
      std::size_t a = 0;
      for (; a < D && c[a] == upper[a]; ++a) c[a] = lower[a];
      if (a == D) break;
      ++c[a];
    }
  }
}

// Both sides are there, one over the other. Solids that reach into a wall leave no gap before it.
template <int D>
bool NarrowGaps<D>::isGap(const MacGrid<D>& g, const Cover& c) const {
  double height[2];
  for (int k = 0; k < 2; ++k) {
    height[k] = g.faceCentre(c.axis, c.cell)[std::size_t(c.axis)];
    if (!c.solid[k]) continue;
    if (!(c.side[k].area > kCovered * std::pow(g.dx, D - 1))) return false;
    height[k] = c.side[k].height / c.side[k].area;
  }
  if (c.solid[0] && c.solid[1] && c.side[0].body == c.side[1].body) return false;
  return height[1] - height[0] > -kSunk * g.dx;
}

// From a face across the gap along an axis to where the gap ends: at fluid beside one of its solids, or at none.
template <int D>
void NarrowGaps<D>::lookAlong(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::vector<char>& filled, const Cover& c,
                              int axis, int way, std::vector<Rim>& rims) const {
  const std::size_t a = std::size_t(axis);
  Cell<D> at = c.cell;
  double cells = 1;
  for (;; ++cells) {
    Cell<D> next = at;
    next[a] += way;
    if (next[a] < 0 || next[a] >= g.n[a]) return;
    const Index k = number_[c.axis][std::size_t(g.face(c.axis, next))];
    if (k < 0) break;
    at = next;
  }
  const std::size_t before = rims.size();
  for (int k = 0; k < 2; ++k) {
    if (!c.solid[k]) continue;
    Cell<D> solid = at;
    solid[std::size_t(c.axis)] -= k == 0;
    Cell<D> fluid = solid, face = solid;
    fluid[a] += way;
    face[a] += way > 0;
    const Index row = faces.row[axis][std::size_t(g.face(axis, face))];
    if (row >= 0 && !filled[std::size_t(g.cell(fluid))]) rims.push_back({row, 1 / cells, way > 0 ? -1.0 : 1.0, fluid});
  }
  // an end counts once, whether one of the solids ends there or both
  for (std::size_t r = before; r < rims.size(); ++r) rims[r].weight /= double(rims.size() - before);
}

template <int D>
void NarrowGaps<D>::find(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                         const std::vector<double>& x, const std::vector<char>& filled, const std::function<bool(Offset)>& fluid,
                         ShellWeights& weights) {
  const MacGrid<D>& g = domain.grid;
  weight_.assign(x.size(), 0);
  if (bodies_.count == 0) return;
  findCovers(domain, given, faces, filled);
  if (covers_.empty()) return;
  addPieces(g, x);
  for (const Cover& c : covers_)
    if (!isGap(g, c)) number_[c.axis][std::size_t(g.face(c.axis, c.cell))] = -1;
  for (const Cover& c : covers_) {
    if (number_[c.axis][std::size_t(g.face(c.axis, c.cell))] < 0) continue;
    rims_.clear();
    for (int axis = 0; axis < D; ++axis)
      for (int way = -1; way <= 1 && axis != c.axis; way += 2) lookAlong(g, faces, filled, c, axis, way, rims_);
    double all = 0;
    for (const Rim& r : rims_) all += r.weight;
    for (const Rim& r : rims_) {
      const double share = r.weight / all;
      const Point<D> from = g.centre(r.fluid);
      for (int k = 0; k < 2; ++k) {
        if (!c.solid[k]) continue;
        Point<D> at = g.faceCentre(c.axis, c.cell);
        at[std::size_t(c.axis)] = c.side[k].height / c.side[k].area;
        double deeper = 0;
        for (std::size_t a = 0; a < D && fluid(g.cell(r.fluid)); ++a)
          deeper += domain.density * domain.gravity[a] * (at[a] - from[a]);
        const double up = k == 1 ? 1 : -1;
        for (Index piece = c.side[k].first; piece >= 0; piece = pieces_[std::size_t(piece)].next) {
          const Index coordinate = pieces_[std::size_t(piece)].node * D + c.axis;
          const double w = up * share * pieces_[std::size_t(piece)].part / c.side[k].area;
          weights.across.push_back({r.row, coordinate, r.outward * w});
          weight_[std::size_t(coordinate)] += w * deeper * std::pow(g.dx, D - 1);
        }
      }
    }
  }
}

template class NarrowGaps<2>;
template class NarrowGaps<3>;

}  // namespace meniscus
