// Smoke on a MAC grid: what the domain is, and what a run changes.
#pragma once

#include <vector>

#include "engine/base/buffer.h"
#include "engine/grid/smoke/shell_lattice.h"

namespace meniscus {

enum class SideKind : std::uint8_t {
  wall,  // no flow through it but by inflow; slips
  open   // pressure 0 half a cell outside; what flows in brings no smoke
};

// A face on the border of the grid with given velocity.
template <int D>
struct Inflow {
  int axis = 0;
  Cell<D> face{};          // as MacGrid::face takes it
  double velocity = 0;     // [m/s] along the axis, into the grid or out of it
  double smoke = 0;        // of the fluid that flows in
  double temperature = 0;  // [K] above the surroundings
  Index opening = 0;       // of several faces together: its number, for whoever opens and shuts it
};

// A cell that is kept at given values: a source inside.
template <int D>
struct SmokeSource {
  Cell<D> cell{};
  double smoke = 1;
  double temperature = 0;
};

template <int D>
struct SmokeDomain {
  MacGrid<D> grid;
  std::array<std::array<SideKind, 2>, D> side{};  // lower and upper side of each axis
  double density = 1;                             // of the fluid [kg/m^3; kg/m^2 in the plane]
  Point<D> gravity{};                             // [m/s^2]
  Point<D> smokeAcceleration{};                   // [m/s^2] for smoke 1: heavy smoke points down
  Point<D> heatAcceleration{};                    // [m/s^2/K]: hot fluid rises
  std::vector<Inflow<D>> inflow;
  std::vector<SmokeSource<D>> source;
  ShellMesh<D> obstacle;              // thin walls inside, at rest
  std::vector<double> obstacleNodes;  // positions, D a node [m]

  // Throws Error(input) naming what is out of its range.
  void check() const;

 private:
  void checkObstacle() const;
};

template <int D>
struct SmokeState {
  Buffer<double> velocity[D];  // of each face, along its axis [m/s]
  Buffer<double> smoke;        // of each cell
  Buffer<double> temperature;  // of each cell [K] above the surroundings
  Buffer<double> pressure;     // of each cell, times the last time step [Pa s]: where the next solve starts
};

// The faces that are not unknowns: on the border, and where an obstacle closes them.
template <int D>
struct GivenFaces {
  explicit GivenFaces(const SmokeDomain<D>& domain);
  bool given(int axis, Offset f) const { return inflow[axis][std::size_t(f)] != kFree; }

  static constexpr Index kFree = -2, kWall = -1;
  Buffer<Index> inflow[D];  // of each face: kFree, kWall, or the number of the inflow
};

// Everything at rest and without smoke; faces of given velocity have it.
template <int D>
SmokeState<D> smokeAtRest(const SmokeDomain<D>& domain);

}  // namespace meniscus
