#include "engine/solid/prescribed.h"

#include <algorithm>

namespace meniscus {
namespace {

std::vector<Index> eachOnce(const Index* nodes, std::size_t count) {
  std::vector<Index> sorted(nodes, nodes + count);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

// Forgets the pins of the nodes, which ascend.
void unpin(SolidState& s, const std::vector<Index>& nodes) {
  const auto held = [&](const Pin& p) { return std::binary_search(nodes.begin(), nodes.end(), p.node); };
  s.pins.erase(std::remove_if(s.pins.begin(), s.pins.end(), held), s.pins.end());
}

}  // namespace

void moveBody(RigidBody& b, const Pose& to, double now, double seconds) {
  const Quatd back = b.start.rotate.conjugate();
  b.motion = {{now, b.x - b.start.translate, (b.q * back).normalizedQuat()},
              {now + seconds, to.x - b.start.translate, (to.q * back).normalizedQuat()}};
}

void dropUnusedMotions(SolidState& s) {
  std::vector<Index> number(s.motions.size(), -1);
  for (const Pin& p : s.pins)
    if (p.motion >= 0) number[std::size_t(p.motion)] = 0;
  std::size_t kept = 0;
  for (std::size_t m = 0; m < s.motions.size(); ++m) {
    if (number[m] < 0) continue;
    number[m] = Index(kept);
    if (kept != m) s.motions[kept] = std::move(s.motions[m]);
    ++kept;
  }
  s.motions.resize(kept);
  for (Pin& p : s.pins)
    if (p.motion >= 0) p.motion = number[std::size_t(p.motion)];
}

void holdNodes(SolidState& s, const Index* nodes, std::size_t count) {
  const std::vector<Index> held = eachOnce(nodes, count);
  s.pins.reserve(s.pins.size() + held.size());
  unpin(s, held);
  for (const Index k : held) {
    const std::size_t i = std::size_t(k);
    s.w[i] = 0;
    s.v[i] = Vec3d{};
    s.pins.push_back({k, s.x[i], -1, s.x[i]});
  }
  dropUnusedMotions(s);
}

void releaseNodes(SolidState& s, const Index* nodes, std::size_t count) {
  const std::vector<Index> freed = eachOnce(nodes, count);
  unpin(s, freed);
  for (const Index i : freed) s.w[std::size_t(i)] = 1 / s.mass[std::size_t(i)];
  dropUnusedMotions(s);
}

void carryNode(SolidState& s, Index node, const Vec3d& target, double now, double seconds) {
  const Vec3d v = s.v[std::size_t(node)];
  std::vector<KeyFrame> way{{now, {}, {}}, {now + seconds, target - s.x[std::size_t(node)], {}}};
  s.motions.reserve(s.motions.size() + 1);
  holdNodes(s, &node, 1);
  s.v[std::size_t(node)] = v;  // as it moves now: the next step sets what it is carried with
  s.pins.back().motion = Index(s.motions.size());
  s.motions.push_back(std::move(way));
}

}  // namespace meniscus
