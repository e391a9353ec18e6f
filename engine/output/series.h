// A series of frames in a folder: one file a frame and kind, and for VTK an index (.pvd) that is valid at every moment.
#pragma once

#include <string>
#include <vector>

#include "engine/world/world.h"

namespace meniscus {

class FrameSeries {
 public:
  // formats: "vtk", "ply". Goes on after the frames that the folder's index already has up to time `from` [s]; later ones are
  // dropped from the index. from < 0: a new series.
  FrameSeries(const std::string& folder, const std::vector<std::string>& formats, double from);

  // Writes the frame of the world's present time. Throws Error(input) where that cannot be; the index then still names whole files
  // only.
  void write(const World& world, int number);

 private:
  struct Entry {
    double time;  // s
    std::string file;
  };
  struct Index {
    std::string file;  // of the .pvd
    std::vector<Entry> entries;
  };
  void load(Index& index, double from) const;
  void add(Index& index, double time, const std::string& file) const;

  std::string folder_;
  bool vtk_ = false, ply_ = false;
  Index particles_{"particles.pvd", {}}, solids_{"solids.pvd", {}};
};

}  // namespace meniscus
