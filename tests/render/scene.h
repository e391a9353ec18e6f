// Pictures for the tests, and the context they are drawn in.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/render/headless.h"
#include "engine/render/renderer.h"

namespace meniscus::render {

// One context for the whole program; null with the reason where there is none.
inline HeadlessContext* context(std::string* why = nullptr) {
  static std::string reason;
  static HeadlessContext* shared = [] {
    try {
      return new HeadlessContext(true);
    } catch (const Error& e) {
      reason = e.what();
      return static_cast<HeadlessContext*>(nullptr);
    }
  }();
  if (why) *why = reason;
  return shared;
}

#define NEEDS_OPENGL()   \
  std::string noContext; \
  if (!meniscus::render::context(&noContext)) GTEST_SKIP() << noContext

// A mesh with its arrays.
struct OwnedMesh {
  std::vector<glm::vec4> nodes, normals;
  std::vector<float> values;
  std::vector<std::int32_t> triangles;
  std::vector<Edge> edges;

  Mesh view() const;
};

inline Floats floatsOf(const std::vector<glm::vec4>& v) { return {v.empty() ? nullptr : &v[0].x, sizeof(glm::vec4), v.size(), 0}; }
inline Floats floatsOf(const std::vector<float>& v) { return {v.data(), sizeof(float), v.size(), 0}; }

inline Mesh OwnedMesh::view() const {
  Mesh m;
  m.position = floatsOf(nodes);
  m.normal = floatsOf(normals);
  m.value = floatsOf(values);
  m.triangles = triangles.data();
  m.triangleCount = triangles.size() / 3;
  m.edges = edges.data();
  m.edgeCount = edges.size();
  return m;
}

// A grid of 12 x 10 x 9 cells in the unit cube's lower part, with values that grow evenly along x and smoke about its middle.
struct OwnedGrid {
  glm::ivec3 cells{12, 10, 9};
  float cell = 1 / 12.f;
  std::vector<float> value, density;
  bool plane = false;

  explicit OwnedGrid(bool inPlane = false) : plane(inPlane) {
    if (plane) cells.y = 1;
    for (int z = 0; z < cells.z; ++z)
      for (int y = 0; y < cells.y; ++y)
        for (int x = 0; x < cells.x; ++x) {
          const glm::vec3 at = (glm::vec3(x, y, z) + .5f) * cell, away = at - glm::vec3(.5f, .4f, .4f);
          value.push_back(at.x);
          density.push_back(std::max(0.f, 1 - glm::dot(away, away) / .09f));
        }
  }
  // low: its lower corner.
  Grid view(const glm::vec3& low = glm::vec3(0)) const { return {cells, low, cell, value.data(), density.data(), plane, 1}; }
};

// A sphere of rings x 2 rings quads, triangles outward; its edges have the colours 0..5 in turn.
inline OwnedMesh ball(const glm::vec3& center, float radius, int rings) {
  OwnedMesh m;
  const float pi = 3.14159265f;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j <= 2 * rings; ++j) {
      const float a = pi * static_cast<float>(i) / static_cast<float>(rings),
                  b = pi * static_cast<float>(j) / static_cast<float>(rings);
      const glm::vec3 n(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
      m.nodes.emplace_back(center + n * radius, 1);
      m.normals.emplace_back(n, 0);
    }
  }
  const int row = 2 * rings + 1;
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < 2 * rings; ++j) {
      const int a = i * row + j, b = a + row;
      m.triangles.insert(m.triangles.end(), {a, b, b + 1, a, b + 1, a + 1});
      m.edges.push_back({a, b, (i + j) % 6});
      m.edges.push_back({a, a + 1, (i + j + 3) % 6});
    }
  }
  return m;
}

// A waving square sheet of n x n quads about `center`.
inline OwnedMesh cloth(const glm::vec3& center, float side, int n) {
  OwnedMesh m;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const float u = static_cast<float>(i) / static_cast<float>(n) - .5f, v = static_cast<float>(j) / static_cast<float>(n) - .5f;
      m.nodes.emplace_back(center + glm::vec3(u, v, .08f * std::sin(9 * u) * std::cos(7 * v)) * side, 1);
      const glm::vec3 normal(-.72f * std::cos(9 * u) * std::cos(7 * v), .56f * std::sin(9 * u) * std::sin(7 * v), 1);
      m.normals.emplace_back(glm::normalize(normal), 0);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + n + 1;
      m.triangles.insert(m.triangles.end(), {a, b, b + 1, a, b + 1, a + 1});
      m.edges.push_back({a, b, (i % 2)});
      m.edges.push_back({a, a + 1, 2 + (j % 2)});
    }
  }
  return m;
}

// About `count` particles that fill low..high in a cubic lattice, their surface waving; returns their radius.
inline float water(const glm::vec3& low, const glm::vec3& high, int count, std::vector<glm::vec4>& p) {
  const glm::vec3 size = high - low;
  const float d = std::cbrt(size.x * size.y * size.z / static_cast<float>(count));
  for (float x = low.x + d / 2; x < high.x; x += d) {
    for (float y = low.y + d / 2; y < high.y; y += d) {
      const float top = low.z + size.z * (.85f + .15f * std::sin(6 * (x - low.x) / size.x) * std::cos(5 * (y - low.y) / size.y));
      for (float z = low.z + d / 2; z < top; z += d) p.emplace_back(x, y, z, 1);
    }
  }
  return d / 2;
}

}  // namespace meniscus::render
