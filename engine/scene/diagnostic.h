// One mistake in a scene or mesh, with its place, and the list of them that a check returns.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"

namespace meniscus {

struct Diagnostic {
  std::string file;
  int line = 0, column = 0;  // from 1; 0: the file as a whole
  std::string text;          // what is wrong and what to do

  // "file:line:column: text"
  std::string format() const;
};

using Diagnostics = std::vector<Diagnostic>;

// All mistakes, one a line.
std::string formatAll(const Diagnostics& list);

// Throws Error(input) with all of them where there are any.
void throwIfAny(const Diagnostics& list);

// Of `known`, the word nearest to `word` by edit distance (transpositions count one), or "" where none is near enough to be a slip.
std::string nearestSpelling(const std::string& word, const std::vector<std::string>& known);

}  // namespace meniscus
