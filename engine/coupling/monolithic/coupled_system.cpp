#include "engine/coupling/monolithic/coupled_system.h"
#include "engine/base/stop.h"

#include <cmath>
#include <limits>
#include <utility>

namespace meniscus::coupling {
namespace {

using Eigen::MatrixXd;
using implicit::Vector;

// y = volume times A x over the rows of the pressure matrix
template <int D>
struct FlowRow {
  StencilView<D> a;
  const RowSpan<D>* rows;
  double volume;
  const double* x;
  double* y;
  void operator()(Index row) const {
    for (Index i = rows[row].begin; i < rows[row].end; ++i) y[i] = volume * a.row(x, i);
  }
};

Vector segment(const Buffer<double>& b, Index begin) {
  Vector v(Eigen::Index(b.size()) - begin);
  std::copy(b.begin() + begin, b.end(), v.data());
  return v;
}

}  // namespace

template <int D>
CoupledSystem<D>::CoupledSystem(Exec& exec, GridOperators<D>& fluid, HasConstant hasConstant)
    : exec_(exec),
      operators_(fluid),
      grid_(fluid.domain().grid),
      hasConstant_(std::move(hasConstant)),
      volume_(std::pow(grid_.dx, D)),
      area_(std::pow(grid_.dx, D - 1)),
      multigrid_(exec) {}

template <int D>
void CoupledSystem<D>::assembleFluid(const GridStep<D>& fluid) {
  const PressureProblem<D>& problem = fluid.problem;
  assemblePressureMatrix(exec_, problem, matrix_);
  multigrid_.build(matrix_);
  regions_.find(problem, matrix_);
  regions_.label(matrix_, region_);
  pressures_ = matrix_.layout.size;
  const auto place = [&](const Cell<D>& c) {
    const Offset k = fluid.cell[std::size_t(grid_.cell(c))];
    return problem.kind[std::size_t(k)] == CellKind::fluid ? matrix_.layout.at(problem.grid.cellAt(k)) : Index(-1);
  };
  cells_.clear();
  for (const ShellFace<D>& f : fluid.faces.face) {
    Cell<D> below = f.cell;
    --below[std::size_t(f.axis)];
    cells_.push_back({place(below), place(f.cell)});
  }
}

template <int D>
void CoupledSystem<D>::assembleSolid(const GridStep<D>& fluid, const SolidTangent& solid) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index r = 0; r < fluid.weights.rows(); ++r)
    for (Index k = fluid.weights.begin[std::size_t(r)]; k < fluid.weights.begin[std::size_t(r) + 1]; ++k)
      entries.emplace_back(r, fluid.weights.node[std::size_t(k)] * D + fluid.faces.face[std::size_t(r)].axis,
                           fluid.weights.weight[std::size_t(k)]);
  for (const ShellWeights::Across& a : fluid.weights.across) entries.emplace_back(a.row, a.coordinate, a.weight);
  weights_.resize(fluid.weights.rows(), solid.nodes.rows());
  weights_.setFromTriplets(entries.begin(), entries.end());
  SparseMatrix nodes = solid.nodes;
  for (Eigen::Index c = 0; c < nodes.outerSize(); ++c)
    for (SparseMatrix::InnerIterator it(nodes, c); it; ++it)
      if (solid.given[std::size_t(c)]) it.valueRef() = 0;
  atFaces_ = weights_ * nodes;
  mass_ = Eigen::Map<const Vector>(fluid.mass.data(), Eigen::Index(fluid.mass.size()));
  const SparseMatrix t = atFaces_;
  system_ = solid.system;
  const SparseMatrix whole = system_ + SparseMatrix(t.transpose() * mass_.asDiagonal() * t);
  solidFactor_.compute(whole);
}

template <int D>
void CoupledSystem<D>::assembleConstants() {
  const auto& all = regions_.all();
  regionNumber_.assign(all.size(), -1);
  std::vector<double> cells;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].closed) {
      regionNumber_[r] = Index(cells.size());
      cells.push_back(double(all[r].cells));
    }
  const Eigen::Index n = Eigen::Index(cells.size());
  regionCells_ = Eigen::Map<const Vector>(cells.data(), n);
  MatrixXd force(atFaces_.cols(), n), answer = force;
  Vector most(n);
  Buffer<double> p;
  const Rows sizes = atFaces_.cwiseAbs();
  for (Eigen::Index k = 0; k < n; ++k) {
    p.assign(std::size_t(pressures_), 0);
    addConstants(Vector::Unit(n, k), p.data());
    const Vector atFace = faceForces(p.data());
    force.col(k) = atFaces_.transpose() * atFace;
    answer.col(k) = solidFactor_.solve(Vector(force.col(k)));
    most[k] = (sizes.transpose() * atFace.cwiseAbs()).norm();
    // nothing counts beside it
    if (hasConstant_ && !hasConstant_(weights_.transpose() * atFace)) most[k] = std::numeric_limits<double>::infinity();
  }
  constants_ = regionConstants(force, answer, most, regionCells_);
}

// C p: what the pressures give to the dual cell of each face, A (p_L - p_R)
template <int D>
Vector CoupledSystem<D>::faceForces(const double* p) const {
  Vector force(Eigen::Index(cells_.size()));
  for (std::size_t r = 0; r < cells_.size(); ++r) {
    const auto& [lower, upper] = cells_[r];
    force[Eigen::Index(r)] = area_ * ((lower >= 0 ? p[lower] : 0) - (upper >= 0 ? p[upper] : 0));
  }
  return force;
}

// Adds C^T u: the flow out of the cells beside each face
template <int D>
void CoupledSystem<D>::addFlows(const Vector& faceVelocity, double* flow) const {
  for (std::size_t r = 0; r < cells_.size(); ++r) {
    const auto& [lower, upper] = cells_[r];
    const double out = area_ * faceVelocity[Eigen::Index(r)];
    if (lower >= 0) flow[lower] += out;
    if (upper >= 0) flow[upper] -= out;
  }
}

template <int D>
Vector CoupledSystem<D>::regionSums(const double* r) const {
  Vector sum = Vector::Zero(regionCells_.size());
  if (sum.size() == 0) return sum;
  for (Index i = 0; i < pressures_; ++i)
    if (region_[std::size_t(i)] >= 0) sum[regionNumber_[std::size_t(region_[std::size_t(i)])]] += r[i];
  return sum;
}

template <int D>
void CoupledSystem<D>::addConstants(const Vector& value, double* p) const {
  if (value.size() == 0) return;
  for (Index i = 0; i < pressures_; ++i)
    if (region_[std::size_t(i)] >= 0) p[i] += value[regionNumber_[std::size_t(region_[std::size_t(i)])]];
}

// What of the flows the constants that are no unknowns would have to take up.
template <int D>
void CoupledSystem<D>::takeOff(double* flow) const {
  if (constants_.kernel.cols() == 0) return;
  addConstants(-(constants_.kernel * (constants_.kernel.transpose() * regionSums(flow))), flow);
}

template <int D>
void CoupledSystem<D>::apply(const Buffer<double>& x, Buffer<double>& y) {
  stopIfAsked();
  StencilView<D> stencil{{}, matrix_.diagonal.data(), matrix_.layout.stride};
  for (int a = 0; a < D; ++a) stencil.lower[a] = matrix_.lower[a].data();
  y.assign(y.size(), 0);
  parallelFor(exec_, "coupled system: flows", Index(matrix_.rows.size()),
              FlowRow<D>{stencil, matrix_.rows.data(), volume_, x.data(), y.data()}, rowGrain(matrix_.layout.n[0]));
  const Vector d = segment(x, pressures_), u = atFaces_ * d;
  addFlows(u, y.data());
  takeOff(y.data());
  // B^T p - K d with K d = S d + T^T m T d
  const Vector force = faceForces(x.data()) - mass_.cwiseProduct(u);
  const Vector q = atFaces_.transpose() * force - system_ * d;
  std::copy(q.data(), q.data() + q.size(), y.begin() + pressures_);
}

template <int D>
double CoupledSystem<D>::precondition(const Buffer<double>& r, Buffer<double>& z) {
  if (matrix_.rows.empty()) {  // no fluid anywhere
    std::fill(z.begin(), z.begin() + pressures_, 0.0);
  } else {
    double* right = multigrid_.right();
    std::copy(r.begin(), r.begin() + pressures_, right);
    regions_.removeMeans(exec_, right);
    double* p = multigrid_.solve();
    regions_.removeMeans(exec_, p);
    const double factor = 1 / (multigrid_.scale() * volume_);
    for (Index i = 0; i < pressures_; ++i) z[std::size_t(i)] = factor * p[i];
  }
  addConstants(constants_.inverse * regionSums(r.data()), z.data());
  const Vector d = solidFactor_.solve(segment(r, pressures_));
  std::copy(d.data(), d.data() + d.size(), z.begin() + pressures_);
  return vectors_->dot(r, z);
}

template <int D>
void CoupledSystem<D>::rightSide(const GridStep<D>& fluid, const SolidTangent& solid) {
  // f = -(flow of u* and of the shell's velocity)
  Buffer<double> u[D];
  const Eigen::Map<const Vector> offset(fluid.offset.data(), Eigen::Index(fluid.offset.size()));
  const Vector atFace = weights_ * solid.velocity + offset;
  Vector predicted(atFace.size());
  for (int axis = 0; axis < D; ++axis) u[axis] = fluid.predicted[axis];
  for (std::size_t r = 0; r < fluid.faces.face.size(); ++r) {
    double& face = u[fluid.faces.face[r].axis][std::size_t(fluid.faces.face[r].face)];
    predicted[Eigen::Index(r)] = face;
    face = atFace[Eigen::Index(r)];
  }
  const Buffer<double>& divergence = operators_.divergenceOf(u);
  b_.assign(std::size_t(pressures_), 0);
  pressureRightSide(exec_, fluid.problem, matrix_, divergence, b_);
  for (double& f : b_) f *= volume_;
  b_.resize(std::size_t(vectors_->size()));
  takeOff(b_.data());
  // -g = -(T^T m (u* - W V) + N^T (steady - J))
  const Eigen::Map<const Vector> steady(fluid.steady.data(), Eigen::Index(fluid.steady.size()));
  const Vector g =
      atFaces_.transpose() * mass_.cwiseProduct(predicted - atFace) + solid.nodes.transpose() * (steady - solid.impulse);
  for (Eigen::Index i = 0; i < g.size(); ++i) b_[std::size_t(pressures_ + i)] = solid.given[std::size_t(i)] ? 0 : -g[i];
}

template <int D>
void CoupledSystem<D>::readSolution(const GridStep<D>& fluid, const SolidTangent& solid) {
  const Vector d = segment(x_, pressures_);
  velocity_ = solid.velocity + solid.nodes * d;
  Vector momentum = weights_ * velocity_ + Eigen::Map<const Vector>(fluid.offset.data(), Eigen::Index(fluid.offset.size()));
  for (std::size_t r = 0; r < fluid.faces.face.size(); ++r)
    momentum[Eigen::Index(r)] -= fluid.predicted[fluid.faces.face[r].axis][std::size_t(fluid.faces.face[r].face)];
  impulse_ = weights_.transpose() * (faceForces(x_.data()) - mass_.cwiseProduct(momentum)) +
             Eigen::Map<const Vector>(fluid.steady.data(), Eigen::Index(fluid.steady.size()));
  const Vector mean = regionSums(x_.data()).cwiseQuotient(regionCells_);
  Buffer<double> p;
  p.assign(std::size_t(pressures_), 0);
  addConstants(mean, p.data());
  constantImpulse_ = weights_.transpose() * faceForces(p.data());
  const Vector known = mean - constants_.kernel * (constants_.kernel.transpose() * regionCells_.cwiseProduct(mean));
  constant_.assign(known.data(), known.data() + known.size());
}

template <int D>
double CoupledSystem<D>::pressure(const GridStep<D>& fluid, Offset cell) const {
  const Offset k = fluid.cell[std::size_t(cell)];
  if (fluid.problem.kind[std::size_t(k)] != CellKind::fluid) return 0;
  return x_[std::size_t(matrix_.layout.at(fluid.problem.grid.cellAt(k)))];
}

template <int D>
KrylovReport CoupledSystem<D>::solve(const GridStep<D>& fluid, const SolidTangent& solid, const KrylovControl& control) {
  assembleFluid(fluid);
  assembleSolid(fluid, solid);
  if (solidFactor_.info() != Eigen::Success) return {0, std::numeric_limits<double>::infinity(), false};
  assembleConstants();
  const Index size = pressures_ + Index(solid.system.rows());
  vectors_.emplace(exec_, size);
  rightSide(fluid, solid);
  x_.assign(std::size_t(size), 0);
  const KrylovReport report = minres(*this, b_, x_, work_, control);
  readSolution(fluid, solid);
  return report;
}

template class CoupledSystem<2>;
template class CoupledSystem<3>;

}  // namespace meniscus::coupling
