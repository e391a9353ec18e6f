#include "apps/viewer/scene_view.h"

#include "apps/picture/check.h"
#include "apps/picture/scene_picture.h"

namespace meniscus::viewer {
namespace {

using picture::check;

struct Shown {
  render::Look look;
  picture::Colouring colouring;
};

Shown shownOf(mnsScene* scene) {
  Shown s;
  picture::sceneLook(scene, s.look, s.colouring);
  return s;
}

template <class T>
std::optional<T> unlessEqual(const T& value, const T& usual) {
  if (value == usual) return {};
  return value;
}

}  // namespace

void SceneView::apply(render::Look& look, picture::Colouring& colours) const {
  look.fluid = fluid.value_or(look.fluid);
  look.environment = environment.value_or(look.environment);
  look.shadows = shadows.value_or(look.shadows);
  look.tank = tank.value_or(look.tank);
  look.sheetOpacity = sheetOpacity.value_or(look.sheetOpacity);
  if (!colouring) return;
  const render::ColourMap map = colours.map;  // files have no word for it
  colours = *colouring;
  colours.map = map;
}

SceneView sceneViewOf(mnsScene* scene) {
  const Shown is = shownOf(scene), usual;  // those of a scene file that says nothing are the renderer's
  SceneView view;
  view.fluid = unlessEqual(is.look.fluid, usual.look.fluid);
  view.environment = unlessEqual(is.look.environment, usual.look.environment);
  view.shadows = unlessEqual(is.look.shadows, usual.look.shadows);
  view.tank = unlessEqual(is.look.tank, usual.look.tank);
  view.sheetOpacity = unlessEqual(is.look.sheetOpacity, usual.look.sheetOpacity);
  const picture::Colouring &a = is.colouring, &b = usual.colouring;
  if (a.fluid != b.fluid || a.mesh != b.mesh || a.automatic != b.automatic) view.colouring = a;
  render::Camera camera;
  if (picture::sceneCamera(scene, 0, camera)) view.camera = camera;
  return view;
}

void setSceneView(mnsScene* scene, const render::Look& look, const picture::Colouring& colours, const render::Camera& camera) {
  picture::setSceneLook(scene, look, colours);
  render::Camera first, last;
  const double late = 1e9;  // s; beyond the end of any path
  const bool path = picture::sceneCamera(scene, 0, first) && picture::sceneCamera(scene, late, last) &&
                    (first.eye != last.eye || first.target != last.target);
  if (path) return;
  const auto vector = [](const glm::vec3& v) { return mnsVec3{double(v.x), double(v.y), double(v.z)}; };
  const mnsCamera now{0, vector(camera.eye), vector(camera.target), double(camera.fieldOfView)};
  check(mnsScene_SetCameras(scene, &now, 1));
}

}  // namespace meniscus::viewer
