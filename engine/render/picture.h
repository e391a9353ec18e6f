// What is drawn: arrays of the caller's, which stay where they are until the frame is drawn. Lengths in m, z up unless `up` says
// otherwise; colours linear RGB in 0..1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace meniscus::render {

// A float array: `count` items of `stride` bytes. buffer: where it is a buffer object of the current context instead, and data
// null.
struct Floats {
  const float* data = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  unsigned buffer = 0;
};

// One fluid's particles.
struct ParticleSet {
  Floats position;       // xyz and one more, which is not read
  Floats value;          // what colours them, one float each; empty: `colour`
  float radius = 0.01f;  // m: half the spacing
  glm::vec3 colour{.1f, .35f, .7f};
  glm::vec3 absorption{1.8f, .6f, .35f};  // 1/m, by which light fades in it
};

// A line between two nodes of a mesh, drawn by the colour of its class (a constraint's colour).
struct Edge {
  std::int32_t a = 0, b = 0, colour = 0;
};

// The surface of a body: a sheet, or closed with its triangles outward.
struct Mesh {
  Floats position;                          // by node: xyz and one more
  Floats normal;                            // by node, unit: xyz and one more; empty: by triangle
  Floats value;                             // by node, what colours it; empty: `colour`
  const std::int32_t* triangles = nullptr;  // three nodes each
  std::size_t triangleCount = 0;
  const Edge* edges = nullptr;
  std::size_t edgeCount = 0;
  glm::vec3 colour{.8f, .45f, .25f};
  float opacity = 1;   // below 1 the fluid behind shows through
  bool sheet = false;  // seen from both sides
  bool solid = false;  // closed and full: a fluid on a grid has no room in it
  bool selected = false;
  std::uint32_t revision = 0;  // changes whenever the triangles do: they are sent once for each value
};

// A fluid on a grid: values at the centres of cells, x fastest, then y, then z.
struct Grid {
  glm::ivec3 cells{0};              // none: there is no grid
  glm::vec3 low{0};                 // lower corner of the first cell
  float cell = 0;                   // edge of a cell
  const float* value = nullptr;     // what colours slices; null: nothing does
  const float* density = nullptr;   // of smoke, 1 where it is thick; null: there is none
  bool plane = false;               // one layer of cells, which is shown as a slice
  std::uint64_t revision = 0;       // changes whenever the values do: they are sent once for each value
  const float* levelSet = nullptr;  // of water: distance to its surface [m], negative in it; null: there is none
  bool ofWater = false;             // the values are the water's: slices show none in the air

  glm::vec3 high() const { return low + glm::vec3(cells) * cell; }
};

struct Picture {
  std::vector<ParticleSet> fluids;
  std::vector<Mesh> meshes;
  Grid grid;
  glm::vec3 low{0}, high{1};  // the domain [m]
  bool wall[6] = {};          // its sides -x +x -y +y -z +z that are walls
  glm::vec3 up{0, 0, 1};      // against gravity
  double time = 0;            // s
};

}  // namespace meniscus::render
