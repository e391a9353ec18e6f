// Which device, and what it has done so far.
#pragma once

#include <cstddef>
#include <cstdint>

namespace meniscus {

enum class ThreadOrder { forward, backward, shuffled };

// A graphics context that the serial device shares memory with. Buffers go by name; what fails returns false or null.
struct SerialGraphics {
  void* user;
  bool (*open)(void* user, std::uint32_t buffer);
  void* (*map)(void* user, std::uint32_t buffer, std::size_t* bytes);
  bool (*unmap)(void* user, std::uint32_t buffer);
  void (*close)(void* user, std::uint32_t buffer);
};

struct DeviceOptions {
  int device = 0;  // number of the graphics card
  // of the serial device; a card has its own
  ThreadOrder order = ThreadOrder::forward;
  bool guarded = false;  // buffers hold what was asked for and no more, and end before a page that nothing may touch
  std::size_t memoryBytes = std::size_t(1) << 30;  // beyond it, memory is out
  const SerialGraphics* graphics = nullptr;        // null: it shares none
  bool recorded = true;                            // launches that are given again and again are recorded, and replayed as one
  bool ownProducts = false;                        // of sparse matrices by the device's own kernel, a card's as well
  bool timed = false;                              // time the stages of steps, which makes the host wait at the end of each
};

// Time of a stage in all steps so far, on the device's own clock.
struct DeviceStage {
  const char* name;  // lasts as long as the code that named it
  double seconds;
};

struct DeviceCounters {
  std::uint64_t launches = 0;                             // given one by one
  std::uint64_t replays = 0, replayed = 0;                // of recorded launches, and the launches in them
  std::uint64_t allocations = 0, allocationsInSteps = 0;  // a warm step makes none
  std::uint64_t waits = 0;                                // of the host for the device
  std::uint64_t toDevice = 0, toHost = 0;                 // bytes copied
  std::uint64_t copiesToDevice = 0, copiesToHost = 0;     // in so many pieces
  std::uint64_t bytes = 0, peakBytes = 0;                 // of device memory in use
};

}  // namespace meniscus
