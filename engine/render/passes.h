// The passes of a frame, each drawing into the frame buffer that is bound.
#pragma once

#include "engine/render/frame.h"
#include "engine/render/geometry.h"
#include "engine/render/look.h"
#include "engine/render/picture.h"
#include "engine/render/programs.h"
#include "engine/render/targets.h"

namespace meniscus::render {

// What every pass is given.
struct Scene {
  const Picture& picture;
  const Look& look;
  const FrameBlock& block;
  const Programs& programs;
  Geometry& geometry;
};

enum class Sheets { opaque, transparent, behindFluid };

float opacityOf(const Mesh& mesh, const Look& look);

void drawSpheres(Scene& scene);
void drawMeshes(Scene& scene, Sheets which);
void drawWireframe(Scene& scene);
void drawMeshLines(Scene& scene);  // constraint edges
void drawGround(Scene& scene);
void drawBackground(Scene& scene);

// Draws every fluid's particles as spheres of `scale` times their radius.
void drawParticles(Scene& scene, const Program& program, float scale);

// Depth maps seen from the light, at texture units 5 (solids) and 6 (fluids).
class ShadowPass {
 public:
  void draw(Scene& scene);

 private:
  Plane solids_, fluids_;
  FrameBuffer solidFrame_, fluidFrame_;
};

// Screen-space fluid (van der Laan, Green & Sainz 2009).
class FluidPass {
 public:
  // Depth of the surface, smoothed, at texture unit 4.
  void drawDepth(Scene& scene, int width, int height);
  // The surface over `target`, which is left bound.
  void compose(Scene& scene, SceneTarget& target, int width, int height);

 private:
  void shape(int width, int height);
  void smooth(Scene& scene);
  Plane depth_[2], tint_, test_, passed_;
  FrameBuffer particles_, smoothed_[2], thickness_;
  SceneTarget behind_;
};

// The domain's edges and walls.
class TankPass {
 public:
  void draw(Scene& scene);

 private:
  Buffer corners_, edges_;
};

}  // namespace meniscus::render
