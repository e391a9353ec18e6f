#include <algorithm>

#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

// The spheres of the surface overlap, so that no light falls between them; a particle stands for a cube of two radii a side, and
// the chords are scaled by the share of that cube in the larger sphere.
constexpr float kOverlap = 1.55f;
constexpr float kChordShare = 8.f / (4.18879f * kOverlap * kOverlap * kOverlap);

void attach(FrameBuffer& frame, GLenum where, Plane& plane) {
  glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, where, GL_TEXTURE_2D, plane.texture.get(), 0);
}

}  // namespace

float largestRadius(const Picture& picture) {
  float r = 0;
  for (const ParticleSet& s : picture.fluids) r = std::max(r, s.radius);
  return r;
}

float fluidReach(const Picture& picture) {
  const bool water = picture.grid.cells.x > 0 && picture.grid.levelSet;
  return std::max(largestRadius(picture), water ? .5f * picture.grid.cell : 0.f);
}

void FluidPass::shape(int width, int height) {
  bool made = depth_[0].shape(width, height, GL_R32F, GL_NEAREST);
  made |= depth_[1].shape(width, height, GL_R32F, GL_NEAREST);
  made |= tint_.shape(width, height, GL_RGBA8, GL_NEAREST);
  made |= test_.shape(width, height, GL_DEPTH_COMPONENT32F, GL_NEAREST);
  made |= passed_.shape((width + 1) / 2, (height + 1) / 2, GL_RGBA16F, GL_LINEAR);
  behind_.shape(width, height);
  if (!made) return;
  attach(particles_, GL_COLOR_ATTACHMENT0, depth_[0]);
  attach(particles_, GL_COLOR_ATTACHMENT1, tint_);
  attach(particles_, GL_DEPTH_ATTACHMENT, test_);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  checkFrameBuffer("the fluid's depth");
  for (int i = 0; i < 2; ++i) attach(smoothed_[i], GL_COLOR_ATTACHMENT0, depth_[i]);
  attach(thickness_, GL_COLOR_ATTACHMENT0, passed_);
  checkFrameBuffer("the fluid's thickness");
}

void FluidPass::smooth(Scene& scene) {
  const Program& p = scene.programs.fluidSmooth;
  p.use();
  p.set("radius", largestRadius(scene.picture));
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(scene.geometry.nothing.get());
  for (const float factor : {1.7f, .8f}) {
    p.set("smoothing", factor * std::max(scene.look.smoothing, 0.f));
    for (int along = 0; along < 2; ++along) {
      glBindFramebuffer(GL_FRAMEBUFFER, smoothed_[1 - along].get());
      depth_[along].bind(0);
      p.set("direction", along == 0 ? glm::vec2(1, 0) : glm::vec2(0, 1));
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }
  glEnable(GL_DEPTH_TEST);
}

void FluidPass::drawDepth(Scene& scene, int width, int height) {
  shape(width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, particles_.get());
  const float nowhere[] = {1e9f, 0, 0, 0}, none[] = {0, 0, 0, 0};
  glClearBufferfv(GL_COLOR, 0, nowhere);
  glClearBufferfv(GL_COLOR, 1, none);
  glClear(GL_DEPTH_BUFFER_BIT);
  drawParticles(scene, scene.programs.fluidDepth, kOverlap);
  if (scene.look.smoothing > 0) smooth(scene);
  depth_[0].bind(4);
}

void FluidPass::compose(Scene& scene, SceneTarget& target, int width, int height) {
  // what lies behind cannot be read while it is drawn over
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.frame.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, behind_.frame.get());
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  behind_.depth.bind(1);

  glBindFramebuffer(GL_FRAMEBUFFER, thickness_.get());
  glViewport(0, 0, passed_.width, passed_.height);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  scene.programs.fluidThickness.set("share", kChordShare);
  drawParticles(scene, scene.programs.fluidThickness, kOverlap);
  glDisable(GL_BLEND);

  glBindFramebuffer(GL_FRAMEBUFFER, target.frame.get());
  glViewport(0, 0, width, height);
  depth_[0].bind(0);
  behind_.colour.bind(2);
  passed_.bind(3);
  tint_.bind(4);
  const Program& p = scene.programs.fluid;
  p.use();
  p.set("radius", largestRadius(scene.picture));
  glBindVertexArray(scene.geometry.nothing.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace meniscus::render
