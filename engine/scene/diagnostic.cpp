#include "engine/scene/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/error.h"

namespace meniscus {

std::string Diagnostic::format() const {
  if (line <= 0) return fmt::format("{}: {}", file, text);
  return fmt::format("{}:{}:{}: {}", file, line, column, text);
}

std::string formatAll(const Diagnostics& list) {
  std::string all;
  for (const Diagnostic& d : list) all += (all.empty() ? "" : "\n") + d.format();
  return all;
}

void throwIfAny(const Diagnostics& list) {
  if (!list.empty()) throw Error(ErrorKind::input, formatAll(list));
}

namespace {

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one each.
std::size_t editDistance(const std::string& a, const std::string& b) {
  const std::size_t n = b.size() + 1;
  std::vector<std::size_t> before(n), previous(n), current(n);
  for (std::size_t j = 0; j < n; ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j < n; ++j) {
      const bool same = a[i - 1] == b[j - 1];
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[n - 1];
}

// Lower case without separators, so that "maxIterations" is near "max_iterations".
std::string folded(const std::string& s) {
  std::string t;
  for (const char c : s)
    if (c != '_' && c != '-' && c != ' ') t += char(std::tolower(static_cast<unsigned char>(c)));
  return t;
}

}  // namespace

std::string nearestSpelling(const std::string& word, const std::vector<std::string>& known) {
  if (word.size() > 64) return "";  // no slip of the pen, and the distance is quadratic
  const std::string w = folded(word);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, w.size() / 3) + 1;
  for (const std::string& k : known) {
    const std::size_t d = editDistance(w, folded(k));
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}

}  // namespace meniscus
