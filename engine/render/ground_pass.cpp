#include <algorithm>

#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

// Shadows fall within the light's map, an upright box of 1.1 of the domain's radius; on the ground its slant and the domain's
// height carry them this far [radii].
constexpr float kReach = 2.2f;

// What is a plane stands for itself.
bool hasGround(const Scene& scene) { return scene.look.ground && !scene.picture.grid.plane; }

}  // namespace

void GroundPass::drawLight(Scene& scene, int height) {
  if (!hasGround(scene)) return;
  const int size = std::clamp(height / 2, 64, 2048);  // as sharp in pixels in small pictures and large ones
  const bool made = light_.shape(size, size, GL_R8, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
  if (made) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, light_.texture.get(), 0);
    checkFrameBuffer("the ground's light");
  }
  glViewport(0, 0, size, size);
  glBindVertexArray(scene.geometry.nothing.get());
  const Program& p = solidsShade(scene) ? scene.programs.groundLight : scene.programs.groundLightNoSolids;
  p.use();
  p.set("reach", kReach * scene.block.ground.w);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void GroundPass::draw(Scene& scene) {
  if (!hasGround(scene)) return;
  light_.bind(0);
  glBindVertexArray(scene.geometry.nothing.get());
  scene.programs.ground.use();
  scene.programs.ground.set("reach", kReach * scene.block.ground.w);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace meniscus::render
