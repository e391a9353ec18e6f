// Graph colouring of the constraints: greedy in building order, so the same scene always gets the same colours. Every type has
// colours of its own: a launch then runs one kind of constraint, and the two parts of a tetrahedron do not compete for colours.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/solid/solid.h"

namespace meniscus {
namespace {

constexpr int kMaxColours = 64;        // bits of a node's set of colours; what fits in none goes to the serial group
constexpr Index kSmallestColour = 16;  // a launch for fewer constraints costs more than it gains

int lowestZero(std::uint64_t used) { return ~used == 0 ? kMaxColours : __builtin_ctzll(~used); }

// The colour of every constraint, numbered from type * kMaxColours; kSerial: serial.
constexpr int kTypes = int(ConstraintType::count), kSerial = kTypes * kMaxColours;
std::vector<int> greedyColours(const SolidState& s, const std::vector<Index>& order) {
  std::vector<std::uint64_t> used(s.x.size() * std::size_t(kTypes), 0);
  std::vector<int> colour(order.size(), kSerial);
  std::vector<Index> count(std::size_t(kSerial) + 1, 0);
  for (Index i : order) {
    const Constraint& c = s.constraints.items[i];
    const auto slot = [&](Index n) -> std::uint64_t& { return used[std::size_t(n) * std::size_t(kTypes) + std::size_t(c.type)]; };
    std::uint64_t taken = 0;
    for (Index n : c.node)
      if (n >= 0) taken |= slot(n);
    const int k = lowestZero(taken);
    if (k == kMaxColours) continue;
    colour[std::size_t(i)] = int(c.type) * kMaxColours + k;
    ++count[std::size_t(colour[std::size_t(i)])];
    for (Index n : c.node)
      if (n >= 0) slot(n) |= std::uint64_t(1) << k;
  }
  for (int& k : colour)
    if (count[std::size_t(k)] < kSmallestColour) k = kSerial;
  return colour;
}

}  // namespace

void colourConstraints(SolidState& s, bool serial) {
  ConstraintSet& set = s.constraints;
  const std::size_t n = set.items.size();
  // rest data are appended in building order, which therefore survives any earlier colouring; the two parts of a tetrahedron share
  // theirs
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Constraint &p = set.items[a], &q = set.items[b];
    return p.rest != q.rest ? p.rest < q.rest : p.type < q.type;
  });
  const std::vector<int> colour = serial ? std::vector<int>(n, kSerial) : greedyColours(s, order);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return colour[std::size_t(a)] < colour[std::size_t(b)]; });

  Buffer<Constraint> items(n);
  Buffer<double> lambda(n);
  set.colourBegin.clear();
  int last = -1;
  set.serialBegin = Index(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Index i = order[k];
    items[k] = set.items[i];
    lambda[k] = i < Index(set.lambda.size()) ? set.lambda[i] : 0;
    const int c = colour[std::size_t(i)];
    if (c == last) continue;
    last = c;
    if (c == kSerial)
      set.serialBegin = Index(k);
    else
      set.colourBegin.push_back(Index(k));
  }
  set.colourBegin.push_back(set.serialBegin);
  set.items.swap(items);
  set.lambda.swap(lambda);
}

}  // namespace meniscus
