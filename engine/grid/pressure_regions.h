// Regions of fluid: cells connected through open faces. In one without contact to air, the pressure is known up to a constant only,
// and the divergence must sum to zero there for a solution to exist.
#pragma once

#include <vector>

#include "engine/grid/pressure_matrix.h"

namespace meniscus {

template <int D>
struct PressureRegion {
  Cell<D> firstCell{};  // the region is known by it: the lowest in the order of the grid
  Index cells = 0;
  bool closed = true;         // no contact to air
  double meanDivergence = 0;  // of a closed region, of the last right side: what no pressure can take away, and was left out
};

template <int D>
class PressureRegions {
 public:
  // The matrix must be that of the problem. Memory is kept.
  void find(const PressureProblem<D>& problem, const PressureMatrix<D>& matrix);
  const std::vector<PressureRegion<D>>& all() const { return regions_; }
  bool anyClosed() const { return !groups_.empty(); }
  // Takes the mean over each closed region off x (padded layout). mean, where given: by region.
  template <class T>
  void removeMeans(Exec& exec, T* x, double* mean = nullptr);
  Index closedRegions() const { return closed_; }
  // The number of its closed region for each place of the padded layout, -1 where there is none.
  void label(const PressureMatrix<D>& matrix, Buffer<Index>& region) const;

 private:
  struct Run {  // of cells of one row along x
    Index begin, end, region;
  };
  struct Group {  // of runs of one closed region
    Index first, last, region;
  };
  void listRuns(const PressureProblem<D>& problem, const PressureMatrix<D>& matrix);
  void joinRuns(const PressureMatrix<D>& matrix);
  void numberRegions(const PressureMatrix<D>& matrix);
  Index root(Index run);

  std::vector<PressureRegion<D>> regions_;
  Buffer<Run> runs_;
  Buffer<Index> parent_, rowBegin_;  // of runs; first run of each row of the grid
  Buffer<Run> closedRuns_;           // sorted by region
  Buffer<Group> groups_;
  Buffer<double> partial_, means_;
  Index closed_ = 0;
};

}  // namespace meniscus
