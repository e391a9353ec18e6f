// What a monolithic method needs of a fluid on a grid in a step (Robinson-Mosher et al. 2008, equation 16): the shell's faces, W,
// u*, the masses of the shell's dual cells and the equations of the pressure. In the paper's names these are W, V, G, M_F.
#pragma once

#include <functional>

#include "engine/coupling/coupling.h"
#include "engine/grid/pressure_problem.h"
#include "engine/grid/smoke/shell_weights.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus::coupling {

// Lives in the box until its next call.
template <int D>
struct GridStep {
  const ShellFaces<D>& faces;
  const ShellWeights& weights;
  const std::vector<double>& mass;    // of fluid in the dual cell of each of the faces [kg]
  const std::vector<double>& offset;  // of each of them, what its velocity has beside W v [m/s]
  const std::vector<double>& steady;  // what the nodes get beside W^T I: D each [N s]
  const Buffer<double>* predicted;    // u* [m/s] of each face of the grid, D arrays
  const PressureProblem<D>& problem;  // kinds of cells, open faces, level set; may have a layer of cells more along open sides
  const std::vector<Offset>& cell;    // the problem's number of each cell of the grid
};

template <int D>
struct GridOperators : Operators {
  // The equations that `solve` solves for a boundary that moves to `end` (D a node) in dt [s], but for the velocity of the
  // boundary, which they are linear in. Called in the saved state, and leaves it.
  virtual GridStep<D> linearised(const std::vector<double>& end, double dt) = 0;
  // After linearised, with the nodes' velocities and the pressures [Pa s] of the grid's cells that come of it: whether faces that
  // only push are others than those that it took to be closed. The next call of linearised has those then.
  virtual bool settle(const std::vector<double>& v, double dt, const std::function<double(Offset)>& pressure) {
    (void)v, (void)dt, (void)pressure;
    return false;
  }
  // Of each of the problem's cells [1/s], for these velocities of the grid's faces; until the next call.
  virtual const Buffer<double>& divergenceOf(const Buffer<double>* velocity) = 0;
  virtual const SmokeDomain<D>& domain() const = 0;
};

}  // namespace meniscus::coupling
