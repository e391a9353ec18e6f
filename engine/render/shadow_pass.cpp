#include <algorithm>

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

// A clear shell lets the light in.
bool shades(const Mesh& mesh, const Look& look) { return opacityOf(mesh, look) > .6f; }

}  // namespace

bool solidsShade(const Scene& scene) {
  const std::vector<Mesh>& meshes = scene.picture.meshes;
  return scene.look.shadows && scene.look.meshes &&
         std::any_of(meshes.begin(), meshes.end(), [&](const Mesh& m) { return shades(m, scene.look); });
}

void ShadowPass::drawSolids(Scene& scene) {
  const bool some = solidsShade(scene);
  if (!some && lit_) return;
  beginMap(solids_, solidFrame_, kSolidMap);
  lit_ = !some;
  if (!some) return;
  scene.programs.shadowMesh.use();
  for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i) {
    if (shades(scene.picture.meshes[i], scene.look)) scene.geometry.drawMesh(scene.picture, i);
  }
}

void ShadowPass::draw(Scene& scene, WaterPass& water) {
  drawSolids(scene);
  beginMap(fluids_, fluidFrame_, kFluidMap);
  if (scene.look.shadows && scene.look.fluid != FluidLook::hidden) {
    drawFluids(scene);
    water.drawShadow(scene);
  }
  solids_.bind(5);
  fluids_.bind(6);
}

}  // namespace meniscus::render
