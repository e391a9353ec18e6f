// One frame of a run, read from its files.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

#include "apps/picture/colouring.h"
#include "apps/replay/run_folder.h"
#include "engine/output/shaded_surface.h"
#include "engine/output/vtk_file.h"

namespace meniscus::replay {

struct SavedParticles {  // in the order of their ids, each of which is there once
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> fluid;  // index into SceneDef::fluids
  std::vector<glm::vec4> position;  // m
  std::vector<float> value;         // of the quantity that colours; empty: none
};

// What is on a grid; no cells: the scene is of particles.
struct SavedGrid {
  VtkImage image;
  std::vector<float> value, own;  // by cell: of the quantity that colours slices; the level set of water, the density of smoke
};

// A surface whose points move: its triangles, and how it is shaded. In a plane: its lines, and the triangles that stand for them.
struct SavedSurface {
  std::size_t points = 0;
  std::vector<std::int32_t> triangles;
  ShadedSurface shaded;
};

struct SavedBody {
  std::shared_ptr<const SavedSurface> surface;  // the same one in all frames with these triangles; null: the body is not there
  std::vector<glm::vec4> position, normal;      // by point of the shaded surface
  std::vector<float> value;
};

struct SavedFrame {
  double time = 0;  // s
  SavedParticles particles;
  SavedGrid grid;
  std::vector<SavedBody> bodies;  // by solid of the scene
};

class SavedFrameReader {
 public:
  SavedFrameReader(const SceneDef& scene, const picture::Colouring& colouring);
  // Throws Error(input), naming the file, where it is damaged or does not hold the quantity that colours.
  SavedFrame read(const FrameFiles& files);

 private:
  void readParticles(const FrameFiles& files, SavedParticles& particles) const;
  std::vector<float> fluidValues(const VtkFile& file) const;
  void readGrid(const FrameFiles& files, SavedGrid& grid) const;
  // Returns PlaneSurface::of.
  std::vector<std::int32_t> readPlaneBody(std::size_t solid, const std::vector<Vec3d>& x, std::vector<std::int32_t> lines,
                                          SavedBody& body);
  void readBodies(const FrameFiles& files, std::vector<SavedBody>& bodies);
  std::shared_ptr<const SavedSurface> surfaceOf(std::size_t solid, const std::vector<Vec3d>& x,
                                                std::vector<std::int32_t> triangles);

  const SceneDef& scene_;
  picture::Colouring colouring_;
  std::vector<std::shared_ptr<const SavedSurface>> surfaces_;  // by solid, of the last frame
};

}  // namespace meniscus::replay
