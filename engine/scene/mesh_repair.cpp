#include "engine/scene/mesh_repair.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/scene/mesh_edges.h"
#include "engine/scene/surface_tree.h"

namespace meniscus {

namespace {

void say(std::vector<std::string>* notes, const MeshFile& m, std::size_t count, const char* one, const char* many) {
  if (notes && count > 0)
    notes->push_back(count == 1 ? fmt::format("{}: {}", m.path, one) : fmt::format("{}: {} {}", m.path, count, many));
}

const Vec3d& corner(const MeshFile& m, std::size_t t, int k) { return m.x[std::size_t(m.tri[3 * t + std::size_t(k)])]; }

double diagonalOf(const MeshFile& m) {
  const Box3 b = boundsOf(m.x);
  return b.empty() ? 0 : norm(b.hi - b.lo);
}

// Vertices nearer than a single-precision coordinate can tell apart become the one of the lowest number.
std::size_t mergeVertices(MeshFile& m, double tolerance) {
  struct CellHash {
    std::size_t operator()(const std::array<std::int64_t, 3>& c) const {
      std::uint64_t h = 1469598103934665603ull;
      for (const std::int64_t v : c) h = (h ^ std::uint64_t(v)) * 1099511628211ull;
      return std::size_t(h ^ (h >> 29));
    }
  };
  const Box3 bounds = boundsOf(m.x);
  const double cell = 16 * tolerance;  // most points then look into their own cell only
  std::unordered_map<std::array<std::int64_t, 3>, std::vector<Index>, CellHash> cells;
  cells.reserve(m.x.size());
  std::vector<Index> kept(m.x.size());
  std::size_t merged = 0;
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    const Vec3d q = (m.x[i] - bounds.lo) / cell;
    std::array<std::int64_t, 3> lo{}, hi{};
    for (int k = 0; k < 3; ++k) {
      lo[std::size_t(k)] = std::int64_t(std::floor(q[k] - 1.0 / 16));
      hi[std::size_t(k)] = std::int64_t(std::floor(q[k] + 1.0 / 16));
    }
    Index found = -1;
    for (std::int64_t a = lo[0]; a <= hi[0]; ++a)
      for (std::int64_t b = lo[1]; b <= hi[1]; ++b)
        for (std::int64_t c = lo[2]; c <= hi[2]; ++c) {
          const auto it = cells.find({a, b, c});
          if (it == cells.end()) continue;
          for (const Index j : it->second)
            if (norm(m.x[std::size_t(j)] - m.x[i]) <= tolerance && (found < 0 || j < found)) found = j;
        }
    kept[i] = found < 0 ? Index(i) : found;
    if (found >= 0)
      ++merged;
    else
      cells[{std::int64_t(std::floor(q.x)), std::int64_t(std::floor(q.y)), std::int64_t(std::floor(q.z))}].push_back(Index(i));
  }
  for (Index& v : m.tri) v = kept[std::size_t(v)];
  return merged;
}

// Keeps the triangles for which keep(t); returns how many went.
template <class Keep>
std::size_t dropTriangles(MeshFile& m, Keep&& keep) {
  const std::size_t n = m.tri.size() / 3;
  std::size_t to = 0;
  for (std::size_t t = 0; t < n; ++t) {
    if (!keep(t)) continue;
    for (std::size_t k = 0; k < 3; ++k) m.tri[3 * to + k] = m.tri[3 * t + k];
    m.face[to] = m.face[t];
    ++to;
  }
  m.tri.resize(3 * to);
  m.face.resize(to);
  return n - to;
}

// Height over its longest edge.
bool isFlat(const MeshFile& m, std::size_t t, double tolerance) {
  const Vec3d &a = corner(m, t, 0), &b = corner(m, t, 1), &c = corner(m, t, 2);
  const double longest = std::sqrt(std::max({norm2(b - a), norm2(c - b), norm2(a - c)}));
  return norm(cross(b - a, c - a)) <= tolerance * longest;
}

// A triangle whose corners are on a line cannot be left out without opening a crack; the longest edge is turned instead: its
// neighbour across that edge is split at the middle corner.
std::size_t turnFlatTriangles(MeshFile& m, double tolerance) {
  std::size_t turned = 0;
  for (int pass = 0; pass < 4; ++pass) {
    const std::vector<TriangleSide> sides = sortedSides(m.tri);
    std::vector<char> touched(m.tri.size() / 3, 0);
    std::size_t now = 0;
    forEachEdge(sides, [&](const TriangleSide* first, const TriangleSide* last) {
      if (last - first != 2) return;
      for (int which = 0; which < 2; ++which) {
        const std::size_t t = std::size_t(first[which].triangle), u = std::size_t(first[1 - which].triangle);
        if (touched[t] || touched[u] || t == u || !isFlat(m, t, tolerance) || isFlat(m, u, tolerance)) continue;
        const auto opposite = [&](std::size_t s) {
          for (std::size_t k = 0; k < 3; ++k)
            if (m.tri[3 * s + k] != first->lo && m.tri[3 * s + k] != first->hi) return m.tri[3 * s + k];
          return Index(-1);
        };
        const Index middle = opposite(t), far = opposite(u);
        if (middle < 0 || far < 0 || middle == far) continue;
        const double edge = norm(m.x[std::size_t(first->hi)] - m.x[std::size_t(first->lo)]);
        const Vec3d& mid = m.x[std::size_t(middle)];
        if (norm(m.x[std::size_t(first->lo)] - mid) > edge || norm(m.x[std::size_t(first->hi)] - mid) > edge)
          continue;  // not its longest edge
        // u runs through the edge from p to q: it becomes (p, middle, far) and (middle, q, far)
        const bool forward = first[1 - which].forward;
        const Index p = forward ? first->lo : first->hi, q = forward ? first->hi : first->lo;
        const Index one[3] = {p, middle, far}, two[3] = {middle, q, far};
        for (std::size_t k = 0; k < 3; ++k) {
          m.tri[3 * t + k] = one[k];
          m.tri[3 * u + k] = two[k];
        }
        m.face[t] = m.face[u];
        touched[t] = touched[u] = 1;
        ++now;
        return;
      }
    });
    turned += now;
    if (now == 0) break;
  }
  return turned;
}

std::size_t dropRepeated(MeshFile& m) {
  struct Key {
    std::array<Index, 3> v;
    std::size_t t;
  };
  std::vector<Key> keys;
  for (std::size_t t = 0; t < m.tri.size() / 3; ++t) {
    Key k{{m.tri[3 * t], m.tri[3 * t + 1], m.tri[3 * t + 2]}, t};
    std::sort(k.v.begin(), k.v.end());
    keys.push_back(k);
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.v != b.v ? a.v < b.v : a.t < b.t; });
  std::vector<char> repeated(keys.size(), 0);
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (keys[k].v == keys[k - 1].v) repeated[keys[k].t] = 1;
  return dropTriangles(m, [&](std::size_t t) { return !repeated[t]; });
}

void flip(MeshFile& m, std::size_t t) { std::swap(m.tri[3 * t + 1], m.tri[3 * t + 2]); }

struct Parts {
  std::vector<Index> of;     // part of each triangle
  std::vector<char> closed;  // of each part
};

// Walks over edges with two triangles and turns those wound against the first of their part. Counts the smaller of the turned and
// the kept in each part, because which of them was right is a matter of the outward rule that follows.
Parts orient(MeshFile& m, std::size_t& turned) {
  const std::size_t n = m.tri.size() / 3;
  struct Link {
    Index to;
    bool against;
  };
  std::vector<std::vector<Link>> links(n);
  std::vector<char> border(n, 0);
  forEachEdge(sortedSides(m.tri), [&](const TriangleSide* first, const TriangleSide* last) {
    if (last - first != 2) {
      for (const TriangleSide* s = first; s != last; ++s) border[std::size_t(s->triangle)] = 1;
      return;
    }
    const bool against = first[0].forward == first[1].forward;
    links[std::size_t(first[0].triangle)].push_back({first[1].triangle, against});
    links[std::size_t(first[1].triangle)].push_back({first[0].triangle, against});
  });
  Parts parts;
  parts.of.assign(n, -1);
  std::vector<char> flipped(n, 0);
  std::vector<std::size_t> stack;
  for (std::size_t seed = 0; seed < n; ++seed) {
    if (parts.of[seed] >= 0) continue;
    const Index part = Index(parts.closed.size());
    parts.closed.push_back(1);
    std::size_t all = 0, turns = 0;
    parts.of[seed] = part;
    stack.push_back(seed);
    while (!stack.empty()) {
      const std::size_t t = stack.back();
      stack.pop_back();
      ++all;
      turns += std::size_t(flipped[t]);
      if (border[t]) parts.closed[std::size_t(part)] = 0;
      for (const Link& l : links[t]) {
        const std::size_t u = std::size_t(l.to);
        if (parts.of[u] >= 0) continue;
        parts.of[u] = part;
        flipped[u] = char(flipped[t] != char(l.against));
        stack.push_back(u);
      }
    }
    turned += std::min(turns, all - turns);
  }
  for (std::size_t t = 0; t < n; ++t)
    if (flipped[t]) flip(m, t);
  return parts;
}

double volumeOfPart(const MeshFile& m, const Parts& parts, Index part) {
  double six = 0;
  const Vec3d o = m.x[std::size_t(m.tri[0])];
  for (std::size_t t = 0; t < parts.of.size(); ++t)
    if (parts.of[t] == part) six += dot(corner(m, t, 0) - o, cross(corner(m, t, 1) - o, corner(m, t, 2) - o));
  return six / 6;
}

// Most of part p lies within `other`, by samples of its corners: parts that merely cross are not inside each other.
bool isInside(const MeshFile& m, const Parts& parts, Index p, const SurfaceTree& other) {
  constexpr std::size_t kSamples = 512;
  std::vector<std::size_t> own;
  for (std::size_t t = 0; t < parts.of.size(); ++t)
    if (parts.of[t] == p) own.push_back(t);
  const std::size_t stride = std::max<std::size_t>(1, own.size() / kSamples);
  std::size_t inside = 0, all = 0;
  for (std::size_t k = 0; k < own.size(); k += stride, ++all) inside += other.winding(corner(m, own[k], 0)) != 0;
  return 2 * inside > all;
}

// Closed parts face outwards; those inside an odd number of others bound a hollow and face inwards.
std::size_t turnOutward(MeshFile& m, const Parts& parts, const std::vector<double>& before) {
  const std::size_t count = parts.closed.size();
  std::vector<SurfaceTree> trees(count);
  std::vector<std::vector<Index>> triangles(count);
  if (count > 1)
    for (std::size_t t = 0; t < parts.of.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) triangles[std::size_t(parts.of[t])].push_back(m.tri[3 * t + k]);
  if (count > 1)
    for (std::size_t p = 0; p < count; ++p)
      if (parts.closed[p]) trees[p] = SurfaceTree({m.x, triangles[p]});
  std::size_t turned = 0;
  for (std::size_t p = 0; p < count; ++p) {
    if (!parts.closed[p]) continue;
    int depth = 0;
    for (std::size_t q = 0; q < count && count > 1; ++q)
      if (q != p && parts.closed[q]) depth += isInside(m, parts, Index(p), trees[q]);
    const bool inward = depth % 2 == 1;
    const double volume = volumeOfPart(m, parts, Index(p));
    if (volume != 0 && (volume < 0) != inward)
      for (std::size_t t = 0; t < parts.of.size(); ++t)
        if (parts.of[t] == Index(p)) flip(m, t);
    turned += before[p] != 0 && (before[p] < 0) != inward;
  }
  return turned;
}

std::size_t dropUnused(MeshFile& m) {
  std::vector<Index> renumbered(m.x.size(), -1);
  for (const Index v : m.tri) renumbered[std::size_t(v)] = 0;
  Index n = 0;
  for (std::size_t i = 0; i < m.x.size(); ++i)
    if (renumbered[i] == 0) {
      m.x[std::size_t(n)] = m.x[i];
      renumbered[i] = n++;
    }
  const std::size_t gone = m.x.size() - std::size_t(n);
  m.x.resize(std::size_t(n));
  for (Index& v : m.tri) v = renumbered[std::size_t(v)];
  return gone;
}

}  // namespace

void repairSurface(MeshFile& m, std::vector<std::string>* notes) {
  const double diagonal = diagonalOf(m), tolerance = 1e-7 * diagonal;
  if (m.tri.empty()) return;
  const auto refuseFlat = [&] {
    throw Error(ErrorKind::input,
                m.path + ": none of its faces has an area: the corners of each lie on one line; give a mesh with a surface");
  };
  if (!(diagonal > 0)) refuseFlat();
  const std::size_t merged = mergeVertices(m, tolerance);
  say(notes, m, merged, "1 duplicate vertex merged", "duplicate vertices merged");
  const auto distinct = [&](std::size_t t) {
    const Index a = m.tri[3 * t], b = m.tri[3 * t + 1], c = m.tri[3 * t + 2];
    return a != b && b != c && c != a;
  };
  std::size_t degenerate = dropTriangles(m, distinct);
  say(notes, m, turnFlatTriangles(m, tolerance), "1 face without area removed by turning an edge",
      "faces without area removed by turning edges");
  degenerate += dropTriangles(m, [&](std::size_t t) { return !isFlat(m, t, 1e-9 * diagonal); });
  say(notes, m, degenerate, "1 degenerate face dropped", "degenerate faces dropped");
  say(notes, m, dropRepeated(m), "1 repeated face dropped", "repeated faces dropped");
  if (m.tri.empty()) refuseFlat();
  std::vector<Index> given = m.tri;
  std::size_t turned = 0;
  const Parts parts = orient(m, turned);
  say(notes, m, turned, "1 face wound against its neighbours turned", "faces wound against their neighbours turned");
  // how each part faced before, judged on the winding most of its faces had
  std::vector<double> before(parts.closed.size(), 0);
  for (std::size_t p = 0; p < before.size(); ++p) before[p] = volumeOfPart(m, parts, Index(p));
  std::vector<std::size_t> same(before.size(), 0), all(before.size(), 0);
  for (std::size_t t = 0; t < parts.of.size(); ++t) {
    ++all[std::size_t(parts.of[t])];
    same[std::size_t(parts.of[t])] += given[3 * t + 1] == m.tri[3 * t + 1];
  }
  for (std::size_t p = 0; p < before.size(); ++p)
    if (2 * same[p] < all[p]) before[p] = -before[p];
  say(notes, m, turnOutward(m, parts, before), "a closed surface faced inwards and was turned outwards",
      "closed surfaces faced the wrong way and were turned");
  dropUnused(m);
}

}  // namespace meniscus
