// What a run knows of the regions that walls and solids enclose: what fills them, what flows into them, and what cannot be.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/offline/run_of.h"
#include "engine/scene/diagnostic.h"

namespace meniscus::offline {
namespace {

// Volume a second [m^D/s] that sources and kinematic solids take out of a region; by: the last of these that does.
template <int D>
double flowOut(const EnclosedRegion& region, const RegionSides& sides, const std::vector<SceneSolid<D>>& solids,
               const std::vector<Eigen::Index>& begin, const Motion& now, std::string& by) {
  double flow = region.outflow;
  for (std::size_t b = 0; b < solids.size(); ++b) {
    if (solids[b].kind != SolidKind::kinematic || !isPushed(sides, b, solids[b])) continue;
    for (std::size_t i = std::size_t(begin[b]); i < std::size_t(begin[b + 1]); ++i) flow += region.area[i] * now.velocity[i];
    by = solids[b].name;
  }
  return flow;
}

}  // namespace

// Of each solid.
template <int D>
std::vector<char> RunOf<D>::fullOfFluid() const {
  const std::vector<double> x = box_->motion().position;
  const ShellRegions<D> beside = fluid_->regionsAt(x);
  std::vector<char> full(solids_.size(), 0);
  for (const EnclosedRegion& r : enclosedBy(beside.regions, beside.faces, beside.weights, 1.0, x.size()))
    if (const int body = filledBy(sidesOf(r, x, box_->begin(), D), solids_); body >= 0) full[std::size_t(body)] = 1;
  return full;
}

// Regions that solids part which the fluid moves, and that nothing but these lets grow: what one of them gains another one loses.
template <int D>
std::vector<typename RunOf<D>::PartedRegions> RunOf<D>::partedRegions(const ShellRegions<D>& beside) const {
  const std::vector<double> x = box_->motion().position;
  const std::vector<Eigen::Index>& begin = box_->begin();
  std::vector<int> listed(beside.faces.face.size(), 0);  // of each face: the closed regions that it borders
  for (const ClosedRegion& region : beside.regions)
    for (const Index row : region.shellFace) ++listed[std::size_t(row)];
  // a solid that something else is beside, too, or that gives way by itself, makes room
  std::vector<char> makesRoom(solids_.size(), 0);
  for (std::size_t b = 0; b < solids_.size(); ++b) makesRoom[b] = solids_[b].kind == SolidKind::soft;
  for (std::size_t r = 0; r < listed.size(); ++r)
    for (Index k = beside.weights.begin[r]; k < beside.weights.begin[r + 1]; ++k) {
      const std::size_t b = solidOfNode(beside.weights.node[std::size_t(k)]);
      if (beside.weights.weight[std::size_t(k)] > 0 && listed[r] == (solids_[b].displacesFluid() ? 0 : 1)) makesRoom[b] = 1;
    }
  std::vector<RegionSides> sides;
  for (const ClosedRegion& region : beside.regions) {
    const std::vector<EnclosedRegion> sided = enclosedBy({region}, beside.faces, beside.weights, 1.0, x.size());
    sides.push_back(sided.empty() ? RegionSides{} : sidesOf(sided[0], x, begin, D));
  }
  // regions are of one group where a solid is pushed by both
  std::vector<std::size_t> group(sides.size());
  for (std::size_t r = 0; r < group.size(); ++r) group[r] = r;
  const auto pushes = [&](std::size_t r, std::size_t b) {
    return !sides[r].touches.empty() && canMove(solids_[b]) && isPushed(sides[r], b, solids_[b]);
  };
  for (std::size_t b = 0; b < solids_.size(); ++b)
    for (std::size_t r = 0, first = sides.size(); r < sides.size(); ++r) {
      if (!pushes(r, b)) continue;
      if (first == sides.size()) {
        first = r;
        continue;
      }
      const std::size_t to = group[first], from = group[r];
      for (std::size_t& g : group)
        if (g == from) g = to;
    }
  std::vector<PartedRegions> all;
  for (std::size_t g = 0; g < group.size(); ++g) {
    PartedRegions parted;
    parted.solid = solids_.size();
    bool room = false;
    for (std::size_t r = 0; r < group.size(); ++r) {
      if (group[r] != g) continue;
      parted.regions.push_back(r);
      for (std::size_t b = 0; b < solids_.size(); ++b) {
        if (!pushes(r, b)) continue;
        parted.solid = std::min(parted.solid, b);
        room = room || makesRoom[b];
      }
    }
    if (!room && parted.solid < solids_.size()) all.push_back(parted);
  }
  return all;
}

template <int D>
std::size_t RunOf<D>::solidOfNode(Index node) const {
  const std::vector<Eigen::Index>& begin = box_->begin();
  return std::size_t(std::upper_bound(begin.begin(), begin.end(), Eigen::Index(node) * D) - begin.begin()) - 1;
}

// A region that nothing lets grow must have no inflow. "": there is none; else what is amiss with it now.
template <int D>
std::string RunOf<D>::sourcesAmiss() const {
  const std::vector<double> x = box_->motion().position;
  const ShellRegions<D> beside = fluid_->regionsAt(x);
  double most = 0;
  for (const Inflow<D>& i : domain_.inflow) most = std::max(most, std::abs(i.velocity));
  for (const ClosedRegion& region : beside.regions) {
    if (std::abs(region.outflow) <= 1e-9 * most * std::pow(domain_.grid.dx, D - 1)) continue;
    const std::vector<EnclosedRegion> sided = enclosedBy({region}, beside.faces, beside.weights, 1.0, x.size());
    if (!sided.empty() && canGrow(sidesOf(sided[0], x, box_->begin(), D), solids_)) continue;
    const FluidDef& fluid = scene_.fluids[0];
    return fmt::format(
        "fluid \"{}\": {:g} m^{}/s more {} than {} a region that walls and solids enclose, none of which can make "
        "room; open a side of the domain, {}balance the inflows, or let a solid there move",
        fluid.name, std::abs(region.outflow), D, region.outflow < 0 ? "flow into" : "flow out of",
        region.outflow < 0 ? "out of" : "into", fluid.kind == FluidKind::water ? "leave air over the water, " : "");
  }
  for (const PartedRegions& parted : partedRegions(beside)) {
    double outflow = 0;
    for (const std::size_t r : parted.regions) outflow += beside.regions[r].outflow;
    if (std::abs(outflow) <= 1e-9 * most * std::pow(domain_.grid.dx, D - 1)) continue;
    const FluidDef& fluid = scene_.fluids[0];
    return fmt::format(
        "fluid \"{}\": {:g} m^{}/s more {} than {} what walls and solids enclose on both sides of solid \"{}\", which has no room "
        "to make; open a side of the domain, {}or balance the inflows",
        fluid.name, std::abs(outflow), D, outflow < 0 ? "flow into" : "flow out of", outflow < 0 ? "out of" : "into",
        solids_[parted.solid].name, fluid.kind == FluidKind::water ? "leave air over the water, " : "");
  }
  return "";
}

// A region that nothing lets grow must not be made smaller or larger by what moves as the scene says. "": none is in a step of dt
// [s].
template <int D>
std::string RunOf<D>::squeezeAmiss(double dt) const {
  const Motion now = box_->motion();
  const std::vector<Eigen::Index>& begin = box_->begin();
  const ShellRegions<D> beside = fluid_->regionsAt(now.position);
  const double dx = domain_.grid.dx;
  for (const EnclosedRegion& region :
       enclosedBy(beside.regions, beside.faces, beside.weights, std::pow(dx, D - 1), now.position.size())) {
    const RegionSides sides = sidesOf(region, now.position, begin, D);
    if (canGrow(sides, solids_)) continue;
    std::string by;
    const double flow = flowOut(region, sides, solids_, begin, now, by);
    if (by.empty() || std::abs(flow) * dt <= scene_.solver.coupling.p0Tolerance * std::pow(dx, D)) continue;
    return fmt::format(
        "solid \"{}\" moves {} fluid that walls and solids enclose, none of which can make room: it cannot be "
        "compressed, and {:.3g} m^{}/s would have to go; open a side of the domain, {}let a solid there move, or "
        "end its way before",
        by, flow < 0 ? "into" : "away from", std::abs(flow), D,
        scene_.fluids[0].kind == FluidKind::water ? "leave air over the water, " : "");
  }
  return squeezeOfParted(beside, dt);
}

// The same of regions that solids part.
template <int D>
std::string RunOf<D>::squeezeOfParted(const ShellRegions<D>& beside, double dt) const {
  const Motion now = box_->motion();
  const std::vector<Eigen::Index>& begin = box_->begin();
  const double dx = domain_.grid.dx;
  for (const PartedRegions& parted : partedRegions(beside)) {
    double flow = 0;
    std::string by;
    for (const std::size_t r : parted.regions)
      for (const EnclosedRegion& region :
           enclosedBy({beside.regions[r]}, beside.faces, beside.weights, std::pow(dx, D - 1), now.position.size())) {
        const RegionSides sides = sidesOf(region, now.position, begin, D);
        flow += flowOut(region, sides, solids_, begin, now, by);
      }
    if (by.empty() || std::abs(flow) * dt <= scene_.solver.coupling.p0Tolerance * std::pow(dx, D)) continue;
    return fmt::format(
        "solid \"{}\" moves {} fluid that walls and solids enclose on both sides of solid \"{}\", which has no room to make: it "
        "cannot be compressed, and {:.3g} m^{}/s would have to go; open a side of the domain, {}or end its way before",
        by, flow < 0 ? "into" : "away from", solids_[parted.solid].name, std::abs(flow), D,
        scene_.fluids[0].kind == FluidKind::water ? "leave air over the water, " : "");
  }
  return "";
}

template <int D>
void RunOf<D>::checkSources() const {
  const std::string amiss = sourcesAmiss();
  if (amiss.empty()) return;
  const FluidDef& fluid = scene_.fluids[0];
  throwIfAny({{scene_.file, fluid.where.line, fluid.where.column, amiss}});
}

// A rigid solid that is free to move shuts off what cannot be compressed on all its sides: it fills the room from wall to wall,
// with fluid, or nothing at all, before and behind it. It can go nowhere, and what keeps it from the walls asks it to. One that
// inflows ever move can.
template <int D>
void RunOf<D>::checkPlugs() const {
  const Motion now = box_->motion();
  const std::vector<Eigen::Index>& begin = box_->begin();
  std::vector<double> inflows;
  for (const Inflow<D>& i : domain_.inflow) inflows.push_back(i.velocity);
  fluid_->setInflows(inflow_);
  const ShellRegions<D> beside = fluid_->regionsAt(now.position);
  fluid_->setInflows(inflows);
  std::vector<char> shut(beside.faces.face.size(), 0);
  for (const ClosedRegion& region : beside.regions)
    for (const Index row : region.shellFace) shut[std::size_t(row)] = 1;
  std::vector<char> stuck(solids_.size(), 0);
  for (const EnclosedRegion& region : enclosedBy(beside.regions, beside.faces, beside.weights, 1.0, now.position.size())) {
    const RegionSides sides = sidesOf(region, now.position, begin, D);
    int movers = 0;
    for (std::size_t b = 0; b < solids_.size(); ++b) movers += !solids_[b].isStatic() && isPushed(sides, b, solids_[b]);
    if (region.outflow != 0) continue;
    for (std::size_t b = 0; b < solids_.size(); ++b)
      if (movers == 1 && isPushed(sides, b, solids_[b]) && solids_[b].isRigid() && !solids_[b].isGiven() && !solids_[b].guided)
        stuck[b] = 1;
  }
  for (std::size_t r = 0; r < shut.size(); ++r)
    for (Index k = beside.weights.begin[r]; k < beside.weights.begin[r + 1] && !shut[r]; ++k)
      if (beside.weights.weight[std::size_t(k)] > 0) stuck[solidOfNode(beside.weights.node[std::size_t(k)])] = 0;
  Diagnostics mistakes;
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (!stuck[b]) continue;
    const SolidDef& def = scene_.solids[b];
    mistakes.push_back({scene_.file, def.where.line, def.where.column,
                        fmt::format("solid \"{}\" fills the room from wall to wall, and what it shuts in there cannot be "
                                    "compressed, so that it can not move; make it narrower by a cell, open a side of the domain, "
                                    "{}or make it static",
                                    def.name, scene_.fluids[0].kind == FluidKind::water ? "leave air over the water, " : "")});
  }
  throwIfAny(mistakes);
}

template <int D>
std::vector<EnclosedRegion> RunOf<D>::regions() const {
  const std::vector<double> x = box_->motion().position;
  std::vector<EnclosedRegion> kept;
  for (EnclosedRegion& r : fluid_->enclosed())
    if (hasPressure(sidesOf(r, x, box_->begin(), D), solids_)) kept.push_back(std::move(r));
  return kept;
}

// By the regions of the last fluid solve: what flows into an inflatable is what its volume must grow by. Once its mouth is let
// go nothing is known of it.
template <int D>
void RunOf<D>::countInflow(double dt) {
  const std::vector<double> x = box_->motion().position;
  std::vector<char> closed(solids_.size(), 0);
  for (const EnclosedRegion& r : fluid_->enclosed()) {
    const int body = filledBy(sidesOf(r, x, box_->begin(), D), solids_);
    if (body < 0 || expectedVolume_[std::size_t(body)] == 0) continue;
    expectedVolume_[std::size_t(body)] -= r.outflow * dt;
    closed[std::size_t(body)] = 1;
  }
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (expectedVolume_[b] == 0 || solids_[b].mouth.empty()) continue;
    const std::vector<char>& held = solids_[b].held;
    if (closed[b] && std::count(held.begin(), held.end(), 0) < std::ptrdiff_t(held.size()))
      openedError_[b] = std::abs(volumeOf(b) - expectedVolume_[b]) / expectedVolume_[b];
    else
      expectedVolume_[b] = 0;
  }
}

#define MNS_INSTANTIATE(D)                                        \
  template std::vector<char> RunOf<D>::fullOfFluid() const;       \
  template std::string RunOf<D>::sourcesAmiss() const;            \
  template std::string RunOf<D>::squeezeAmiss(double) const;      \
  template void RunOf<D>::checkSources() const;                   \
  template void RunOf<D>::checkPlugs() const;                     \
  template std::vector<EnclosedRegion> RunOf<D>::regions() const; \
  template std::size_t RunOf<D>::solidOfNode(Index) const;        \
  template void RunOf<D>::countInflow(double);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
