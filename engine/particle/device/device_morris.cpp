#include "engine/particle/device/device_morris.h"

#include "kernels/fluid/lattice.h"
#include "kernels/fluid/morris_gradient.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DeviceMorris::DeviceMorris(Device& d, const DeviceFluidDef& def)
    : device_(d),
      wanted_(def.kernelDiagonal != 0),
      dx_(def.spacing),
      begin_(d, "rows of the matrix"),
      column_(d, "columns of the matrix"),
      value_(d, "values of the matrix"),
      product_(d, "product with the matrix"),
      asymmetry_(d, "asymmetry of the kernels"),
      sums_(d, "sums of the system"),
      A_(d) {
  const LatticeSums lattice = latticeSums(def.spacing, def.support);
  S0_ = float(lattice.S0);
  floor_ = float(1e-6 * 2 * lattice.S0 / def.density[0]);
  entriesOfRow_ = std::size_t(lattice.neighbours) + 1;
  if (wanted_) sums_.resize(2);
}

void DeviceMorris::reserve(Index n) {
  if (!wanted_) return;
  const std::size_t rows = std::size_t(n);
  begin_.resize(rows + 1);
  // rows of a lattice, disordered by a quarter
  column_.resize(rows * (entriesOfRow_ + entriesOfRow_ / 4));
  value_.resize(rows * (entriesOfRow_ + entriesOfRow_ / 4));
  product_.resize(rows);
  asymmetry_.resize(rows);
}

void DeviceMorris::assemble(const DeviceLists& lists, Index n, const float* invRho, const float* d, float* diag) {
  n_ = n;
  view_ = lists.view();
  reserve(n);
  entries_ = lists.pairEntries() + n;
  column_.resize(std::size_t(entries_));
  value_.resize(std::size_t(entries_));
  launch(device_, "kernel-diagonal: begins", n + 1, MorrisBegins{lists.entriesBefore(), begin_.data()});
  launch(
      device_, "kernel-diagonal: rows", n,
      MorrisRow<CompressedEntries>{
          view_, lists.sumC.data(), invRho, S0_, floor_, {begin_.data(), column_.data(), value_.data(), diag}, asymmetry_.data()});
  launchFold<1, MaxOf>(device_, "kernel-diagonal: surface", n, LargestShare{asymmetry_.data()}, StoreValues<1>{sums_.data()});
  device_.prepare("kernel-diagonal: product", A_, matrix(), d, product_.data());
}

void DeviceMorris::multiply() { device_.multiply("kernel-diagonal: product", A_); }

void DeviceMorris::removeMean(float* rhs) {
  launchFold<1>(device_, "kernel-diagonal: mean", n_, SumOfRows{rhs}, StoreValues<1>{sums_.data() + 1});
  launch(device_, "kernel-diagonal: mean", n_, TakeMean{sums_.data(), sums_.data() + 1, n_, rhs});
}

void DeviceMorris::gradient(const float* p, const float* invRho, Vec4f* acceleration) {
  launch(device_, "kernel-diagonal: gradient", n_, MorrisGradient{view_, p, invRho, asymmetry_.data(), acceleration});
}

void DeviceMorris::shift(double dt, Vec4f* x) {
  launch(device_, "kernel-diagonal: shift", n_, Shift{view_, asymmetry_.data(), float(morrisShift(dx_, dt)), x});
}

MNS_NS_END
