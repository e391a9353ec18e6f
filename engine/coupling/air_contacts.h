// Where in a step water comes to a shell that air was before: which of the gaps of air_gaps.h the shell closes. They are a set to
// be found with the pressures: a linear complementarity problem, whose matrix lets sets that are found wrong be put right one after
// the other, and ends at the only one (the primal-dual active set method: Hintermueller, Ito & Kunisch, The primal-dual active set
// strategy as a semismooth Newton method, 2002).
#pragma once

#include <functional>

#include "engine/coupling/coupling.h"
#include "engine/grid/smoke/smoke_regions.h"
#include "engine/grid/water/air_gaps.h"

namespace meniscus::coupling {

template <int D>
class AirContacts {
 public:
  // The shell's faces and their weights with all gaps closed, and the water between the last centre and the shell [cells]. Takes
  // the contents of faces and weights.
  void set(const AirGapSearch<D>& at, ShellFaces<D>& faces, ShellWeights& weights, const Buffer<double>& levelSet,
           const std::vector<Index>& swept);
  const ShellFaces<D>& faces() const { return all_; }
  const std::vector<AirGap<D>>& gaps() const { return gaps_; }
  bool any() const { return !gaps_.empty(); }
  const std::vector<char>& closed() const { return closed_; }  // of each gap

  // Closed at first where the water's own velocity takes it to the shell.
  void guess(const Buffer<double>* predicted, const std::vector<double>& v, double dt);
  // The same, but for those that are known by their face from the sets before this one.
  void guessFrom(const AirContacts& before, const Buffer<double>* predicted, const std::vector<double>& v, double dt);

  // Where the nodes are if those before gaps that water would come to go no farther than there.
  std::vector<double> stopped(const Buffer<double>* predicted, const Motion& end, double dt) const;

  // What the shell closes with the set as it is. offset: of each row, what its velocity has beside W v [m/s].
  void arrange(double dt, ShellFaces<D>& faces, ShellWeights& weights, std::vector<double>& offset) const;

  // Of a set's answer.
  struct Answer {
    const Buffer<double>* predicted;                // u*
    const std::vector<double>& v;                   // of the nodes [m/s]
    double dt, beta;                                // 1 / density
    const std::function<double(Offset)>& pressure;  // of each cell [Pa s]
    const std::vector<ClosedRegion>& regions;       // without a surface in this set
    const ShellFaces<D>& faces;                     // of this set
    const MacGrid<D>& grid;
  };
  // Puts right what is not: gaps that water goes beyond are closed, closed ones that pull are opened. True where any was.
  bool settle(const Answer& answer);

  // (axis, face) of the closed ones, in ascending order.
  std::vector<std::pair<int, Offset>> met() const;

 private:
  double shellVelocity(const AirGap<D>& gap, const std::vector<double>& v) const;

  ShellFaces<D> all_;
  ShellWeights weights_;
  std::vector<AirGap<D>> gaps_;
  std::vector<char> closed_;  // of each gap
};

}  // namespace meniscus::coupling
