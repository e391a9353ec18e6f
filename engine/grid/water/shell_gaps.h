// Where between two centres of cells a shell crosses: how much water there is beside it.
#pragma once

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/water/body_shares.h"

namespace meniscus {

// Of each face of the shell: the free part of the way between the two centres, from the lower one upwards and from the upper one
// downwards, to the first crossing.
template <int D>
std::vector<std::array<double, 2>> shellGaps(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                             const ShellFaces<D>& faces);

// Water beside a shell with the nodes at x. Everything must outlive it.
template <int D>
struct WaterBesideShell {
  const SmokeDomain<D>& domain;
  const ShellMesh<D>& mesh;
  const std::vector<double>& x;
  const ShellFaces<D>& faces;
  const Buffer<double>& levelSet;
  const Buffer<double>* air;  // of each face, see air_gaps.h
};

// What it has more than its cells [m^D]: beside bodies by their shares of the cells; beside sheets the mean over the axes of the
// volumes of columns that reach from the last centre to the sheet itself, or to the air before it. With it the volume does not jump
// where the shell passes over a row of centres.
template <int D>
double volumeBesideShell(const WaterBesideShell<D>& at, FilledBodies<D>& bodies);

}  // namespace meniscus
