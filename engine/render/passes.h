// The passes of a frame, each drawing into the frame buffer that is bound.
#pragma once

#include "engine/render/frame.h"
#include "engine/render/geometry.h"
#include "engine/render/look.h"
#include "engine/render/picture.h"
#include "engine/render/programs.h"

namespace meniscus::render {

// What every pass is given.
struct Scene {
  const Picture& picture;
  const Look& look;
  const FrameBlock& block;
  const Programs& programs;
  Geometry& geometry;
};

enum class Sheets { opaque, transparent };

float opacityOf(const Mesh& mesh, const Look& look);

void drawSpheres(Scene& scene);
void drawMeshes(Scene& scene, Sheets which);
void drawMeshLines(Scene& scene);  // wireframe and constraint edges
void drawGround(Scene& scene);
void drawBackground(Scene& scene);

// The domain's edges and walls.
class TankPass {
 public:
  void draw(Scene& scene);

 private:
  Buffer corners_, edges_;
};

}  // namespace meniscus::render
