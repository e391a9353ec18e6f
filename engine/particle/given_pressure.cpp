#include "engine/particle/given_pressure.h"

#include <cstring>
#include <utility>

#include "engine/linear/conjugate_gradient.h"

namespace meniscus {

// In the solids' rows; phi_ says what the fluid does to the nodes meanwhile.
void GivenPressureSystem::product(Exec& exec, const Buffer<float>& x, Buffer<float>& y) {
  solidPass(exec, x.data(), false);
  if (fluidRows_ > 0) std::memset(y.data(), 0, std::size_t(fluidRows_) * sizeof(float));
  parallelBlocks(exec, "given pressure: product", rows(), solidRows(x, y));
}

SolveReport GivenPressureSystem::solveConstraints(Exec& exec, double tolerance, int maxIterations) {
  const std::size_t all = std::size_t(rows()), fluid = std::size_t(fluidRows_), solid = all - fluid;
  lambda_.assign(all, 0.f);
  load_.assign(all, 0.f);
  packPressure(exec, p_);
  for (std::size_t i = fluid; i < all; ++i) std::swap(lambda_[i], p_[i]);
  transposePass(exec, p_, false);
  parallelBlocks(exec, "given pressure: load", rows(), solidRows(p_, load_));
  for (std::size_t i = 0; i < all; ++i) load_[i] = i < fluid ? 0.f : rhs_[i] - load_[i];
  phi_.assign(phi_.size(), 0.f);
  const auto product = [&](const Buffer<float>& x, Buffer<float>& y) { this->product(exec, x, y); };
  DiagonalKrylov<decltype(product)> A{exec, product, layout_, edges_.data(), diag_.data(), KrylovVectors<float>(exec, rows())};
  const KrylovReport r = conjugateGradient(A, load_, lambda_, work_, KrylovControl{tolerance, maxIterations});
  std::memcpy(p_.data() + fluid, lambda_.data() + fluid, solid * sizeof(float));
  return {r.iterations, r.residual, r.converged};
}

std::size_t GivenPressureSystem::bytes() const {
  std::size_t sum = PressureSystem::bytes();
  for (const auto* b : {&load_, &lambda_, &work_.r, &work_.d, &work_.q, &work_.z}) sum += b->capacityBytes();
  return sum;
}

}  // namespace meniscus
