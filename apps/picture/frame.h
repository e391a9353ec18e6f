// A scene at one time, copied so that it can be drawn while the scene goes on.
#pragma once

#include <meniscus/meniscus.h>

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "apps/picture/colouring.h"
#include "apps/picture/gl_positions.h"
#include "apps/picture/scene_facts.h"
#include "engine/render/picture.h"

namespace meniscus::picture {

struct FluidFrame {
  std::vector<glm::vec4> position;  // xyz [m] and inverse mass [1/kg]
  std::vector<float> value;         // of the quantity that colours; empty: none
  unsigned buffer = 0;              // of OpenGL, that has the positions instead; 0: none
  std::size_t inBuffer = 0;         // positions in it
};

struct BodyFrame {
  std::string name;
  mnsBodyId id{};
  mnsBodyKind kind = MNS_BODY_STATIC;
  bool sheet = false;      // seen from both sides
  bool container = false;  // fluid is inside and should be seen
  std::vector<glm::vec4> position, normal;
  std::vector<float> value;
  std::vector<std::int32_t> triangles;
  std::vector<render::Edge> edges;  // of constraints
  std::uint32_t revision = 0;       // changes with the triangles
  std::vector<std::int32_t> node;   // of each point of the surface: the node it moves with; empty: they are the nodes
};

// Of a fluid on a grid; no cells: the scene is of particles.
struct GridFrame {
  glm::ivec3 cells{0};
  glm::vec3 low{0};            // m, lower corner of the first cell
  float cell = 0;              // m
  bool plane = false;          // in two dimensions: one layer of cells
  bool water = false;          // with a surface; else smoke
  std::vector<float> value;    // by cell: of the quantity that colours slices
  std::vector<float> own;      // by cell: the level set [m] of water, the density of smoke
  std::uint64_t revision = 0;  // changes with the values
};

struct Frame {
  double time = 0;          // s
  std::uint64_t steps = 0;  // since the start
  std::vector<FluidFrame> fluids;
  std::vector<BodyFrame> bodies;
  GridFrame grid;
  FluidQuantity fluidQuantity = FluidQuantity::none;
  MeshQuantity meshQuantity = MeshQuantity::none;
  Range fluidRange, meshRange;  // of the values
  // J, of the fluid; the latter against gravity from the origin. Not numbers where positions were not copied.
  float kineticEnergy = 0, potentialEnergy = 0;
};

// The bodies of a scene, which need not be started: names, kinds, how they are seen. The arrays of one that was in its place before
// stay. Throws Error where the library refuses.
void listBodies(mnsScene* scene, std::vector<BodyFrame>& bodies);

// Copies frames out of a started scene; keeps what does not change between them.
class FrameReader {
 public:
  explicit FrameReader(const SceneFacts& facts) : facts_(facts) {}
  // Throws Error where the library refuses. Memory of `frame` is used again. shared: where it can give the positions of the one
  // fluid there is, they are not copied.
  void read(mnsScene* scene, const Colouring& colouring, Frame& frame, GlPositions* shared = nullptr);
  // The energies alone, of a scene of particles; positions and velocities come to the host for it.
  void readEnergies(mnsScene* scene, Frame& frame) const;

 private:
  bool readShared(mnsScene* scene, FluidQuantity quantity, Frame& frame, GlPositions* shared);
  void readFluids(mnsScene* scene, FluidQuantity quantity, Frame& frame);
  void readGrid(mnsScene* scene, FluidQuantity quantity, Frame& frame);
  void readBody(mnsScene* scene, MeshQuantity quantity, BodyFrame& body);
  void readTriangles(mnsScene* scene, BodyFrame& body);
  void findNodes(mnsScene* scene, BodyFrame& body) const;

  SceneFacts facts_;
  std::vector<float> value_, some_;
  std::uint64_t gridRevision_ = 0;
};

// Steps of the scene's length since the start: on a grid they are cut into some that are counted each.
std::uint64_t stepsOf(const mnsStatistics& statistics, const SceneFacts& facts);

// What colours a slice of a grid where this is asked for.
FluidQuantity gridQuantity(FluidQuantity asked, bool water);

// The range of the bodies' values: from zero, or for stretch as far below zero as above.
Range rangeOfBodies(const Frame& frame);

// The box around all that moves, or the domain where nothing is [m]. more: particles that the frame has in a buffer only.
void boundsOf(const Frame& frame, const SceneFacts& facts, glm::vec3& low, glm::vec3& high,
              const std::vector<glm::vec4>& more = {});

}  // namespace meniscus::picture
