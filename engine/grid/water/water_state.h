// Water with a free surface on a MAC grid: what a run changes.
//
// The surface is a level set that is advected on the grid; particles carry the velocity (APIC: the field about a particle is
// affine) and repair the level set where it lost water. Why both: a level set made of the particles alone is rough by a tenth of a
// cell, so that still water is not still; one without them loses what gets thinner than two cells.
//
// Based on: Enright, Fedkiw, Ferziger & Mitchell, A hybrid particle level set method for improved interface capturing, 2002 (with
// particles in the water only); Jiang, Schroeder, Selle, Teran & Stomakhin, The affine particle-in-cell method, 2015.
#pragma once

#include <memory>

#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

// Of one value a particle; sorted by cell, those of a cell in the order in which they came.
template <int D>
struct WaterParticles {
  Buffer<Point<D>> x;                        // [m]
  Buffer<Point<D>> v;                        // [m/s]
  Buffer<std::array<Point<D>, D>> gradient;  // gradient[a][b] = d v_a / d x_b [1/s]
  Buffer<double> radius;                     // how far it was inside the water, 0.1 to 0.5 cells [m]

  Index size() const { return Index(x.size()); }
  void resizeUninitialized(std::size_t n) {
    x.resizeUninitialized(n), v.resizeUninitialized(n), gradient.resizeUninitialized(n), radius.resizeUninitialized(n);
  }
  void set(std::size_t i, const WaterParticles& from, std::size_t j) {
    x[i] = from.x[j], v[i] = from.v[j], gradient[i] = from.gradient[j], radius[i] = from.radius[j];
  }
};

// What moves with the water. Never changed once it is made: a saved state and the one that solves start from share it.
template <int D>
struct WaterMatter {
  WaterParticles<D> particles;
  Buffer<Index> first;      // particle of each cell, and behind the last one
  Buffer<double> levelSet;  // of each cell: the distance to the surface, negative in water [m]; at most kBand cells
  // Of each face between water and a shell that closes it: the air between them along the axis [m], see air_gaps.h. Else 0.
  Buffer<double> air[D];
  double volume = 0;       // that the water should have [m^D]
  double spray = 0;        // of the volume, what flies as single particles
  double besideShell = 0;  // of the volume, what volumeBesideShell has beside that of the cells
  Offset lost = 0;         // particles taken out since the beginning: between a shell and something else, no way was left
  bool wet(Offset cell) const { return levelSet[std::size_t(cell)] < 0; }
};

template <int D>
struct WaterState {
  std::shared_ptr<const WaterMatter<D>> matter;
  Buffer<double> velocity[D];  // of each face, along its axis [m/s]
  Buffer<double> pressure;     // of each cell, times the last time step [Pa s]; 0 in air
};

// Memory that is kept from step to step; no part of the state.
template <int D>
struct WaterScratch {
  WaterParticles<D> particles;
  Buffer<double> sum[D], weight[D];  // of each face
};

// Distances beyond so many cells are not told apart. The surface may move by two cells less in a step.
constexpr double kBand = 6;
// Along each axis of a cell.
constexpr Index kParticlesAlong = 2;
template <int D>
constexpr Index kParticlesOfCell = D == 2 ? kParticlesAlong* kParticlesAlong : kParticlesAlong* kParticlesAlong* kParticlesAlong;

// A particle farther than this from the surface, in the air, flies freely [cells].
constexpr double kSprayDistance = 1;

// The cell that a point is in; points outside count to the border.
template <int D>
Cell<D> cellOf(const MacGrid<D>& g, const Point<D>& x) {
  Cell<D> c;
  for (std::size_t a = 0; a < D; ++a) c[a] = std::clamp(Index(std::floor((x[a] - g.origin[a]) / g.dx)), Index(0), g.n[a] - 1);
  return c;
}

// visit(axis, face, neighbour) for the faces of a cell that lie between two cells and are closed neither by a wall nor by the
// shell.
template <int D, class Faces, class Visit>
void forOpenNeighbours(const MacGrid<D>& g, const GivenFaces<D>& given, const Faces& shell, const Cell<D>& c, const Visit& visit) {
  for (int axis = 0; axis < D; ++axis)
    for (int up = 0; up < 2; ++up) {
      Cell<D> neighbour = c, upper = c;
      neighbour[std::size_t(axis)] += up ? 1 : -1;
      upper[std::size_t(axis)] += up;
      if (!g.contains(neighbour)) continue;
      const Offset f = g.face(axis, upper);
      if (!given.given(axis, f) && !shell.closed(axis, f)) visit(axis, up, f, g.cell(neighbour));
    }
}

}  // namespace meniscus
