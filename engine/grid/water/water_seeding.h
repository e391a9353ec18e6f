// Where particles of water begin, and how their number in a cell is kept.
#pragma once

#include <functional>

#include "engine/grid/water/body_pieces.h"
#include "engine/grid/water/water_level_set.h"

namespace meniscus {

// Water where levelSet(x) < 0 at the centres of cells (a distance, or proportional to one near its zero), with kParticlesAlong
// particles a cell along each axis, at rest. Cells inside a body must be told apart by the level set: a shell does not end water.
// nodes: where rays are, D a node.
template <int D>
std::shared_ptr<const WaterMatter<D>> fillWater(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given,
                                                const ShellFaces<D>& shell, const ShellRays<D>& rays,
                                                const std::vector<double>& nodes, FilledBodies<D>& bodies,
                                                const std::function<double(const Point<D>&)>& levelSet);

// Cells in the water with less than half their particles get new ones in the parts of the cell that have none, with the velocity of
// the grid; what is more than twice their number goes. New ones start where the cell's centre sees them, a quarter of a cell inside
// the water.
template <int D>
void reseed(Exec& exec, const OneSided<D>& field, const Buffer<double>* velocity, WaterParticles<D>& scratch,
            WaterMatter<D>& matter);

}  // namespace meniscus
