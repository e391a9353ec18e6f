#include "engine/coupling/implicit_solids_box.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace meniscus::coupling {
namespace {

using implicit::LinearisedStep;
using implicit::Vector;

SparseMatrix blockDiagonal(const std::vector<SparseMatrix>& blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::Index row = 0, column = 0;
  for (const SparseMatrix& m : blocks) {
    for (Eigen::Index c = 0; c < m.outerSize(); ++c)
      for (SparseMatrix::InnerIterator it(m, c); it; ++it)
        entries.emplace_back(int(row + it.row()), int(column + it.col()), it.value());
    row += m.rows();
    column += m.cols();
  }
  SparseMatrix all(row, column);
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

SparseMatrix blockDiagonal(const std::vector<LinearisedStep>& steps, SparseMatrix LinearisedStep::*member) {
  std::vector<SparseMatrix> blocks;
  for (const LinearisedStep& s : steps) blocks.push_back(s.*member);
  return blockDiagonal(blocks);
}

Vector vectorOf(const std::vector<double>& v) { return Eigen::Map<const Vector>(v.data(), Eigen::Index(v.size())); }
void append(std::vector<double>& to, const Vector& from) { to.insert(to.end(), from.data(), from.data() + from.size()); }

}  // namespace

ImplicitSolidsBox::ImplicitSolidsBox(std::vector<std::shared_ptr<implicit::ImplicitSolid>> solids) : solids_(std::move(solids)) {
  if (solids_.empty()) throw Error(ErrorKind::input, "coupling: a box of solids needs at least one solid");
  begin_.push_back(0);
  for (const auto& s : solids_) {
    if (!s) throw Error(ErrorKind::input, "coupling: a solid of the box is null");
    begin_.push_back(begin_.back() + s->size());
  }
}

// The solids as their contacts see them: each step starts from the saved state.
class ImplicitSolidsBox::Stepped : public implicit::SteppedSolids {
 public:
  Stepped(ImplicitSolidsBox& box, double dt) : box_(box), dt_(dt) {}
  bool step(const Vector& impulse, Vector& end) override {
    if (moved_) box_.restore();
    moved_ = true;
    if (!box_.stepAll(impulse, dt_)) return false;
    end = vectorOf(box_.motion().position);
    return true;
  }
  SparseMatrix endSystem() override { return box_.endSystemsApart(dt_); }
  SparseMatrix nodes() override {
    box_.restore();
    LinearisedStep s = box_.linearised(dt_);
    for (Eigen::Index c = 0; c < s.nodes.outerSize(); ++c)
      for (SparseMatrix::InnerIterator it(s.nodes, c); it; ++it)
        if (s.given[std::size_t(c)]) it.valueRef() = 0;
    return s.nodes;
  }

 private:
  ImplicitSolidsBox& box_;
  double dt_;
  bool moved_ = false;
};

void ImplicitSolidsBox::save() {
  for (const auto& s : solids_) s->save();
  if (!contacts_) return;
  const Motion now = motion();
  contacts_->begin(vectorOf(now.position), vectorOf(now.velocity));
}

void ImplicitSolidsBox::restore() {
  for (const auto& s : solids_) s->restore();
}

Motion ImplicitSolidsBox::motion() const {
  Motion m;
  for (const auto& s : solids_) {
    append(m.position, s->position());
    append(m.velocity, s->velocity());
  }
  return m;
}

std::vector<SolidPart> ImplicitSolidsBox::parts() const {
  std::vector<SolidPart> all;
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    if (solids_[i]->freedoms() < 0) return {};
    if (solids_[i]->freedoms() > 0) all.push_back({int(begin_[i]), int(begin_[i + 1]), solids_[i]->freedoms()});
  }
  return all;
}

Motion ImplicitSolidsBox::solve(const Load& load, double dt) {
  if (load.kind != LoadKind::impulse) throw Error(ErrorKind::input, "coupling: implicit solids take impulses as their load");
  const Eigen::Map<const Vector> all(load.value.data(), Eigen::Index(load.value.size()));
  if (all.size() != begin_.back())
    throw Error(ErrorKind::input, fmt::format("coupling: {} impulses for solids of {} coordinates", all.size(), begin_.back()));
  failed_ = -1;
  Stepped stepped(*this, dt);
  if (contacts_ ? contacts_->solve(stepped, all, dt) : stepAll(all, dt)) return motion();
  const std::vector<double> none(load.value.size(), std::numeric_limits<double>::quiet_NaN());
  return {none, none};
}

bool ImplicitSolidsBox::stepAll(const Vector& impulse, double dt) {
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    if (solids_[i]->step(impulse.segment(begin_[i], begin_[i + 1] - begin_[i]), dt)) continue;
    failed_ = int(i);
    return false;
  }
  return true;
}

LinearisedStep ImplicitSolidsBox::linearised(double dt) const {
  std::vector<LinearisedStep> steps;
  for (const auto& s : solids_) steps.push_back(s->linearised(dt));
  LinearisedStep all;
  all.mass = blockDiagonal(steps, &LinearisedStep::mass);
  all.damping = blockDiagonal(steps, &LinearisedStep::damping);
  all.stiffness = blockDiagonal(steps, &LinearisedStep::stiffness);
  all.nodes = blockDiagonal(steps, &LinearisedStep::nodes);
  all.predicted.resize(all.mass.rows());
  Eigen::Index row = 0;
  for (const LinearisedStep& s : steps) {
    all.predicted.segment(row, s.predicted.size()) = s.predicted;
    all.given.insert(all.given.end(), s.given.begin(), s.given.end());
    row += s.predicted.size();
  }
  return all;
}

SparseMatrix ImplicitSolidsBox::endSystem(double dt) const {
  SparseMatrix a = endSystemsApart(dt);
  if (contacts_ && contacts_->report().contacts > 0) a += contacts_->stiffness();
  return a;
}

SparseMatrix ImplicitSolidsBox::endSystemsApart(double dt) const {
  std::vector<SparseMatrix> blocks;
  for (const auto& s : solids_) blocks.push_back(s->endSystem(dt));
  return blockDiagonal(blocks);
}

}  // namespace meniscus::coupling
