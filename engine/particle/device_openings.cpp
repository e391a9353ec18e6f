#include "engine/particle/device_openings.h"

#include "engine/base/error.h"

namespace meniscus {
namespace {

// The device keeps its own error.
void need(int status) {
  if (status != 0) throw Error(ErrorKind(status), "emitters and drains of a step on a device");
}

}  // namespace

DeviceOpenings OpeningsOfWorld::calls() {
  return {this, [](void* user, double h, const DeviceFlow* flow) {
            OpeningsOfWorld& o = *static_cast<OpeningsOfWorld*>(user);
            try {
              o.flow_ = flow;
              applyOpenings(o.world_, o.time_, h, o);
              o.time_ += h;
              return 0;
            } catch (const Error& e) {
              o.error_ = std::current_exception();
              return int(e.kind);
            } catch (...) {
              o.error_ = std::current_exception();
              return int(ErrorKind::internal);
            }
          }};
}

std::size_t OpeningsOfWorld::findAt(const DrainPlace& drain) {
  std::int32_t found = 0;
  need(flow_->findAt(flow_->device, &drain, &found));
  return std::size_t(found);
}

void OpeningsOfWorld::take(std::size_t most) { need(flow_->take(flow_->device, std::int32_t(most))); }

void OpeningsOfWorld::findTaken(const LayerPlace& layer, const std::vector<Vec3d>& sites, std::vector<std::uint8_t>& taken) {
  taken.assign(sites.size(), 0);
  const DeviceLayer l{&layer, std::int32_t(sites.size()), &sites[0].x};
  need(flow_->findTaken(flow_->device, &l, taken.data()));
}

void OpeningsOfWorld::append(const std::vector<Vec3d>& at, const Vec3d& velocity, std::uint8_t kindOfAll) {
  const std::size_t n = at.size();
  if (n == 0) return;
  std::vector<Vec4f> x(n), u(n, Vec4f(Vec3f(velocity), 0.f));
  std::vector<float> p(n, 0.f);
  std::vector<std::uint32_t> id(n);
  std::vector<std::uint8_t> kind(n, kindOfAll), leaked(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    x[k] = Vec4f(Vec3f(at[k]), 0.f);
    id[k] = world_.nextId++;
  }
  const DeviceParticles more{std::int32_t(n), &x[0].x, &u[0].x, p.data(), id.data(), kind.data(), leaked.data(), nullptr, nullptr};
  need(flow_->append(flow_->device, &more));
}

}  // namespace meniscus
