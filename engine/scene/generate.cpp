#include "engine/scene/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace meniscus {

namespace {

constexpr double kPi = 3.14159265358979323846;

int divisions(double length, double edge, int least) { return std::max(least, int(std::lround(std::min(length / edge, 1e5)))); }

// Vertices shared by whoever asks with the same key.
template <class Key>
struct Welder {
  SurfaceMesh& mesh;
  std::map<Key, Index> known;
  Index at(const Key& key, const Vec3d& x) {
    const auto [it, added] = known.emplace(key, Index(mesh.x.size()));
    if (added) mesh.x.push_back(x);
    return it->second;
  }
};

void addTriangle(SurfaceMesh& m, Index a, Index b, Index c) { m.tri.insert(m.tri.end(), {a, b, c}); }

// Corners counter-clockwise; the diagonal alternates with the parity, so that a sheet has no preferred direction.
void addQuad(SurfaceMesh& m, const std::array<Index, 4>& q, bool odd) {
  if (odd) {
    addTriangle(m, q[0], q[1], q[3]);
    addTriangle(m, q[1], q[2], q[3]);
  } else {
    addTriangle(m, q[0], q[1], q[2]);
    addTriangle(m, q[0], q[2], q[3]);
  }
}

struct Ring {
  Index begin = 0;
  int count = 0;
  double offset = 0;  // angle of the first point, in turns
};

// The strip between a lower and an upper ring, wound outwards: always the side whose next point comes first advances.
void stitch(SurfaceMesh& m, const Ring& a, const Ring& b) {
  const auto angle = [](const Ring& r, int k) { return r.offset + double(k) / r.count; };
  const auto point = [](const Ring& r, int k) { return r.begin + k % r.count; };
  int i = 0, j = 0;
  while (i < a.count || j < b.count) {
    const bool advanceA = j == b.count || (i < a.count && (a.count == 1 ? false : angle(a, i + 1) <= angle(b, j + 1)));
    if (advanceA && a.count > 1) {
      if (b.count == 1)
        addTriangle(m, point(a, i), point(a, i + 1), b.begin);
      else
        addTriangle(m, point(a, i), point(a, i + 1), point(b, j));
      ++i;
    } else if (!advanceA && b.count > 1) {
      addTriangle(m, point(a, i), point(b, j + 1), point(b, j));
      ++j;
    } else {
      (advanceA ? i : j) += 1;  // a pole has one point and no edge
    }
  }
}

struct ProfilePoint {
  double r, z;
};

// Surface of revolution about z; the profile goes from below to above. It is closed where r = 0 at both ends, its poles.
SurfaceMesh revolve(const std::vector<ProfilePoint>& profile, double edge) {
  SurfaceMesh m;
  Ring before;
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const bool pole = profile[k].r == 0;
    Ring ring;
    ring.begin = Index(m.x.size());
    ring.count = pole ? 1 : divisions(2 * kPi * profile[k].r, edge, 6);
    ring.offset = pole ? 0 : 0.5 * double(k % 2) / ring.count;  // every other ring half a step on: better triangles
    for (int i = 0; i < ring.count; ++i) {
      const double turn = 2 * kPi * (ring.offset + double(i) / ring.count);
      m.x.push_back({profile[k].r * std::cos(turn), profile[k].r * std::sin(turn), profile[k].z});
    }
    if (k > 0) stitch(m, before, ring);
    before = ring;
  }
  return m;
}

}  // namespace

SurfaceMesh makeSheet(double sizeX, double sizeY, double edge) {
  const int nx = divisions(sizeX, edge, 1), ny = divisions(sizeY, edge, 1);
  SurfaceMesh m;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) m.x.push_back({sizeX * (double(i) / nx - 0.5), sizeY * (double(j) / ny - 0.5), 0});
  const auto at = [&](int i, int j) { return Index(j * (nx + 1) + i); };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) addQuad(m, {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}, (i + j) % 2 == 1);
  return m;
}

SurfaceMesh makeBox(const Vec3d& size, double edge) {
  const int n[3] = {divisions(size.x, edge, 1), divisions(size.y, edge, 1), divisions(size.z, edge, 1)};
  SurfaceMesh m;
  Welder<std::array<int, 3>> weld{m, {}};
  const auto at = [&](const std::array<int, 3>& c) {
    Vec3d x;
    for (int k = 0; k < 3; ++k) x[k] = size[k] * (double(c[std::size_t(k)]) / n[k] - 0.5);
    return weld.at(c, x);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < n[v]; ++j)
        for (int i = 0; i < n[u]; ++i) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> c{};
            c[std::size_t(axis)] = side * n[axis];
            c[std::size_t(u)] = i + di;
            c[std::size_t(v)] = j + dj;
            return at(c);
          };
          std::array<Index, 4> q = {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
          if (side == 0) std::swap(q[1], q[3]);
          addQuad(m, q, (i + j) % 2 == 1);
        }
  }
  return m;
}

SurfaceMesh makeSphere(double radius, double edge) {
  // 20 f^2 triangles on 4 pi R^2 have a mean edge of 1.2046 R / f
  const int f = divisions(1.2046 * radius, edge, 1);
  const double p = (1 + std::sqrt(5.0)) / 2;
  const Vec3d corner[12] = {{-1, p, 0},  {1, p, 0},  {-1, -p, 0}, {1, -p, 0}, {0, -1, p},  {0, 1, p},
                            {0, -1, -p}, {0, 1, -p}, {p, 0, -1},  {p, 0, 1},  {-p, 0, -1}, {-p, 0, 1}};
  const int face[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  SurfaceMesh m;
  using Key = std::array<std::pair<int, int>, 3>;  // (corner, weight), sorted; weight 0 stands as corner -1
  Welder<Key> weld{m, {}};
  for (const auto& t : face) {
    const auto at = [&](int i, int j) {
      const int w[3] = {f - i - j, i, j};
      Key key;
      for (int k = 0; k < 3; ++k) key[std::size_t(k)] = {w[k] ? t[k] : -1, w[k]};
      std::sort(key.begin(), key.end());
      Vec3d x{};
      for (const auto& [c, weight] : key)  // in the key's order: the same bits from both faces of an edge
        if (c >= 0) x += corner[c] * double(weight);
      return weld.at(key, normalized(x) * radius);
    };
    for (int j = 0; j < f; ++j)
      for (int i = 0; i + j < f; ++i) {
        addTriangle(m, at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 1 < f) addTriangle(m, at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
  }
  return m;
}

SurfaceMesh makeOpenSphere(double radius, double mouth, double edge) {
  const double first = std::asin(mouth / radius);  // from the lower pole
  const int n = divisions(radius * (kPi - first), edge, 2);
  std::vector<ProfilePoint> profile;
  for (int k = 0; k < n; ++k) {
    const double angle = first + (kPi - first) * k / n;
    profile.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  profile.push_back({0, radius});
  return revolve(profile, edge);
}

SurfaceMesh makeCylinder(double radius, double height, double edge) {
  const int nr = divisions(radius, edge, 1), nz = divisions(height, edge, 1);
  std::vector<ProfilePoint> profile;
  for (int k = 0; k < nr; ++k) profile.push_back({radius * k / nr, -height / 2});
  for (int k = 0; k <= nz; ++k) profile.push_back({radius, height * (double(k) / nz - 0.5)});
  for (int k = nr - 1; k >= 0; --k) profile.push_back({radius * k / nr, height / 2});
  return revolve(profile, edge);
}

SurfaceMesh makeCapsule(double radius, double height, double edge) {
  const int na = divisions(radius * kPi / 2, edge, 2), nz = divisions(height, edge, 1);
  std::vector<ProfilePoint> profile;
  for (int k = 0; k < na; ++k)
    profile.push_back({radius * std::sin(kPi / 2 * k / na), -height / 2 - radius * std::cos(kPi / 2 * k / na)});
  for (int k = 0; k <= nz; ++k) profile.push_back({radius, height * (double(k) / nz - 0.5)});
  for (int k = na - 1; k >= 0; --k)
    profile.push_back({radius * std::sin(kPi / 2 * k / na), height / 2 + radius * std::cos(kPi / 2 * k / na)});
  return revolve(profile, edge);
}

SurfaceMesh makeSurface(const ShapeDef& shape, double edge) {
  switch (shape.kind) {
    case ShapeKind::box:
      return makeBox(shape.size, edge);
    case ShapeKind::sphere:
      return shape.mouth > 0 ? makeOpenSphere(shape.radius, shape.mouth, edge) : makeSphere(shape.radius, edge);
    case ShapeKind::cylinder:
      return makeCylinder(shape.radius, shape.height, edge);
    case ShapeKind::capsule:
      return makeCapsule(shape.radius, shape.height, edge);
    case ShapeKind::sheet:
      return makeSheet(shape.size.x, shape.size.y, edge);
    case ShapeKind::plane:
    case ShapeKind::mesh:
      break;
  }
  return {};
}

void place(std::vector<Vec3d>& x, const Transform& t) {
  for (Vec3d& p : x) p = t.rotate.rotate({p.x * t.scale.x, p.y * t.scale.y, p.z * t.scale.z}) + t.translate;
}

double enclosedVolume(const SurfaceMesh& m) {
  double six = 0;
  const Vec3d o = m.x.empty() ? Vec3d{} : m.x[0];  // near the mesh: less cancellation
  for (std::size_t t = 0; t + 2 < m.tri.size(); t += 3) {
    const auto at = [&](std::size_t k) { return m.x[std::size_t(m.tri[t + k])] - o; };
    six += dot(at(0), cross(at(1), at(2)));
  }
  return six / 6;
}

}  // namespace meniscus
