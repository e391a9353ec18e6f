// Closed surfaces with a solid inside in place of fluid: the cells in them have no pressure, and the dual cells on their border
// hold only half a cell of fluid.
#pragma once

#include <vector>

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

// 1 for the cells inside the surfaces made of the elements whose `filled` is 1, one an element; empty where filled is. The faces
// must be those of the surfaces' mesh. Where two surfaces overlap the cells count as fluid. Throws Error(simulation) where a
// surface is not closed in the grid.
template <int D>
std::vector<char> findFilledCells(const MacGrid<D>& grid, const ShellFaces<D>& faces, const std::vector<char>& filled);

// The mass of fluid in the dual cell of each face of the shell [kg]: the halves of it that lie in cells of fluid.
template <int D>
std::vector<double> shellFaceMasses(const SmokeDomain<D>& domain, const ShellFaces<D>& faces, const std::vector<char>& filledCells);

// The velocities of the faces inside take those of the faces around them, ring after ring from the border: where advection looks
// into a body it sees about the body's velocity.
template <int D>
void extendIntoFilled(const MacGrid<D>& grid, const std::vector<char>& filledCells, Buffer<double>* velocity);

}  // namespace meniscus
