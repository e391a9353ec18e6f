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

class WaterPass;

enum class Sheets { opaque, transparent, behindFluid };

float opacityOf(const Mesh& mesh, const Look& look);
float largestRadius(const Picture& picture);  // m, of a fluid's particles
float fluidReach(const Picture& picture);     // m, by which a fluid's surface may reach beyond it: a radius, or half a cell

void drawMeshes(Scene& scene, Sheets which);
void drawWireframe(Scene& scene);
void drawMeshLines(Scene& scene);  // constraint edges
void drawBackground(Scene& scene);

// Whether a solid throws shadows: one that is drawn and not clear.
bool solidsShade(const Scene& scene);

// Draws every fluid's particles as spheres of `scale` times their radius.
void drawParticles(Scene& scene, const Program& program, float scale);

// The picture in squares, of which those are stamped that particles' spheres reach into.
class SphereTiles {
 public:
  static constexpr int kPixels = 32;  // a side, as in tiles.glsl

  // All without the stamp of this frame.
  void begin(int width, int height);
  void bind();
  void set(const Program& program) const;
  int count() const { return across_ * down_; }

 private:
  Buffer stamps_;
  int across_ = 0, down_ = 0, stamp_ = 0;
};

// Makes of every particle what the looks share, once a frame, after the shadows. tiles: of those fluids whose spheres look small,
// none where null.
void prepareParticles(Scene& scene, SphereTiles* tiles);

// Whether no sphere in the domain looks larger than a few pixels. Those that have left it are not expected nearer to the eye.
bool looksSmall(const ParticleSet& set, const Scene& scene);

// Particles as spheres: first the nearest particle of each pixel, then its colour and depth, so that what is hidden costs little.
class SpherePass {
 public:
  // What the looks share of every particle.
  void prepare(Scene& scene, int width, int height);
  // The nearest particles of a fluid.
  void drawNearest(Scene& scene, std::size_t fluid, int width, int height);
  // All fluids over `target`, which is left bound, after drawNearest of fluid 0: changing targets within a frame costs time.
  void draw(Scene& scene, SceneTarget& target, int width, int height);

 private:
  void shape(int width, int height);
  SphereTiles tiles_;
  Plane nearest_, depth_;
  FrameBuffer frame_;
};

// Depth maps seen from the light, at texture units 5 (solids) and 6 (fluids).
class ShadowPass {
 public:
  void draw(Scene& scene, WaterPass& water);

 private:
  void drawSolids(Scene& scene);
  Plane solids_, fluids_;
  FrameBuffer solidFrame_, fluidFrame_;
  bool lit_ = false;  // nothing is in the map of solids
};

// The floor, with the shadows on it.
class GroundPass {
 public:
  // The light that reaches it, after the shadows' maps.
  void drawLight(Scene& scene, int height);
  void draw(Scene& scene);

 private:
  Plane light_;
  FrameBuffer frame_;
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

// The domain's edges; faint where no side beside them is a wall.
class TankPass {
 public:
  void draw(Scene& scene);

 private:
  Buffer corners_, edges_;
};

}  // namespace meniscus::render
