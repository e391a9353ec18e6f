// A started scene, drawn as it asks to be seen.
#pragma once

#include "apps/picture/frame.h"
#include "apps/picture/frame_picture.h"
#include "engine/render/camera.h"
#include "engine/render/renderer.h"

namespace meniscus::picture {

// The scene's look (mnsScene_GetLook), in a renderer's and this folder's words.
void sceneLook(mnsScene* scene, render::Look& look, Colouring& colouring);
// The other way: what a saved scene will say.
void setSceneLook(mnsScene* scene, const render::Look& look, const Colouring& colouring);
// The scene's camera at a time [s]. False where it has none.
bool sceneCamera(mnsScene* scene, double time, render::Camera& camera);

// Pictures as the scene, which need not be started, asks for them.
FramePicture framePictureOf(mnsScene* scene);

class ScenePicture {
 public:
  // Of a scene that lives longer.
  explicit ScenePicture(mnsScene* scene);
  // As it is now. In one context of OpenGL, which is still current at the end.
  void draw(render::Renderer& renderer, int width, int height, render::Image& image);
  FramePicture& film() { return picture_; }

 private:
  mnsScene* scene_;
  FramePicture picture_;
  FrameReader reader_;
  GlPositions positions_;
  Frame frame_;
  bool drawn_ = false;
};

}  // namespace meniscus::picture
