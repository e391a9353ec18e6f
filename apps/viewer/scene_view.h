// What a scene file says of how it is shown (output.view), taken when it is opened and given back when it is saved.
#pragma once

#include <meniscus/meniscus.h>

#include <optional>

#include "apps/picture/colouring.h"
#include "engine/render/camera.h"
#include "engine/render/look.h"

namespace meniscus::viewer {

// Absent: the file says nothing of it, and what the user has chosen stays.
struct SceneView {
  std::optional<render::FluidLook> fluid;
  std::optional<render::Environment> environment;
  std::optional<bool> shadows, tank;
  std::optional<float> sheetOpacity;
  std::optional<picture::Colouring> colouring;
  std::optional<render::Camera> camera;  // of time 0; without its `up`

  // The camera is the caller's. Whether the studio is dark is the window's affair and not taken.
  void apply(render::Look& look, picture::Colouring& colours) const;
};

// Throws Error where the library refuses.
SceneView sceneViewOf(mnsScene* scene);

// A path of more than one camera is kept; otherwise the scene gets this camera.
void setSceneView(mnsScene* scene, const render::Look& look, const picture::Colouring& colours, const render::Camera& camera);

}  // namespace meniscus::viewer
