// Scans and stable sorts by CUB, on the device's stream.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "engine/exec/cuda/cuda_device.h"

MNS_NS_BEGIN

void Device::exclusiveScan(const char* name, const Index* count, Index n, Offset* begin) {
  checkNotRecording(name);
  std::size_t bytes = 0;
  const Offset zero = 0;
  const auto scan = [&](void* room) {
    return cub::DeviceScan::ExclusiveScan(room, bytes, count, begin, cuda::std::plus<Offset>{}, zero, n + 1, stream_);
  };
  check(scan(nullptr), name);
  void* room = scratch(bytes);
  check(scan(room), name);
  ++counters_.launches;
}

void Device::sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n,
                       int bits) {
  checkNotRecording(name);
  if (n == 0) return;
  std::size_t bytes = 0;
  const auto sort = [&](void* room) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, keyIn, keyOut, valueIn, valueOut, n, 0, bits, stream_);
  };
  check(sort(nullptr), name);
  void* room = scratch(bytes);
  check(sort(room), name);
  ++counters_.launches;
}

MNS_NS_END
