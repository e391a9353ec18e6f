#include "engine/output/surface_nets.h"

namespace meniscus {
namespace {

class Net {
 public:
  Net(const NodeField& f, float value, std::vector<Vec3f>& x, std::vector<Vec3f>& normal, std::vector<std::int32_t>& tri)
      : f_(f), value_(value), x_(x), normal_(normal), tri_(tri) {
    for (auto& layer : point_) layer.assign(std::size_t(f.n.x) * std::size_t(f.n.y), -1);
  }

  // Layer by layer upwards, the points of two layers of cells at hand.
  void cast() {
    for (Index k = 0; k + 1 < f_.n.z; ++k) {
      point_[0].swap(point_[1]);
      for (Index j = 0; j + 1 < f_.n.y; ++j)
        for (Index i = 0; i + 1 < f_.n.x; ++i) point_[1][cell(i, j)] = pointIn(i, j, k);
      for (Index j = 0; j + 1 < f_.n.y; ++j)
        for (Index i = 0; i + 1 < f_.n.x; ++i) edgesAt(i, j, k);
    }
  }

 private:
  std::size_t cell(Index i, Index j) const { return std::size_t(j) * std::size_t(f_.n.x) + std::size_t(i); }
  float at(Index i, Index j, Index k) const { return f_.value[f_.at(i, j, k)]; }
  bool inside(float v) const { return v > value_; }

  // The mean of where the surface cuts the cell's edges; -1: it does not.
  std::int32_t pointIn(Index i, Index j, Index k) {
    float corner[8];
    int in = 0;
    for (int c = 0; c < 8; ++c) {
      corner[c] = at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
      in += inside(corner[c]);
    }
    if (in == 0 || in == 8) return -1;
    Vec3d sum{};
    int cuts = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int c = 0; c < 8; ++c) {
        if (c >> axis & 1) continue;
        const float a = corner[c], b = corner[c | 1 << axis];
        if (inside(a) == inside(b)) continue;
        Vec3d p{double(c & 1), double(c >> 1 & 1), double(c >> 2)};
        p[axis] = (double(value_) - a) / (double(b) - a);
        sum += p;
        ++cuts;
      }
    const Vec3d p = sum * (1.0 / cuts);
    x_.push_back(Vec3f(f_.origin + (Vec3d{double(i), double(j), double(k)} + p) * f_.spacing));
    normal_.push_back(normalAt(corner, p));
    return std::int32_t(x_.size()) - 1;
  }

  // Against the gradient of the corners' values between them.
  static Vec3f normalAt(const float (&corner)[8], const Vec3d& p) {
    Vec3d g{};
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int c = 0; c < 8; ++c) {
        if (c >> axis & 1) continue;
        const double share = (c >> u & 1 ? p[u] : 1 - p[u]) * (c >> v & 1 ? p[v] : 1 - p[v]);
        g[axis] += share * (double(corner[c]) - corner[c | 1 << axis]);
      }
    }
    const double length = norm(g);
    return length > 0 ? Vec3f(g * (1 / length)) : Vec3f{};
  }

  // The three edges that begin at node (i, j, k), where the surface cuts them between four cells. The outermost nodes have none.
  void edgesAt(Index i, Index j, Index k) {
    const bool in = inside(at(i, j, k));
    if (j > 0 && k > 0 && in != inside(at(i + 1, j, k)))
      quad(in, point_[0][cell(i, j - 1)], point_[0][cell(i, j)], point_[1][cell(i, j)], point_[1][cell(i, j - 1)]);
    if (i > 0 && k > 0 && in != inside(at(i, j + 1, k)))
      quad(in, point_[0][cell(i - 1, j)], point_[1][cell(i - 1, j)], point_[1][cell(i, j)], point_[0][cell(i, j)]);
    if (i > 0 && j > 0 && in != inside(at(i, j, k + 1)))
      quad(in, point_[1][cell(i - 1, j - 1)], point_[1][cell(i, j - 1)], point_[1][cell(i, j)], point_[1][cell(i - 1, j)]);
  }

  // a b c d go round the edge counter-clockwise seen from its far end. Cut along the shorter diagonal.
  void quad(bool beginInside, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    if (!beginInside) std::swap(b, d);
    const auto distance = [&](std::int32_t p, std::int32_t q) { return norm2(x_[std::size_t(p)] - x_[std::size_t(q)]); };
    if (distance(a, c) <= distance(b, d))
      tri_.insert(tri_.end(), {a, b, c, a, c, d});
    else
      tri_.insert(tri_.end(), {a, b, d, b, c, d});
  }

  const NodeField& f_;
  const float value_;
  std::vector<Vec3f>&x_, &normal_;
  std::vector<std::int32_t>& tri_;
  std::vector<std::int32_t> point_[2];  // of the cells of the layer below, and of this one
};

}  // namespace

void surfaceNets(const NodeField& field, float value, std::vector<Vec3f>& x, std::vector<Vec3f>& normal,
                 std::vector<std::int32_t>& tri) {
  Net(field, value, x, normal, tri).cast();
}

}  // namespace meniscus
