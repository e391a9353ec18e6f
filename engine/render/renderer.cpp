#include "engine/render/renderer.h"

#include <algorithm>
#include <optional>

#include "engine/base/error.h"
#include "engine/render/grid_pass.h"
#include "engine/render/legend.h"
#include "engine/render/outline_pass.h"
#include "engine/render/passes.h"
#include "engine/render/targets.h"
#include "engine/render/water_pass.h"

namespace meniscus::render {

namespace {

// What the host may have left otherwise.
void resetState() {
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glEnable(GL_FRAMEBUFFER_SRGB);
}

// Over what is there, leaving its depth.
void blend(bool on) {
  if (on) {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  } else {
    glDisable(GL_BLEND);
  }
  glDepthMask(on ? GL_FALSE : GL_TRUE);
}

bool hasParticles(const Picture& picture) {
  return std::any_of(picture.fluids.begin(), picture.fluids.end(), [](const ParticleSet& s) { return given(s.position); });
}

}  // namespace

struct Renderer::Parts {
  std::string folder;
  std::optional<Programs> programs;
  Geometry geometry;
  Buffer block;
  Texture colourMaps;
  SceneTarget scene;
  ImageTarget image;
  TankPass tank;
  ShadowPass shadow;
  SpherePass spheres;
  GroundPass ground;
  FluidPass fluid;
  GridPass grid;
  WaterPass water;
  OutlinePass outline;
  LegendPass legend;

  void bindShared(const FrameBlock& frame);
  void drawScene(Scene& s, int width, int height);
  void present(Scene& s, int width, int height, unsigned frameBuffer);
};

Renderer::Renderer(const std::string& shaderFolder) : parts_(new Parts) {
  const int version = epoxy_gl_version();
  if (version < 43) {
    throw Error(ErrorKind::deviceNotAvailable, "the pictures need OpenGL 4.3, this context has " + std::to_string(version / 10) +
                                                   "." + std::to_string(version % 10));
  }
  parts_->folder = shaderFolder;
  parts_->programs.emplace(shaderFolder);
  makeColourMaps(parts_->colourMaps);
}

Renderer::~Renderer() = default;

bool Renderer::reloadShaders(std::string* error) {
  try {
    parts_->programs = Programs(parts_->folder);
    return true;
  } catch (const Error& e) {
    if (error) *error = e.what();
    return false;
  }
}

void Renderer::Parts::bindShared(const FrameBlock& frame) {
  block.put(&frame, sizeof frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, block.get());
  glActiveTexture(GL_TEXTURE7);
  glBindTexture(GL_TEXTURE_2D, colourMaps.get());
}

void Renderer::Parts::drawScene(Scene& s, int width, int height) {
  scene.shape(width, height);
  resetState();
  const bool particles = hasParticles(s.picture) && s.look.fluid != FluidLook::hidden,
             asSpheres = s.look.fluid == FluidLook::spheres;
  const bool wet = water.shown(s);
  water.send(s);
  shadow.draw(s, water);
  grid.send(s);
  if (particles && asSpheres) {
    spheres.prepare(s, width, height);
  } else if (particles) {
    prepareParticles(s, nullptr);
  }
  ground.drawLight(s, height);
  if (particles && asSpheres) spheres.drawNearest(s, 0, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, scene.frame.get());
  glViewport(0, 0, width, height);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (particles && asSpheres) spheres.draw(s, scene, width, height);
  drawMeshes(s, Sheets::opaque);
  drawMeshLines(s);
  drawWireframe(s);
  grid.drawSlice(s);
  ground.draw(s);
  drawBackground(s);
  if (particles && !asSpheres) {
    fluid.drawDepth(s, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, scene.frame.get());
    blend(true);
    drawMeshes(s, Sheets::behindFluid);
    blend(false);
    fluid.compose(s, scene, width, height);
  }
  if (wet) {
    water.drawSurface(s, scene, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, scene.frame.get());
    blend(true);
    drawMeshes(s, Sheets::behindFluid);
    blend(false);
    water.compose(s, scene, width, height);
  }
  grid.drawSmoke(s, scene, width, height);
  blend(true);
  drawMeshes(s, Sheets::transparent);
  tank.draw(s);
  blend(false);
  outline.draw(s, scene, width, height);
}

void Renderer::Parts::present(Scene& s, int width, int height, unsigned frameBuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, frameBuffer);
  glViewport(0, 0, width, height);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glDisable(GL_DEPTH_TEST);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, scene.displayed.get());
  s.programs.present.use();
  glBindVertexArray(s.geometry.nothing.get());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  legend.draw(s, width, height);
  glBindVertexArray(0);
  glUseProgram(0);
}

void Renderer::draw(const Picture& picture, const Look& look, const Camera& camera, int width, int height, unsigned frameBuffer) {
  if (width < 1 || height < 1) return;
  const FrameBlock frame = frameOf(picture, look, camera, width, height);
  Scene s{picture, look, frame, *parts_->programs, parts_->geometry};
  parts_->bindShared(frame);
  parts_->geometry.send(picture, look.fluid != FluidLook::hidden, look.meshes || look.wireframe, look.edges);
  parts_->drawScene(s, width, height);
  parts_->present(s, width, height, frameBuffer);
}

void Renderer::drawImage(const Picture& picture, const Look& look, const Camera& camera, int width, int height, Image& image) {
  if (width < 1 || height < 1) throw Error(ErrorKind::input, "a picture has at least one pixel");
  parts_->image.shape(width, height);
  draw(picture, look, camera, width, height, parts_->image.frame.get());
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  image.width = width;
  image.height = height;
  image.rgb.resize(row * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_FRAMEBUFFER, parts_->image.frame.get());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  // OpenGL's rows run upwards
  for (int y = 0; y < height / 2; ++y) {
    const auto upper = image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * y;
    std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(row),
                     image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * (height - 1 - y));
  }
}

}  // namespace meniscus::render
