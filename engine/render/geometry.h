// A Picture's arrays as buffers of the context: sent each frame, or used where they already are buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/render/gl_object.h"
#include "engine/render/picture.h"

namespace meniscus::render {

struct ParticleSlot {
  Buffer position, value;
  Buffer drawn;                      // by particle.comp
  VertexArray centres, drawnPoints;  // the positions and `drawn` as attribute 0
};

struct MeshSlot {
  VertexArray array;
  Buffer position, normal, value, index, edges;
  std::uint32_t revision = 0;
  const std::int32_t* triangles = nullptr;
  std::size_t triangleCount = 0;
};

// The buffer that holds `floats`: the caller's, or `own` after they were put there. itemBytes: what is read of an item.
GLuint bufferOf(const Floats& floats, std::size_t itemBytes, Buffer& own);

inline int strideOf(const Floats& floats) { return static_cast<int>(floats.stride / sizeof(float)); }
inline bool given(const Floats& floats) { return floats.count > 0 && (floats.data || floats.buffer); }

class Geometry {
 public:
  // Sends all of the picture that is drawn.
  void send(const Picture& picture, bool fluids, bool meshes, bool edges);

  // Particles [fluid] at storage bindings 0 and 1, what shaders make of them at 2.
  void bindParticles(const Picture& picture, std::size_t fluid);
  // Its positions, or what particle.comp made of them, one vertex a particle.
  void bindCentres(const Picture& picture, std::size_t fluid);
  void bindPoints(std::size_t fluid);
  // Indices of the picture's meshes, the farthest from the eye first, by the means of some of their nodes. Good until the next
  // call.
  const std::vector<std::size_t>& farFirst(const Picture& picture, const glm::mat4& view);
  // The triangles of mesh [i].
  void drawMesh(const Picture& picture, std::size_t i);
  // Binds the nodes and the edges of mesh [i] at storage bindings 0 and 1.
  void bindEdges(const Picture& picture, std::size_t i);

  VertexArray nothing;  // for shaders that pull what they need

 private:
  void sendMesh(const Mesh& mesh, MeshSlot& slot, bool edges);
  std::vector<ParticleSlot> particles_;
  std::vector<MeshSlot> meshes_;
  std::vector<std::size_t> order_;
  std::vector<float> depth_;
};

}  // namespace meniscus::render
