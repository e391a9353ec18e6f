// Makes the velocity of water free of divergence, with the surface where the level set says it is and a shell of given velocity.
//
// The pressure of the air is 0; the surface is of second order (pressure_problem.h). Units: the pressure is that of PressureSolver,
// times the time step [Pa s].
#pragma once

#include "engine/grid/pressure_solver.h"
#include "engine/grid/smoke/shell_faces.h"
#include "engine/grid/water/air_gaps.h"
#include "engine/grid/water/water_state.h"

namespace meniscus {

template <int D>
class WaterProjection {
 public:
  // Both must outlive this.
  WaterProjection(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given);

  // The equations beside this surface and these faces of the shell. gaps: those with air before the shell; where its face is not
  // one of `shell`, the water's surface is where the gap says.
  void place(const Buffer<double>& levelSet, const ShellFaces<D>& shell, const std::vector<AirGap<D>>& gaps);

  // [1/s] of each cell.
  const Buffer<double>& divergenceOf(const Buffer<double>* velocity);

  bool anyClosed() const;  // water without a surface
  const PressureProblem<D>& problem() const { return problem_; }

  // After place. velocity: u* on entry; on return without divergence in water, and faceVelocity on the faces of the shell.
  // pressure: of each cell, where the iteration starts, and the answer; mean zero in water without a surface. What such water can
  // not take must have been taken off faceVelocity (makeCompatible).
  PressureReport project(const std::vector<double>& faceVelocity, const FusedControl& control, Buffer<double>* velocity,
                         Buffer<double>& pressure);

  // What the last project left of the divergence [1/s], the 2-norm over the cells.
  double leftOver() const { return leftOver_; }

  // The mass of water in the dual cell of a face that the shell does not close [kg]. At the surface it is that of the part of the
  // way between the centres that is in water, which is what the pressure pushes there; half a cell at a wall.
  double faceMass(int axis, Offset f) const;

 private:
  void placeSurfaces(const std::vector<AirGap<D>>& gaps);
  bool wet(Offset cell) const { return problem_.kind[std::size_t(cell)] == CellKind::fluid; }

  Exec& exec_;
  const SmokeDomain<D>& domain_;
  const GivenFaces<D>& given_;
  const ShellFaces<D>* shell_ = nullptr;
  PressureSolver<D> solver_;
  PressureProblem<D> problem_;
  Buffer<double> divergence_;
  double leftOver_ = 0;
};

}  // namespace meniscus
