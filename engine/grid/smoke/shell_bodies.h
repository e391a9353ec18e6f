// The closed surfaces of a shell that are filled, as bodies: what hangs together by its nodes is one.
#pragma once

#include <vector>

#include "engine/grid/smoke/shell_lattice.h"

namespace meniscus {

struct ShellBodies {
  Index count = 0;
  std::vector<Index> of;  // of each element: its body, numbered in the order of their first elements, or -1. Empty: none is filled
};

// filled: of each element, or empty.
template <int D>
ShellBodies filledBodies(const ShellMesh<D>& mesh, const std::vector<char>& filled);

}  // namespace meniscus
