#include "tests/solid/allocations.h"

#include <atomic>

#include "engine/base/heap.h"
#include "tests/shared/counted_new.h"

namespace meniscus::testing {
namespace {
std::atomic<std::uint64_t> news{0};
}  // namespace

void countAllocation() { ++news; }

std::uint64_t allocationsOfProgram() { return news + heapUse().allocations; }

}  // namespace meniscus::testing
