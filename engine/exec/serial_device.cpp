#include "engine/exec/serial_device.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

#include "engine/exec/device.h"

MNS_NS_BEGIN

namespace {

constexpr std::size_t kUnit = 256;  // of addresses, as on a card
constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 16;  // of the largest value

std::size_t roundUp(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorKind::deviceNotAvailable, "serial device: " + text); }

}  // namespace

Device::Device(const DeviceOptions& options) : options_(options), threads_(kThreads) {
  void* p = mmap(nullptr, options_.memoryBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) refuse("no addresses for " + std::to_string(options_.memoryBytes) + " bytes");
  base_ = static_cast<char*>(p);
  std::iota(threads_.begin(), threads_.end(), 0);
  if (options_.order == ThreadOrder::backward) std::reverse(threads_.begin(), threads_.end());
  if (options_.order == ThreadOrder::shuffled) std::shuffle(threads_.begin(), threads_.end(), std::mt19937(1));
}

Device::~Device() { munmap(base_, options_.memoryBytes); }

Index Device::blockAt(Index k, Index blocks) const {
  if (options_.order == ThreadOrder::forward) return k;
  if (options_.order == ThreadOrder::backward) return blocks - 1 - k;
  return k % 2 ? blocks - 1 - k / 2 : k / 2;  // from both ends in turn
}

void Device::protect(int access) {
  if (!options_.guarded) {
    if (used_) mprotect(base_, roundUp(used_, kPage), access);
    return;
  }
  for (const auto& [offset, block] : blocks_) mprotect(base_ + offset, block.bytes, access);
}

void Device::stage(const char* name) {
  if (!options_.timed) return;
  const auto now = std::chrono::steady_clock::now();
  if (stageNow_) addStage(stages_, stageNow_, std::chrono::duration<double>(now - stageBegin_).count());
  stageNow_ = name;
  stageBegin_ = now;
}

void Device::checkNotRecording(const char* name) const {
  if (open_) throw Error(ErrorKind::internal, std::string("\"") + name + "\" while launches are recorded");
}

void Device::beginRecording(const char* name) {
  checkNotRecording(name);
  open_.emplace();
}

void Device::endRecording(Recording& into, const char*) {
  into.launches_.swap(*open_);
  open_.reset();
}

void Device::replay(const Recording& recording, const char* name) {
  checkNotRecording(name);
  ++counters_.replays;
  counters_.replayed += recording.launches_.size();
  for (const auto& launch : recording.launches_) {
    open();
    launch();
    close();
  }
}

// First fit.
void* Device::allocate(std::size_t bytes, const char* name) {
  if (bytes == 0) return nullptr;
  checkNotRecording(name);
  const std::size_t room = roundUp(bytes, options_.guarded ? kPage : kUnit), whole = room + (options_.guarded ? kPage : 0);
  std::size_t at = 0;
  for (const auto& [offset, block] : blocks_) {
    if (offset - at >= whole) break;
    at = block.end;
  }
  if (at + whole > options_.memoryBytes)
    refuse(std::to_string(bytes) + " bytes for \"" + name + "\": out of memory, " + std::to_string(counters_.bytes) + " of " +
           std::to_string(options_.memoryBytes) + " are in use");
  char* const memory = base_ + at + (options_.guarded ? room - roundUp(bytes, kAlignment) : 0);
  blocks_[at] = {room, at + whole, memory};
  used_ = std::max(used_, at + room);
  ++counters_.allocations;
  counters_.allocationsInSteps += inStep_;
  counters_.bytes += room;
  counters_.peakBytes = std::max(counters_.peakBytes, counters_.bytes);
  open();
  std::memset(base_ + at, 0xff, room);  // not-a-number, and no valid index
  close();
  return memory;
}

void Device::release(void* memory) noexcept {
  if (!memory) return;
  for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
    if (it->second.memory != memory) continue;
    counters_.bytes -= it->second.bytes;
    blocks_.erase(it);
    return;
  }
}

void Device::toDevice(void* to, const void* from, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  ++counters_.copiesToDevice;
  counters_.toDevice += bytes;
  open();
  std::memcpy(to, from, bytes);
  close();
}
void Device::toHost(void* to, const void* from, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  ++counters_.waits;
  ++counters_.copiesToHost;
  counters_.toHost += bytes;
  open();
  std::memcpy(to, from, bytes);
  close();
}
void Device::zero(void* to, std::size_t bytes, const char* name) {
  checkNotRecording(name);
  open();
  std::memset(to, 0, bytes);
  close();
}

double* Device::partials(std::size_t n) {
  if (n > partialsRoom_) {
    release(partials_);
    partials_ = nullptr;
    partialsRoom_ = 0;
    partials_ = allocate(roomFor(n) * sizeof(double), "partial sums");
    partialsRoom_ = roomFor(n);
  }
  return static_cast<double*>(partials_);
}

unsigned* Device::ticket() {
  if (!ticket_) {
    ticket_ = allocate(sizeof(unsigned), "ticket of the last block");
    zero(ticket_, sizeof(unsigned), "ticket of the last block");
  }
  return static_cast<unsigned*>(ticket_);
}

void Device::prepare(const char* name, Product& product, const SparseRowsView& matrix, const float* x, float* y) {
  checkNotRecording(name);
  product.matrix_ = matrix;
  product.x_ = x;
  product.y_ = y;
}
void Device::multiply(const char* name, const Product& p) {
  launchRows(*this, name, p.matrix_.rows, SparseProduct{p.matrix_, p.x_, p.y_});
}

void Device::exclusiveScan(const char* name, const Index* count, Index n, Offset* offset) {
  checkNotRecording(name);
  ++counters_.launches;
  open();
  Offset sum = 0;
  for (Index i = 0; i < n; ++i) {
    const Index c = count[i];
    offset[i] = sum;
    sum += c;
  }
  offset[n] = sum;
  close();
}

void Device::sortByKey(const char* name, const Index* keyIn, Index* keyOut, const Index* valueIn, Index* valueOut, Index n,
                       int bits) {
  checkNotRecording(name);
  ++counters_.launches;
  open();
  std::vector<Index> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), 0);
  const Index mask = bits < 31 ? (Index(1) << bits) - 1 : 0x7fffffff;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return (keyIn[a] & mask) < (keyIn[b] & mask); });
  for (Index i = 0; i < n; ++i) {
    keyOut[i] = keyIn[order[std::size_t(i)]];
    valueOut[i] = valueIn[order[std::size_t(i)]];
  }
  close();
}

MNS_NS_END
