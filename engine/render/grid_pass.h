// A fluid on a grid: a slice of it in colours, and its smoke as light sees it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/render/passes.h"
#include "engine/render/solid_cells.h"

namespace meniscus::render {

// Whether a slice of the grid is shown.
bool hasSlice(const Picture& picture, const Look& look);

// Whether its smoke is.
bool hasSmoke(const Picture& picture, const Look& look);

class GridPass {
 public:
  // Sends what has changed, and finds how much light reaches the smoke; after the shadows' maps.
  void send(Scene& scene);
  // Values in their colours, as they are in the legend, into the frame buffer that is bound.
  void drawSlice(Scene& scene);
  // Smoke over `target`, which is left bound: rays through the volume that take up light and lose it (Max 1995).
  void drawSmoke(Scene& scene, SceneTarget& target, int width, int height);

 private:
  // A texture of three dimensions with the values of a grid.
  struct Volume {
    Texture texture;
    glm::ivec3 cells{0};
    const float* data = nullptr;
    std::uint64_t revision = 0;
    // Whether anything was sent.
    bool send(const Grid& grid, const float* values);
  };
  void findLight(Scene& scene);
  void sendSurface(Scene& scene);

  Volume value_, density_, levelSet_;
  SolidCells solids_;
  std::vector<float> surface_;  // the level set, gone on into solids
  const float* surfaceOf_ = nullptr;
  Texture light_;
  glm::ivec3 lightCells_{0};
  std::array<float, 6> litBy_{};  // what the light was found for: its direction, darkness of shadows, density, look of solids
  Plane smoke_;
  FrameBuffer smokeFrame_;
};

}  // namespace meniscus::render
