#include "engine/render/geometry.h"

#include <algorithm>
#include <cmath>

namespace meniscus::render {

namespace {

constexpr std::size_t kPointBytes = 3 * sizeof(float);

void attribute(GLuint location, int components, const Floats& floats, GLuint buffer) {
  if (!given(floats)) {
    glDisableVertexAttribArray(location);
    return;
  }
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(floats.stride), nullptr);
  glEnableVertexAttribArray(location);
}

}  // namespace

GLuint bufferOf(const Floats& floats, std::size_t itemBytes, Buffer& own) {
  if (floats.buffer) return floats.buffer;
  if (given(floats)) own.put(floats.data, (floats.count - 1) * floats.stride + itemBytes);
  return own.get();
}

void Geometry::sendMesh(const Mesh& mesh, MeshSlot& slot, bool edges) {
  glBindVertexArray(slot.array.get());
  attribute(0, 3, mesh.position, bufferOf(mesh.position, kPointBytes, slot.position));
  attribute(1, 3, mesh.normal, bufferOf(mesh.normal, kPointBytes, slot.normal));
  attribute(2, 1, mesh.value, bufferOf(mesh.value, sizeof(float), slot.value));
  const bool same = slot.triangles == mesh.triangles && slot.triangleCount == mesh.triangleCount && slot.revision == mesh.revision;
  if (!same) {
    slot.index.put(mesh.triangles, mesh.triangleCount * 3 * sizeof(std::int32_t));
    slot.triangles = mesh.triangles;
    slot.triangleCount = mesh.triangleCount;
    slot.revision = mesh.revision;
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, slot.index.get());
  if (edges && mesh.edgeCount) slot.edges.put(mesh.edges, mesh.edgeCount * sizeof(Edge));
}

void Geometry::send(const Picture& picture, bool fluids, bool meshes, bool edges) {
  if (particles_.size() < picture.fluids.size()) particles_.resize(picture.fluids.size());
  if (meshes_.size() < picture.meshes.size()) meshes_.resize(picture.meshes.size());
  for (std::size_t i = 0; fluids && i < picture.fluids.size(); ++i) {
    bufferOf(picture.fluids[i].position, kPointBytes, particles_[i].position);
    bufferOf(picture.fluids[i].value, sizeof(float), particles_[i].value);
  }
  for (std::size_t i = 0; (meshes || edges) && i < picture.meshes.size(); ++i) sendMesh(picture.meshes[i], meshes_[i], edges);
}

void Geometry::bindParticles(const Picture& picture, std::size_t fluid) {
  const ParticleSet& set = picture.fluids[fluid];
  ParticleSlot& slot = particles_[fluid];
  const GLuint position = set.position.buffer ? set.position.buffer : slot.position.get();
  glBindVertexArray(nothing.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, position);
  // no values: something must be bound all the same
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1,
                   !given(set.value)  ? position
                   : set.value.buffer ? set.value.buffer
                                      : slot.value.get());
  slot.drawn.reserve(set.position.count * 4 * sizeof(std::uint32_t));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, slot.drawn.get());
}

void Geometry::bindCentres(const Picture& picture, std::size_t fluid) {
  const Floats& position = picture.fluids[fluid].position;
  ParticleSlot& slot = particles_[fluid];
  glBindVertexArray(slot.centres.get());
  attribute(0, 3, position, position.buffer ? position.buffer : slot.position.get());
}

void Geometry::bindPoints(std::size_t fluid) {
  ParticleSlot& slot = particles_[fluid];
  glBindVertexArray(slot.drawnPoints.get());
  glBindBuffer(GL_ARRAY_BUFFER, slot.drawn.get());
  glVertexAttribIPointer(0, 4, GL_UNSIGNED_INT, 0, nullptr);
  glEnableVertexAttribArray(0);
}

const std::vector<std::size_t>& Geometry::farFirst(const Picture& picture, const glm::mat4& view) {
  constexpr std::size_t kSamples = 32;
  const std::size_t n = picture.meshes.size();
  order_.resize(n);
  depth_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    order_[i] = i;
    const Floats& f = picture.meshes[i].position;
    if (!f.data || !f.count) continue;
    const std::size_t samples = std::min(f.count, kSamples);
    for (std::size_t k = 0; k < samples; ++k) {
      const auto* p = reinterpret_cast<const float*>(reinterpret_cast<const char*>(f.data) + k * f.count / samples * f.stride);
      const float z = (view * glm::vec4(p[0], p[1], p[2], 1)).z;
      if (std::isfinite(z)) depth_[i] -= z / static_cast<float>(samples);
    }
  }
  std::sort(order_.begin(), order_.end(),
            [this](std::size_t a, std::size_t b) { return depth_[a] != depth_[b] ? depth_[a] > depth_[b] : a < b; });
  return order_;
}

void Geometry::drawMesh(const Picture& picture, std::size_t i) {
  const Mesh& mesh = picture.meshes[i];
  if (!given(mesh.position) || !mesh.triangleCount) return;
  glBindVertexArray(meshes_[i].array.get());
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.triangleCount * 3), GL_UNSIGNED_INT, nullptr);
}

void Geometry::bindEdges(const Picture& picture, std::size_t i) {
  const Mesh& mesh = picture.meshes[i];
  glBindVertexArray(nothing.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, mesh.position.buffer ? mesh.position.buffer : meshes_[i].position.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, meshes_[i].edges.get());
}

}  // namespace meniscus::render
