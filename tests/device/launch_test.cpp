// Launches, reductions, scans and sorts of a device at awkward sizes, against loops on the host.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/shared/open_device.h"

namespace meniscus {
namespace {

const Index kSizes[] = {0, 1, 2, 33, 255, 256, 257, 597, 1023, 1024, 1025, 5000, 70001};

struct AddVisit {
  Index* visits;
  MNS_HD void operator()(Index i) const { ++visits[i]; }
};

TEST(DeviceLaunch, EveryRowIsVisitedOnce) {
  MNS_OPEN_DEVICE(device, {});
  for (const Index n : kSizes) {
    DeviceBuffer<Index> visits(*device, "visits");
    visits.resize(std::size_t(n) + 1);
    visits.fillZero();
    launch(*device, "visit", n, AddVisit{visits.data()});
    std::vector<Index> found(visits.size());
    visits.download(found.data());
    for (Index i = 0; i < n; ++i) ASSERT_EQ(found[std::size_t(i)], 1) << "row " << i << " of " << n;
    EXPECT_EQ(found[std::size_t(n)], 0) << n;
  }
}

// More rows than the threads of the largest launch: each takes some in strides.
TEST(DeviceLaunch, GridStridesCoverLongArrays) {
  MNS_OPEN_DEVICE(device, {});
  const Index n = kMostGridBlocks * kThreads + 12345;
  ASSERT_EQ(gridBlocks(n), kMostGridBlocks);
  DeviceBuffer<Index> visits(*device, "visits");
  visits.resize(std::size_t(n));
  visits.fillZero();
  launch(*device, "visit", n, AddVisit{visits.data()});
  std::vector<Index> found(visits.size());
  visits.download(found.data());
  EXPECT_EQ(std::count(found.begin(), found.end(), 1), n);
}

TEST(DeviceLaunch, NegativeCountsAreRefusedByName) {
  MNS_OPEN_DEVICE(device, {});
  try {
    launch(*device, "visit", -1, AddVisit{nullptr});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::internal);
    EXPECT_NE(std::string(e.what()).find("\"visit\""), std::string::npos) << e.what();
  }
}

struct Add {
  const Index* a;
  Index* b;
  MNS_HD void operator()(Index i) const { b[i] = a[i] + 1; }
};

TEST(DeviceLaunch, LaunchesSeeWhatThoseBeforeThemWrote) {
  MNS_OPEN_DEVICE(device, {});
  DeviceBuffer<Index> a(*device, "a"), b(*device, "b");
  a.resize(3000);
  b.resize(3000);
  a.fillZero();
  for (int k = 0; k < 40; ++k) {
    launch(*device, "add", 3000, Add{a.data(), b.data()});
    a.swap(b);
  }
  std::vector<Index> found(3000);
  a.download(found.data());
  EXPECT_EQ(*std::min_element(found.begin(), found.end()), 40);
  EXPECT_EQ(*std::max_element(found.begin(), found.end()), 40);
}

std::vector<float> values(Index n) {
  std::mt19937 rng(unsigned(n) + 1);
  std::uniform_real_distribution<float> U(-1.f, 1.f);
  std::vector<float> v;
  for (Index i = 0; i < n; ++i) v.push_back(U(rng) * std::pow(10.f, 6.f * U(rng)));
  return v;
}

struct SumAndSize {
  const float* v;
  MNS_HD void operator()(Index i, double (&acc)[2]) const {
    acc[0] += double(v[i]);
    acc[1] += v[i] < 0.f ? -double(v[i]) : double(v[i]);
  }
};
struct StorePair {
  double* out;
  MNS_HD void operator()(const double (&value)[2]) const {
    out[0] = value[0];
    out[1] = value[1];
  }
};

TEST(DeviceFold, SumsAreThoseOfTheHost) {
  MNS_OPEN_DEVICE(device, {});
  DeviceBuffer<double> out(*device, "sums");
  out.resize(2);
  for (const Index n : kSizes) {
    const std::vector<float> v = values(n);
    DeviceBuffer<float> in(*device, "values");
    in.upload(v.data(), v.size());
    double found[2][2], sum = 0, size = 0;
    for (auto& f : found) {
      launchFold<2>(*device, "sum", n, SumAndSize{in.data()}, StorePair{out.data()});
      out.download(f);
    }
    for (const float x : v) {
      sum += double(x);
      size += std::fabs(double(x));
    }
    EXPECT_NEAR(found[0][0], sum, 1e-13 * size) << n;  // round-off of another order
    EXPECT_NEAR(found[0][1], size, 1e-13 * size) << n;
    EXPECT_EQ(std::memcmp(found[0], found[1], sizeof found[0]), 0) << n;
  }
}

// The block that is done last adds up what all have found: there is no second launch, and any block may be the last.
TEST(DeviceFold, IsOneLaunchInAnyOrderOfBlocks) {
  std::vector<double> all;
  for (const ThreadOrder order : {ThreadOrder::forward, ThreadOrder::backward, ThreadOrder::shuffled}) {
    DeviceOptions options;
    options.order = order;
    MNS_OPEN_DEVICE(device, options);
    const std::vector<float> v = values(70001);
    DeviceBuffer<double> out(*device, "sums");
    out.resize(2);
    DeviceBuffer<float> in(*device, "values");
    in.upload(v.data(), v.size());
    const std::uint64_t before = device->counters().launches;
    for (int k = 0; k < 3; ++k) {  // the ticket is put back each time
      launchFold<2>(*device, "sum", 70001, SumAndSize{in.data()}, StorePair{out.data()});
      double found[2];
      out.download(found);
      all.push_back(found[0]);
    }
    EXPECT_EQ(device->counters().launches, before + 3);
  }
  for (const double sum : all) EXPECT_EQ(sum, all[0]);
}

struct Largest {
  const float* v;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] = MaxOf::fold(acc[0], double(v[i])); }
};
struct StoreOne {
  double* out;
  MNS_HD void operator()(const double (&value)[1]) const { out[0] = value[0]; }
};

TEST(DeviceFold, LargestValueAndNotANumber) {
  MNS_OPEN_DEVICE(device, {});
  DeviceBuffer<double> out(*device, "largest");
  out.resize(1);
  for (const Index n : kSizes) {
    std::vector<float> v = values(n);
    double found, largest = 0;
    for (const float x : v) largest = std::max(largest, double(x));
    DeviceBuffer<float> in(*device, "values");
    in.upload(v.data(), v.size());
    launchFold<1, MaxOf>(*device, "largest", n, Largest{in.data()}, StoreOne{out.data()});
    out.download(&found);
    EXPECT_EQ(found, largest) << n;
    if (n == 0) continue;
    v[std::size_t(n / 2)] = std::numeric_limits<float>::quiet_NaN();
    in.upload(v.data(), v.size());
    launchFold<1, MaxOf>(*device, "largest", n, Largest{in.data()}, StoreOne{out.data()});
    out.download(&found);
    EXPECT_TRUE(std::isnan(found)) << n;
  }
}

// Row i has i % 13 entries, lane l adds up every kLanes-th.
template <int Lanes, bool Nearest>
struct RowSum {
  static constexpr int kLanes = Lanes, kSums = 1;
  static constexpr bool kNearestFirst = Nearest;
  const float* v;
  float* out;
  MNS_HD LaneSums<2> lane(Index i, int l) const {
    LaneSums<2> s = {};
    for (Index k = l; k < i % 13; k += kLanes) {
      s.v[0] += v[i] * float(k + 1);
      s.v[1] += 1.f;
    }
    return s;
  }
  MNS_HD void finish(Index i, const LaneSums<2>& s, double (&acc)[1]) const {
    out[i] = s.v[0];
    acc[0] += double(s.v[1]);
  }
};

template <int Lanes, bool Nearest>
void rowsAdd(Device& device) {
  DeviceBuffer<double> total(device, "total");
  total.resize(1);
  for (const Index n : kSizes) {
    const std::vector<float> v = values(n);
    DeviceBuffer<float> in(device, "values"), out(device, "rows");
    in.upload(v.data(), v.size());
    out.resize(v.size());
    launchRows(device, "rows", n, RowSum<Lanes, Nearest>{in.data(), out.data()}, StoreOne{total.data()});
    std::vector<float> found(v.size());
    out.download(found.data());
    double count, entries = 0;
    total.download(&count);
    for (Index i = 0; i < n; ++i) {
      // as the lanes add, in their order
      float lane[Lanes] = {};
      for (Index k = 0; k < i % 13; ++k, ++entries) lane[k % Lanes] += v[std::size_t(i)] * float(k + 1);
      for (int d = Nearest ? 1 : Lanes / 2; d >= 1 && d < Lanes; d = Nearest ? 2 * d : d / 2) {
        float next[Lanes];
        for (int l = 0; l < Lanes; ++l) next[l] = lane[l] + lane[l ^ d];
        std::copy(next, next + Lanes, lane);
      }
      ASSERT_EQ(found[std::size_t(i)], lane[0]) << "row " << i << " of " << n << ", " << Lanes << " lanes";
    }
    EXPECT_EQ(count, entries) << n;
  }
}

TEST(DeviceRows, LanesAddUpTheirRow) {
  MNS_OPEN_DEVICE(device, {});
  rowsAdd<4, true>(*device);
  rowsAdd<8, false>(*device);
  rowsAdd<32, true>(*device);
}

TEST(DeviceScan, BeginsOfRows) {
  MNS_OPEN_DEVICE(device, {});
  for (const Index n : kSizes) {
    std::vector<Index> count(std::size_t(n) + 1);
    for (Index i = 0; i <= n; ++i) count[std::size_t(i)] = (i * 7919) % 31;
    DeviceBuffer<Index> in(*device, "count");
    DeviceBuffer<Offset> out(*device, "begin");
    in.upload(count.data(), count.size());
    out.resize(count.size());
    device->exclusiveScan("scan", in.data(), n, out.data());
    std::vector<Offset> found(count.size());
    out.download(found.data());
    Offset sum = 0;
    for (Index i = 0; i <= n; ++i) {
      ASSERT_EQ(found[std::size_t(i)], sum) << "row " << i << " of " << n;
      sum += count[std::size_t(i)];
    }
  }
}

TEST(DeviceSort, IsStable) {
  MNS_OPEN_DEVICE(device, {});
  for (const Index n : kSizes) {
    std::mt19937 rng(unsigned(n) + 5);
    std::vector<Index> key, order(std::size_t(n), 0);
    for (Index i = 0; i < n; ++i) key.push_back(Index(rng() % 600));
    std::iota(order.begin(), order.end(), 0);
    DeviceBuffer<Index> keyIn(*device, "keys"), keyOut(*device, "keys"), in(*device, "order"), out(*device, "order");
    keyIn.upload(key.data(), key.size());
    in.upload(order.data(), order.size());
    keyOut.resize(key.size());
    out.resize(key.size());
    device->sortByKey("sort", keyIn.data(), keyOut.data(), in.data(), out.data(), n, 10);
    std::vector<Index> found(key.size()), foundKey(key.size());
    out.download(found.data());
    keyOut.download(foundKey.data());
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key[std::size_t(a)] < key[std::size_t(b)]; });
    ASSERT_EQ(found, order) << n;
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(foundKey[i], key[std::size_t(order[i])]);
  }
}

TEST(DeviceMemory, GrowsKeepsAndComesBack) {
  MNS_OPEN_DEVICE(device, {});
  const std::uint64_t before = device->counters().bytes;
  {
    DeviceBuffer<float> b(*device, "values");
    b.resize(1000);
    const std::uint64_t allocations = device->counters().allocations;
    for (const std::size_t n : {10u, 1000u, 1250u, 3u}) b.resize(n);
    EXPECT_EQ(device->counters().allocations, allocations);
    device->beginStep();
    b.resize(1251);
    device->endStep();
    EXPECT_EQ(device->counters().allocations, allocations + 1);
    EXPECT_EQ(device->counters().allocationsInSteps, 1u);
    EXPECT_GE(device->counters().bytes, before + 1251 * sizeof(float));
  }
  EXPECT_EQ(device->counters().bytes, before);
}

}  // namespace
}  // namespace meniscus
