#include "engine/render/passes.h"
#include "engine/render/water_pass.h"

namespace meniscus::render {

namespace {

constexpr int kSolidMap = 1024, kFluidMap = 512;  // pixels; particles are no sharper than that
constexpr float kWiden = 1.1f;                    // of spheres: no light falls between two that touch

void beginMap(Plane& map, FrameBuffer& frame, int size) {
  const bool made = map.shape(size, size, GL_DEPTH_COMPONENT32F, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
  glViewport(0, 0, size, size);
  if (made) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map.texture.get(), 0);
    glDrawBuffer(GL_NONE);
    checkFrameBuffer("a shadow map");
  }
  glClear(GL_DEPTH_BUFFER_BIT);
}

void drawFluids(Scene& scene) {
  const Program& p = scene.programs.shadowPoint;
  p.use();
  p.set("mapSize", static_cast<float>(kFluidMap));
  glEnable(GL_PROGRAM_POINT_SIZE);
  for (std::size_t i = 0; i < scene.picture.fluids.size(); ++i) {
    const ParticleSet& set = scene.picture.fluids[i];
    if (!given(set.position)) continue;
    scene.geometry.bindCentres(scene.picture, i);
    p.set("radius", kWiden * set.radius);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(set.position.count));
  }
  glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace

void ShadowPass::draw(Scene& scene, WaterPass& water) {
  beginMap(solids_, solidFrame_, kSolidMap);
  if (scene.look.shadows && scene.look.meshes) {
    scene.programs.shadowMesh.use();
    for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i) {
      // a clear shell lets the light in
      if (opacityOf(scene.picture.meshes[i], scene.look) > .6f) scene.geometry.drawMesh(scene.picture, i);
    }
  }
  beginMap(fluids_, fluidFrame_, kFluidMap);
  if (scene.look.shadows && scene.look.fluid != FluidLook::hidden) {
    drawFluids(scene);
    water.drawShadow(scene);
  }
  solids_.bind(5);
  fluids_.bind(6);
}

}  // namespace meniscus::render
