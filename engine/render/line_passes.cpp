#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

// Share of its depth by which a line stands before its surface.
constexpr float kForward = 2e-4f;

void drawEdges(const Program& line, int stride, std::size_t nodes, std::size_t edges) {
  line.set("positionStride", stride);
  line.set("nodes", static_cast<int>(nodes));
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(edges * 6));
}

constexpr int kLine = -1, kFaint = -2;  // as colours in line.vert

// Whether the edge along `axis` from a corner (bits: high x, y, z) belongs to a side that is a wall.
bool besideWall(const Picture& picture, int corner, int axis) {
  for (int k = 0; k < 3; ++k) {
    if (k != axis && picture.wall[2 * k + (corner >> k & 1)]) return true;
  }
  return false;
}

}  // namespace

void drawMeshLines(Scene& scene) {
  if (!scene.look.edges) return;
  const Program& line = scene.programs.line;
  line.use();
  line.set("forward", kForward);
  line.set("blended", 0);
  for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i) {
    const Mesh& mesh = scene.picture.meshes[i];
    if (!mesh.edgeCount || !given(mesh.position)) continue;
    scene.geometry.bindEdges(scene.picture, i);
    drawEdges(line, strideOf(mesh.position), mesh.position.count, mesh.edgeCount);
  }
}

void TankPass::draw(Scene& scene) {
  if (!scene.look.tank) return;
  float corners[8][3];
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) corners[i][k] = i >> k & 1 ? scene.picture.high[k] : scene.picture.low[k];
  }
  Edge edges[12];
  int n = 0;
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!(i >> k & 1)) edges[n++] = {i, i | 1 << k, besideWall(scene.picture, i, k) ? kLine : kFaint};
    }
  }
  corners_.put(corners, sizeof corners);
  edges_.put(edges, sizeof edges);
  glBindVertexArray(scene.geometry.nothing.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, corners_.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, edges_.get());
  const Program& line = scene.programs.line;
  line.use();
  line.set("forward", 0.f);
  line.set("blended", 1);
  drawEdges(line, 3, 8, 12);
}

}  // namespace meniscus::render
