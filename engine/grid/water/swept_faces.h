// The faces and cells that a shell sweeps over in a step: what they had at the beginning is not of the side that they are on at the
// end.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/shell_rays.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

// Faces whose centre the shell passes over get the velocity of the element that does, the lowest of several, in its middle, and
// `gain` [m/s] along the axis beside that. nodeVelocity: D a node. Faces of given velocity keep theirs.
template <int D>
void setSweptFaces(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellLattice<D>& lattice,
                   const ShellMesh<D>& mesh, const SweptShell<D>& swept, const std::vector<double>& nodeVelocity,
                   const Point<D>& gain, Buffer<double>* velocity);

// The cells whose centres the shell passes over: which element does, the lowest of several, or -1.
template <int D>
void findSweptCells(Exec& exec, const MacGrid<D>& grid, const ShellLattice<D>& lattice, const SweptShell<D>& swept,
                    std::vector<Index>& element);

// The level set of the beginning where such a cell goes over to the other side: it is the mean of the cells there, which it is open
// to beside the shell's faces at the end. So a cell that a body leaves under water is water, and no bubble.
template <int D>
void levelSetBehindShell(const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                         const std::vector<Index>& element, const Buffer<double>& before, Buffer<double>& after);

// A face between water and air that the shell closes at the beginning and at the end has the water's velocity, wherever on its way
// the shell stands: what passes over its centre comes to no other water. It is given back there, where the water's cell was water
// at the beginning (levelSet0), and is none of those that the shell passes over. Not before filled solids (of each cell, see
// findFilledCells; empty: none), whose faces come and go with their own velocity.
template <int D>
void keepOneSided(const MacGrid<D>& grid, const ShellFaces<D>& faces0, const ShellFaces<D>& faces, const Buffer<double>& levelSet0,
                  const Buffer<double>& levelSet, const std::vector<Index>& element, const std::vector<char>& filled,
                  const Buffer<double>* unswept, Buffer<double>* velocity);

}  // namespace meniscus
