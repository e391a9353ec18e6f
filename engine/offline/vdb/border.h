// The border between the program and the plug-in that writes OpenVDB files: plain C types only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace meniscus::offline {

constexpr std::uint32_t kVdbPluginVersion = 1;

// A grid of floats, x fastest. Cells of the value `background` are not stored, nor those of a level set beyond it on either side.
struct VdbGrid {
  const char* name;
  bool levelSet;  // signed distances [m]; else a fog volume
  std::int32_t cells[3];
  double cellSize;      // m
  double origin[3];     // m, lower corner of the first cell
  const float* values;  // at the centres
  float background;
};

using VdbSink = void(void* user, const char* bytes, std::size_t count);  // gets the file, piece by piece

struct VdbPlugin {
  std::uint32_t version;  // kVdbPluginVersion
  // A file of the grids with the metadatum "time" [s]. False: reason (a text of at most n bytes) says why.
  bool (*write)(const VdbGrid* grids, std::int32_t count, double time, VdbSink* sink, void* user, char* reason, int n);
};

constexpr const char* kVdbPluginFactoryName = "meniscusVdbPlugin";
using VdbPluginFactory = const VdbPlugin* (*)();

}  // namespace meniscus::offline
