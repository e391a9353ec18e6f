// The frames of a run of a grid method: its fluid as VTK image data, its solids and the water's surface as VTK meshes, each with
// an index.
#pragma once

#include <string>
#include <vector>

#include "engine/offline/run.h"
#include "engine/output/series_index.h"

namespace meniscus::offline {

// Of each cell smoke [1] or the level set of water [m], velocity [m/s] and pressure [Pa], at time [s].
std::string vtkGrid(const GridFields& fields, double time);
// Triangles, or in two dimensions lines, with velocity [m/s] and body number, at time [s]; names as in vtkSurfaces.
// stretch: it is in the file.
std::string vtkSolids(const SolidFields& solids, double time, bool stretch = false);

// Throws Error(input) for a format that runs of grid methods do not have, or that this build has not.
void checkOfflineFormats(const std::vector<std::string>& formats);

class OfflineFrames {
 public:
  // A new series; or, where a run goes on at time `from` [s] after `count` frames, the one that the folder has (see loadIndex).
  OfflineFrames(const std::string& folder, const std::vector<std::string>& formats);
  OfflineFrames(const std::string& folder, const std::vector<std::string>& formats, double from, std::uint64_t count,
                std::vector<std::string>* notes);

  // Writes the scene as it was run beside the frames.
  void writeScene(const SceneDef& scene) const;
  // Writes the frame of the present time. Throws Error(input) where that cannot be; the index then still names whole files only.
  void write(const OfflineRun& run, std::uint64_t number);

 private:
  std::string folder_;
  bool vtk_ = false, vdb_ = false, surface_ = false;
  SeriesIndex grid_{FrameKind::grid, {}, FrameFormat::vti}, solids_{FrameKind::solids, {}}, surfaces_{FrameKind::surface, {}};
};

}  // namespace meniscus::offline
