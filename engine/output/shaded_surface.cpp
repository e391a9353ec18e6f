#include "engine/output/shaded_surface.h"

#include <cmath>
#include <numeric>

namespace meniscus {
namespace {

Vec3d areaOf(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& tri, std::size_t t) {
  const auto at = [&](std::size_t k) { return x[std::size_t(tri[3 * t + k])]; };
  return cross(at(1) - at(0), at(2) - at(0));
}

Vec3d unitOf(const Vec3d& v) { return norm(v) > 0 ? normalized(v) : Vec3d{}; }

// Of each point, the triangles that meet in it.
std::vector<std::vector<std::int32_t>> trianglesAround(std::size_t points, const std::vector<std::int32_t>& tri) {
  std::vector<std::vector<std::int32_t>> around(points);
  for (std::size_t c = 0; c < tri.size(); ++c) around[std::size_t(tri[c])].push_back(std::int32_t(c / 3));
  return around;
}

// The surface's own points, those of no triangle too.
ShadedSurface smoothSurface(std::size_t points, const std::vector<std::int32_t>& tri) {
  ShadedSurface out;
  out.point.resize(points);
  std::iota(out.point.begin(), out.point.end(), 0);
  out.tri = tri;
  out.faceBegin.push_back(0);
  for (const std::vector<std::int32_t>& faces : trianglesAround(points, tri)) {
    out.face.insert(out.face.end(), faces.begin(), faces.end());
    out.faceBegin.push_back(std::int32_t(out.face.size()));
  }
  return out;
}

}  // namespace

std::vector<Vec3d> ShadedSurface::normals(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& triangles) const {
  std::vector<Vec3d> area(triangles.size() / 3), n(point.size());
  for (std::size_t t = 0; t < area.size(); ++t) area[t] = areaOf(x, triangles, t);
  for (std::size_t k = 0; k < point.size(); ++k) {
    Vec3d sum{};
    for (std::int32_t f = faceBegin[k]; f < faceBegin[k + 1]; ++f) sum += area[std::size_t(face[std::size_t(f)])];
    n[k] = unitOf(sum);
  }
  return n;
}

ShadedSurface shadedSurface(const std::vector<Vec3d>& x, const std::vector<std::int32_t>& tri, double degrees) {
  if (degrees >= 180) return smoothSurface(x.size(), tri);
  const std::size_t corners = tri.size();
  std::vector<Vec3d> area(corners / 3), unit(corners / 3);
  for (std::size_t t = 0; t < area.size(); ++t) unit[t] = unitOf(area[t] = areaOf(x, tri, t));
  const double smooth = std::cos(degrees * 3.14159265358979323846 / 180);
  const auto around = trianglesAround(x.size(), tri);
  ShadedSurface out;
  std::vector<Vec3d> normal;                                // of the points made
  std::vector<std::vector<std::int32_t>> copies(x.size());  // those made of each point
  out.faceBegin.push_back(0);
  const auto add = [&](std::size_t point, const std::vector<std::int32_t>& faces, const Vec3d& n) {
    copies[point].push_back(std::int32_t(out.point.size()));
    out.point.push_back(std::int32_t(point));
    out.face.insert(out.face.end(), faces.begin(), faces.end());
    out.faceBegin.push_back(std::int32_t(out.face.size()));
    normal.push_back(n);
    return copies[point].back();
  };
  std::vector<std::int32_t> faces;
  for (std::size_t c = 0; c < corners; ++c) {
    const std::size_t point = std::size_t(tri[c]);
    faces.clear();
    Vec3d n{};
    for (const std::int32_t t : around[point])
      if (dot(unit[std::size_t(t)], unit[c / 3]) >= smooth) {
        faces.push_back(t);
        n += area[std::size_t(t)];
      }
    n = unitOf(n);
    std::int32_t found = -1;
    for (const std::int32_t k : copies[point])
      if (norm(normal[std::size_t(k)] - n) < 1e-9) found = k;
    out.tri.push_back(found < 0 ? add(point, faces, n) : found);
  }
  return out;
}

}  // namespace meniscus
