#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

// Points are cut at the picture's border by their middle: they are drawn into a target that is wider by as much as they reach.
constexpr int kMargin = 16;  // pixels

}  // namespace

bool looksSmall(const ParticleSet& set, const Scene& scene) {
  const Picture& picture = scene.picture;
  const FrameBlock& block = scene.block;
  const glm::vec3 eye(block.eye), low = glm::min(picture.low, picture.high), high = glm::max(picture.low, picture.high);
  const float away = glm::length(eye - glm::clamp(eye, low, high)) - set.radius;
  if (away <= set.radius) return false;
  // at the picture's corner a sphere looks longer by the square of the distance to it over the distance ahead
  const float right = 1 / block.projection[0][0], up = 1 / block.projection[1][1];
  const float corner = 1 + right * right + up * up;
  return set.radius / away * corner * block.projection[1][1] * block.size.y * .5f + 1 < float(kMargin);
}

void SphereTiles::begin(int width, int height) {
  across_ = (width + kPixels - 1) / kPixels;
  down_ = (height + kPixels - 1) / kPixels;
  stamps_.reserve(static_cast<std::size_t>(count()) * sizeof(int));
  stamp_ = stamp_ == std::numeric_limits<int>::max() ? 1 : stamp_ + 1;
}

void SphereTiles::bind() { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, stamps_.get()); }

void SphereTiles::set(const Program& program) const {
  program.set("tilesAcross", across_);
  program.set("stamp", stamp_);
}

void SpherePass::prepare(Scene& scene, int width, int height) {
  tiles_.begin(width, height);
  prepareParticles(scene, &tiles_);
}

void SpherePass::shape(int width, int height) {
  bool made = nearest_.shape(width, height, GL_RGBA32UI, GL_NEAREST);
  made |= depth_.shape(width, height, GL_DEPTH_COMPONENT32F, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
  glViewport(0, 0, width, height);
  if (!made) return;
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, nearest_.texture.get(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.texture.get(), 0);
  checkFrameBuffer("the nearest particles");
}

void SpherePass::drawNearest(Scene& scene, std::size_t fluid, int width, int height) {
  const ParticleSet& set = scene.picture.fluids[fluid];
  if (!given(set.position)) return;
  shape(width + 2 * kMargin, height + 2 * kMargin);
  glClear(GL_DEPTH_BUFFER_BIT);
  const auto count = static_cast<GLsizei>(set.position.count);
  const bool points = looksSmall(set, scene);
  const Program& p = points ? scene.programs.pointDisc : scene.programs.sphereDisc;
  p.use();
  p.set("radius", set.radius);
  p.set("margin", static_cast<float>(kMargin));
  p.set("shrink", glm::vec2(width, height) / glm::vec2(width + 2 * kMargin, height + 2 * kMargin));
  if (points) {
    glEnable(GL_PROGRAM_POINT_SIZE);
    scene.geometry.bindPoints(fluid);
    glDrawArrays(GL_POINTS, 0, count);
    glDisable(GL_PROGRAM_POINT_SIZE);
  } else {
    scene.geometry.bindParticles(scene.picture, fluid);
    glDrawArrays(GL_TRIANGLES, 0, count * 3);
  }
}

void SpherePass::draw(Scene& scene, SceneTarget& target, int width, int height) {
  for (std::size_t i = 0; i < scene.picture.fluids.size(); ++i) {
    const ParticleSet& set = scene.picture.fluids[i];
    if (!given(set.position)) continue;
    if (i > 0) {
      drawNearest(scene, i, width, height);
      glBindFramebuffer(GL_FRAMEBUFFER, target.frame.get());
      glViewport(0, 0, width, height);
    }
    nearest_.bind(0);
    depth_.bind(1);
    const bool tiles = looksSmall(set, scene);
    const Program& p = tiles ? scene.programs.sphereTiles : scene.programs.sphere;
    p.use();
    p.set("radius", set.radius);
    p.set("margin", static_cast<float>(kMargin));
    tiles_.set(p);
    tiles_.bind();
    glBindVertexArray(scene.geometry.nothing.get());
    glDrawArrays(GL_TRIANGLES, 0, tiles ? 6 * tiles_.count() : 3);
  }
}

}  // namespace meniscus::render
