// What a sub-step on a device has to know before it begins, and what it reports.
#include "engine/particle/device/device_sums.h"

MNS_NS_BEGIN

DeviceFluid::Look DeviceFluid::look(double remaining) {
  const DomainWalls& walls = lists_.walls();
  CountOutside count{state_.x.now.data(), lists_.extent(), {}};
  for (int k = 0; k < DomainWalls::kSides; ++k) count.wall[k] = walls.number[k] >= 0;
  launchFold<1, MaxOf>(device_, "cfl", state_.n, LargestSpeed2{state_.u.now.data()}, StoreValues<1>{sums_.data() + speed2});
  launchFold<2>(device_, "outside", state_.n, count, StoreValues<2>{sums_.data() + outside});
  double now[3];
  device_.toHost(now, sums_.data(), sizeof now, "what a sub-step begins with");
  double bodySpeed = 0;
  if (bodies_) askProgram(bodies_->fastest(bodies_->user, remaining, &bodySpeed));
  return {std::sqrt(now[speed2]), bodySpeed, Index(now[outside]), Index(now[open])};
}

void DeviceFluid::measure(double h, DeviceStepReport& r) {
  const Index n = state_.n;
  launchFold<6>(device_, "measure: density", n, DensityErrors{e_.data(), deficiency_.data(), state_.leaked.now.data()},
                StoreValues<6>{sums_.data() + density});
  launchFold<1, MaxOf>(device_, "measure: largest error", n, LargestError{e_.data()}, StoreValues<1>{sums_.data() + largest});
  launchFold<4>(device_, "measure: forces", lists_.slots(),
                SurfaceForces{lists_.view().plane, pressure_.slotForce(), pressure_.bodySlots(), V_},
                StoreValues<4>{sums_.data() + surface});
  launchBlocks<3>(device_, "measure: bodies", lists_.surfaces().rigids(),
                  RigidForces{lists_.features(), pressure_.slotForce(), lists_.surfaces().view(), lists_.slots(), V_, kThreads},
                  StorePartials<3>{rigidForce_.data()});
  pressure_.packVelocity(state_.u.now.data());
  pressure_.divergence(1.f, nullptr, divergence_.data());
  launchFold<2>(device_, "measure: divergence", n, DivergenceSquare{divergence_.data(), deficiency_.data()},
                StoreValues<2>{sums_.data() + divergence});
  double s[sums];
  device_.toHost(s, sums_.data(), sizeof s, "outcome of a sub-step");
  surfaceShare_ = s[density + 4] / std::fmax(n, 1);
  volumeChange_ = s[density + 3] / std::fmax(n, 1);
  if (n > 0 && surfaceShare_ <= kMostSurface && !nodes())
    throw Error(ErrorKind::simulation,
                "the fluid fills a closed space, whose volume only the CPU's solver corrects; use --device cpu");
  const double full = std::fmax(s[density + 2], 1.0);
  r.densityErrorMean = std::fmax(r.densityErrorMean, s[density] / full);
  r.densitySigned = s[density + 1] / full;
  r.pairs = lists_.pairs();
  r.contacts += int(s[corrected]);
  r.volumeChange = volumeChange_;
  r.densityErrorMax = std::fmax(r.densityErrorMax, s[largest]);
  r.leaked = int(s[density + 5]);
  r.divergenceError = std::fmax(r.divergenceError, h * std::sqrt(s[divergence] / std::fmax(s[divergence + 1], 1.0)));
  double gained[3] = {0, 0, 0};
  for (int k = 0; k < 3 && viscosity_.wanted(); ++k) gained[k] = s[viscous + k] * V_ + bodyGain_[k];
  for (int k = 0; k < 3; ++k) r.impulseOnFluid[k] += s[contact + k] - s[surface + k] * h + gained[k];
  r.impulseExchanged += s[contact + 3] + s[surface + 3] * h + length(gained);
}

MNS_NS_END
