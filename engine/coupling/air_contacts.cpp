#include "engine/coupling/air_contacts.h"

#include <algorithm>
#include <utility>

namespace meniscus::coupling {

template <int D>
void AirContacts<D>::set(const AirGapSearch<D>& at, ShellFaces<D>& faces, ShellWeights& weights, const Buffer<double>& levelSet,
                         const std::vector<Index>& swept) {
  findAirGaps(at, faces, levelSet, swept, gaps_);
  std::swap(all_, faces);
  std::swap(weights_, weights);
  closed_.assign(gaps_.size(), 0);
}

template <int D>
double AirContacts<D>::shellVelocity(const AirGap<D>& gap, const std::vector<double>& v) const {
  double u = 0;
  for (Index k = weights_.begin[std::size_t(gap.row)]; k < weights_.begin[std::size_t(gap.row) + 1]; ++k)
    u += weights_.weight[std::size_t(k)] * v[std::size_t(weights_.node[std::size_t(k)]) * D + std::size_t(gap.axis)];
  return u;
}

template <int D>
void AirContacts<D>::guess(const Buffer<double>* predicted, const std::vector<double>& v, double dt) {
  for (std::size_t k = 0; k < gaps_.size(); ++k) {
    const AirGap<D>& gap = gaps_[k];
    const double nearing = gap.way * (predicted[gap.axis][std::size_t(gap.face)] - shellVelocity(gap, v));
    closed_[k] = nearing * dt > gap.room;
  }
}

template <int D>
void AirContacts<D>::guessFrom(const AirContacts& before, const Buffer<double>* predicted, const std::vector<double>& v,
                               double dt) {
  guess(predicted, v, dt);
  std::size_t b = 0;
  for (std::size_t k = 0; k < gaps_.size(); ++k) {
    const auto key = [](const AirGap<D>& gap) { return std::pair(gap.axis, gap.face); };
    while (b < before.gaps_.size() && key(before.gaps_[b]) < key(gaps_[k])) ++b;
    if (b < before.gaps_.size() && key(before.gaps_[b]) == key(gaps_[k])) closed_[k] = before.closed_[b];
  }
}

template <int D>
std::vector<double> AirContacts<D>::stopped(const Buffer<double>* predicted, const Motion& end, double dt) const {
  std::vector<double> x = end.position, way(x.size(), 0), weight(x.size(), 0);
  for (const AirGap<D>& gap : gaps_) {
    const double nearing = gap.way * (predicted[gap.axis][std::size_t(gap.face)] - shellVelocity(gap, end.velocity));
    if (!(nearing * dt > gap.room)) continue;
    for (Index k = weights_.begin[std::size_t(gap.row)]; k < weights_.begin[std::size_t(gap.row) + 1]; ++k) {
      const std::size_t c = std::size_t(weights_.node[std::size_t(k)]) * D + std::size_t(gap.axis);
      way[c] += weights_.weight[std::size_t(k)] * gap.way * (nearing * dt - gap.room);
      weight[c] += weights_.weight[std::size_t(k)];
    }
  }
  for (std::size_t c = 0; c < x.size(); ++c)
    if (weight[c] > 0) x[c] += way[c] / weight[c];
  return x;
}

template <int D>
void AirContacts<D>::arrange(double dt, ShellFaces<D>& faces, ShellWeights& weights, std::vector<double>& offset) const {
  std::vector<char> open(all_.face.size(), 0);
  for (std::size_t k = 0; k < gaps_.size(); ++k) open[std::size_t(gaps_[k].row)] = !closed_[k];
  withoutRows(all_, weights_, open, faces, weights);
  offset.assign(faces.face.size(), 0);
  for (std::size_t k = 0; k < gaps_.size(); ++k)
    if (closed_[k]) offset[std::size_t(faces.row[gaps_[k].axis][std::size_t(gaps_[k].face)])] = gaps_[k].way * gaps_[k].room / dt;
}

template <int D>
bool AirContacts<D>::settle(const Answer& a) {
  std::vector<char> enclosed(a.faces.face.size(), 0);
  for (const ClosedRegion& region : a.regions)
    for (const Index row : region.shellFace) enclosed[std::size_t(row)] = 1;
  bool changed = false;
  for (std::size_t k = 0; k < gaps_.size(); ++k) {
    const AirGap<D>& gap = gaps_[k];
    const double u = a.predicted[gap.axis][std::size_t(gap.face)], p = a.pressure(gap.water);
    const double shell = shellVelocity(gap, a.v);
    // towards the shell: what the pressure gives the water up to its surface, and what the water there may get
    const double gain = a.beta * p / (gap.surface * a.grid.dx), most = gap.way * (shell - u) + gap.room / a.dt;
    // a pressure that has no surface to be measured from does not say whether it pulls
    if (closed_[k] && enclosed[std::size_t(a.faces.row[gap.axis][std::size_t(gap.face)])]) continue;
    const char closed = gain > most;
    changed = changed || closed != closed_[k];
    closed_[k] = closed;
  }
  return changed;
}

template <int D>
std::vector<std::pair<int, Offset>> AirContacts<D>::met() const {
  std::vector<std::pair<int, Offset>> faces;
  for (std::size_t k = 0; k < gaps_.size(); ++k)
    if (closed_[k]) faces.emplace_back(gaps_[k].axis, gaps_[k].face);
  return faces;
}

template class AirContacts<2>;
template class AirContacts<3>;

}  // namespace meniscus::coupling
