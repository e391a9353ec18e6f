// Semi-Lagrangian advection beside a shell: paths back in time end at it, and values behind it are not seen.
//
// Based on: Stam, Stable fluids, 1999; Guendelman et al., Coupling water and smoke to thin deformable and rigid shells, 2005.
#pragma once

#include "engine/exec/exec.h"
#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/smoke/smoke_sampling.h"

namespace meniscus {

// The shell and the obstacles at the beginning of a step: where they are and the velocity of their nodes.
template <int D>
struct StandingShell {
  ShellRays<D> rays;
  std::vector<double> velocity;  // D a node [m/s]
};

// u* = u at the beginning of the paths, plus gravity and buoyancy over the step. Faces of given velocity keep theirs.
template <int D>
void predictVelocity(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const SmokeState<D>& state,
                     const StandingShell<D>& shell, double dt, Buffer<double>* predicted);

// Smoke and temperature with the velocity of the state, while the shell goes from x0, where it stands in `shell`, to x1 (D a node,
// with obstacles);
// faces1 are those that it closes there. Nothing crosses the shell: what a cell gets comes along paths in space and time that do
// not meet it, or from neighbours through faces that are open at the end; a cell with neither is empty.
template <int D>
void advectScalars(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given, const StandingShell<D>& shell,
                   const std::vector<double>& x0, const std::vector<double>& x1, const ShellFaces<D>& faces1, double dt,
                   SmokeState<D>& state);

}  // namespace meniscus
