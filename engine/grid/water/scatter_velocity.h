// The sums of particles' velocities at faces, where no shell has to be looked past.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// sum and weight of each face of each axis: over the particles within a cell of it, of w v and w, where w is the product of hat
// functions and v the affine field of the particle at the face's centre.
//
// Each particle adds to the faces about it. Threads take blocks of two layers of cells, first every second one and then those in
// between, so that no two of them meet at a face, and each face gets its sum in the order of the particles, for any number of
// threads.
template <int D>
void scatterVelocity(Exec& exec, const MacGrid<D>& grid, const WaterMatter<D>& matter, Buffer<double>* sum, Buffer<double>* weight);

}  // namespace meniscus
