#include "apps/replay/replay.h"

#include <algorithm>
#include <utility>

#include "engine/scene/methods.h"

namespace meniscus::replay {
namespace {

using picture::BodyFrame;

glm::vec4 between(const glm::vec4& a, const glm::vec4& b, float share) { return a + share * (b - a); }

// b: null, or with a's surface.
void mixBody(const SavedBody& a, const SavedBody* b, float share, BodyFrame& body) {
  const std::vector<std::int32_t> none;
  const std::vector<std::int32_t>& triangles = a.surface ? a.surface->shaded.tri : none;
  if (body.triangles != triangles) {
    body.triangles = triangles;
    ++body.revision;
  }
  body.position = a.position;
  body.normal = a.normal;
  body.value = a.value;
  if (!b) return;
  for (std::size_t k = 0; k < body.position.size(); ++k) {
    body.position[k] = between(a.position[k], b->position[k], share);
    const glm::vec4 n = between(a.normal[k], b->normal[k], share);
    const float length = glm::length(n);
    if (length > 0) body.normal[k] = n / length;
  }
  for (std::size_t k = 0; k < body.value.size(); ++k) body.value[k] += share * (b->value[k] - a.value[k]);
}

}  // namespace

Replay::Replay(const RunFolder& run, const picture::Colouring& colouring, std::vector<BodyFrame> bodies)
    : run_(run), reader_(run.scene, colouring) {
  frame_.fluidQuantity = colouring.fluid;
  frame_.meshQuantity = colouring.mesh;
  if (isGridScene(run.scene)) {
    const std::vector<FluidDef>& fluids = run.scene.fluids;
    frame_.grid.water = !fluids.empty() && fluids[0].kind == FluidKind::water;
    frame_.fluidQuantity = picture::gridQuantity(colouring.fluid, frame_.grid.water);
    frame_.grid.plane = run.scene.solver.grid.dimension == 2;
  } else {
    frame_.fluids.resize(std::max<std::size_t>(1, run.scene.fluids.size()));
  }
  frame_.bodies = std::move(bodies);
  before_ = reader_.read(run_.frames[0]);
}

void Replay::load(std::size_t number) {
  if (number == number_) return;
  before_ = number == number_ + 1 && afterRead_ ? std::move(after_) : reader_.read(run_.frames[number]);
  number_ = number;
  afterRead_ = false;
}

const picture::Frame& Replay::at(double time) {
  const double roundOff = 1e-9 + 1e-8 * time;  // of the times in an index
  const auto later = std::upper_bound(run_.frames.begin(), run_.frames.end(), time + roundOff,
                                      [](double t, const FrameFiles& f) { return t < f.time; });
  load(later == run_.frames.begin() ? 0 : std::size_t(later - run_.frames.begin()) - 1);
  frame_.time = time;
  if (time <= before_.time + roundOff || later == run_.frames.end()) {
    mix(before_, nullptr, 0);
    return frame_;
  }
  if (!afterRead_) after_ = reader_.read(*later);
  afterRead_ = true;
  mix(before_, &after_, float((time - before_.time) / (after_.time - before_.time)));
  return frame_;
}

void Replay::mix(const SavedFrame& a, const SavedFrame* b, float share) {
  if (a.grid.image.cells[0] > 0) {
    mixGrid(a.grid, b && b->grid.value.size() == a.grid.value.size() ? &b->grid : nullptr, share);
    frame_.fluidRange =
        picture::rangeOfGrid(frame_.grid.value, frame_.grid.water ? frame_.grid.own : std::vector<float>(), frame_.fluidQuantity);
  } else {
    mixParticles(a.particles, b ? &b->particles : nullptr, share);
    frame_.fluidRange = picture::rangeOf(values_, frame_.fluidQuantity, someValues_);
  }
  for (std::size_t k = 0; k < frame_.bodies.size(); ++k) {
    const bool same = b && a.bodies[k].surface && b->bodies[k].surface == a.bodies[k].surface;
    mixBody(a.bodies[k], same ? &b->bodies[k] : nullptr, share, frame_.bodies[k]);
  }
  frame_.meshRange = picture::rangeOfBodies(frame_);
}

void Replay::mixGrid(const SavedGrid& a, const SavedGrid* b, float share) {
  picture::GridFrame& grid = frame_.grid;
  const VtkImage& image = a.image;
  grid.cells = {image.cells[0], image.cells[1], image.cells[2]};
  grid.low = {image.origin[0], image.origin[1], image.origin[2]};
  grid.cell = float(image.spacing);
  grid.value = a.value;
  grid.own = a.own;
  ++grid.revision;
  if (!b) return;
  for (std::size_t k = 0; k < grid.value.size(); ++k) grid.value[k] += share * (b->value[k] - grid.value[k]);
  for (std::size_t k = 0; k < grid.own.size(); ++k) grid.own[k] += share * (b->own[k] - grid.own[k]);
}

// Both are in the order of ids.
void Replay::mixParticles(const SavedParticles& a, const SavedParticles* b, float share) {
  for (picture::FluidFrame& f : frame_.fluids) {
    f.position.clear();
    f.value.clear();
  }
  values_.clear();
  std::size_t j = 0;
  for (std::size_t k = 0; k < a.id.size(); ++k) {
    while (b && j < b->id.size() && b->id[j] < a.id[k]) ++j;
    const bool both = b && j < b->id.size() && b->id[j] == a.id[k];
    picture::FluidFrame& f = frame_.fluids[a.fluid[k]];
    f.position.push_back(both ? between(a.position[k], b->position[j], share) : a.position[k]);
    if (a.value.empty()) continue;
    values_.push_back(both ? a.value[k] + share * (b->value[j] - a.value[k]) : a.value[k]);
    f.value.push_back(values_.back());
  }
}

}  // namespace meniscus::replay
