#pragma once

namespace meniscus {

// Where a value stands in the scene file, for messages. line 0: not from a file.
struct SourceRef {
  int line = 0, column = 0;
};

}  // namespace meniscus
