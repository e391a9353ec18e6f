// What the serial device has beyond a card: memory that the host cannot touch, a limit, a choice of the threads' order.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/exec/device.h"

namespace meniscus {
namespace {

TEST(SerialDevice, HostCannotReadItsMemory) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  Device device;
  DeviceBuffer<float> b(device, "values");
  const float one = 1.f;
  b.upload(&one, 1);
  EXPECT_DEATH({ std::printf("%g", double(*static_cast<volatile float*>(b.data()))); }, "");
  float back = 0;
  b.download(&back);
  EXPECT_EQ(back, 1.f);
}

TEST(SerialDevice, NewMemoryIsNotANumber) {
  Device device;
  DeviceBuffer<float> b(device, "values");
  b.resize(100);
  std::vector<float> v(100);
  b.download(v.data());
  for (const float x : v) EXPECT_TRUE(std::isnan(x));
}

TEST(SerialDevice, OutOfMemoryIsAnErrorThatLeavesTheRest) {
  DeviceOptions options;
  options.memoryBytes = 1 << 20;
  Device device(options);
  DeviceBuffer<float> small(device, "small"), large(device, "large ones");
  const std::vector<float> v(1000, 3.f);
  small.upload(v.data(), v.size());
  try {
    large.resize(1 << 20);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::deviceNotAvailable);
    EXPECT_NE(std::string(e.what()).find("large ones"), std::string::npos) << e.what();
  }
  std::vector<float> back(v.size());
  small.download(back.data());
  EXPECT_EQ(back, v);
  large.resize(1000);  // what fits still comes
}

struct WriteOne {
  float* a;
  Index at;
  void operator()(Index) const { a[at] = 1.f; }
};

// A kernel that writes behind the end of a guarded buffer, or in front of a page-sized one, stops at once.
TEST(SerialDevice, GuardsStopWritesOutside) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  DeviceOptions options;
  options.guarded = true;
  Device device(options);
  DeviceBuffer<float> a(device, "a"), b(device, "b"), c(device, "c");
  a.resize(1024);
  b.resize(1024);
  c.resize(1024);
  launch(device, "inside", 1, WriteOne{b.data(), 1023});
  launch(device, "inside", 1, WriteOne{b.data(), 0});
  EXPECT_DEATH(launch(device, "behind", 1, WriteOne{b.data(), 1024}), "");
  EXPECT_DEATH(launch(device, "in front", 1, WriteOne{b.data(), -1}), "");
}

struct TakeTicket {
  Index* ticket;
  Index* mine;
  void operator()(Index i) const { mine[i] = (*ticket)++; }
};

// The serial device shows a kernel that depends on the order of its threads.
TEST(SerialDevice, OrdersDiffer) {
  std::vector<Index> taken[3];
  const ThreadOrder orders[] = {ThreadOrder::forward, ThreadOrder::backward, ThreadOrder::shuffled};
  for (int k = 0; k < 3; ++k) {
    DeviceOptions options;
    options.order = orders[k];
    Device device(options);
    DeviceBuffer<Index> ticket(device, "ticket"), mine(device, "mine");
    ticket.resize(1);
    ticket.fillZero();
    mine.resize(2000);
    launch(device, "tickets", 2000, TakeTicket{ticket.data(), mine.data()});
    taken[k].resize(2000);
    mine.download(taken[k].data());
  }
  EXPECT_EQ(taken[0][0], 0);
  EXPECT_EQ(taken[1][1999], 0);
  EXPECT_NE(taken[2], taken[0]);
  EXPECT_NE(taken[2], taken[1]);
}

}  // namespace
}  // namespace meniscus
