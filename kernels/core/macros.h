// Host/device annotations, index types and the back end's inline namespace.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define MNS_HD __host__ __device__
#define MNS_BACKEND_NS cuda_be
#else
#define MNS_HD
#define MNS_BACKEND_NS cpu_be
#endif

// Everything that both compilers build from one header lives in meniscus::<back end>. Without the inline namespace an inline
// functor compiled by g++ and by nvcc's host pass is one weak symbol and the linker keeps whichever came first.
#define MNS_NS_BEGIN   \
  namespace meniscus { \
  inline namespace MNS_BACKEND_NS {
#define MNS_NS_END \
  }                \
  }

namespace meniscus {
using Index = std::int32_t;   // item and row numbers
using Offset = std::int64_t;  // positions in pair lists
}  // namespace meniscus
