// A started scene, drawn as it asks to be seen.
#pragma once

#include <string>

#include "apps/picture/frame.h"
#include "apps/picture/picture_of.h"
#include "engine/render/camera.h"
#include "engine/render/renderer.h"

namespace meniscus::picture {

// The scene's look (mnsScene_GetLook), in a renderer's and this folder's words.
void sceneLook(mnsScene* scene, render::Look& look, Colouring& colouring);
// The other way: what a saved scene will say.
void setSceneLook(mnsScene* scene, const render::Look& look, const Colouring& colouring);
// The scene's camera at a time [s]. False where it has none.
bool sceneCamera(mnsScene* scene, double time, render::Camera& camera);

class ScenePicture {
 public:
  explicit ScenePicture(mnsScene* scene);
  // As it is now.
  void draw(render::Renderer& renderer, int width, int height, render::Image& image);

  // The ranges of colours follow the values: what a film that goes on later needs to know of the pictures before.
  std::string ranges() const;
  void setRanges(const std::string& text);

 private:
  mnsScene* scene_;
  SceneFacts facts_;
  FrameReader reader_;
  Colouring colouring_;
  render::Look look_;
  render::Camera camera_;  // of scenes that have none: found for the first picture
  Range fluidRange_, meshRange_;
  Frame frame_;
  render::Picture picture_;
  bool first_ = true, ranged_ = false;
};

}  // namespace meniscus::picture
