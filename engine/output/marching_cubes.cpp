#include "engine/output/marching_cubes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meniscus {
namespace {

// A cell's corners are numbered by three bits, high x, y, z; its edges by their axis and, of their lower corner, the other two
// bits.
constexpr int edgeOf(int a, int b) {
  const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2, low = a & b;
  const int u = low >> (axis + 1) % 3 & 1, v = low >> (axis + 2) % 3 & 1;
  return axis * 4 + u + 2 * v;
}

// The corners of each side, counter-clockwise seen from outside the cell.
constexpr int kSides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

constexpr double kClear = 1e-3;  // share of an edge by which points stay off its ends: no two are at one place

class March {
 public:
  March(const NodeField& f, float value, std::vector<Vec3f>& x, std::vector<Vec3f>& normal, std::vector<std::int32_t>& tri)
      : f_(f), value_(value), x_(x), normal_(normal), tri_(tri) {
    for (auto& layer : points_)
      for (auto& axis : layer) axis.assign(std::size_t(f.n.x) * std::size_t(f.n.y), -1);
  }

  // Layer by layer upwards, with the points on the edges that begin in two layers of nodes.
  void go() {
    for (Index k = 0; k < f_.n.z; ++k) {
      points_[0].swap(points_[1]);
      for (Index j = 0; j < f_.n.y; ++j)
        for (Index i = 0; i < f_.n.x; ++i)
          for (int axis = 0; axis < 3; ++axis) points_[1][std::size_t(axis)][node(i, j)] = pointOn({i, j, k}, axis);
      for (Index j = 0; k > 0 && j + 1 < f_.n.y; ++j)
        for (Index i = 0; i + 1 < f_.n.x; ++i) cell(i, j, k - 1);
    }
  }

 private:
  std::size_t node(Index i, Index j) const { return std::size_t(j) * std::size_t(f_.n.x) + std::size_t(i); }
  float at(const Vec3<Index>& p) const { return f_.value[f_.at(p.x, p.y, p.z)]; }
  bool inside(float v) const { return v > value_; }

  // Where the surface cuts the edge from node p along an axis; -1: it does not.
  std::int32_t pointOn(const Vec3<Index>& p, int axis) {
    Vec3<Index> q = p;
    if (++q[axis] >= f_.n[axis]) return -1;
    const float a = at(p), b = at(q);
    if (inside(a) == inside(b)) return -1;
    const double s = std::min(std::max((double(value_) - a) / (double(b) - a), kClear), 1 - kClear);
    Vec3d place{double(p.x), double(p.y), double(p.z)};
    place[axis] += s;
    x_.push_back(Vec3f(f_.origin + place * f_.spacing));
    const Vec3d g = gradient(p) * (1 - s) + gradient(q) * s;
    const double length = norm(g);
    normal_.push_back(length > 0 ? Vec3f(g * (-1 / length)) : Vec3f{});
    return std::int32_t(x_.size()) - 1;
  }

  // Differences across the node, one-sided at the grid's sides; in values a spacing.
  Vec3d gradient(const Vec3<Index>& p) const {
    Vec3d g;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3<Index> a = p, b = p;
      a[axis] = std::max(p[axis] - 1, Index(0));
      b[axis] = std::min(p[axis] + 1, f_.n[axis] - 1);
      g[axis] = b[axis] > a[axis] ? (double(at(b)) - at(a)) / (b[axis] - a[axis]) : 0;
    }
    return g;
  }

  // The surface enters and leaves a side of the cell about each run of corners inside: from where the walk round the side comes in,
  // to where it goes out. That leads from edge to edge in closed polygons, seen counter-clockwise from outside the surface. The
  // cell beyond the side walks it the other way round and cuts it in the same lines.
  void cell(Index i, Index j, Index k) {
    bool in[8];
    int count = 0;
    for (int c = 0; c < 8; ++c) count += in[c] = inside(at({i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)}));
    if (count == 0 || count == 8) return;
    std::array<int, 12> next;
    next.fill(-1);
    bool crossed = false;  // a side whose corners inside lie across
    for (const auto& side : kSides) {
      int runs = 0;
      for (int c = 0; c < 4; ++c) {
        if (in[side[c]] || !in[side[(c + 1) % 4]]) continue;
        int out = c + 1;
        while (in[side[(out + 1) % 4]]) ++out;
        next[std::size_t(edgeOf(side[c], side[(c + 1) % 4]))] = edgeOf(side[out % 4], side[(out + 1) % 4]);
        ++runs;
      }
      crossed = crossed || runs == 2;
    }
    for (int e = 0; e < 12; ++e) polygonFrom(e, next, crossed, i, j);
  }

  void polygonFrom(int first, std::array<int, 12>& next, bool crossed, Index i, Index j) {
    std::int32_t corner[12];
    int n = 0;
    for (int e = first; next[std::size_t(e)] >= 0;) {
      corner[n++] = pointAt(e, i, j);
      e = std::exchange(next[std::size_t(e)], -1);
    }
    if (n < 3) return;
    // the neighbour could draw the same line across such a side
    if (crossed && n > 3) return fanAboutMiddle(corner, n);
    for (int c = 1; c + 1 < n; ++c) tri_.insert(tri_.end(), {corner[0], corner[c], corner[c + 1]});
  }

  void fanAboutMiddle(const std::int32_t* corner, int n) {
    Vec3f x{}, normal{};
    for (int c = 0; c < n; ++c) {
      x += x_[std::size_t(corner[c])];
      normal += normal_[std::size_t(corner[c])];
    }
    const float length = norm(normal);
    x_.push_back(x * (1.f / float(n)));
    normal_.push_back(length > 0 ? normal * (1 / length) : normal);
    const auto middle = std::int32_t(x_.size()) - 1;
    for (int c = 0; c < n; ++c) tri_.insert(tri_.end(), {middle, corner[c], corner[(c + 1) % n]});
  }

  std::int32_t pointAt(int edge, Index i, Index j) const {
    const int axis = edge / 4, u = edge & 1, v = edge >> 1 & 1;
    Vec3<Index> low{};
    low[(axis + 1) % 3] = u;
    low[(axis + 2) % 3] = v;
    return points_[std::size_t(low.z)][std::size_t(axis)][node(i + low.x, j + low.y)];
  }

  const NodeField& f_;
  const float value_;
  std::vector<Vec3f>&x_, &normal_;
  std::vector<std::int32_t>& tri_;
  std::array<std::vector<std::int32_t>, 3> points_[2];  // by layer, axis and node: on the edge that begins there; -1: none
};

}  // namespace

void marchingCubes(const NodeField& field, float value, std::vector<Vec3f>& x, std::vector<Vec3f>& normal,
                   std::vector<std::int32_t>& tri) {
  March(field, value, x, normal, tri).go();
}

}  // namespace meniscus
