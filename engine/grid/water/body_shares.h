// What filled bodies take of the cells, and the water about them.
#pragma once

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/water/body_pieces.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// The part of each cell that is in the bodies with the nodes at x, 0 to 1: exact for polyhedra, and no jump where one passes a
// centre.
template <int D>
void findBodyShares(const MacGrid<D>& grid, FilledBodies<D>& bodies, const std::vector<double>& x, std::vector<double>& share);

// How the water beside bodies is looked at. Everything must outlive it.
template <int D>
struct WaterAtBodies {
  const MacGrid<D>& grid;
  const ShellMesh<D>& mesh;
  const std::vector<double>& x;  // D a node
  const ShellFaces<D>& faces;
  const std::vector<char>& filled;  // of each cell, see findFilledCells
  const Point<D>& gravity;
  const Buffer<double>& levelSet;
};

// The level set goes on into the filled cells, ring after ring, as that of a surface across gravity. A cell that is free towards
// some of its neighbours takes those'.
template <int D>
void levelSetInBodies(const WaterAtBodies<D>& at, std::vector<double>& extended);

// The water's part of a cell by its level set.
inline double wetPart(double distance, double dx) { return std::clamp(0.5 - distance / dx, 0.0, 1.0); }

// What the water has beyond that of the cells outside of the bodies (wetVolume) [m^D]: the bodies' own volume is no water's, and
// what of a filled cell is outside of the body is. Cells that have air before a body are all the water's up to its surface. air: of
// each face, see air_gaps.h.
template <int D>
double volumeBesideBodies(const WaterAtBodies<D>& at, const Buffer<double>* air, const std::vector<double>& share);

}  // namespace meniscus
