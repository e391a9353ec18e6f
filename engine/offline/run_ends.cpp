// Where solids end a run: what leaves the domain, and what is crushed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/offline/grid_axes.h"
#include "engine/offline/run_of.h"

namespace meniscus::offline {
namespace {
constexpr double kPressed = 2e-3;  // of a cell: contacts hold what is as wide as the room to half of that
}  // namespace

// The kinematic solid that moves and is at solid b, or "": as boxes along the axes.
template <int D>
std::string RunOf<D>::pressing(std::size_t b) const {
  const Motion now = box_->motion();
  const std::vector<Eigen::Index>& begin = box_->begin();
  const auto bounds = [&](std::size_t solid) {
    std::array<std::array<double, 2>, D> box;
    box.fill({1e300, -1e300});
    for (std::size_t i = std::size_t(begin[solid]); i < std::size_t(begin[solid + 1]); ++i) {
      std::array<double, 2>& side = box[(i - std::size_t(begin[solid])) % D];
      side = {std::min(side[0], now.position[i]), std::max(side[1], now.position[i])};
    }
    return box;
  };
  const auto own = bounds(b);
  const double near = 0.25 * domain_.grid.dx;
  for (std::size_t k = 0; k < solids_.size(); ++k) {
    if (k == b || solids_[k].kind != SolidKind::kinematic) continue;
    const auto other = bounds(k);
    bool meet = std::any_of(now.velocity.begin() + begin[k], now.velocity.begin() + begin[k + 1], [](double v) { return v != 0; });
    for (std::size_t a = 0; a < D; ++a) meet = meet && other[a][0] < own[a][1] + near && own[a][0] < other[a][1] + near;
    if (meet) return solids_[k].name;
  }
  return "";
}

template <int D>
void RunOf<D>::checkInside(const StepReport& report) const {
  const std::string passes =
      report.coupling.converged() ? "" : fmt::format("fluid and solids did not agree ({}), and then ", report.coupling.text());
  const std::vector<double> x = box_->motion().position;
  std::size_t at = 0;
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    const SceneSolid<D>& s = solids_[b];
    for (const char held : s.held) {
      for (int a = 0; a < D; ++a, ++at) {
        const int k = sceneAxis<D>(a);
        const double lo = scene_.domain.min[k], hi = scene_.domain.max[k];
        const double slack = std::max(1e-6 * (hi - lo), kPressed * domain_.grid.dx);
        if (held || s.isGiven() || (x[at] >= lo - slack && x[at] <= hi + slack)) continue;
        const bool wall = scene_.domain.walls[2 * k + (x[at] < lo ? 0 : 1)];
        const std::string by = wall ? pressing(b) : "";
        const std::string why = !by.empty()
                                    ? fmt::format("a wall that solid \"{}\" presses it against, which moves as the scene says", by)
                                : wall ? "a wall that did not hold it"
                                       : "where nothing holds it";
        const std::string help = !by.empty()      ? "end its way before, or leave room for what is in it"
                                 : passes.empty() ? "enlarge the domain, or end the run before"
                                                  : moreAgreement(scene_);
        throw FailedStep(report, fmt::format("step {}, t = {:.6g} s: {}solid \"{}\" leaves the domain through side {}{}, {}; {}",
                                             steps_, time_, passes, s.name, x[at] < lo ? "-" : "+", "xyz"[k], why, help));
      }
    }
  }
}

// Contacts that nothing can part are infinitely far off: what moves as it is told goes on into what has no room to go to.
template <int D>
void RunOf<D>::checkCrushed(const StepReport& report) const {
  if (std::isfinite(report.contacts.error)) return;
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (solids_[b].isGiven()) continue;
    const std::string by = pressing(b);
    if (by.empty()) continue;
    throw FailedStep(report,
                     fmt::format("step {}, t = {:.6g} s: solid \"{}\" is crushed by solid \"{}\", which moves as the scene says "
                                 "and leaves it no room; end its way before, or let what is behind it give way",
                                 report.number, report.end, solids_[b].name, by));
  }
}

// Passes that part leave speeds behind, and those parts of steps, that get beyond all numbers.
template <int D>
void RunOf<D>::checkSpeed(const StepReport& report) const {
  constexpr double kShortest = 1e-6;  // of the scene's step
  if (!(timeStep() < kShortest * scene_.solver.dt)) return;
  const std::string passes = unconverged_.number == 0 ? ""
                                                      : fmt::format("fluid and solids did not agree ({}) in step {}, and now ",
                                                                    unconverged_.coupling.text(), unconverged_.number);
  StepReport failed = report;
  failed.coupling.stop = Stop::fluidNotFinite;
  throw FailedStep(failed,
                   fmt::format("step {}, t = {:.6g} s: {}the fluid goes {:.3g} m/s, which no step follows; {}", report.number,
                               report.end, passes, fluid_->largestSpeed(),
                               passes.empty() ? "slower sources, or the end of the run before, may help" : moreAgreement(scene_)));
}

#define MNS_INSTANTIATE(D)                                      \
  template std::string RunOf<D>::pressing(std::size_t) const;   \
  template void RunOf<D>::checkInside(const StepReport&) const; \
  template void RunOf<D>::checkSpeed(const StepReport&) const;  \
  template void RunOf<D>::checkCrushed(const StepReport&) const;
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
