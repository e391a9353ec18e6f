// Arrays of a grid scene as callers see them. Made on demand, once a step.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/buffer.h"
#include "engine/offline/run.h"
#include "engine/output/shaded_surface.h"
#include "meniscus/meniscus.h"

namespace meniscus::api {

// A field that the grid of a scene may have.
struct GridFieldKey {
  const char *name, *unit, *help;
  mnsFormat format;
  // Its items, and how many; none: the scene's grid does not have it.
  std::pair<const void*, std::size_t> (*items)(const offline::GridFields& fields);
};

class GridPublished {
 public:
  // The state has changed: views handed out before are stale.
  void renew();

  // Any thread.
  const offline::GridFields& fields(const offline::OfflineRun& run);
  std::vector<const GridFieldKey*> keys(const offline::OfflineRun& run);
  mnsView field(const offline::OfflineRun& run, const char* name);  // throws Failure(NOT_FOUND)
  mnsView body(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field);

 private:
  static constexpr int kBodyFields = 11;
  struct Array {
    Buffer<char> bytes;
    bool fresh = false;
  };
  // Of one solid.
  struct Nodes {
    std::vector<Vec3d> x, v;
    std::vector<float> inverseMass, stretch;
    std::vector<std::int32_t> element;  // two nodes of its own an edge in two dimensions, three a triangle in three
  };
  const offline::GridFields& freshFields(const offline::OfflineRun& run);
  const std::vector<Nodes>& freshNodes(const offline::OfflineRun& run);
  void fill(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field, Array& a);
  void fillSurface(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field, Array& a);

  std::mutex mutex_;
  offline::GridFields fields_;
  std::vector<Nodes> nodes_;
  bool fieldsFresh_ = false, nodesFresh_ = false;
  std::vector<Array> bodies_;            // kBodyFields for each solid of the scene
  std::vector<ShadedSurface> surfaces_;  // of solids in space, made when asked for
};

// Throws Failure(WRONG_KIND): not on a grid.
[[noreturn]] void notOnGrid(const char* what);

}  // namespace meniscus::api
