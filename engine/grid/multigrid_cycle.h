// The loops of a V-cycle. A sum over neighbours has the lower neighbour first, axis by axis.
#pragma once

#include "engine/grid/multigrid_level.h"

namespace meniscus::multigrid {

// x = the red-black sweep from x = 0, r = b - A x: after the sweep only red rows have a residual, and it is the couplings times the
// black values.
template <int D, class T>
void smoothFromZero(Exec& exec, Level<D, T>& level);
// coarse.b = P^T r
template <int D, class T>
void restrictResidual(Exec& exec, const Level<D, T>& level, Level<D, T>& coarse);
// x += P coarse.x
template <int D, class T>
void prolongCorrection(Exec& exec, Level<D, T>& level, const Level<D, T>& coarse);
// The reverse sweep: black, then red. r is used up.
template <int D, class T>
void smoothReverse(Exec& exec, Level<D, T>& level);
// x = D^-1 b
template <int D, class T>
void solveDiagonal(Level<D, T>& level);

}  // namespace meniscus::multigrid
