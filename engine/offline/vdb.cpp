#include "engine/offline/vdb.h"

#include "engine/base/error.h"

#ifdef MENISCUS_HAVE_OPENVDB
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <sstream>
#endif

namespace meniscus::offline {

#ifdef MENISCUS_HAVE_OPENVDB

std::string vdbMissing() { return {}; }

std::string vdbSmoke(const GridFields& f, double time) {
  openvdb::initialize();
  const auto grid = openvdb::FloatGrid::create(0);
  grid->setName("density");
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  const auto transform = openvdb::math::Transform::createLinearTransform(f.dx);
  // voxels are at their centres
  transform->postTranslate({f.origin.x + 0.5 * f.dx, f.origin.y + 0.5 * f.dx, f.origin.z + 0.5 * f.dx});
  grid->setTransform(transform);
  auto accessor = grid->getAccessor();
  std::size_t k = 0;
  for (int z = 0; z < f.cells.z; ++z)
    for (int y = 0; y < f.cells.y; ++y)
      for (int x = 0; x < f.cells.x; ++x, ++k)
        if (f.smoke[k] != 0) accessor.setValue({x, y, z}, f.smoke[k]);
  openvdb::MetaMap meta;
  meta.insertMeta("time", openvdb::DoubleMetadata(time));
  std::ostringstream out(std::ios_base::binary);
  openvdb::io::Stream(out).write(openvdb::GridCPtrVec{grid}, meta);
  return out.str();
}

#else

std::string vdbMissing() { return "this build was made without OpenVDB (Debian: libopenvdb-dev)"; }

std::string vdbSmoke(const GridFields&, double) { throw Error(ErrorKind::input, vdbMissing()); }

#endif

}  // namespace meniscus::offline
