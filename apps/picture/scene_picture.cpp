#include "apps/picture/scene_picture.h"

#include <algorithm>
#include <iterator>

#include "apps/picture/check.h"

namespace meniscus::picture {

namespace {

// By mnsFluidColour.
constexpr FluidQuantity kQuantities[] = {FluidQuantity::none,         FluidQuantity::speed,     FluidQuantity::pressure,
                                         FluidQuantity::densityError, FluidQuantity::vorticity, FluidQuantity::deficiency,
                                         FluidQuantity::smoke};

struct Extent {
  float low, high;
};

// Of the domain along the axis [m].
Extent extentOf(mnsScene* scene, int axis) {
  const SceneFacts facts = factsOf(scene);
  return {facts.low[axis], facts.high[axis]};
}

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
  look.sliceAxis = int(l.slice) - 1;
  if (look.sliceAxis >= 0) {
    const Extent e = extentOf(scene, look.sliceAxis);
    look.sliceShare = (float(l.slicePosition) - e.low) / (e.high - e.low);
  }
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
  const bool grid = factsOf(scene).grid;
  if (grid) {  // what is of particles alone
    if (l.fluid == MNS_FLUID_SPHERES) l.fluid = MNS_FLUID_SURFACE;
    if (!isOfGrids(colouring.fluid)) l.colour = MNS_COLOUR_NONE;
  } else if (colouring.fluid == FluidQuantity::smoke || colouring.fluid == FluidQuantity::levelSet) {
    l.colour = MNS_COLOUR_NONE;
  }
  l.sky = look.environment == render::Environment::sky;
  l.dark = look.dark;
  l.shadows = look.shadows;
  l.tank = look.tank;
  l.sheetOpacity = double(look.sheetOpacity);
  const bool slice = look.sliceAxis >= 0 && grid;
  l.slice = slice ? mnsSlice(look.sliceAxis + 1) : MNS_SLICE_NONE;
  if (slice) {
    const Extent e = extentOf(scene, look.sliceAxis);
    l.slicePosition = double(e.low + look.sliceShare * (e.high - e.low));
  }
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

FramePicture framePictureOf(mnsScene* scene) {
  render::Look look;
  Colouring colouring;
  sceneLook(scene, look, colouring);
  return {factsOf(scene), look, colouring};
}

namespace {

double timeOf(mnsScene* scene) {
  mnsStatistics s{};
  s.structSize = sizeof s;
  check(mnsScene_GetStatistics(scene, &s));
  return s.time;
}

}  // namespace

ScenePicture::ScenePicture(mnsScene* scene) : scene_(scene), picture_(framePictureOf(scene)), reader_(picture_.facts()) {}

void ScenePicture::draw(render::Renderer& renderer, int width, int height, render::Image& image) {
  render::Camera camera;
  const bool own = sceneCamera(scene_, timeOf(scene_), camera);
  // where the camera is found by the particles, the first picture needs them
  reader_.read(scene_, picture_.colouring(), frame_, own || drawn_ ? &positions_ : nullptr);
  drawn_ = true;
  picture_.draw(frame_, own ? &camera : nullptr, renderer, width, height, image);
}

}  // namespace meniscus::picture
