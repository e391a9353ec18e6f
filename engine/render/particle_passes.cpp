#include <algorithm>

#include "engine/render/passes.h"

namespace meniscus::render {

namespace {

constexpr std::size_t kGroup = 256;     // as in particle.comp
constexpr std::size_t kGroups = 65535;  // that any OpenGL 4.3 takes at once
constexpr std::size_t kSamples = 32;    // of each half

// Whether the later half of the particles is nearer to the eye than the earlier one, by a few of them: what is drawn first hides
// the rest before it costs anything.
bool laterNearer(const ParticleSet& set, const FrameBlock& block) {
  if (!set.position.data) return false;
  const std::size_t n = set.position.count;
  double depth[2] = {0, 0};
  for (std::size_t k = 0; k < 2 * kSamples; ++k) {
    const auto* p = reinterpret_cast<const float*>(reinterpret_cast<const char*>(set.position.data) +
                                                   (n - 1) * k / (2 * kSamples - 1) * set.position.stride);
    depth[k / kSamples] -= (block.view * glm::vec4(p[0], p[1], p[2], 1)).z;
  }
  return depth[1] < depth[0];
}

}  // namespace

void prepareParticles(Scene& scene, SphereTiles* tiles) {
  const Program& p = solidsShade(scene) ? scene.programs.particle : scene.programs.particleNoSolids;
  const ColourScale& scale = scene.look.fluidScale;
  p.use();
  p.set("range", glm::vec2(scale.low, scale.high));
  for (std::size_t i = 0; i < scene.picture.fluids.size(); ++i) {
    const ParticleSet& set = scene.picture.fluids[i];
    if (!given(set.position)) continue;
    scene.geometry.bindParticles(scene.picture, i);
    p.set("count", static_cast<int>(set.position.count));
    p.set("positionStride", strideOf(set.position));
    p.set("valueStride", strideOf(set.value));
    p.set("radius", set.radius);
    p.set("colour", set.colour);
    p.set("map", given(set.value) ? static_cast<int>(scale.map) : -1);
    p.set("backward", laterNearer(set, scene.block) ? 1 : 0);
    p.set("tilesAcross", 0);
    if (tiles) {
      tiles->bind();
      if (looksSmall(set, scene)) tiles->set(p);
    }
    glDispatchCompute(static_cast<GLuint>(std::min((set.position.count + kGroup - 1) / kGroup, kGroups)), 1, 1);
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

void drawParticles(Scene& scene, const Program& p, float scaled) {
  p.use();
  p.set("shrink", glm::vec2(1));
  for (std::size_t i = 0; i < scene.picture.fluids.size(); ++i) {
    const ParticleSet& set = scene.picture.fluids[i];
    if (!given(set.position)) continue;
    scene.geometry.bindParticles(scene.picture, i);
    p.set("radius", set.radius * scaled);
    p.set("absorption", set.absorption);
    p.set("map", given(set.value) ? static_cast<int>(scene.look.fluidScale.map) : -1);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(set.position.count * 3));
  }
}

}  // namespace meniscus::render
