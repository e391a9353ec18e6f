#include "engine/output/plane_surface.h"

#include <algorithm>
#include <array>

namespace meniscus {
namespace {

// The corners of a bar's cross-section: across its line in the plane, and along y.
constexpr std::array<std::array<double, 2>, 4> kCorners = {{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};

class Builder {
 public:
  std::int32_t point(const Vec3d& x, const Vec3d& n, std::int32_t of) {
    s_.x.push_back(x);
    s_.n.push_back(n);
    s_.of.push_back(of);
    return std::int32_t(s_.x.size()) - 1;
  }
  // Wound so that it is seen from the side that its normals point to.
  void triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    const auto at = [&](std::int32_t k) { return s_.x[std::size_t(k)]; };
    const Vec3d n = s_.n[std::size_t(a)] + s_.n[std::size_t(b)] + s_.n[std::size_t(c)];
    const bool outward = dot(cross(at(b) - at(a), at(c) - at(a)), n) >= 0;
    for (const std::int32_t k : {a, outward ? b : c, outward ? c : b}) s_.tri.push_back(k);
  }
  void quad(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  PlaneSurface take() { return std::move(s_); }

 private:
  PlaneSurface s_;
};

Vec3d unitOf(const Vec3d& v) { return norm(v) > 0 ? normalized(v) : Vec3d{}; }

void closeEnd(Builder& b, const Vec3d& x, std::int32_t of, const Vec3d& along, double half) {
  const Vec3d side{along.z, 0, -along.x};
  std::int32_t corner[4];
  for (std::size_t k = 0; k < 4; ++k)
    corner[k] = b.point(x + (side * kCorners[k][0] + Vec3d{0, kCorners[k][1], 0}) * half, along, of);
  b.quad(corner[0], corner[1], corner[2], corner[3]);
}

// A front and a back of triangles about the mean of the points, and the sides between them: no thicker in the plane than it is.
void fill(Builder& b, const std::vector<Vec3d>& x, const std::vector<std::int32_t>& line, double half) {
  Vec3d middle{};
  for (const Vec3d& p : x) middle += p * (1 / double(x.size()));
  for (const double side : {-1., 1.}) {
    const Vec3d n{0, side, 0}, away = n * half;
    const std::int32_t center = b.point(middle + away, n, -1), first = center + 1;
    for (std::size_t i = 0; i < x.size(); ++i) b.point(x[i] + away, n, std::int32_t(i));
    for (std::size_t e = 0; e + 1 < line.size(); e += 2) b.triangle(center, first + line[e], first + line[e + 1]);
  }
  for (std::size_t e = 0; e + 1 < line.size(); e += 2) {
    const std::int32_t end[2] = {line[e], line[e + 1]};
    const Vec3d &from = x[std::size_t(end[0])], along = unitOf(x[std::size_t(end[1])] - from), side{along.z, 0, -along.x};
    const Vec3d n = side * (dot(side, from - middle) < 0 ? -1. : 1.);
    std::int32_t corner[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int32_t i = end[k / 2];
      corner[k] = b.point(x[std::size_t(i)] + Vec3d{0, k == 0 || k == 3 ? half : -half, 0}, n, i);
    }
    b.quad(corner[0], corner[1], corner[2], corner[3]);
  }
}

// A bar about each line, joined to the next.
void bars(Builder& b, const std::vector<Vec3d>& x, const std::vector<std::int32_t>& line, double half) {
  std::vector<Vec3d> along(x.size());
  std::vector<int> edges(x.size(), 0), leaves(x.size(), 0);
  for (std::size_t e = 0; e + 1 < line.size(); e += 2) {
    const auto a = std::size_t(line[e]), c = std::size_t(line[e + 1]);
    const Vec3d d = unitOf(x[c] - x[a]);
    along[a] += d;
    along[c] += d;
    ++edges[a];
    ++edges[c];
    ++leaves[a];
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    along[i] = unitOf(along[i]);
    const Vec3d side{along[i].z, 0, -along[i].x};
    for (const auto& c : kCorners) {
      const Vec3d out = side * c[0] + Vec3d{0, c[1], 0};
      b.point(x[i] + out * half, unitOf(out), std::int32_t(i));
    }
  }
  for (std::size_t e = 0; e + 1 < line.size(); e += 2)
    for (std::int32_t k = 0; k < 4; ++k) {
      const std::int32_t next = (k + 1) % 4, from = 4 * line[e], to = 4 * line[e + 1];
      b.quad(from + k, to + k, to + next, from + next);
    }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (edges[i] == 1) closeEnd(b, x[i], std::int32_t(i), leaves[i] ? along[i] * -1.0 : along[i], half);
}

// Each point is between two lines.
bool isClosed(std::size_t points, const std::vector<std::int32_t>& line) {
  std::vector<int> ends(points, 0);
  for (const std::int32_t i : line) ++ends[std::size_t(i)];
  return points > 2 && std::all_of(ends.begin(), ends.end(), [](int n) { return n == 2; });
}

}  // namespace

PlaneSurface planeSurface(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& line, double thickness, bool solid) {
  Builder b;
  (solid && isClosed(x.size(), line) ? fill : bars)(b, x, line, 0.5 * thickness);
  return b.take();
}

}  // namespace meniscus
