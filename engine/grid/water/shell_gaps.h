// Where between two centres of cells a shell crosses: how much water there is beside it.
#pragma once

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// Of each face of the shell: the free part of the way between the two centres, from the lower one upwards and from the upper one
// downwards, to the first crossing.
template <int D>
std::vector<std::array<double, 2>> shellGaps(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                             const ShellFaces<D>& faces);

// What the water beside a shell has more than its cells [m^D]: the mean over the axes of the volumes of columns that reach from the
// last centre to the shell itself, or to the air before it (of each face, see air_gaps.h). With it the volume does not jump where
// the shell passes over a row of centres.
template <int D>
double volumeBesideShell(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x, const ShellFaces<D>& faces,
                         const Buffer<double>& levelSet, const Buffer<double>* air);

}  // namespace meniscus
