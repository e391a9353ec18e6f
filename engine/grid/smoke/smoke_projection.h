// Makes the velocity of smoke free of divergence beside a shell of given velocity.
//
// Units: the pressure is that of PressureSolver, times the time step [Pa s], and the domain's density is constant.
#pragma once

#include "engine/grid/pressure_solver.h"
#include "engine/grid/smoke/filled_cells.h"
#include "engine/grid/smoke/smoke_domain.h"

namespace meniscus {

template <int D>
class SmokeProjection {
 public:
  // All must outlive this.
  SmokeProjection(Exec& exec, const SmokeDomain<D>& domain, const GivenFaces<D>& given);

  // filled: of each cell, or empty. velocity: u* on entry; on return without divergence, and faceVelocity on the faces of the
  // shell. pressure: of each cell, where the iteration starts, and the answer; mean zero in each region without contact to an open
  // side. What such a region can not take must have been taken off faceVelocity (makeCompatible).
  PressureReport project(const ShellFaces<D>& faces, const std::vector<char>& filled, const std::vector<double>& faceVelocity,
                         const FusedControl& control, Buffer<double>* velocity, Buffer<double>& pressure);

  // What the last project left of the divergence [1/s], the 2-norm over the cells.
  double leftOver() const { return leftOver_; }

  // For those that solve the equations in another way. The problem beside this shell, until the next call of either.
  const PressureProblem<D>& problemBeside(const ShellFaces<D>& faces, const std::vector<char>& filled);
  // The problem's number of each cell of the domain: it has a layer of cells more along open sides.
  const std::vector<Offset>& problemCells() const { return cell_; }
  const PressureProblem<D>& problem() const { return problem_; }  // the last one
  // Of each of the problem's cells.
  const Buffer<double>& divergenceOf(const Buffer<double>* velocity);

 private:
  Cell<D> padded(const Cell<D>& c) const;
  void subtractGradient(const ShellFaces<D>& faces, Buffer<double>* velocity) const;

  const SmokeDomain<D>& domain_;
  const GivenFaces<D>& given_;
  PressureSolver<D> solver_;
  // the grid with a layer of air along the open sides, whose centres are where the pressure is given
  PressureProblem<D> problem_;
  std::vector<Offset> cell_;  // of each cell of the domain, the one in problem_
  Cell<D> pad_{};             // layers below
  std::vector<ShellFace<D>> closed_;
  std::vector<char> filled_;
  bool built_ = false;
  double leftOver_ = 0;
  Buffer<double> divergence_, pressure_;
};

// The impulse of the fluid on the shell at each of its faces, along +axis [N s]: what the pressures gave the dual cell, less what
// its fluid kept. I_f = A (p_L - p_R) - m_f (u_f - u*_f), with pressures times dt and the masses of shellFaceMasses. Akbay et al.
// 2018, equation 8, with the minus of the reaction.
template <int D>
std::vector<double> shellImpulses(const MacGrid<D>& grid, const ShellFaces<D>& faces, const std::vector<double>& mass,
                                  const Buffer<double>* predicted, const std::vector<double>& faceVelocity,
                                  const Buffer<double>& pressure);

// p_L - p_R at each of the shell's faces, in the unit of the pressure.
template <int D>
std::vector<double> pressureJumps(const MacGrid<D>& grid, const ShellFaces<D>& faces, const Buffer<double>& pressure);

}  // namespace meniscus
