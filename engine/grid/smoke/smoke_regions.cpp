#include "engine/grid/smoke/smoke_regions.h"

#include <Eigen/Dense>
#include <cmath>

namespace meniscus {
namespace {

template <int D>
struct Filler {
  const SmokeDomain<D>& domain;
  const GivenFaces<D>& given;
  const ShellFaces<D>& faces;
  const std::vector<char>& filled;
  std::vector<Index> label;     // of each cell
  std::vector<char> open;       // of each label
  std::vector<double> outflow;  // of each label

  void fill() {
    const MacGrid<D>& g = domain.grid;
    label.assign(std::size_t(g.cells()), kNone);
    for (std::size_t i = 0; i < filled.size(); ++i)
      if (filled[i]) label[i] = kFilled;
    std::vector<Offset> stack;
    for (Offset first = 0; first < g.cells(); ++first) {
      if (label[std::size_t(first)] != kNone) continue;
      open.push_back(0);
      outflow.push_back(0);
      take(first, stack);
      while (!stack.empty()) {
        const Cell<D> c = g.cellAt(stack.back());
        stack.pop_back();
        for (int axis = 0; axis < D; ++axis)
          for (int up = 0; up < 2; ++up) visit(c, axis, up, stack);
      }
    }
  }

 private:
  static constexpr Index kNone = -1, kFilled = -2;

  void take(Offset i, std::vector<Offset>& stack) {
    label[std::size_t(i)] = Index(open.size()) - 1;
    stack.push_back(i);
  }

  void visit(const Cell<D>& c, int axis, int up, std::vector<Offset>& stack) {
    const MacGrid<D>& g = domain.grid;
    Cell<D> neighbour = c, face = c;
    neighbour[std::size_t(axis)] += up ? 1 : -1;
    face[std::size_t(axis)] += up;
    const Offset f = g.face(axis, face);
    if (g.contains(neighbour)) {
      const Offset n = g.cell(neighbour);
      if (!faces.closed(axis, f) && !given.given(axis, f) && label[std::size_t(n)] == kNone) take(n, stack);
    } else if (!given.given(axis, f)) {
      open.back() = 1;
    } else if (const Index k = given.inflow[axis][std::size_t(f)]; k >= 0) {
      const double area = std::pow(g.dx, D - 1);
      outflow.back() += (up ? area : -area) * domain.inflow[std::size_t(k)].velocity;
    }
  }
};

}  // namespace

template <int D>
std::vector<ClosedRegion> closedRegions(const SmokeDomain<D>& domain, const GivenFaces<D>& given, const ShellFaces<D>& faces,
                                        const std::vector<char>& filled) {
  Filler<D> filler{domain, given, faces, filled, {}, {}, {}};
  filler.fill();
  std::vector<ClosedRegion> regions;
  std::vector<Index> number(filler.open.size(), -1);
  for (std::size_t k = 0; k < number.size(); ++k)
    if (!filler.open[k]) {
      number[k] = Index(regions.size());
      regions.push_back({filler.outflow[k], {}, {}});
    }
  for (std::size_t r = 0; r < faces.face.size(); ++r) {
    Cell<D> below = faces.face[r].cell;
    const Index upper = filler.label[std::size_t(domain.grid.cell(below))];
    --below[std::size_t(faces.face[r].axis)];
    const Index lower = filler.label[std::size_t(domain.grid.cell(below))];
    if (upper == lower) continue;  // the shell ends in the region
    for (const auto& [l, sign] : {std::pair(lower, 1), std::pair(upper, -1)})
      if (l >= 0 && number[std::size_t(l)] >= 0) {
        ClosedRegion& region = regions[std::size_t(number[std::size_t(l)])];
        region.shellFace.push_back(Index(r));
        region.sign.push_back(static_cast<signed char>(sign));
      }
  }
  return regions;
}

namespace {

// C: the flows of velocities 1 on the shell's faces out of each region, over the area of a face.
Eigen::MatrixXd flowsOf(const std::vector<ClosedRegion>& regions, std::size_t faces) {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(Eigen::Index(faces), Eigen::Index(regions.size()));
  for (std::size_t r = 0; r < regions.size(); ++r)
    for (std::size_t k = 0; k < regions[r].shellFace.size(); ++k) c(regions[r].shellFace[k], Eigen::Index(r)) = regions[r].sign[k];
  return c;
}

// (C^T C)^+ right: a general inverse, since the sum of the conditions of regions that have only one another as neighbours is no
// condition.
Eigen::VectorXd solveFlows(const Eigen::MatrixXd& c, const Eigen::VectorXd& right) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(c.transpose() * c).solve(right);
}

}  // namespace

// u -= C (C^T C)^+ (C^T u + outflow): all dual cells have one mass, which cancels.
void makeCompatible(const std::vector<ClosedRegion>& regions, double faceArea, std::vector<double>& faceVelocity) {
  if (regions.empty()) return;
  const Eigen::MatrixXd c = flowsOf(regions, faceVelocity.size());
  Eigen::Map<Eigen::VectorXd> u(faceVelocity.data(), c.rows());
  Eigen::VectorXd excess = c.transpose() * u;
  for (std::size_t r = 0; r < regions.size(); ++r) excess[Eigen::Index(r)] += regions[r].outflow / faceArea;
  u -= c * solveFlows(c, excess);
}

void takeOffConstants(const std::vector<ClosedRegion>& regions, const std::vector<char>& marked, std::vector<double>& faceImpulse) {
  const Eigen::MatrixXd c = flowsOf(regions, faceImpulse.size());
  Eigen::Map<Eigen::VectorXd> j(faceImpulse.data(), c.rows());
  Eigen::VectorXd constant = solveFlows(c, c.transpose() * j);
  for (std::size_t r = 0; r < regions.size(); ++r)
    if (!marked[r]) constant[Eigen::Index(r)] = 0;
  j -= c * constant;
}

template std::vector<ClosedRegion> closedRegions<2>(const SmokeDomain<2>&, const GivenFaces<2>&, const ShellFaces<2>&,
                                                    const std::vector<char>&);
template std::vector<ClosedRegion> closedRegions<3>(const SmokeDomain<3>&, const GivenFaces<3>&, const ShellFaces<3>&,
                                                    const std::vector<char>&);

}  // namespace meniscus
