#include "apps/viewer/scene_view.h"

#include "apps/picture/check.h"
#include "apps/picture/scene_picture.h"

namespace meniscus::viewer {
namespace {

using picture::check;

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

// Visits what a scene may say of the look, each with where the look keeps it.
template <class Visit>
void visitLook(const SceneView& view, const Visit& visit) {
  visit(view.fluid, &render::Look::fluid);
  visit(view.environment, &render::Look::environment);
  visit(view.dark, &render::Look::dark);
  visit(view.shadows, &render::Look::shadows);
  visit(view.tank, &render::Look::tank);
  visit(view.sheetOpacity, &render::Look::sheetOpacity);
  visit(view.sliceAxis, &render::Look::sliceAxis);
  visit(view.sliceShare, &render::Look::sliceShare);
}

bool hasPath(mnsScene* scene) {
  render::Camera first, last;
  const double late = 1e9;  // s; beyond the end of any path
  return picture::sceneCamera(scene, 0, first) && picture::sceneCamera(scene, late, last) &&
         (first.eye != last.eye || first.target != last.target);
}

void setColouring(const picture::Colouring& from, picture::Colouring& to) {
  const render::ColourMap map = to.map;
  to = from;
  to.map = map;
}

}  // namespace

bool same(const picture::Colouring& a, const picture::Colouring& b) {
  return a.fluid == b.fluid && a.mesh == b.mesh && a.automatic == b.automatic &&
         (a.automatic || (a.low == b.low && a.high == b.high));
}

void SceneView::apply(Shown& shown) const {
  visitLook(*this, [&](const auto& value, auto member) { shown.look.*member = value.value_or(shown.look.*member); });
  if (colouring) setColouring(*colouring, shown.colouring);
}

void SceneView::takeBack(Shown& shown, const Shown& before) const {
  visitLook(*this, [&](const auto& value, auto member) {
    if (value == shown.look.*member) shown.look.*member = before.look.*member;
  });
  if (colouring && same(*colouring, shown.colouring)) setColouring(before.colouring, shown.colouring);
}

SceneView sceneViewOf(mnsScene* scene) {
  const Shown is = shownOf(scene), usual;  // those of a scene file that says nothing are the renderer's
  SceneView view;
  view.fluid = unlessEqual(is.look.fluid, usual.look.fluid);
  view.environment = unlessEqual(is.look.environment, usual.look.environment);
  view.dark = unlessEqual(is.look.dark, usual.look.dark);
  view.shadows = unlessEqual(is.look.shadows, usual.look.shadows);
  view.tank = unlessEqual(is.look.tank, usual.look.tank);
  view.sheetOpacity = unlessEqual(is.look.sheetOpacity, usual.look.sheetOpacity);
  view.sliceAxis = unlessEqual(is.look.sliceAxis, usual.look.sliceAxis);
  if (view.sliceAxis) view.sliceShare = is.look.sliceShare;
  if (!same(is.colouring, usual.colouring)) view.colouring = is.colouring;
  render::Camera camera;
  if (picture::sceneCamera(scene, 0, camera)) view.camera = camera;
  view.path = hasPath(scene);
  return view;
}

void setSceneView(mnsScene* scene, const render::Look& look, const picture::Colouring& colours, const render::Camera& camera) {
  picture::setSceneLook(scene, look, colours);
  if (hasPath(scene)) return;
  const auto vector = [](const glm::vec3& v) { return mnsVec3{double(v.x), double(v.y), double(v.z)}; };
  const mnsCamera now{0, vector(camera.eye), vector(camera.target), double(camera.fieldOfView)};
  check(mnsScene_SetCameras(scene, &now, 1));
}

}  // namespace meniscus::viewer
