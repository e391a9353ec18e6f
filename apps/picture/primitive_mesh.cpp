#include "apps/picture/primitive_mesh.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace meniscus::picture {
namespace {

constexpr int kAround = 48;  // segments of a circle

void addQuad(TriangleMesh& m, const glm::vec3& middle, const glm::vec3& a, const glm::vec3& b) {
  const std::int32_t first = std::int32_t(m.position.size());
  const glm::vec4 n(glm::normalize(glm::cross(a, b)), 0);
  for (const auto& [s, t] : {std::pair(-.5f, -.5f), {.5f, -.5f}, {.5f, .5f}, {-.5f, .5f}}) {
    m.position.emplace_back(middle + s * a + t * b, 0);
    m.normal.push_back(n);
  }
  for (int k : {0, 1, 2, 0, 2, 3}) m.triangles.push_back(first + k);
}

// A surface of revolution about z: rings of (radius, height) from below upwards with the normals (outward, upward).
void addRings(TriangleMesh& m, const std::vector<glm::vec2>& ring, const std::vector<glm::vec2>& normal) {
  const std::int32_t first = std::int32_t(m.position.size());
  for (std::size_t r = 0; r < ring.size(); ++r)
    for (int k = 0; k <= kAround; ++k) {
      const float angle = glm::two_pi<float>() * float(k) / kAround, c = std::cos(angle), s = std::sin(angle);
      m.position.emplace_back(ring[r].x * c, ring[r].x * s, ring[r].y, 0);
      m.normal.emplace_back(normal[r].x * c, normal[r].x * s, normal[r].y, 0);
    }
  for (std::int32_t r = 0; r + 1 < std::int32_t(ring.size()); ++r)
    for (std::int32_t k = 0; k < kAround; ++k) {
      const std::int32_t a = first + r * (kAround + 1) + k, b = a + kAround + 1;
      for (std::int32_t v : {a, a + 1, b + 1, a, b + 1, b}) m.triangles.push_back(v);
    }
}

// A sphere whose halves stand `height` apart.
TriangleMesh capsule(float radius, float height) {
  std::vector<glm::vec2> ring, normal;
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k <= kAround / 4; ++k) {
      const float angle = glm::half_pi<float>() * (float(k) / (kAround / 4) - (half ? 0.f : 1.f));
      normal.emplace_back(std::cos(angle), std::sin(angle));
      ring.push_back(radius * normal.back() + glm::vec2(0, half ? height / 2 : -height / 2));
    }
  TriangleMesh m;
  addRings(m, ring, normal);
  return m;
}

TriangleMesh cylinder(float radius, float height) {
  TriangleMesh m;
  const float h = height / 2;
  addRings(m, {{0, -h}, {radius, -h}}, {{0, -1}, {0, -1}});
  addRings(m, {{radius, -h}, {radius, h}}, {{1, 0}, {1, 0}});
  addRings(m, {{radius, h}, {0, h}}, {{0, 1}, {0, 1}});
  return m;
}

TriangleMesh box(const glm::vec3& size) {
  TriangleMesh m;
  for (int axis = 0; axis < 3; ++axis) {
    glm::vec3 n(0), a(0), b(0);
    n[axis] = size[axis] / 2;
    a[(axis + 1) % 3] = size[(axis + 1) % 3];
    b[(axis + 2) % 3] = size[(axis + 2) % 3];
    addQuad(m, n, a, b);
    addQuad(m, -n, b, a);
  }
  return m;
}

TriangleMesh plane(const glm::vec3& normal, float extent) {
  const glm::vec3 n = glm::normalize(normal), other = std::abs(n.z) < 0.9f ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0);
  const glm::vec3 a = glm::normalize(glm::cross(other, n));
  TriangleMesh m;
  addQuad(m, glm::vec3(0), extent * a, extent * glm::cross(n, a));
  return m;
}

}  // namespace

TriangleMesh primitiveMesh(const Primitive& shape, float extent) {
  using K = Primitive::Kind;
  switch (shape.kind) {
    case K::box:
      return box(shape.size);
    case K::sphere:
      return capsule(shape.radius, 0);
    case K::capsule:
      return capsule(shape.radius, shape.height);
    case K::cylinder:
      return cylinder(shape.radius, shape.height);
    case K::plane:
      return plane(shape.normal, extent);
    case K::sheet: {
      TriangleMesh m;
      addQuad(m, glm::vec3(0), {shape.size.x, 0, 0}, {0, shape.size.y, 0});
      return m;
    }
    case K::mesh:
      return {};
  }
  return {};
}

}  // namespace meniscus::picture
