// Fluid between a filled solid and a wall, or another one, where that is less than a cell: no cell has it, and the faces there have
// none on either side. It comes and goes by the rim of the gap, through the solids' faces that close the cells beside it towards
// the fluid, and has their pressures. As W is what a face moves by, this is a part of W:
//
//   u_r = (W v)_r + sum_c s_cr (v_c of the solid above the gap - v_c of what is below it)
//
// for each face c across the gap, with the velocities along its axis; the transposed puts the pressures of the rim on both sides of
// the gap, so that what rests on a floor is borne by the fluid as one that hovers, and a closed region around it does not change
// its volume when it moves. s: along each axis of the gap from the two ends, by the other one's part of the way, which is the
// solution of the gap's flow in the plane, and exact for pressures that are linear in space. A gap that is shut all around (a
// piston at the end of its cylinder) has no rim, and holds.
#pragma once

#include <functional>

#include "engine/grid/smoke/shell_bodies.h"
#include "engine/grid/smoke/shell_weights.h"

namespace meniscus {

template <int D>
class NarrowGaps {
 public:
  NarrowGaps() = default;
  // filled: of each element, 1 where it is part of a closed surface with a solid inside; empty: none.
  NarrowGaps(const ShellMesh<D>& mesh, const std::vector<char>& filled);

  // Adds to W what gaps there are with the shell at x. filled: of each cell, see findFilledCells; fluid: a cell has some.
  void find(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces, const std::vector<double>& x,
            const std::vector<char>& filled, const std::function<bool(Offset)>& fluid, ShellWeights& weights);

  // What fluid at rest in a gap has beyond the pressures in the middles of the cells of its rim, on the nodes: D each [N].
  const std::vector<double>& weight() const { return weight_; }
  // And in a step of dt [N s].
  void impulses(double dt, std::vector<double>& j) const {
    j = weight_;
    for (double& k : j) k *= dt;
  }

 private:
  struct Side {
    Index first = -1, last = -1;  // of its pieces
    double area = 0;              // projected onto the face
    double height = 0;            // its integral of the coordinate
    Index body = -1;
  };
  // A node's part of the integral over a side, in a list.
  struct Piece {
    Index node;
    double part;
    Index next;
  };
  // A face with fluid on neither side.
  struct Cover {
    int axis;
    Cell<D> cell;  // as MacGrid::face takes it
    Side side[2];  // below it and above it
    bool solid[2];
  };
  struct Rim {
    Index row;
    double weight;   // 1 / way in cells from the face across the gap to the middle of the fluid's cell; of each end in all
    double outward;  // along the rim's axis: +1 where fluid is below it
    Cell<D> fluid;
  };
  void findCovers(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                  const std::vector<char>& filled);
  void addPieces(const MacGrid<D>& g, const std::vector<double>& x);
  bool isGap(const MacGrid<D>& g, const Cover& c) const;
  void lookAlong(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::vector<char>& filled, const Cover& c, int axis,
                 int way, std::vector<Rim>& rims) const;

  ShellMesh<D> mesh_;
  ShellBodies bodies_;
  std::vector<Cover> covers_;
  std::vector<Piece> pieces_;
  std::vector<Rim> rims_;
  std::vector<double> volume_;    // of each body: its sign says which way elements look
  std::vector<Index> number_[D];  // of each face of the grid, or -1
  std::vector<double> weight_;
};

}  // namespace meniscus
