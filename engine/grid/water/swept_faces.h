// The faces that a shell sweeps over in a step: what they had at the beginning is not of the side that they are on at the end.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/smoke/shell_rays.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

// Faces whose centre the shell passes over get the velocity of the element that does, the lowest of several, in its middle, and
// `gain` [m/s] along the axis beside that. nodeVelocity: D a node. Faces of given velocity keep theirs.
template <int D>
void setSweptFaces(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellLattice<D>& lattice,
                   const ShellMesh<D>& mesh, const SweptShell<D>& swept, const std::vector<double>& nodeVelocity,
                   const Point<D>& gain, Buffer<double>* velocity);

}  // namespace meniscus
