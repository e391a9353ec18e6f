// A device that runs kernels on its own memory, in the order in which they are given: buffers, launches, reductions, scans, sorts.
// Built by nvcc this is a graphics card (exec/cuda/cuda_device.h); built by the C++ compiler it is a serial one (serial_device.h),
// on which the tests run the same launches with the same geometry, in memory that the host cannot read either.
#pragma once

#include <string>

#include "engine/base/error.h"
#include "kernels/core/view.h"
#if defined(__CUDACC__)
#include "engine/exec/cuda/cuda_device.h"
#else
#include "engine/exec/serial_device.h"
#endif

MNS_NS_BEGIN

// Device memory for n values; the host cannot read it but by copies. Like Buffer, it grows by a quarter more than is needed and
// keeps its memory; unlike it, what was there is lost when it grows.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit DeviceBuffer(Device& device, const char* name) : device_(&device), name_(name) {}
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { device_->release(data_); }

  // New values are indeterminate. May not be called between a launch that fills the buffer and one that reads it.
  void resize(std::size_t n) {
    if (n > capacity_) {
      device_->release(data_);
      data_ = nullptr;
      size_ = capacity_ = 0;
      const std::size_t room = device_->roomFor(n);
      data_ = static_cast<T*>(device_->allocate(room * sizeof(T), name_));
      capacity_ = room;
    }
    size_ = n;
  }
  void upload(const T* from, std::size_t n) {
    resize(n);
    if (n) device_->toDevice(data_, from, n * sizeof(T), name_);
  }
  // Waits for the device.
  void download(T* to) const {
    if (size_) device_->toHost(to, data_, size_ * sizeof(T), name_);
  }
  void fillZero() {
    if (size_) device_->zero(data_, size_ * sizeof(T), name_);
  }
  void swap(DeviceBuffer& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
  }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T* data() const { return data_; }  // a device address

 private:
  Device* device_;
  const char* name_;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

inline void checkCount(const char* name, Index n) {
  if (n < 0) throw Error(ErrorKind::internal, "kernel \"" + std::string(name) + "\": " + std::to_string(n) + " rows");
}

// body(i) for every i in [0, n), in no particular order. Launches follow each other: one sees what those before it wrote.
template <class Body>
void launch(Device& device, const char* name, Index n, const Body& body) {
  checkBody<Body>();
  checkCount(name, n);
  if (n > 0) device.run(name, gridBlocks(n), GridLaunch<Body>{n, gridBlocks(n), body});
}

// Folds by Op what body(i, acc) collects in acc[0..K) of [0, n), in blocks of a fixed size combined in a fixed order, and calls
// after(value) on the device with the outcome: one launch, in which the block that is done last does that.
template <int K, class Op = SumOf, class Body, class After>
void launchFold(Device& device, const char* name, Index n, const Body& body, const After& after) {
  checkBody<CollectRows<K, Body>>();
  checkBody<After>();
  checkCount(name, n);
  const Index blocks = n > 0 ? blocksFor(n, kRowsOfSumBlock) : 1;
  const LastBlock last{blocks, device.partials(std::size_t(blocks) * K), device.ticket()};
  device.run(name, blocks, WholeFoldLaunch<K, Op, CollectRows<K, Body>, After>{{n, body}, last, after});
}

// Folds by Op what collect(block, thread, acc) collects for each of the blocks; store(block, value) gets the outcome.
template <int K, class Op = SumOf, class Collect, class Store>
void launchBlocks(Device& device, const char* name, Index blocks, const Collect& collect, const Store& store) {
  checkBody<Collect>();
  checkBody<Store>();
  checkCount(name, blocks);
  if (blocks > 0) device.run(name, blocks, FoldLaunch<K, Op, Collect, Store>{collect, store});
}

// Several lanes a row, see launch.h.
template <class Body>
void launchRows(Device& device, const char* name, Index n, const Body& body) {
  static_assert(Body::kSums == 0, "this body has sums: say what becomes of them");
  checkBody<Body>();
  checkCount(name, n);
  if (n > 0) device.run(name, blocksFor(n, rowsOfBlock<Body>()), RowLaunch<Body>{n, body});
}
// And after(sums) on the device with the sums over all rows.
template <class Body, class After>
void launchRows(Device& device, const char* name, Index n, const Body& body, const After& after) {
  constexpr int K = Body::kSums;
  static_assert(K > 0, "this body has no sums");
  checkBody<Body>();
  checkBody<After>();
  checkCount(name, n);
  const Index blocks = n > 0 ? blocksFor(n, rowsOfBlock<Body>()) : 1;
  const LastBlock last{blocks, device.partials(std::size_t(blocks) * K), device.ticket()};
  device.run(name, blocks, WholeRowLaunch<Body, After>{{n, body}, last, after});
}

// Launches that are given again and again with the same arguments: the first time since forget() they are recorded, then and every
// time afterwards they are run as one. Nothing but launches may be given meanwhile.
class Repeated {
 public:
  explicit Repeated(Device& device) : device_(device), recording_(device) {}
  // The arguments are others now.
  void forget() { known_ = false; }
  // give() launches.
  template <class Give>
  void run(const char* name, const Give& give) {
    if (!device_.recordsLaunches()) return give();
    if (!known_) {
      device_.beginRecording(name);
      try {
        give();
      } catch (...) {
        device_.dropRecording();
        throw;
      }
      device_.endRecording(recording_, name);
      known_ = true;
    }
    device_.replay(recording_, name);
  }

 private:
  Device& device_;
  Device::Recording recording_;
  bool known_ = false;
};

MNS_NS_END
