#include "engine/solid/implicit/contact_overlaps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "engine/solid/implicit/closest_feature.h"
#include "engine/solid/implicit/filled_surface.h"
#include "engine/solid/implicit/sheet_sides.h"

namespace meniscus::implicit {
namespace {

constexpr double kOn = 1e-3;  // of `least`: what is that near to a surface lies on it

class Finder {
 public:
  Finder(const ContactMesh& mesh, double least) : m_(mesh), least_(least) {
    for (std::size_t b = 0; b < m_.scene.surfaces.size(); ++b) {
      const ContactSurface& s = m_.scene.surfaces[b];
      filled_.push_back(s.filled ? std::make_unique<FilledSurface>(m_, int(b)) : nullptr);
      bounds_.emplace_back();
      for (const std::array<int, 3>& e : s.elements)
        for (const int i : e) bounds_.back().add(m_.at(i));
      given_.push_back(std::all_of(s.elements.begin(), s.elements.end(), [this](const std::array<int, 3>& e) {
        return m_.given(e[0]) && m_.given(e[1]) && m_.given(e[2]);
      }));
    }
  }

  SolidOverlap of(int a, int b) const {
    SolidOverlap none{a, b, 0, {}};
    if ((given_[std::size_t(a)] && given_[std::size_t(b)]) || !bounds_[std::size_t(a)].overlaps(bounds_[std::size_t(b)]))
      return none;
    const FilledSurface *mine = filled_[std::size_t(a)].get(), *theirs = filled_[std::size_t(b)].get();
    if (a == b) return m_.scene.surfaces[std::size_t(a)].rigid ? none : deeper(deeper(crossing(a, a), onItself(a)), none);
    if (mine && theirs) return inBoth(deeper(within(a, *theirs, b), within(b, *mine, a)), *mine, *theirs);
    if (mine) return within(b, *mine, a);
    if (theirs) return within(a, *theirs, b);
    const SolidOverlap edges = deeper(crossing(a, b), crossing(b, a));
    return deeper(edges, deeper(deeper(atNodes(a, b), atNodes(b, a)), deeper(lying(a, b), lying(b, a))));
  }

 private:
  static SolidOverlap deeper(const SolidOverlap& one, const SolidOverlap& two) { return two.depth > one.depth ? two : one; }
  const ContactSurface& surface(int solid) const { return m_.scene.surfaces[std::size_t(solid)]; }
  bool pinned(int solid, int node) const { return !surface(solid).rigid && m_.given(node); }

  // The deepest point of one solid's surface in a filled one.
  SolidOverlap within(int solid, const FilledSurface& filled, int other) const {
    SolidOverlap deepest{solid, other, 0, {}};
    const auto look = [&](const Vec3d& x) {
      const double depth = filled.depthOf(x);
      if (depth > deepest.depth) deepest = {solid, other, depth, x};
    };
    const Box3& near = filled.bounds();
    for (const std::array<int, 3>& e : surface(solid).elements) {
      Box3 box;
      for (const int i : e) box.add(m_.at(i));
      if (!near.overlaps(box)) continue;
      for (int k = 0; k < m_.scene.dimension; ++k) {
        const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % m_.scene.dimension)];
        if (!pinned(solid, i)) look(m_.at(i));
        if (pinned(solid, i) || pinned(solid, j)) continue;
        const std::vector<double> in = filled.crossings(m_.at(i), m_.at(j));
        for (std::size_t c = 1; c < in.size(); ++c) look(m_.at(i) + (m_.at(j) - m_.at(i)) * (0.5 * (in[c - 1] + in[c])));
      }
      lookUnder(solid, e, look);
    }
    return deepest;
  }

  // The middle of an element, of a filled solid a little under it.
  void lookUnder(int solid, const std::array<int, 3>& e, const std::function<void(const Vec3d&)>& look) const {
    const ContactSurface& s = surface(solid);
    Vec3d middle{};
    for (int k = 0; k < m_.scene.dimension; ++k) {
      if (pinned(solid, e[std::size_t(k)])) return;
      middle += m_.at(e[std::size_t(k)]) / double(m_.scene.dimension);
    }
    const Vec3d a = m_.at(e[0]), b = m_.at(e[1]), c = m_.at(e[2]);
    Vec3d n = m_.scene.dimension == 3 ? cross(b - a, c - a) : Vec3d{b.y - a.y, a.x - b.x, 0} * m_.outward[std::size_t(solid)];
    if (!s.filled || !(norm2(n) > 0)) return look(middle);
    look(middle - normalized(n) * least_);
  }

  // From a point of both, uphill in the depth in both: its largest value is the radius of a ball in both.
  SolidOverlap inBoth(SolidOverlap o, const FilledSurface& one, const FilledSurface& two) const {
    const auto depth = [&](const Vec3d& x) { return std::min(one.depthOf(x), two.depthOf(x)); };
    if (!(o.depth > 0)) return o;
    double best = depth(o.at), step = 0.25 * norm(one.bounds().hi - one.bounds().lo);
    const int deep = m_.scene.dimension == 3 ? 1 : 0;
    while (step > 0.001 * std::max(best, least_)) {
      Vec3d at = o.at;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          for (int k = -deep; k <= deep; ++k) {
            const Vec3d x = o.at + Vec3d{double(i), double(j), double(k)} * step;
            const double d = depth(x);
            if (!(d > best)) continue;
            best = d;
            at = x;
          }
      if (norm2(at - o.at) == 0) step *= 0.5;
      o.at = at;
    }
    o.depth = 2 * best;
    return o;
  }

  // The edge of one that reaches the farthest through an element of the other.
  SolidOverlap crossing(int solid, int other) const {
    SolidOverlap most{solid, other, 0, {}, true};
    const int d = m_.scene.dimension;
    for (const std::array<int, 3>& e : surface(solid).elements)
      for (int k = 0; k < (d == 3 ? 3 : 1); ++k) {
        const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % 3)];
        if (pinned(solid, i) || pinned(solid, j)) continue;
        Box3 box;
        box.add(m_.at(i));
        box.add(m_.at(j));
        if (!bounds_[std::size_t(other)].overlaps(box)) continue;
        m_.tree.overlapping(box, [&](Index t) {
          const std::array<int, 3>& f = m_.element[std::size_t(t)];
          if (m_.elementSolid[std::size_t(t)] != other) return;
          for (const int n : f)
            if (n == i || n == j || pinned(other, n)) return;
          const Vec3d p = m_.at(i), q = m_.at(j), corner[3] = {m_.at(f[0]), m_.at(f[1]), m_.at(f[2])};
          const double at = crossingOf(corner, d, p, q);
          if (at < 0) return;
          const Vec3d n = m_.normalOf(int(t));
          const double through = std::min(std::abs(dot(n, p - corner[0])), std::abs(dot(n, q - corner[0])));
          if (through > most.depth) most = {solid, other, through, p + (q - p) * at, true};
        });
      }
    return most;
  }

  bool isOn(const SheetPoint& p) const { return p.distance <= kOn * least_; }
  SheetPoint nearest(int solid, const Vec3d& x) const { return nearestOnSheet(m_, solid, x, 2 * kOn * least_); }

  // The node of one on the other, within that one's rim, around which the first one reaches the farthest on both sides: no edge of
  // it passes through.
  SolidOverlap atNodes(int solid, int other) const {
    SolidOverlap most{solid, other, 0, {}, true};
    for (int i = surface(solid).begin; i < surface(solid).end; ++i) {
      if (pinned(solid, i)) continue;
      const Vec3d x = m_.at(i);
      if (const SheetPoint p = nearest(other, x); !isOn(p) || !p.inside) continue;
      double up = 0, down = 0;
      for (const int e : m_.elementsOfNode[std::size_t(i)])
        for (const int j : m_.element[std::size_t(e)]) {
          const Vec3d half = (m_.at(j) - x) * 0.5;
          const SheetPoint q = nearestOnSheet(m_, other, x + half, 2 * norm(half) + least_);
          if (!q.inside) continue;
          up = std::max(up, 2 * q.height);
          down = std::max(down, -2 * q.height);
        }
      if (std::min(up, down) > most.depth) most = {solid, other, std::min(up, down), x, true};
    }
    return most;
  }

  // An element of one that lies on the other, more than by its rim.
  SolidOverlap lying(int solid, int other) const {
    SolidOverlap most{solid, other, 0, {}, true, true};
    const int d = m_.scene.dimension;
    for (const std::array<int, 3>& e : surface(solid).elements) {
      bool on = true, inside = false;
      double length = 0;
      Vec3d middle{};
      for (int k = 0; k < d && on; ++k) {
        const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % d)];
        const SheetPoint p = nearest(other, m_.at(i)), q = nearest(other, (m_.at(i) + m_.at(j)) * 0.5);
        on = isOn(p) && isOn(q) && !pinned(solid, i);
        inside |= p.inside || q.inside;
        length = std::max(length, norm(m_.at(j) - m_.at(i)));
        middle += m_.at(i) / double(d);
      }
      if (!on) continue;
      const SheetPoint p = nearest(other, middle);
      if (isOn(p) && (inside || p.inside) && length > most.depth) most = {solid, other, length, middle, true, true};
    }
    return most;
  }

  // An element whose middle is on another one of the same surface: it is folded flat there. The middle is on no neighbour's rim.
  SolidOverlap onItself(int solid) const {
    SolidOverlap most{solid, solid, 0, {}, true, true};
    const int d = m_.scene.dimension;
    const double near = kOn * least_;
    for (std::size_t own = 0; own < m_.element.size(); ++own) {
      const std::array<int, 3>& e = m_.element[own];
      if (m_.elementSolid[own] != solid) continue;
      Vec3d middle{};
      double length = 0;
      bool free = true;
      for (int k = 0; k < d; ++k) {
        const int i = e[std::size_t(k)], j = e[std::size_t((k + 1) % d)];
        free = free && !pinned(solid, i);
        length = std::max(length, norm(m_.at(j) - m_.at(i)));
        middle += m_.at(i) / double(d);
      }
      if (!free || !(length > most.depth)) continue;
      const Vec3d around{near, near, near};
      m_.tree.overlapping({middle - around, middle + around}, [&](Index t) {
        if (std::size_t(t) == own || m_.elementSolid[std::size_t(t)] != solid) return;
        const std::array<int, 3>& f = m_.element[std::size_t(t)];
        const Vec3d v[3] = {m_.at(f[0]), m_.at(f[1]), m_.at(f[2])};
        const std::array<double, 3> w = nearestWeights(v, d, middle);
        Vec3d way = middle - v[0];
        for (int k = 1; k < d; ++k) way -= (v[k] - v[0]) * w[std::size_t(k)];
        if (norm(way) <= near) most = {solid, solid, length, middle, true, true};
      });
    }
    return most;
  }

  const ContactMesh& m_;
  double least_;
  std::vector<std::unique_ptr<FilledSurface>> filled_;
  std::vector<Box3> bounds_;
  std::vector<char> given_;
};

}  // namespace

std::vector<SolidOverlap> overlapsOf(const ContactMesh& m, double least) {
  const Finder finder(m, least);
  std::vector<SolidOverlap> all;
  const int n = int(m.scene.surfaces.size());
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b)
      if (const SolidOverlap o = finder.of(a, b); o.depth > least) all.push_back(o);
  return all;
}

}  // namespace meniscus::implicit
