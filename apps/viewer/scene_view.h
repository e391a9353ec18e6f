// What a scene file says of how it is shown (output.view), taken when it is opened and given back when it is saved.
#pragma once

#include <meniscus/meniscus.h>

#include <optional>

#include "apps/picture/colouring.h"
#include "engine/render/camera.h"
#include "engine/render/look.h"

namespace meniscus::viewer {

// How scenes are shown.
struct Shown {
  render::Look look;
  picture::Colouring colouring;
};

// Whether these colour alike; files have no word for the map, which is not compared.
bool same(const picture::Colouring& a, const picture::Colouring& b);

// Absent: the file says nothing of it, and what the user has chosen stays.
struct SceneView {
  std::optional<render::FluidLook> fluid;
  std::optional<render::Environment> environment;
  std::optional<bool> dark, shadows, tank;
  std::optional<float> sheetOpacity;
  std::optional<int> sliceAxis;
  std::optional<float> sliceShare;
  std::optional<picture::Colouring> colouring;
  std::optional<render::Camera> camera;  // of time 0; without its `up`
  bool path = false;                     // the camera moves with the scene's time

  // The camera is the caller's.
  void apply(Shown& shown) const;
  // When the scene is left: what it has set, and nobody has changed since, is again as it was `before`.
  void takeBack(Shown& shown, const Shown& before) const;
};

// Throws Error where the library refuses.
SceneView sceneViewOf(mnsScene* scene);

// A path of more than one camera is kept; otherwise the scene gets this camera.
void setSceneView(mnsScene* scene, const render::Look& look, const picture::Colouring& colours, const render::Camera& camera);

}  // namespace meniscus::viewer
