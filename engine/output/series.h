// A series of frames in a folder: one file a frame and kind, and for VTK an index (.pvd) that is valid at every moment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/output/fluid_surface.h"
#include "engine/output/series_index.h"
#include "engine/world/world.h"

namespace meniscus {

class FrameSeries {
 public:
  // formats: "vtk", "ply"; "surface" adds the fluid's surface in these, in vtk where neither is named. A new series.
  FrameSeries(const std::string& folder, const std::vector<std::string>& formats);
  // Goes on after the frames that the folder's index already has up to time `from` [s]; later ones are dropped from the index. An
  // index that is damaged or gone is made anew from the first `count` frames, as far as they exist, with a note. Throws
  // Error(input) where they do not say their time.
  FrameSeries(const std::string& folder, const std::vector<std::string>& formats, double from, std::uint64_t count,
              std::vector<std::string>* notes);

  // Writes the scene as it was run beside the frames, whose pictures need more of it than they hold: domain, look, cameras, names.
  void writeScene(const SceneDef& scene) const;

  bool wantsSurface() const { return surface_; }
  // Writes the frame of the world's present time; `surface` where it is wanted and known. Throws Error(input) where that cannot be;
  // the index then still names whole files only.
  void write(const World& world, int number, const FluidSurface* surface = nullptr);

 private:
  std::string folder_;
  bool vtk_ = false, ply_ = false, surface_ = false;
  SeriesIndex particles_{FrameKind::particles, {}}, solids_{FrameKind::solids, {}}, surfaces_{FrameKind::surface, {}};
};

}  // namespace meniscus
