// The grid of a scene and how its steps were solved.
#include <cstdio>

#include "engine/api/convert.h"
#include "engine/api/defs.h"
#include "engine/api/grid_scene.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

template <std::size_t N>
void put(char (&to)[N], const char* text) {
  std::snprintf(to, N, "%s", text);
}

mnsGridField fieldAt(GridRunning& g, std::int32_t k) {
  const std::vector<const GridFieldKey*> keys = g.published.keys(*g.run);
  if (k < 0 || std::size_t(k) >= keys.size())
    fail(MNS_ERROR_INVALID_ARGUMENT, "there is no field {}; they go from 0 to {}", k, keys.size() - 1);
  const GridFieldKey& key = *keys[std::size_t(k)];
  mnsGridField f{};
  f.format = key.format;
  put(f.name, key.name);
  put(f.unit, key.unit);
  put(f.help, key.help);
  return f;
}

}  // namespace

extern "C" {

mnsResult mnsScene_GetGrid(mnsScene* scene, mnsGrid* grid) {
  return read(scene, [&](mnsScene& s) {
    GridRunning& running = startedGrid(s);
    const offline::GridFields& f = running.published.fields(*running.run);
    mnsGrid g{};
    g.dimension = s.def.solver.grid.dimension;
    for (int a = 0; a < 3; ++a) g.cells[a] = f.cells[a];
    g.cellSize = f.dx;
    g.origin = fromVec(f.origin);
    giveOut(grid, g, "mnsGrid");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetGridFieldCount(mnsScene* scene, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    GridRunning& g = startedGrid(s);
    *count = std::int32_t(g.published.keys(*g.run).size());
    return MNS_OK;
  });
}

mnsResult mnsScene_GetGridField(mnsScene* scene, int32_t k, mnsGridField* field) {
  return read(scene, [&](mnsScene& s) {
    giveOut(field, fieldAt(startedGrid(s), k), "mnsGridField");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetGridArray(mnsScene* scene, const char* name, mnsView* view) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(view, "view");
    GridRunning& g = startedGrid(s);
    *view = g.published.field(*g.run, name);
    return MNS_OK;
  });
}

mnsResult mnsScene_GetCoupling(mnsScene* scene, mnsCoupling* coupling) {
  return read(scene, [&](mnsScene& s) {
    startedGrid(s);
    giveOut(coupling, gridCoupling(s), "mnsCoupling");
    return MNS_OK;
  });
}

}  // extern "C"
