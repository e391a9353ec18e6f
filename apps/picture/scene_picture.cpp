#include "apps/picture/scene_picture.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "apps/picture/check.h"

namespace meniscus::picture {

namespace {

// By mnsFluidColour.
constexpr FluidQuantity kQuantities[] = {FluidQuantity::none,         FluidQuantity::speed,     FluidQuantity::pressure,
                                         FluidQuantity::densityError, FluidQuantity::vorticity, FluidQuantity::deficiency};

}  // namespace

void sceneLook(mnsScene* scene, render::Look& look, Colouring& colouring) {
  mnsLook l{};
  l.structSize = sizeof l;
  check(mnsScene_GetLook(scene, &l));
  look.fluid = l.fluid == MNS_FLUID_SPHERES  ? render::FluidLook::spheres
               : l.fluid == MNS_FLUID_HIDDEN ? render::FluidLook::hidden
                                             : render::FluidLook::surface;
  look.environment = l.sky ? render::Environment::sky : render::Environment::studio;
  look.dark = l.dark;
  look.shadows = l.shadows;
  look.tank = l.tank;
  look.sheetOpacity = float(l.sheetOpacity);
  colouring.fluid = kQuantities[l.colour];
  colouring.mesh = l.stretch ? MeshQuantity::stretch : MeshQuantity::none;
  colouring.automatic = !(l.high > l.low);
  if (colouring.automatic) return;
  colouring.low = float(l.low);
  colouring.high = float(l.high);
}

// Quantities that scene files have no word for (leaked particles, speed of bodies) are left out.
void setSceneLook(mnsScene* scene, const render::Look& look, const Colouring& colouring) {
  mnsLook l{};
  l.structSize = sizeof l;
  check(mnsScene_GetLook(scene, &l));
  l.fluid = look.fluid == render::FluidLook::spheres  ? MNS_FLUID_SPHERES
            : look.fluid == render::FluidLook::hidden ? MNS_FLUID_HIDDEN
                                                      : MNS_FLUID_SURFACE;
  const auto* known = std::find(std::begin(kQuantities), std::end(kQuantities), colouring.fluid);
  l.colour = known == std::end(kQuantities) ? MNS_COLOUR_NONE : mnsFluidColour(known - std::begin(kQuantities));
  l.low = colouring.automatic ? 0 : double(colouring.low);
  l.high = colouring.automatic ? 0 : double(colouring.high);
  l.stretch = colouring.mesh == MeshQuantity::stretch;
  l.sky = look.environment == render::Environment::sky;
  l.dark = look.dark;
  l.shadows = look.shadows;
  l.tank = look.tank;
  l.sheetOpacity = double(look.sheetOpacity);
  check(mnsScene_SetLook(scene, &l));
}

bool sceneCamera(mnsScene* scene, double time, render::Camera& camera) {
  mnsCamera c{};
  const mnsResult result = mnsScene_GetCamera(scene, time, &c);
  if (result == MNS_ERROR_NOT_FOUND) return false;
  check(result);
  camera.eye = {c.eye.x, c.eye.y, c.eye.z};
  camera.target = {c.target.x, c.target.y, c.target.z};
  camera.fieldOfView = float(c.fieldOfView);
  return true;
}

ScenePicture::ScenePicture(mnsScene* scene) : scene_(scene), facts_(factsOf(scene)), reader_(facts_) {
  sceneLook(scene, look_, colouring_);
}

std::string ScenePicture::ranges() const {
  char text[128];
  std::snprintf(text, sizeof text, "%a %a %a %a", double(fluidRange_.low), double(fluidRange_.high), double(meshRange_.low),
                double(meshRange_.high));
  return text;
}

void ScenePicture::setRanges(const std::string& text) {
  Range fluid, mesh;
  if (std::sscanf(text.c_str(), "%a %a %a %a", &fluid.low, &fluid.high, &mesh.low, &mesh.high) != 4) return;
  fluidRange_ = fluid;
  meshRange_ = mesh;
  ranged_ = true;
}

void ScenePicture::draw(render::Renderer& renderer, int width, int height, render::Image& image) {
  reader_.read(scene_, colouring_, frame_);
  fluidRange_ = !ranged_ ? frame_.fluidRange : follow(fluidRange_, frame_.fluidRange);
  meshRange_ = !ranged_ ? frame_.meshRange : follow(meshRange_, frame_.meshRange);
  setScales(frame_, colouring_, fluidRange_, meshRange_, look_);
  pictureOf(frame_, facts_, -1, picture_);
  if (first_) firstView(frame_, facts_, float(width) / float(height), camera_.eye, camera_.target, camera_.up);
  camera_.up = picture_.up;
  sceneCamera(scene_, frame_.time, camera_);
  first_ = false;
  ranged_ = true;
  renderer.drawImage(picture_, look_, camera_, width, height, image);
}

}  // namespace meniscus::picture
