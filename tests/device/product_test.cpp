// Products with a sparse matrix on a device at awkward sizes, against sums in double on the host: by the library of a card where it
// has one, and by the device's own kernel.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "tests/shared/open_device.h"

namespace meniscus {
namespace {

struct Matrix {
  std::vector<Index> begin{0}, column;
  std::vector<float> value;
};

// Rows of 0 to 150 entries beside the diagonal, which some lack.
Matrix matrixOf(Index n) {
  std::mt19937 rng(unsigned(n) + 5);
  std::uniform_real_distribution<float> U(-1.f, 1.f);
  Matrix m;
  for (Index i = 0; i < n; ++i) {
    std::set<Index> columns;
    if (i % 11 != 3) columns.insert(i);
    for (unsigned k = rng() % 151; k > 0; --k) columns.insert(Index(rng() % unsigned(n)));
    for (const Index j : i % 17 == 9 ? std::set<Index>{} : columns) {
      m.column.push_back(j);
      m.value.push_back(U(rng) * std::pow(10.f, 3.f * U(rng)));
    }
    m.begin.push_back(Index(m.column.size()));
  }
  return m;
}

std::vector<float> vectorOf(Index n) {
  std::mt19937 rng(unsigned(n) + 9);
  std::uniform_real_distribution<float> U(-1.f, 1.f);
  std::vector<float> x;
  for (Index i = 0; i < n; ++i) x.push_back(U(rng));
  return x;
}

// A matrix and its vectors on a device.
struct OnDevice {
  explicit OnDevice(Device& d)
      : device(d), begin(d, "begin"), column(d, "column"), value(d, "value"), x(d, "x"), y(d, "y"), product(d) {}
  void set(const Matrix& m, const std::vector<float>& in) {
    begin.upload(m.begin.data(), m.begin.size());
    column.upload(m.column.data(), m.column.size());
    value.upload(m.value.data(), m.value.size());
    x.upload(in.data(), in.size());
    y.resize(in.size());
    device.prepare("product", product, {Index(in.size()), Index(m.column.size()), begin.data(), column.data(), value.data()},
                   x.data(), y.data());
  }
  std::vector<float> multiply() {
    device.multiply("product", product);
    std::vector<float> found(y.size());
    y.download(found.data());
    return found;
  }
  Device& device;
  DeviceBuffer<Index> begin, column;
  DeviceBuffer<float> value, x, y;
  Device::Product product;
};

void expectProduct(const Matrix& m, const std::vector<float>& x, const std::vector<float>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = 0, size = 0;
    for (Index e = m.begin[i]; e < m.begin[i + 1]; ++e) {
      const double term = double(m.value[std::size_t(e)]) * x[std::size_t(m.column[std::size_t(e)])];
      sum += term;
      size += std::fabs(term);
    }
    ASSERT_NEAR(y[i], sum, 1e-5 * size) << "row " << i << " of " << x.size();  // of 150 terms in single precision
  }
}

class DeviceProduct : public ::testing::TestWithParam<bool> {};

TEST_P(DeviceProduct, IsThatOfTheHostAtEverySize) {
  DeviceOptions options;
  options.ownProducts = GetParam();
  MNS_OPEN_DEVICE(device, options);
  OnDevice a(*device);
  for (const Index n : {1, 2, 31, 33, 255, 256, 257, 597, 1025, 5000, 33, 0, 1}) {
    const Matrix m = matrixOf(n);
    const std::vector<float> x = vectorOf(n);
    a.set(m, x);
    const std::vector<float> y = a.multiply();
    expectProduct(m, x, y);
    EXPECT_EQ(std::memcmp(y.data(), a.multiply().data(), y.size() * sizeof(float)), 0) << n;  // the same bits every time
  }
  if (options.ownProducts) { EXPECT_EQ(device->whyOwnProducts(), ""); }
  std::printf("%s\n", device->whyOwnProducts().c_str());
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceProduct, ::testing::Bool());

// Other values, other places and then another pattern of the same size.
TEST(DeviceProducts, FollowTheMatrixWithoutAllocating) {
  MNS_OPEN_DEVICE(device, {});
  OnDevice a(*device), b(*device);
  Matrix m = matrixOf(597);
  std::vector<float> x = vectorOf(597);
  a.set(m, x);
  expectProduct(m, x, a.multiply());
  const std::uint64_t before = device->counters().allocations;
  for (float& v : m.value) v *= -2;
  x[0] = 3;
  a.set(m, x);
  expectProduct(m, x, a.multiply());
  // the last row gives an entry to the first
  const Index n = 597;
  std::vector<Index> first(m.column.begin(), m.column.begin() + m.begin[1]), free;
  for (Index j = 0; j < n && free.empty(); ++j)
    if (std::find(first.begin(), first.end(), j) == first.end()) free.push_back(j);
  ASSERT_GT(m.begin[std::size_t(n)], m.begin[std::size_t(n) - 1]);
  const auto at = std::lower_bound(first.begin(), first.end(), free[0]) - first.begin();
  m.column.insert(m.column.begin() + at, free[0]);
  m.value.insert(m.value.begin() + at, 0.5f);
  m.column.pop_back();
  m.value.pop_back();
  for (Index i = 1; i < n; ++i) ++m.begin[std::size_t(i)];
  a.set(m, x);
  expectProduct(m, x, a.multiply());
  EXPECT_EQ(device->counters().allocations, before);
  b.set(m, x);  // two at a time
  expectProduct(m, x, b.multiply());
  expectProduct(m, x, a.multiply());
}

TEST(DeviceProducts, AreRecordedAndReplayed) {
  MNS_OPEN_DEVICE(device, {});
  OnDevice a(*device);
  const Matrix m = matrixOf(1025);
  std::vector<float> x = vectorOf(1025);
  a.set(m, x);
  Repeated twice(*device);
  for (int k = 0; k < 3; ++k) {
    x[5] = float(k);
    a.x.upload(x.data(), x.size());
    twice.run("two products", [&] {
      for (int j = 0; j < 2; ++j) device->multiply("product", a.product);
    });
    std::vector<float> y(x.size());
    a.y.download(y.data());
    expectProduct(m, x, y);
  }
  EXPECT_EQ(device->counters().replays, 3u);
  EXPECT_EQ(device->counters().replayed, 6u);
}

}  // namespace
}  // namespace meniscus
