// The entry of libFuzzer for one target: MENISCUS_FUZZ_TARGET is its function's name.
#include "tests/fuzz/targets/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  meniscus::fuzz::MENISCUS_FUZZ_TARGET(data, size);
  return 0;
}
