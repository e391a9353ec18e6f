// Regions of fluid between shells and walls, and the velocities of shells that enclosed ones can take.
//
// Based on: Akbay et al. 2018, section 6 (boundary pressure projection): the least change of the shell's momentum in the dual cells
// that lets no volume out of an enclosed region.
#pragma once

#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

struct ClosedRegion {
  double outflow = 0;             // [m^3/s] through faces of given velocity
  std::vector<Index> shellFace;   // the rows of ShellFaces on its border with other regions
  std::vector<signed char> sign;  // of each: 1 where the axis points out of the region
};

// The regions without contact to an open side, in the order of their first cells. filled: of each cell, or empty; they belong to
// no region.
template <int D>
std::vector<ClosedRegion> closedRegions(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                                        const std::vector<char>& filled);

// Changes the velocities of the shell's faces so that no closed region has an outflow, as far as its border can be changed.
// faceArea: dx^(D - 1).
void makeCompatible(const std::vector<ClosedRegion>& regions, double faceArea, std::vector<double>& faceVelocity);

// What these impulses are to the velocities before that change, as far as the marked regions changed them: the transpose of it.
// Where it is left out, the fluid that goes other ways than the shell pushes the shell in ways that it does not go by itself, and
// what is light beside it gains energy.
void takeOffConstants(const std::vector<ClosedRegion>& regions, const std::vector<char>& marked, std::vector<double>& faceImpulse);

}  // namespace meniscus
