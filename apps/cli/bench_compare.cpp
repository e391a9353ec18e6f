// A table of a benchmark beside a stored one: ratios, other states, other machines.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/bench_table.h"
#include "apps/cli/say.h"
#include "engine/base/error.h"

namespace meniscus::cli {
namespace {

std::string ratioText(double now, double before) {
  if (before == now) return "1.000";
  return before == 0 ? "-" : fmt::format("{:.3f}", now / before);
}

// Why the two say nothing of each other, or "".
std::string otherConditions(const BenchRow& now, const BenchRow& before) {
  if (before.machine != now.machine) return fmt::format("not comparable: measured on {}", before.machine);
  if (before.threads != now.threads) return fmt::format("not comparable: with {}", counted(before.threads, "thread"));
  if (before.unit != now.unit) return fmt::format("not comparable: in {}", before.unit);
  return "";
}

// The state that a figure was measured in: its own, or that of the others of its scene, whose names begin alike up to ": ".
std::string stateOf(const std::vector<BenchRow>& rows, const BenchRow& row) {
  if (!row.hash.empty()) return row.hash;
  const std::string scene = row.name.substr(0, row.name.find(": "));
  for (const BenchRow& other : rows)
    if (!other.hash.empty() && scene.size() < row.name.size() && other.name.rfind(scene + ": ", 0) == 0) return other.hash;
  return "";
}

struct Counts {
  int above = 0, other = 0, states = 0, fresh = 0, compared = 0;
};

// What is to be said of a figure behind its ratio. state, stored: hashes of the states that the two are of.
std::string remarks(const BenchRow& now, const BenchRow& before, const std::string& state, const std::string& stored, double limit,
                    Counts& n) {
  std::string text = otherConditions(now, before);
  const bool comparable = text.empty();
  ++(comparable ? n.compared : n.other);
  if (!state.empty() && !stored.empty() && state != stored) {
    ++n.states;
    text += fmt::format("{}OTHER STATE: {} was {}", text.empty() ? "" : "; ", state, stored);
  }
  if (comparable && limit > 0 && now.isCost() && now.value > limit * before.value) {
    ++n.above;
    text += fmt::format("{}ABOVE {:g}", text.empty() ? "" : "; ", limit);
  }
  return text;
}

}  // namespace

int BenchTable::compare() const {
  say(stdout, "\nbeside {} ({}):\n", options_.compare, stored_.front().version);
  Counts n;
  for (const BenchRow& now : rows_) {
    const auto before = std::find_if(stored_.begin(), stored_.end(), [&](const BenchRow& r) { return r.name == now.name; });
    if (before == stored_.end()) {
      ++n.fresh;
      say(stdout, "  {:<56} {:>12.5g} {:<16} not in the file\n", now.name, now.value, now.unit);
      continue;
    }
    const std::string remark = remarks(now, *before, stateOf(rows_, now), stateOf(stored_, *before), options_.failAbove, n);
    const bool comparable = otherConditions(now, *before).empty();
    say(stdout, "  {:<56} {:>12.5g} {:<16} was {:>12.5g}  ratio {:>7}{}{}\n", now.name, now.value, now.unit, before->value,
        comparable ? ratioText(now.value, before->value) : "-", remark.empty() ? "" : "  ", remark);
  }
  const std::size_t met = std::size_t(n.compared + n.other);
  say(stdout, "{} compared, {} not comparable, {} new, {} of the file not measured, {} of another state\n",
      counted(n.compared, "figure"), n.other, n.fresh, stored_.size() - std::min(met, stored_.size()), n.states);
  if (options_.failAbove <= 0) return 0;
  if (n.compared == 0) say(stderr, "--fail-above has nothing to hold: no figure of {} can be compared\n", options_.compare);
  if (n.above > 0) say(stderr, "{} above {:g} times the stored value\n", counted(n.above, "figure"), options_.failAbove);
  return n.above > 0 ? int(ErrorKind::simulation) : 0;
}

}  // namespace meniscus::cli
