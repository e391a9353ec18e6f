// Is there a card? Where there is none, this says why all of these tests are skipped.
#include <gtest/gtest.h>

#include "engine/exec/cuda/probe.h"

namespace meniscus {
namespace {

TEST(Card, ComputesWhatTheCpuDoes) {
  const CudaProbe probe = probeCuda();
  if (probe.devices.empty()) {
    EXPECT_FALSE(probe.reason.empty());
    GTEST_SKIP() << "no CUDA device: " << probe.reason;
  }
  for (const std::string& line : probe.devices) std::printf("%s\n", line.c_str());
}

}  // namespace
}  // namespace meniscus
