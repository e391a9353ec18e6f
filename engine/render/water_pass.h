// Water on a grid: the zero of its level set, found along the rays of the picture, refracts, mirrors and takes up light.
#pragma once

#include "engine/render/passes.h"
#include "engine/render/water_volume.h"

namespace meniscus::render {

class WaterPass {
 public:
  // Whether there is such water and it is shown; in two dimensions its slice stands for it.
  bool shown(const Scene& scene) const;
  // Sends what has changed; before the shadows' maps.
  void send(Scene& scene);
  // Into the light's map that is bound, of size x size pixels.
  void drawShadow(Scene& scene);
  // Where it begins in each pixel, before the solids that are in `target`; its depth at texture unit 4.
  void drawSurface(Scene& scene, SceneTarget& target, int width, int height);
  // The surface over `target`, which is left bound.
  void compose(Scene& scene, SceneTarget& target, int width, int height);

 private:
  void bind(Scene& scene, const Program& p);

  WaterVolume volume_;
  Texture texture_;
  glm::ivec3 made_{0};  // samples of the texture
  Plane depth_, surface_;
  FrameBuffer frame_;
  SceneTarget behind_;
};

}  // namespace meniscus::render
