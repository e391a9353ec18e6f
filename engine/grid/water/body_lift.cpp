#include "engine/grid/water/body_lift.h"

namespace meniscus {

// In a cell that begins at `start` along the axis.
template <int D>
double BodyLift<D>::pressureAt(std::size_t cell, double along, double start) const {
  return weight_ * (above_[cell] + (start + dx_ - along) * wet_[cell]);
}

template <int D>
void BodyLift<D>::find(const LiftSearch<D>& at, const FilledBodies<D>& bodies) {
  const MacGrid<D>& g = at.domain.grid;
  force_.assign(at.x.size(), 0);
  if (!bodies.any() || at.filled.empty()) return;
  dx_ = g.dx;
  levelSetInBodies<D>({g, bodies.mesh(), at.x, at.faces, at.filled, at.domain.gravity, at.levelSet}, levelSet_);
  wet_.resize(levelSet_.size());
  for (std::size_t i = 0; i < wet_.size(); ++i) wet_[i] = wetPart(levelSet_[i], g.dx);
  for (std::size_t axis = 0; axis < D; ++axis) {
    weight_ = -at.domain.density * at.domain.gravity[axis];
    if (weight_ == 0) continue;
    const Offset stride = g.cellStride(int(axis));
    above_.assign(wet_.size(), 0);
    for (Offset i = g.cells(); i-- > 0;)
      if (g.cellAt(i)[axis] + 1 < g.n[axis])
        above_[std::size_t(i)] = above_[std::size_t(i + stride)] + g.dx * wet_[std::size_t(i + stride)];
    addPieces(at, bodies, axis);
    takeFaces(at, bodies, axis);
    takeBorders(at, axis);
  }
}

// The integral of p times the barycentric coordinates, both linear over a part.
template <int D>
void BodyLift<D>::addPieces(const LiftSearch<D>& at, const FilledBodies<D>& bodies, std::size_t axis) {
  const MacGrid<D>& g = at.domain.grid;
  border_.clear();
  for (std::size_t e = 0; e < bodies.mesh().elements.size(); ++e) {
    if (!bodies.filled(Index(e))) continue;
    const std::array<Index, D>& element = bodies.mesh().elements[e];
    const double sense = bodies.outward(Index(e));
    forPieces<D>(g, at.x, element, axis, [&](const Cell<D>& c, const element_clip::Polygon<D>& piece) {
      if (c[axis] >= g.n[axis]) return;  // nothing is above the grid
      const Offset cell = g.cell(c);
      const double start = g.origin[axis] + c[axis] * g.dx;
      forFan<D>(piece, [&](const std::array<element_clip::Corner<D>, D>& part) {
        std::array<Point<D>, D> corner;
        std::array<double, D> p, b{};
        double sum = 0, middle = 0;
        for (std::size_t k = 0; k < D; ++k) {
          corner[k] = part[k].x;
          p[k] = pressureAt(std::size_t(cell), part[k].x[axis], start);
          sum += p[k];
          middle += part[k].x[axis] / D;
          for (std::size_t i = 0; i < D; ++i) b[i] += part[k].b[i];
        }
        const double area = sense * projectedArea<D>(corner, axis);
        BorderPart border{cell, element, {}, area * sum / D};
        for (std::size_t i = 0; i < D; ++i) {
          double products = sum * b[i];
          for (std::size_t k = 0; k < D; ++k) products += p[k] * part[k].b[i];
          force_[std::size_t(element[i]) * D + axis] -= area * products / (D * (D + 1));
          border.part[i] = area * b[i] / D;
        }
        const bool low = c[axis] == 0 && area < 0 && middle < start + 0.5 * g.dx;
        const bool high = c[axis] + 1 == g.n[axis] && area > 0 && middle > start + 0.5 * g.dx;
        if (low || high) border_.push_back(border);
      });
    });
  }
}

template <int D>
void BodyLift<D>::takeFaces(const LiftSearch<D>& at, const FilledBodies<D>& bodies, std::size_t axis) {
  const MacGrid<D>& g = at.domain.grid;
  const double face = std::pow(g.dx, D - 1);
  faceForce_.assign(at.faces.face.size(), 0);
  crossed_.assign(std::size_t(g.cells()), 0);
  for (const ShellCrossing<D>& crossing : at.faces.crossing) {
    const ShellFace<D>& f = at.faces.face[std::size_t(crossing.row)];
    if (std::size_t(f.axis) != axis || !bodies.filled(crossing.element)) continue;
    const std::array<Index, D>& element = bodies.mesh().elements[std::size_t(crossing.element)];
    std::array<Point<D>, D> p;
    for (std::size_t i = 0; i < D; ++i) p[i] = nodeOf<D>(at.x, element[i]);
    const double sign = bodies.outward(crossing.element) * projectedArea<D>(p, axis) < 0 ? -1 : 1;
    const double along = interpolated<D>(element, crossing.barycentric, at.x)[axis];
    Cell<D> c = f.cell, first = f.cell;
    const double border = g.origin[axis] + c[axis] * g.dx;
    if (along < border) --c[axis];
    const double start = g.origin[axis] + c[axis] * g.dx;
    const double force = sign * face * pressureAt(std::size_t(g.cell(c)), along, start);
    const Offset upper = g.cell(f.cell), lower = upper - g.cellStride(f.axis);
    if (at.filled[std::size_t(upper)] && at.filled[std::size_t(lower)]) {
      // a gap between two bodies: each has its own side of it
      for (std::size_t i = 0; i < D; ++i) force_[std::size_t(element[i]) * D + axis] += crossing.barycentric[i] * force;
    } else {
      faceForce_[std::size_t(crossing.row)] += force;
    }
    first[axis] = 0;
    crossed_[std::size_t(g.cell(first))] += sign;
  }
  for (std::size_t r = 0; r < faceForce_.size(); ++r)
    for (Index k = at.weights.begin[r]; faceForce_[r] != 0 && k < at.weights.begin[r + 1]; ++k)
      force_[std::size_t(at.weights.node[std::size_t(k)]) * D + axis] += at.weights.weight[std::size_t(k)] * faceForce_[r];
}

// The gap between a body and the border, less than half a cell, bears as much as a face (see narrow_gaps.h): where a column has a
// side of a body that no face counts, it is there, or beyond the border, where it has no pressure.
template <int D>
void BodyLift<D>::takeBorders(const LiftSearch<D>& at, std::size_t axis) {
  const MacGrid<D>& g = at.domain.grid;
  const double face = std::pow(g.dx, D - 1);
  std::vector<double>& area = faceForce_;
  area.assign(wet_.size(), 0);
  for (const BorderPart& b : border_)
    for (const double part : b.part) area[std::size_t(b.cell)] += part;
  for (const BorderPart& b : border_) {
    Cell<D> first = g.cellAt(b.cell);
    const bool low = first[axis] == 0;
    first[axis] = 0;
    const double own = area[std::size_t(b.cell)], missing = -crossed_[std::size_t(g.cell(first))];
    if (own == 0 || missing * own <= 0 || (g.n[axis] == 1 && low != (own < 0))) continue;
    const double times = face / std::abs(own);
    double size = 0;
    for (const double part : b.part) size += part;
    for (std::size_t i = 0; size != 0 && i < D; ++i)
      force_[std::size_t(b.nodes[i]) * D + axis] += times * b.pressure * b.part[i] / size;
  }
}

template class BodyLift<2>;
template class BodyLift<3>;

}  // namespace meniscus
