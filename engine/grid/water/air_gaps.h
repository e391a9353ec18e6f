// Air between water and a shell that comes down onto it.
//
// A face is the shell's as soon as the shell has passed the centre over the last water, and air may still be between the two, for
// up to a cell. There the water has its surface until the shell has come to it: the pressure at the surface is 0, or the air is
// gone at the end of the step, and the shell and the water push each other but do not pull,
//
//   0 <= p   and   way (u - u_shell) dt <= room,   one of them equal
//
// with the way from the water to the shell along the axis, and the room that the air had at the beginning. So what falls onto water
// is stopped where the water is, and the load is a continuous function of where the shell goes: a face that closes at once, with
// air before it, stops a light sheet before it gets to where the face closes, and the step has no end. What has met stays together
// (water and what it wets pull each other, too) as long as the face is the shell's.
#pragma once

#include "engine/grid/smoke/shell_rays.h"
#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

// A face of the shell with water on one side, and air between it and the shell at the beginning of the step.
template <int D>
struct AirGap {
  int axis;
  Offset face;
  Index row;            // in the shell's faces
  Offset water, other;  // the cells
  int way;              // from the water to the shell: 1 or -1 along the axis
  double surface;       // from the centre of the water's cell [cells], more than kLeastTheta
  double room;          // of the air [m]
};

// How a step looks for them. Everything must outlive it.
template <int D>
struct AirGapSearch {
  const SmokeDomain<D>& domain;
  const GivenFaces<D>& given;
  const ShellMesh<D>& mesh;
  const ShellFaces<D>& before;        // at the beginning, where the shell is at x0
  const std::vector<double>&x0, &x1;  // D a node
  const WaterMatter<D>& matter;       // of the beginning
};

// Those of `faces`, at x1. levelSet: as it is beside these faces (levelSetBehindShell). swept: of each cell, the element that
// passes over its centre or -1: what came along with the shell has no air before it.
template <int D>
void findAirGaps(const AirGapSearch<D>& at, const ShellFaces<D>& faces, const Buffer<double>& levelSet,
                 const std::vector<Index>& swept, std::vector<AirGap<D>>& gaps);

// At the end of a step: after.air, from u, and the level set of the cells beside it, which is where the water's surface is before
// the shell; it is not yet made a distance again. velocity: that the step ended with. swept: the shell from x0 to x1. met: faces
// where the water has come to the shell in it, (axis, face) in ascending order. touched: of each cell, 1 where its level set says
// how near the surface is.
template <int D>
void moveAirGaps(const AirGapSearch<D>& at, const ShellFaces<D>& faces, const Buffer<double>* velocity, double dt,
                 const SweptShell<D>& swept, const std::vector<std::pair<int, Offset>>& met, WaterMatter<D>& after,
                 std::vector<char>& touched);

// At the start of a run: after.air where the level set falls towards the shell as a distance does. Not yet made a distance.
template <int D>
void airAtStart(const SmokeDomain<D>& domain, const ShellMesh<D>& mesh, const std::vector<double>& x, const ShellFaces<D>& faces,
                WaterMatter<D>& matter, std::vector<char>& touched);

// The faces and their weights without the rows that are marked.
template <int D>
void withoutRows(const ShellFaces<D>& faces, const ShellWeights& weights, const std::vector<char>& mark, ShellFaces<D>& left,
                 ShellWeights& leftWeights);

}  // namespace meniscus
