#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

constexpr int kMapSize = 1024;

void beginMap(Plane& map, FrameBuffer& frame) {
  const bool made = map.shape(kMapSize, kMapSize, GL_DEPTH_COMPONENT32F, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
  if (made) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map.texture.get(), 0);
    glDrawBuffer(GL_NONE);
    checkFrameBuffer("a shadow map");
  }
  glClear(GL_DEPTH_BUFFER_BIT);
}

}  // namespace

void ShadowPass::draw(Scene& scene) {
  glViewport(0, 0, kMapSize, kMapSize);
  beginMap(solids_, solidFrame_);
  if (scene.look.shadows && scene.look.meshes) {
    scene.programs.shadowMesh.use();
    for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i) {
      // a clear shell lets the light in
      if (opacityOf(scene.picture.meshes[i], scene.look) > .6f) scene.geometry.drawMesh(scene.picture, i);
    }
  }
  beginMap(fluids_, fluidFrame_);
  if (scene.look.shadows && scene.look.fluid != FluidLook::hidden) drawParticles(scene, scene.programs.shadowSphere, 1.1f);
  solids_.bind(5);
  fluids_.bind(6);
}

}  // namespace meniscus::render
