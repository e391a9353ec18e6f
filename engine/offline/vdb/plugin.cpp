// The plug-in meniscus_vdb.so: grids as OpenVDB files.
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <cstdio>
#include <exception>
#include <sstream>
#include <string>

#include "engine/offline/vdb/border.h"

namespace meniscus::offline {
namespace {

openvdb::GridBase::Ptr gridOf(const VdbGrid& g) {
  const auto grid = openvdb::FloatGrid::create(g.background);
  grid->setName(g.name);
  grid->setGridClass(g.levelSet ? openvdb::GRID_LEVEL_SET : openvdb::GRID_FOG_VOLUME);
  const auto transform = openvdb::math::Transform::createLinearTransform(g.cellSize);
  // voxels are at their centres
  const double half = 0.5 * g.cellSize;
  transform->postTranslate({g.origin[0] + half, g.origin[1] + half, g.origin[2] + half});
  grid->setTransform(transform);
  auto accessor = grid->getAccessor();
  std::size_t k = 0;
  for (int z = 0; z < g.cells[2]; ++z)
    for (int y = 0; y < g.cells[1]; ++y)
      for (int x = 0; x < g.cells[0]; ++x, ++k)
        if (g.levelSet && g.values[k] <= -g.background)
          accessor.setValueOff({x, y, z}, -g.background);
        else if (g.levelSet ? g.values[k] < g.background : g.values[k] != g.background)
          accessor.setValue({x, y, z}, g.values[k]);
  return grid;
}

bool write(const VdbGrid* grids, std::int32_t count, double time, VdbSink* sink, void* user, char* reason, int n) {
  try {
    openvdb::initialize();
    openvdb::GridPtrVec all;
    for (std::int32_t k = 0; k < count; ++k) all.push_back(gridOf(grids[k]));
    openvdb::MetaMap meta;
    meta.insertMeta("time", openvdb::DoubleMetadata(time));
    std::ostringstream out(std::ios_base::binary);
    openvdb::io::Stream(out).write(all, meta);
    const std::string bytes = out.str();
    sink(user, bytes.data(), bytes.size());
    return true;
  } catch (const std::exception& e) { std::snprintf(reason, std::size_t(n), "%s", e.what()); }
  return false;
}

}  // namespace

extern "C" const VdbPlugin* meniscusVdbPlugin() {
  static const VdbPlugin plugin = {kVdbPluginVersion, write};
  return &plugin;
}

}  // namespace meniscus::offline
