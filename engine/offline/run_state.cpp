// What a run keeps from step to step, as named lists of numbers.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/heap.h"
#include "engine/offline/run_of.h"
#include "engine/scene/load.h"
#include "engine/scene/physics.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot_file.h"

namespace meniscus::offline {
namespace {

using Numbers = std::vector<double>;

Numbers listOf(const implicit::Vector& v) { return {v.data(), v.data() + v.size()}; }
implicit::Vector vectorOf(const Numbers& n) { return Eigen::Map<const implicit::Vector>(n.data(), Eigen::Index(n.size())); }

template <class Pose>
Numbers listOf(const Pose& p) {
  Numbers n;
  for (const Eigen::Vector3d* v : {&p.center, &p.velocity, &p.angularMomentum}) n.insert(n.end(), v->data(), v->data() + 3);
  n.insert(n.end(), {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z});
  return n;
}
template <class Pose>
Pose poseOf(const Numbers& n) {
  Pose p;
  p.center = {n[0], n[1], n[2]};
  p.velocity = {n[3], n[4], n[5]};
  p.angularMomentum = {n[6], n[7], n[8]};
  p.rotation = {n[9], n[10], n[11], n[12]};
  return p;
}

// The same scene has the same names, in one version of the program.
void checkNames(const OfflineRun::State& state, const OfflineRun::State& mine) {
  const auto beyond = [](const OfflineRun::State& a, const OfflineRun::State& b) {
    std::vector<std::string> names;
    for (const auto& [name, value] : a)
      if (std::none_of(b.begin(), b.end(), [&n = name](const auto& other) { return other.first == n; })) names.push_back(name);
    return names;
  };
  const std::vector<std::string> lacks = beyond(mine, state), unknown = beyond(state, mine);
  if (!lacks.empty() || !unknown.empty()) throw Error(ErrorKind::input, keptByAnother(lacks, unknown));
  if (state.size() != mine.size()) throw Error(ErrorKind::input, "the snapshot is damaged: a name stands in it twice");
}

void hashText(Hash64& hash, const std::string& text) { hash.bytes(text.data(), text.size()); }

}  // namespace

template <int D>
OfflineRun::State RunOf<D>::state() const {
  State s;
  s.push_back({"time", {time_, double(steps_), lastDt_}});
  fluid_->putState(s);
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (solids_[b].rigid) {
      s.push_back({fmt::format("solid.pose.{}", b), listOf(solids_[b].rigid->pose(0))});
    } else {
      s.push_back({fmt::format("solid.position.{}", b), listOf(solids_[b].nodal->position())});
      s.push_back({fmt::format("solid.velocity.{}", b), listOf(solids_[b].nodal->velocity())});
    }
  }
  s.push_back({"enclosed.pressure", enclosed_ ? enclosed_->pressure() : Numbers()});
  s.push_back({"coupling.carried", method_->carried()});
  s.push_back({"coupling.owed", owed_});
  s.push_back({"balance", {unbalanced_.x, unbalanced_.y, unbalanced_.z, exchanged_}});
  Numbers volumes = expectedVolume_;
  volumes.insert(volumes.end(), openedError_.begin(), openedError_.end());
  s.push_back({"volumes", volumes});
  return s;
}

// First everything is looked at, then taken: the coupling's own numbers last of what can be refused.
template <int D>
void RunOf<D>::setState(const State& state) {
  const State mine = this->state();
  checkNames(state, mine);
  for (const auto& [name, value] : mine) {
    const bool anyLength = name == "enclosed.pressure" || name == "coupling.carried" || fluid_->isLong(name);
    if (const std::size_t n = numbersOf(state, name).size(); !anyLength && n != value.size())
      throw Error(ErrorKind::input, fmt::format("the snapshot's \"{}\" has {} numbers instead of {}", name, n, value.size()));
  }
  fluid_->checkState(state);
  method_->setCarried(numbersOf(state, "coupling.carried"));
  const Numbers& time = numbersOf(state, "time");
  time_ = time[0];
  steps_ = std::uint64_t(time[1]);
  lastDt_ = time[2];
  fluid_->takeState(state);
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (solids_[b].isStatic()) continue;
    if (solids_[b].rigid)
      solids_[b].rigid->setPose(0,
                                poseOf<typename implicit::RigidBodies<D>::Pose>(numbersOf(state, fmt::format("solid.pose.{}", b))));
    else
      solids_[b].nodal->setMotion(vectorOf(numbersOf(state, fmt::format("solid.position.{}", b))),
                                  vectorOf(numbersOf(state, fmt::format("solid.velocity.{}", b))));
  }
  if (enclosed_) enclosed_->setPressure(numbersOf(state, "enclosed.pressure"));
  owed_ = numbersOf(state, "coupling.owed");
  const Numbers& balance = numbersOf(state, "balance");
  unbalanced_ = {balance[0], balance[1], balance[2]};
  exchanged_ = balance[3];
  const Numbers& volumes = numbersOf(state, "volumes");
  std::copy_n(volumes.begin(), expectedVolume_.size(), expectedVolume_.begin());
  std::copy_n(volumes.begin() + std::ptrdiff_t(expectedVolume_.size()), openedError_.size(), openedError_.begin());
  tellPins(time_);
  fluid_->box().setBoundary(box_->motion());
}

std::uint64_t OfflineRun::hash() const {
  Hash64 hash;
  for (const auto& [name, value] : state()) {
    hashText(hash, name);
    hash.bytes(value.data(), value.size() * sizeof(double));
  }
  return hash.value();
}

template <int D>
std::uint64_t RunOf<D>::modelHash() const {
  const HeapFallback json;
  Hash64 hash;
  SceneDef physics = physicsOf(scene_);
  physics.solver.method = "xpm";  // any that keeps the keys of a grid: the method is looked at by itself
  hashText(hash, saveScene(physics));
  for (const SceneSolid<D>& s : solids_) {
    hash.bytes(s.start.data(), s.start.size() * sizeof(Vec3d));
    hash.bytes(s.elements.data(), s.elements.size() * sizeof s.elements[0]);
    std::vector<char> pinned;
    for (const int pin : s.pin) pinned.push_back(pin >= 0);
    hash.bytes(pinned.data(), pinned.size());
    hash.bytes(&s.mass, sizeof s.mass);
  }
  return hash.value();
}

#define MNS_INSTANTIATE(D)                            \
  template OfflineRun::State RunOf<D>::state() const; \
  template void RunOf<D>::setState(const State&);     \
  template std::uint64_t RunOf<D>::modelHash() const;
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
