#include <algorithm>

#include "engine/render/passes.h"

namespace meniscus::render {

float opacityOf(const Mesh& mesh, const Look& look) {
  return std::clamp(mesh.opacity * (mesh.sheet ? look.sheetOpacity : 1.f), 0.f, 1.f);
}

namespace {

void setMesh(const Scene& scene, const Mesh& mesh) {
  const Program& p = scene.programs.mesh;
  const ColourScale& scale = scene.look.meshScale;
  p.set("colour", mesh.colour);
  p.set("opacity", opacityOf(mesh, scene.look));
  p.set("range", glm::vec2(scale.low, scale.high));
  p.set("map", given(mesh.value) ? static_cast<int>(scale.map) : -1);
  p.set("smoothed", given(mesh.normal) ? 1 : 0);
  p.set("sheet", mesh.sheet ? 1 : 0);
  p.set("selected", mesh.selected ? 1 : 0);
}

}  // namespace

void drawMeshes(Scene& scene, Sheets which) {
  if (!scene.look.meshes) return;
  scene.programs.mesh.use();
  scene.programs.mesh.set("lines", 0);
  scene.programs.mesh.set("behind", which == Sheets::behindFluid ? 1 : 0);
  scene.programs.mesh.set("radius", fluidReach(scene.picture));
  // what is nearer lies over what is behind it
  for (const std::size_t i : scene.geometry.farFirst(scene.picture, scene.block.view)) {
    const Mesh& mesh = scene.picture.meshes[i];
    const float opacity = opacityOf(mesh, scene.look);
    if (opacity <= 0 || (opacity >= 1) != (which == Sheets::opaque)) continue;
    setMesh(scene, mesh);
    if (which == Sheets::opaque) {
      scene.geometry.drawMesh(scene.picture, i);
      continue;
    }
    // and of a shell the far side first
    glEnable(GL_CULL_FACE);
    for (const GLenum hidden : {GL_FRONT, GL_BACK}) {
      glCullFace(hidden);
      scene.geometry.drawMesh(scene.picture, i);
    }
    glDisable(GL_CULL_FACE);
  }
}

void drawWireframe(Scene& scene) {
  if (!scene.look.wireframe) return;
  scene.programs.mesh.use();
  scene.programs.mesh.set("lines", 1);
  scene.programs.mesh.set("behind", 0);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glEnable(GL_POLYGON_OFFSET_LINE);
  glPolygonOffset(-1, -2);
  for (std::size_t i = 0; i < scene.picture.meshes.size(); ++i) {
    scene.programs.mesh.set("selected", scene.picture.meshes[i].selected ? 1 : 0);
    scene.geometry.drawMesh(scene.picture, i);
  }
  glDisable(GL_POLYGON_OFFSET_LINE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void drawBackground(Scene& scene) {
  scene.programs.background.use();
  glBindVertexArray(scene.geometry.nothing.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace meniscus::render
