#include "engine/render/outline_pass.h"

#include <algorithm>

namespace meniscus::render {

namespace {

bool isOutlined(const Mesh& mesh) { return mesh.selected && given(mesh.position) && mesh.triangleCount > 0; }

// The silhouette: what the selected meshes cover of the picture.
void drawMask(Scene& scene) {
  scene.programs.outlineMask.use();
  for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i)
    if (isOutlined(scene.picture.meshes[i])) scene.geometry.drawMesh(scene.picture, i);
}

}  // namespace

void OutlinePass::draw(Scene& scene, SceneTarget& target, int width, int height) {
  const std::vector<Mesh>& meshes = scene.picture.meshes;
  if (!scene.look.meshes || std::none_of(meshes.begin(), meshes.end(), isOutlined)) return;
  const bool made = mask_.shape(width, height, GL_R8, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
  if (made) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, mask_.texture.get(), 0);
    checkFrameBuffer("the outline");
  }
  const float nothing[] = {0, 0, 0, 0};
  glClearBufferfv(GL_COLOR, 0, nothing);
  glDisable(GL_DEPTH_TEST);
  drawMask(scene);
  glBindFramebuffer(GL_FRAMEBUFFER, target.frame.get());
  mask_.bind(0);
  scene.programs.outline.use();
  glBindVertexArray(scene.geometry.nothing.get());
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace meniscus::render
