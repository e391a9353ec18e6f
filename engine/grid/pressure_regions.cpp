#include "engine/grid/pressure_regions.h"

#include <algorithm>

namespace meniscus {
namespace {

// Runs a thread sums at a time. Fixed, because the bits of a mean depend on it.
constexpr Index kRunsPerGroup = 64;

template <class Run, class Group, class T>
struct SumGroup {
  const Run* runs;
  const Group* groups;
  const T* x;
  double* partial;
  void operator()(Index g) const {
    double sum[4] = {};
    for (Index k = groups[g].first; k < groups[g].last; ++k) {
      const T *p = x + runs[k].begin, *end = x + runs[k].end;
      for (; p + 4 <= end; p += 4)
        for (int lane = 0; lane < 4; ++lane) sum[lane] += p[lane];
      for (; p < end; ++p) sum[0] += *p;
    }
    partial[g] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

template <class Run, class Group, class T>
struct SubtractGroup {
  const Run* runs;
  const Group* groups;
  const double* mean;  // by region
  T* x;
  void operator()(Index g) const {
    const T m = T(mean[groups[g].region]);
    for (Index k = groups[g].first; k < groups[g].last; ++k)
      for (Index i = runs[k].begin; i < runs[k].end; ++i) x[i] -= m;
  }
};

}  // namespace

template <int D>
void PressureRegions<D>::find(const PressureProblem<D>& problem, const PressureMatrix<D>& matrix) {
  listRuns(problem, matrix);
  joinRuns(matrix);
  numberRegions(matrix);
}

// Neighbours along x with an open face between them are in one run.
template <int D>
void PressureRegions<D>::listRuns(const PressureProblem<D>& problem, const PressureMatrix<D>& m) {
  const MacGrid<D>& g = problem.grid;
  runs_.clear();
  rowBegin_.clear();
  const Index rows = g.cells() == 0 ? 0 : m.layout.rows();
  std::size_t next = 0;
  for (Index row = 0; row < rows; ++row) {
    rowBegin_.push_back(Index(runs_.size()));
    const Index start = m.layout.at(m.layout.rowStart(row));
    if (next == m.rows.size() || m.rows[next].begin >= start + g.n[0]) continue;
    const RowSpan<D> span = m.rows[next++];
    const Offset in = g.cell(span.cell);
    bool inside = false;
    for (Index i = span.begin; i < span.end; ++i) {
      const bool fluid = problem.kind[std::size_t(in + i - span.begin)] == CellKind::fluid;
      if (fluid && inside && m.lower[0][std::size_t(i)] > 0)
        runs_.back().end = i + 1;
      else if (fluid)
        runs_.push_back({i, i + 1, -1});
      inside = fluid;
    }
  }
  rowBegin_.push_back(Index(runs_.size()));
}

template <int D>
Index PressureRegions<D>::root(Index run) {
  Index* parent = parent_.data();
  while (parent[run] != run) run = parent[run] = parent[parent[run]];
  return run;
}

template <int D>
void PressureRegions<D>::joinRuns(const PressureMatrix<D>& m) {
  parent_.resizeUninitialized(runs_.size());
  for (Index k = 0; k < Index(runs_.size()); ++k) parent_[std::size_t(k)] = k;
  const Index rows = Index(rowBegin_.size()) - 1;
  Index step = 1;  // in rows, along the axis
  for (std::size_t a = 1; a < D; step *= m.layout.n[a], ++a)
    for (Index row = step; row < rows; ++row) {
      if (row / step % m.layout.n[a] == 0) continue;
      Index below = rowBegin_[std::size_t(row - step)];
      for (Index k = rowBegin_[std::size_t(row)]; k < rowBegin_[std::size_t(row + 1)]; ++k)
        for (Index i = runs_[std::size_t(k)].begin; i < runs_[std::size_t(k)].end; ++i) {
          if (!(m.lower[a][std::size_t(i)] > 0)) continue;
          while (runs_[std::size_t(below)].end <= i - m.layout.stride[a]) ++below;
          const Index p = root(k), q = root(below);
          parent_[std::size_t(p < q ? q : p)] = p < q ? p : q;
          i = runs_[std::size_t(below)].end + m.layout.stride[a] - 1;  // the rest of that run is joined too
        }
    }
}

template <int D>
void PressureRegions<D>::numberRegions(const PressureMatrix<D>& m) {
  regions_.clear();
  const Index n = Index(runs_.size());
  for (Index k = 0; k < n; ++k) {
    Run& run = runs_[std::size_t(k)];
    const Index first = root(k);  // the lowest of the region: joining keeps the lower one
    if (first == k) {
      run.region = Index(regions_.size());
      regions_.push_back({m.layout.coordinates(run.begin), 0, true, 0});
    } else {
      run.region = runs_[std::size_t(first)].region;
    }
    PressureRegion<D>& region = regions_[std::size_t(run.region)];
    region.cells += run.end - run.begin;
    for (Index i = run.begin; region.closed && i < run.end; ++i) region.closed = !(m.surface[std::size_t(i)] > 0);
  }
  closedRuns_.clear();
  groups_.clear();
  closed_ = 0;
  for (const PressureRegion<D>& r : regions_) closed_ += r.closed;
  means_.assign(regions_.size(), 0);
  if (closed_ == 0) return;
  for (const Run& run : runs_)
    if (regions_[std::size_t(run.region)].closed) closedRuns_.push_back(run);
  std::stable_sort(closedRuns_.begin(), closedRuns_.end(), [](const Run& a, const Run& b) { return a.region < b.region; });
  for (Index k = 0; k < Index(closedRuns_.size()); ++k) {
    const Index region = closedRuns_[std::size_t(k)].region;
    if (groups_.empty() || groups_.back().region != region || k - groups_.back().first == kRunsPerGroup)
      groups_.push_back({k, k + 1, region});
    else
      groups_.back().last = k + 1;
  }
  partial_.resizeUninitialized(groups_.size());
}

template <int D>
template <class T>
void PressureRegions<D>::removeMeans(Exec& exec, T* x, double* mean) {
  const Index groups = Index(groups_.size());
  if (groups == 0) return;
  parallelFor(exec, "pressure: region sums", groups,
              SumGroup<Run, Group, T>{closedRuns_.data(), groups_.data(), x, partial_.data()}, 1);
  for (double& m : means_) m = 0;
  for (Index g = 0; g < groups; ++g) means_[std::size_t(groups_[std::size_t(g)].region)] += partial_[std::size_t(g)];
  for (std::size_t r = 0; r < regions_.size(); ++r) means_[r] /= regions_[r].cells;
  parallelFor(exec, "pressure: region means", groups,
              SubtractGroup<Run, Group, T>{closedRuns_.data(), groups_.data(), means_.data(), x}, 1);
  if (mean)
    for (std::size_t r = 0; r < regions_.size(); ++r) mean[r] = means_[r];
}

template <int D>
void PressureRegions<D>::label(const PressureMatrix<D>& m, Buffer<Index>& region) const {
  region.assign(std::size_t(m.layout.size), -1);
  for (const Run& run : closedRuns_)
    for (Index i = run.begin; i < run.end; ++i) region[std::size_t(i)] = run.region;
}

template class PressureRegions<2>;
template class PressureRegions<3>;
template void PressureRegions<2>::removeMeans<float>(Exec&, float*, double*);
template void PressureRegions<3>::removeMeans<float>(Exec&, float*, double*);
template void PressureRegions<2>::removeMeans<double>(Exec&, double*, double*);
template void PressureRegions<3>::removeMeans<double>(Exec&, double*, double*);

}  // namespace meniscus
