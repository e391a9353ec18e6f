#include "engine/render/water_pass.h"

#include <algorithm>

namespace meniscus::render {

namespace {

constexpr GLuint kWaterUnit = 1, kDepthUnit = 4, kBehindDepthUnit = 8;
constexpr glm::vec3 kColour(.05f, .27f, .62f);  // linear, as of particles

// 1/m: a tank of it is as deep in colour at any size.
glm::vec3 absorption(const Scene& scene) {
  return 3.f * std::max(scene.look.smokeDensity, 0.f) / scene.block.ground.w * (glm::vec3(.75f) - kColour);
}

}  // namespace

bool WaterPass::shown(const Scene& scene) const {
  const Grid& g = scene.picture.grid;
  return g.cells.x > 0 && g.levelSet && !g.plane && scene.look.fluid != FluidLook::hidden;
}

void WaterPass::send(Scene& scene) {
  if (!shown(scene) || !volume_.take(scene.picture.grid, scene.picture.meshes)) return;
  const glm::ivec3 n = volume_.samples();
  if (n != made_) makeVolume(texture_, n, GL_R32F);
  made_ = n;
  bindVolume(texture_, kWaterUnit);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, n.x, n.y, n.z, GL_RED, GL_FLOAT, volume_.distance());
}

void WaterPass::bind(Scene& scene, const Program& p) {
  const Grid& g = scene.picture.grid;
  bindVolume(texture_, kWaterUnit);
  p.use();
  p.set("low", g.low);
  p.set("high", g.high());
  p.set("wetLow", volume_.wetLow());
  p.set("wetHigh", volume_.wetHigh());
  p.set("cell", g.cell);
  glBindVertexArray(scene.geometry.nothing.get());
}

void WaterPass::drawShadow(Scene& scene) {
  if (!shown(scene) || !volume_.wet()) return;
  const Program& p = scene.programs.waterShadow;
  bind(scene, p);
  p.set("fromMap", glm::inverse(scene.block.light));
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void WaterPass::drawSurface(Scene& scene, SceneTarget& target, int width, int height) {
  bool made = depth_.shape(width, height, GL_R32F, GL_NEAREST);
  made |= surface_.shape(width, height, GL_RGBA16F, GL_NEAREST);
  behind_.shape(width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
  if (made) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, depth_.texture.get(), 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, surface_.texture.get(), 0);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, both);
    checkFrameBuffer("the water's surface");
  }
  glDisable(GL_DEPTH_TEST);
  target.depth.bind(0);
  bind(scene, scene.programs.waterSurface);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
  depth_.bind(kDepthUnit);
}

void WaterPass::compose(Scene& scene, SceneTarget& target, int width, int height) {
  // what lies behind cannot be read while it is drawn over
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.frame.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, behind_.frame.get());
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, target.frame.get());
  depth_.bind(0);
  behind_.colour.bind(2);
  surface_.bind(3);
  behind_.depth.bind(kBehindDepthUnit);
  const Program& p = scene.programs.water;
  bind(scene, p);
  p.set("radius", fluidReach(scene.picture));
  p.set("absorption", absorption(scene));
  p.set("albedo", kColour);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace meniscus::render
