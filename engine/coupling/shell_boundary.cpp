#include "engine/coupling/shell_boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/grid/smoke/filled_cells.h"

namespace meniscus::coupling {

bool isFinite(const Motion& motion) {
  for (const std::vector<double>* v : {&motion.position, &motion.velocity})
    for (const double k : *v)
      if (!std::isfinite(k)) return false;
  return true;
}

bool isLost(double residual, double leftOver, const std::vector<double>& faceVelocity, double dx) {
  constexpr double kLost = 1e-6;
  double square = 0;
  for (const double v : faceVelocity) square += v * v;
  return !(residual <= kLost) && !(leftOver <= kLost * std::sqrt(square) / dx);
}

template <int D>
void checkElements(const ShellMesh<D>& mesh, const char* fluid) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    for (const Index i : mesh.elements[e])
      if (i < 0 || i >= mesh.nodes)
        throw Error(ErrorKind::input, fmt::format("{}: element {} of the shell has node {} of {}", fluid, e, i, mesh.nodes));
}

void checkBoundary(const Motion& now, std::size_t coordinates, const char* fluid) {
  if (now.position.size() == coordinates && now.velocity.size() == coordinates && isFinite(now)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: the boundary has {} coordinates and {} velocities, or some that are not finite; the shell has {}",
                          fluid, now.position.size(), now.velocity.size(), coordinates));
}

template <int D>
std::vector<EnclosedRegion> enclosedBy(const std::vector<ClosedRegion>& regions, const ShellFaces<D>& faces,
                                       const ShellWeights& weights, double faceArea, std::size_t coordinates) {
  std::vector<EnclosedRegion> all;
  for (const ClosedRegion& region : regions) {
    if (region.shellFace.empty()) continue;
    std::vector<double> sided(faces.face.size(), 0);
    for (std::size_t k = 0; k < region.shellFace.size(); ++k) sided[std::size_t(region.shellFace[k])] = faceArea * region.sign[k];
    all.push_back({std::vector<double>(coordinates, 0), region.outflow});
    applyTransposed<D>(weights, faces, sided, all.back().area);
  }
  return all;
}

template <int D>
void takeOffConstants(const std::vector<ClosedRegion>& regions, const ShellFaces<D>& faces, const ShellWeights& weights,
                      const HasConstant& hasConstant, std::size_t coordinates, std::vector<double>& faceImpulse) {
  if (!hasConstant) return;
  std::vector<char> without(regions.size(), 0);
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const std::vector<EnclosedRegion> region = enclosedBy({regions[r]}, faces, weights, 1.0, coordinates);
    without[r] = !region.empty() &&
                 !hasConstant(Eigen::Map<const Eigen::VectorXd>(region[0].area.data(), Eigen::Index(region[0].area.size())));
  }
  if (std::count(without.begin(), without.end(), 1) > 0) meniscus::takeOffConstants(regions, without, faceImpulse);
}

template <int D>
std::vector<char> weighShell(const ShellInFluid<D>& shell, const std::vector<double>& x, const std::function<bool(Offset)>& fluid,
                             const ShellFaces<D>& faces, NarrowGaps<D>& gaps, ShellWeights& weights) {
  std::vector<char> filled = findFilledCells(shell.domain.grid, faces, shell.filled);
  weights = shellWeights(shell.domain.grid, shell.mesh, x, faces, shell.rule, {&shell.filled, &filled});
  const std::function<bool(Offset)> outside = [&filled](Offset i) { return !filled[std::size_t(i)]; };
  gaps.find(shell.domain, shell.given, faces, x, filled, fluid ? fluid : outside, weights);
  return filled;
}

template <int D>
double largestSpeed(const Buffer<double> (&velocity)[D]) {
  double most = 0;
  for (const Buffer<double>& u : velocity)
    for (std::size_t f = 0; f < u.size(); ++f) most = std::max(most, std::abs(u[f]));
  return most;
}

template void checkElements<2>(const ShellMesh<2>&, const char*);
template void checkElements<3>(const ShellMesh<3>&, const char*);
template std::vector<EnclosedRegion> enclosedBy<2>(const std::vector<ClosedRegion>&, const ShellFaces<2>&, const ShellWeights&,
                                                   double, std::size_t);
template std::vector<EnclosedRegion> enclosedBy<3>(const std::vector<ClosedRegion>&, const ShellFaces<3>&, const ShellWeights&,
                                                   double, std::size_t);
template void takeOffConstants<2>(const std::vector<ClosedRegion>&, const ShellFaces<2>&, const ShellWeights&, const HasConstant&,
                                  std::size_t, std::vector<double>&);
template void takeOffConstants<3>(const std::vector<ClosedRegion>&, const ShellFaces<3>&, const ShellWeights&, const HasConstant&,
                                  std::size_t, std::vector<double>&);
template std::vector<char> weighShell<2>(const ShellInFluid<2>&, const std::vector<double>&, const std::function<bool(Offset)>&,
                                         const ShellFaces<2>&, NarrowGaps<2>&, ShellWeights&);
template std::vector<char> weighShell<3>(const ShellInFluid<3>&, const std::vector<double>&, const std::function<bool(Offset)>&,
                                         const ShellFaces<3>&, NarrowGaps<3>&, ShellWeights&);
template double largestSpeed<2>(const Buffer<double> (&)[2]);
template double largestSpeed<3>(const Buffer<double> (&)[3]);

}  // namespace meniscus::coupling
