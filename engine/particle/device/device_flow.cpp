#include "engine/particle/device/device_flow.h"

#include "engine/particle/device/device_step.h"
#include "engine/particle/device/guarded_call.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DeviceOpeningFlow::DeviceOpeningFlow(Device& d, const DeviceFluidDef& def, DeviceParticleState& state)
    : device_(d),
      state_(state),
      wanted_(def.openings != 0),
      capacity_(std::size_t(def.capacity)),
      extent_{float(def.extent[0]), float(def.extent[1]), float(def.extent[2])},
      drop_(d, "particles at drains"),
      siteTaken_(d, "sites of emitters"),
      key_(d, "particles at drains"),
      keyOut_(d, "particles at drains"),
      particle_(d, "particles at drains"),
      order_(d, "particles at drains"),
      flag_(d, "particles at emitters"),
      before_(d, "particles at emitters"),
      site_(d, "sites of emitters"),
      local_(d, "particles at emitters"),
      count_(d, "particles at drains") {
  if (wanted_) count_.resize(1);
}

// Arrays that keep what they hold must not grow later.
void DeviceOpeningFlow::reserve(Index n) {
  if (!wanted_) return;
  if (capacity_ < std::size_t(n)) capacity_ = std::size_t(n);
  state_.resize(capacity_);
  drop_.resize(capacity_);
  for (auto* b : {&key_, &keyOut_, &particle_, &order_}) b->resize(capacity_);
  flag_.resize(capacity_ + 1);
  before_.resize(capacity_ + 1);
}

// What DeviceFlow points to.
struct DeviceOpeningFlow::Calls {
  static DeviceOpeningFlow& of(void* device) { return *static_cast<DeviceOpeningFlow*>(device); }
  template <class Call>
  static int guarded(void* device, const Call& call) {
    return guardedCall(of(device).error_, [&] { call(of(device)); });
  }
  static std::int32_t count(void* device) { return of(device).state_.n; }
  static int findAt(void* device, const void* place, std::int32_t* count) {
    return guarded(device, [&](DeviceOpeningFlow& f) { *count = f.findAt(*static_cast<const DrainPlace*>(place)); });
  }
  static int take(void* device, std::int32_t most) {
    return guarded(device, [&](DeviceOpeningFlow& f) { f.take(most); });
  }
  static int findTaken(void* device, const DeviceLayer* layer, std::uint8_t* taken) {
    return guarded(device, [&](DeviceOpeningFlow& f) { f.findTaken(*layer, taken); });
  }
  static int append(void* device, const DeviceParticles* particles) {
    return guarded(device, [&](DeviceOpeningFlow& f) { f.append(*particles); });
  }
};

void DeviceOpeningFlow::apply(const DeviceOpenings& openings, double h) {
  taken_ = 0;
  error_ = nullptr;
  drop_.fillZero();
  const DeviceFlow flow{this, Calls::count, Calls::findAt, Calls::take, Calls::findTaken, Calls::append};
  const int status = openings.apply(openings.user, h, &flow);
  if (error_) std::rethrow_exception(error_);
  askProgram(status);
}

std::int32_t DeviceOpeningFlow::findAt(const DrainPlace& drain) {
  launchFold<1>(device_, "drains: particles", state_.n,
                FindAtDrain{there(), drain, state_.u.now.data(), state_.id.now.data(), key_.data(), particle_.data()},
                StoreValues<1>{count_.data()});
  double found = 0;
  count_.download(&found);
  return found_ = Index(found);
}

void DeviceOpeningFlow::take(Index most) {
  if (most <= 0) return;
  taken_ += most;
  if (most >= found_) return launch(device_, "drains: take", state_.n, DropAtDrain{key_.data(), drop_.data()});
  device_.sortByKey("drains: order", key_.data(), keyOut_.data(), particle_.data(), order_.data(), state_.n, 31);
  launch(device_, "drains: take", most, DropInOrder{order_.data(), drop_.data()});
}

void DeviceOpeningFlow::findTaken(const DeviceLayer& l, std::uint8_t* taken) {
  const LayerPlace place = *static_cast<const LayerPlace*>(l.place);
  const Index n = state_.n;
  launch(device_, "emitters: near", n, NearLayer{there(), place, flag_.data()});
  device_.exclusiveScan("emitters: near", flag_.data(), n, before_.data());
  // as many as there may ever be: the number stays on the device
  local_.resize(capacity_);
  launch(device_, "emitters: places", n, CollectNearLayer{place, state_.x.now.data(), flag_.data(), before_.data(), local_.data()});
  site_.upload(reinterpret_cast<const Vec3d*>(l.site), std::size_t(l.sites));
  siteTaken_.resize(std::size_t(l.sites));
  launchBlocks<1, MaxOf>(device_, "emitters: sites", l.sites,
                         SiteTaken{place, site_.data(), local_.data(), before_.data() + n, kThreads},
                         StoreTaken{siteTaken_.data()});
  siteTaken_.download(taken);
}

void DeviceOpeningFlow::append(const DeviceParticles& p) {
  const std::size_t old = std::size_t(state_.n), more = std::size_t(p.n);
  if (more == 0) return;
  if (old + more > capacity_) throw Error(ErrorKind::internal, "more particles than the scene has room for");
  state_.resize(old + more);
  const auto copy = [&](auto* to, const void* from, const char* name) {
    device_.toDevice(to + old, from, more * sizeof *to, name);
  };
  copy(state_.x.now.data(), p.x, "positions");
  copy(state_.u.now.data(), p.u, "velocities");
  copy(state_.p.now.data(), p.p, "pressures");
  copy(state_.id.now.data(), p.id, "ids");
  copy(state_.kind.now.data(), p.kind, "kinds");
  copy(state_.leaked.now.data(), p.leaked, "leaked");
  state_.n += p.n;
}

MNS_NS_END
