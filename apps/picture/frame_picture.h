// Frames of one scene, drawn one after the other as the pictures of a film.
#pragma once

#include <string>

#include "apps/picture/frame.h"
#include "apps/picture/picture_of.h"
#include "engine/render/camera.h"
#include "engine/render/renderer.h"

namespace meniscus::picture {

// How large lines and letters are in pictures and films of so many rows: as in 720, in larger ones in proportion.
float textScaleOf(int height);

class FramePicture {
 public:
  FramePicture(const SceneFacts& facts, const render::Look& look, const Colouring& colouring)
      : facts_(facts), colouring_(colouring), look_(look) {}

  // camera: the scene's at this time; null: one that is found for the first frame and kept.
  void draw(const Frame& frame, const render::Camera* camera, render::Renderer& renderer, int width, int height,
            render::Image& image);
  const SceneFacts& facts() const { return facts_; }
  const Colouring& colouring() const { return colouring_; }

  // What a film that goes on later needs to know of the pictures before, which ranges of colours and the camera depend on.
  std::string memory() const;
  void remember(const std::string& text);

 private:
  SceneFacts facts_;
  Colouring colouring_;
  render::Look look_;
  render::Camera camera_;
  Range fluidRange_, meshRange_;
  render::Picture picture_;
  bool first_ = true;
};

}  // namespace meniscus::picture
