#include "engine/particle/surface_tension.h"

#include "kernels/fluid/surface_tension.h"

namespace meniscus {

void SurfaceTension::step(Exec& exec, const World& world, const CellGrid& grid, const PairLists& lists, double S0, double h,
                          View<Vec4f> u) {
  const std::vector<FluidDef>& fluids = world.scene.fluids;
  const double H = kCapillarySupport * world.dx;
  strength_.resize(fluids.size());
  rho_.resize(fluids.size());
  for (std::size_t k = 0; k < fluids.size(); ++k) {
    strength_[k] = float(h * fluids[k].surfaceTension * cohesionOf(H));
    rho_[k] = float(fluids[k].density);
  }
  g_.resizeUninitialized(std::size_t(u.n + kLanes));
  for (Index l = 0; l < kLanes; ++l) g_[std::size_t(u.n + l)] = 0;
  for (auto* b : {&atSurface_, &withDeficit_}) b->resizeUninitialized(std::size_t(grid.cells()));
  const DomainDef& domain = world.scene.domain;
  CapillaryNeighbours near{grid, grid.begin.data(), world.fluid.x.data(),        Vec3f(domain.max - domain.min),
                           {},   float(H),          float(world.particleVolume), atSurface_.data()};
  for (int k = 0; k < 6; ++k) near.mirror[k] = domain.walls[k];
  const auto kernel = SmoothingKernel<float>::make(float(H));
  const float cW = float(latticeSums(world.dx, H).cW);
  const std::uint8_t* const kind = world.fluid.kind.data();
  parallelFor(exec, "surface cells", grid.cells(),
              SurfaceCells{grid.begin.data(), lists.sumC.data(), float(1 / S0), atSurface_.data()});
  parallelFor(exec, "surface deficit", u.n, CapillaryDeficit{near, kernel, kind, strength_.data(), cW, g_.data()});
  parallelFor(exec, "surface cells", grid.cells(), DeficitCells{grid.begin.data(), g_.data(), withDeficit_.data()});
  near.wanted = withDeficit_.data();
  parallelFor(exec, "surface tension", u.n, CapillaryForces{near, kernel, g_.data(), kind, rho_.data(), cW, u.data});
}

}  // namespace meniscus
