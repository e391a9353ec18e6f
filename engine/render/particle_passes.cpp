#include "engine/render/passes.h"

namespace meniscus::render {

void drawParticles(Scene& scene, const Program& p, float scaled) {
  const ColourScale& scale = scene.look.fluidScale;
  p.use();
  p.set("range", glm::vec2(scale.low, scale.high));
  for (std::size_t i = 0; i < scene.picture.fluids.size(); ++i) {
    const ParticleSet& set = scene.picture.fluids[i];
    if (!given(set.position)) continue;
    scene.geometry.bindParticles(scene.picture, i);
    p.set("positionStride", strideOf(set.position));
    p.set("valueStride", strideOf(set.value));
    p.set("radius", set.radius * scaled);
    p.set("colour", set.colour);
    p.set("absorption", set.absorption);
    p.set("map", given(set.value) ? static_cast<int>(scale.map) : -1);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(set.position.count * 3));
  }
}

void drawSpheres(Scene& scene) {
  scene.programs.sphere.set("shadowed", scene.look.shadows ? 1 : 0);
  drawParticles(scene, scene.programs.sphere, 1);
}

}  // namespace meniscus::render
