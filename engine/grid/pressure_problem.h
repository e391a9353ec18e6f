// What a pressure solve is asked: div(beta grad p) = divergence in the fluid cells of a MAC grid, with beta = 1 / density.
//
// With the divergence of the velocity u* before the projection, p is the pressure times the time step [Pa s] and u = u* - beta grad
// p has no divergence. At closed faces the normal derivative of p is 0; the velocity of what closes them belongs in the divergence.
#pragma once

#include "engine/base/buffer.h"
#include "engine/grid/mac_grid.h"

namespace meniscus {

enum class CellKind : std::uint8_t {
  solid,  // or outside: has no pressure
  fluid,  // an unknown
  air     // its pressure is given
};

// The surface is where the level set, taken as linear between the centres of a fluid and an air cell, is zero: at the fraction
// theta = phi_fluid / (phi_fluid - phi_air) of the way (ghost-fluid method: Gibou, Fedkiw, Cheng & Kang, A second-order-accurate
// symmetric discretization of the Poisson equation on irregular domains, 2002). theta is not let fall below this. The coefficient
// of the surface grows like 1 / theta, and a diagonal of 1 / 0 has to be kept out; the clamp moves the surface by at most this
// fraction of dx, far below the error of the discretisation. It need not be larger for the solver's sake: a large diagonal entry
// ties its cell to the given pressure, which a scaled preconditioner sees as an easy row.
constexpr double kLeastTheta = 1e-6;

// Arrays in the order of MacGrid. An empty array stands for the value said here.
template <int D>
struct PressureProblem {
  MacGrid<D> grid;
  Buffer<CellKind> kind;           // of each cell; may not be empty unless the grid is
  Buffer<double> openFraction[D];  // of each face's area, in [0, 1]; 0: closed, by a wall or by a shell between two fluid cells. 1
  Buffer<double> beta[D];          // of each face, 1 / density [m3/kg], positive. constantBeta
  double constantBeta = 1;         // [m3/kg]
  Buffer<double> levelSet;         // of each cell, negative in the fluid [m]. The surface passes through the centres of air cells
  Buffer<double> airPressure;      // of each cell, used in air cells; in the unit of p. 0
};

// Throws Error where an array has the wrong size (input) or a number is out of its range or not finite (simulation), naming the
// array and the cell or face.
template <int D>
void checkPressureProblem(const PressureProblem<D>& problem);
// The same for an array of one value a cell that comes with a solve.
template <int D>
void checkCellArray(const MacGrid<D>& grid, const Buffer<double>& values, const char* name);

}  // namespace meniscus
