// Water moves with the velocity of the grid while the shell goes from x0 to x1. Nothing crosses the shell: particles go on paths in
// space and time that do not meet it, and the level set comes along such paths.
#pragma once

#include "engine/grid/smoke/smoke_path.h"
#include "engine/grid/water/body_pieces.h"
#include "engine/grid/water/water_level_set.h"

namespace meniscus {

// What all parts of a step share. Everything must outlive it.
template <int D>
struct WaterMotion {
  const SmokeDomain<D>& domain;
  const GivenFaces<D>& given;
  const ShellRays<D>&rays0, &rays1;  // about x0 and x1
  const SweptShell<D>& swept;
  const std::vector<double>&x0, &x1, &shellVelocity;  // D a node; (x1 - x0) / dt
  const ShellFaces<D>&faces0, &faces1;
  FilledBodies<D>& bodies;
  double dt;

  OneSided<D> before() const { return {domain.grid, rays0, shellVelocity}; }
  OneSided<D> after() const { return {domain.grid, rays1, shellVelocity}; }
};

// Carries the velocity of faces beside water into the air, kBand faces far: the mean of the neighbours that have one and can be
// seen. Faces of given velocity and of the shell keep theirs; what is farther away has 0.
template <int D>
void extrapolateVelocity(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& matter, Buffer<double>* velocity);

// The particles at the end of the step, in cells. Spray flies freely. One that finds no way past the shell goes along with it; one
// that finds none even so is lost, and is counted. moved: memory.
template <int D>
void moveParticles(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, const Buffer<double>* velocity,
                   WaterParticles<D>& moved, WaterMatter<D>& after);

// The level set at the end of the step, not yet a distance. Cells that no path leads to are water where the particles of `after`
// that they see are.
template <int D>
void advectLevelSet(Exec& exec, const WaterMotion<D>& m, const WaterMatter<D>& before, const Buffer<double>* velocity,
                    WaterMatter<D>& after);

}  // namespace meniscus
