#include "engine/render/grid_pass.h"

#include <algorithm>

namespace meniscus::render {
namespace {

constexpr int kLightCells = 64;       // samples along an axis: light is smooth
constexpr float kDepthOfDomain = 14;  // optical depth of smoke of density 1 across half of the domain's diagonal
constexpr int kSliceUnit = 0, kSurfaceUnit = 1, kSmokeUnit = 1, kLightUnit = 2, kShadowUnit = 9;

// 1/m, of density 1.
float extinction(const Scene& scene) { return kDepthOfDomain * std::max(scene.look.smokeDensity, 0.f) / scene.block.ground.w; }
// Share of the light that is scattered.
constexpr glm::vec3 kAlbedo(.62f, .63f, .66f);

void setBox(const Program& p, const Grid& grid) {
  p.set("low", grid.low);
  p.set("high", grid.high());
}

}  // namespace

bool hasSlice(const Picture& picture, const Look& look) {
  return picture.grid.cells.x > 0 && picture.grid.value && (picture.grid.plane || (look.sliceAxis >= 0 && look.sliceAxis < 3));
}

bool hasSmoke(const Picture& picture, const Look& look) {
  const Grid& g = picture.grid;
  return g.cells.x > 0 && g.density && !g.plane && look.fluid != FluidLook::hidden && look.smokeDensity > 0;
}

bool GridPass::Volume::send(const Grid& grid, const float* values) {
  if (cells == grid.cells && data == values && revision == grid.revision) return false;
  if (cells != grid.cells) makeVolume(texture, grid.cells, GL_R32F);
  cells = grid.cells;
  data = values;
  revision = grid.revision;
  bindVolume(texture, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, cells.x, cells.y, cells.z, GL_RED, GL_FLOAT, values);
  return true;
}

void GridPass::send(Scene& scene) {
  const Grid& g = scene.picture.grid;
  if (hasSlice(scene.picture, scene.look)) {
    value_.send(g, g.value);
    if (g.levelSet) sendSurface(scene);
  }
  if (!hasSmoke(scene.picture, scene.look)) return;
  const bool sent = density_.send(g, g.density);
  const FrameBlock& b = scene.block;
  const std::array<float, 6> by = {b.toLight.x, b.toLight.y,       b.toLight.z,
                                   b.toLight.w, extinction(scene), scene.look.meshes ? scene.look.sheetOpacity : -1};
  if (sent || by != litBy_) findLight(scene);
  litBy_ = by;
  bindVolume(light_, kShadowUnit);
}

// Cells in solids have no water: gone on into them, it ends at what is drawn of the solid and not at the cells.
void GridPass::sendSurface(Scene& scene) {
  const Grid& g = scene.picture.grid;
  if (surfaceOf_ == g.levelSet && levelSet_.cells == g.cells && levelSet_.revision == g.revision) return;
  surface_.assign(g.levelSet, g.levelSet + std::size_t(g.cells.x) * std::size_t(g.cells.y) * std::size_t(g.cells.z));
  solids_.find(g, scene.picture.meshes);
  if (solids_.any()) solids_.extend(g, surface_);
  levelSet_.data = nullptr;  // these are new, where they lie as before
  levelSet_.send(g, surface_.data());
  surfaceOf_ = g.levelSet;
}

void GridPass::findLight(Scene& scene) {
  const Grid& g = scene.picture.grid;
  const glm::ivec3 cells = glm::min(g.cells + 1, glm::ivec3(kLightCells));
  if (cells != lightCells_) makeVolume(light_, cells, GL_RG16F);
  lightCells_ = cells;
  bindVolume(density_.texture, kSmokeUnit);
  glBindImageTexture(0, light_.get(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RG16F);
  const Program& p = scene.programs.smokeLight;
  p.use();
  setBox(p, g);
  p.set("cell", g.cell);
  p.set("extinction", extinction(scene));
  const auto groups = [](int n) { return static_cast<GLuint>((n + 3) / 4); };
  glDispatchCompute(groups(cells.x), groups(cells.y), groups(cells.z));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void GridPass::drawSlice(Scene& scene) {
  if (!hasSlice(scene.picture, scene.look)) return;
  const Grid& g = scene.picture.grid;
  const int axis = g.plane ? 1 : scene.look.sliceAxis;
  const float share = g.plane ? .5f : std::clamp(scene.look.sliceShare, 0.f, 1.f);
  bindVolume(value_.texture, kSliceUnit);
  if (g.levelSet) bindVolume(levelSet_.texture, kSurfaceUnit);
  const Program& p = scene.programs.slice;
  p.use();
  setBox(p, g);
  p.set("axis", axis);
  p.set("share", share);
  p.set("water", !g.levelSet ? 0 : g.ofWater ? 1 : 2);
  p.set("range", glm::vec2(scene.look.fluidScale.low, scene.look.fluidScale.high));
  p.set("map", static_cast<int>(scene.look.fluidScale.map));
  glBindVertexArray(scene.geometry.nothing.get());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// At half the resolution, as smoke is soft and rays cost much; then over the picture.
void GridPass::drawSmoke(Scene& scene, SceneTarget& target, int width, int height) {
  if (!hasSmoke(scene.picture, scene.look)) return;
  const Grid& g = scene.picture.grid;
  const bool made = smoke_.shape((width + 1) / 2, (height + 1) / 2, GL_RGBA16F, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, smokeFrame_.get());
  if (made) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, smoke_.texture.get(), 0);
    checkFrameBuffer("smoke");
  }
  glViewport(0, 0, smoke_.width, smoke_.height);
  glDisable(GL_DEPTH_TEST);
  target.depth.bind(0);
  bindVolume(density_.texture, kSmokeUnit);
  bindVolume(light_, kLightUnit);
  const Program& p = scene.programs.smoke;
  p.use();
  setBox(p, g);
  p.set("cell", g.cell);
  p.set("albedo", kAlbedo);
  p.set("extinction", extinction(scene));
  glBindVertexArray(scene.geometry.nothing.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glBindFramebuffer(GL_FRAMEBUFFER, target.frame.get());
  glViewport(0, 0, width, height);
  smoke_.bind(0);
  scene.programs.smokeOver.use();
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace meniscus::render
