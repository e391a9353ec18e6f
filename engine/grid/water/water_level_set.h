// The level set of water: distances, volume, and its repair by particles.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_sampling.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// Makes the level set a distance again, up to kBand cells from the surface, without moving the surface: cells beside it keep their
// values, which the pressure's surface is made of, so that a plane stays a plane to the last bit. Distances do not reach through
// walls and the shell: water behind a shell has no surface there. Cells that see no surface are kBand cells away from it.
// near: of each cell, 1 where the value is one beside the surface though no neighbour shows it (see moveAirGaps); null: none.
// Based on: Sethian, A fast marching level set method for monotonically advancing fronts, 1996.
template <int D>
void redistance(Exec& exec, const MacGrid<D>& grid, const GivenFaces<D>& given, const ShellFaces<D>& shell,
                Buffer<double>& levelSet, const std::vector<char>* near = nullptr);

// [m^D]; a cell whose centre is within half a cell of the surface counts by its distance.
template <int D>
double wetVolume(const MacGrid<D>& grid, const Buffer<double>& levelSet);

// Moves the whole surface by one distance, at most a tenth of a cell, so that the volume comes to `volume`. Returns the distance.
template <int D>
double holdVolume(const MacGrid<D>& grid, double volume, Buffer<double>& levelSet);

// Particles that are farther out of the water than they were in it show where the level set lost some: each is a ball of its radius
// there, or a smaller one, so that the level set's volume does not come to more than `most` [m^D] by it: a particle stands for less
// than a ball of half a cell. Only cells that the particle sees.
template <int D>
void repairByParticles(Exec& exec, const OneSided<D>& field, const WaterParticles<D>& particles, double most,
                       Buffer<double>& levelSet);

// True where x, which is p on the lattice, is so deep in the water that it need not be interpolated: far from any shell, in a cell
// whose centre is two cells from the surface.
template <int D>
bool deepInside(const OneSided<D>& field, const Buffer<double>& levelSet, const Point<D>& x, const LatticePoint<D>& p) {
  return levelSet[std::size_t(field.grid.cell(cellOf<D>(field.grid, x)))] < -2 * field.grid.dx && field.clear(p);
}

// Sets the radii of the particles in the water by their distances to the surface, and returns how many are spray.
template <int D>
Offset measureParticles(Exec& exec, const OneSided<D>& field, const Buffer<double>& levelSet, WaterParticles<D>& particles);

}  // namespace meniscus
