#include <cstdio>
#include <stdexcept>
#include <string>

#include "tank.h"

int main() {
  try {
    std::int64_t particles = 0;
    std::uint64_t hash = 0;
    if (stepTank(&particles, &hash) != MNS_OK) throw std::runtime_error(mnsGetLastError());
    std::printf("%lld particles, %016llx\n", static_cast<long long>(particles), static_cast<unsigned long long>(hash));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
