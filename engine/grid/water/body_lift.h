// What still water pushes a filled body with beyond what its faces do.
//
// Along gravity a body's faces are those of the columns whose centres it has, each one with the pressure at the body itself: the
// lift is that of the columns. Of a flat side, or a body thinner than a cell, these are not the body's volume: a plate of half a
// cell floats or sinks by where the grid lies, and a box that goes to and fro gains and loses a column, and with it the energy of
// its lift. On the body itself still water has the weight of its own volume of water. The difference of the two,
//
//   - sum over its pieces of p n dA  +  sum over its faces of p n dx^(D-1)     p = rho |g| (water above the point in its column)
//
// is a weight that is known before the pressures are, the same for each coupling, and goes to the nodes as pressures do. Water that
// falls freely has no such pressure: there it is too much.
#pragma once

#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/water/body_shares.h"

namespace meniscus {

// The shell's faces at x, and what hangs on them. Everything must outlive it.
template <int D>
struct LiftSearch {
  const SmokeDomain<D>& domain;
  const ShellFaces<D>& faces;
  const ShellWeights& weights;
  const std::vector<char>& filled;  // of each cell
  const std::vector<double>& x;     // D a node
  const Buffer<double>& levelSet;
};

template <int D>
class BodyLift {
 public:
  // The bodies must be oriented at x.
  void find(const LiftSearch<D>& at, const FilledBodies<D>& bodies);
  // Adds that of a step to the nodes' impulses, D a node [N s].
  void addImpulses(double dt, std::vector<double>& j) const {
    for (std::size_t k = 0; k < force_.size(); ++k) j[k] += dt * force_[k];
  }

 private:
  // A part of a body before the first or behind the last centre of its column, where no face counts it.
  struct BorderPart {
    Offset cell;
    std::array<Index, D> nodes;
    std::array<double, D> part;  // of the nodes, of the outward area [m^(D-1)]
    double pressure;             // times the area
  };
  double pressureAt(std::size_t cell, double along, double start) const;
  void addPieces(const LiftSearch<D>& at, const FilledBodies<D>& bodies, std::size_t axis);
  void takeFaces(const LiftSearch<D>& at, const FilledBodies<D>& bodies, std::size_t axis);
  void takeBorders(const LiftSearch<D>& at, std::size_t axis);

  std::vector<double> force_;     // D a node [N]
  std::vector<double> levelSet_;  // also in the bodies
  std::vector<double> wet_;       // part of each cell
  std::vector<double> above_;     // water in the column above each cell [m]
  std::vector<double> faceForce_;
  std::vector<double> crossed_;  // of each cell of the first layer: the sum of the outward signs of its column's faces
  std::vector<BorderPart> border_;
  double dx_ = 1, weight_ = 0;  // of water along the axis [N/m^D]
};

}  // namespace meniscus
