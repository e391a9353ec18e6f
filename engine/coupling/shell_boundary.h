// What every fluid on a grid does about the shell that is its boundary: checks, and the regions that it encloses.
#pragma once

#include "engine/coupling/coupling.h"
#include "engine/coupling/enclosed_pressure.h"
#include "engine/grid/smoke/narrow_gaps.h"
#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/smoke/smoke_regions.h"

namespace meniscus::coupling {

bool isFinite(const Motion& motion);

// `fluid` begins the messages. Throws Error(input) for elements of nodes that do not exist.
template <int D>
void checkElements(const ShellMesh<D>& mesh, const char* fluid);

// Throws Error(input) for positions and velocities that are not `coordinates`, or not finite.
void checkBoundary(const Motion& now, std::size_t coordinates, const char* fluid);

// The closed regions that the shell borders, as changes of volume by its nodes: area is W^T of the faces' areas outwards.
// faceArea: dx^(D - 1).
template <int D>
std::vector<EnclosedRegion> enclosedBy(const std::vector<ClosedRegion>& regions, const ShellFaces<D>& faces,
                                       const ShellWeights& weights, double faceArea, std::size_t coordinates);

// Takes off the impulses on the shell's faces what the constant pressures of regions without one give: see takeOffConstants of
// smoke_regions.h. hasConstant: null for all.
template <int D>
void takeOffConstants(const std::vector<ClosedRegion>& regions, const ShellFaces<D>& faces, const ShellWeights& weights,
                      const HasConstant& hasConstant, std::size_t coordinates, std::vector<double>& faceImpulse);

// The closed regions beside a shell somewhere, and what enclosedBy needs with them.
template <int D>
struct ShellRegions {
  ShellFaces<D> faces;
  ShellWeights weights;
  std::vector<ClosedRegion> regions;
};

// What a fluid knows of its shell. Everything must outlive it.
template <int D>
struct ShellInFluid {
  const SmokeDomain<D>& domain;
  const GivenFaces<D>& given;
  const ShellMesh<D>& mesh;
  WeightRule rule;
  const std::vector<char>& filled;  // of each element
};

// The weights of its faces at x, with what narrow gaps have: these are found. fluid: whether a cell has some; null: all but those
// in filled solids. Returns the cells in those.
template <int D>
std::vector<char> weighShell(const ShellInFluid<D>& shell, const std::vector<double>& x, const std::function<bool(Offset)>& fluid,
                             const ShellFaces<D>& faces, NarrowGaps<D>& gaps, ShellWeights& weights);

// Whether a pressure was not found: its residual is large beside what was asked of it, and what it left of the divergence [1/s]
// beside the velocities that the shell was to have. Where these are all taken off as no enclosed fluid can follow them, the right
// side is round-off, and no residual is small beside that.
bool isLost(double residual, double leftOver, const std::vector<double>& faceVelocity, double dx);

// [m/s] of a component on any face.
template <int D>
double largestSpeed(const Buffer<double> (&velocity)[D]);

}  // namespace meniscus::coupling
