#include "apps/replay/saved_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/picture/frame.h"
#include "engine/base/error.h"
#include "engine/output/plane_surface.h"
#include "engine/scene/methods.h"
#include "engine/scene/solid_kinds.h"

namespace meniscus::replay {
namespace {

using picture::FluidQuantity;
using picture::MeshQuantity;

constexpr FluidQuantity kScalars[] = {FluidQuantity::pressure, FluidQuantity::densityError, FluidQuantity::deficiency};

std::string arrayOf(FluidQuantity quantity) {
  return quantity == FluidQuantity::speed ? "velocity" : picture::nameOf(quantity).key;
}

[[noreturn]] void notHeld(const VtkFile& file, FluidQuantity quantity) {
  std::string held = "none, speed";
  for (const FluidQuantity q :
       {FluidQuantity::pressure, FluidQuantity::densityError, FluidQuantity::vorticity, FluidQuantity::deficiency})
    if (file.has(arrayOf(q))) held += fmt::format(", {}", picture::nameOf(q).key);
  throw Error(
      ErrorKind::input,
      fmt::format("{}: does not hold the {} of particles; give --colour one of {}, or run the scene with \"colour\": \"{}\" "
                  "in its output.view",
                  file.path(), picture::nameOf(quantity).key, held, picture::nameOf(quantity).key));
}

// Numbers 0 .. n-1 in the order of the ids.
std::vector<std::uint32_t> orderOf(const std::vector<std::uint32_t>& id) {
  std::vector<std::uint64_t> keys(id.size());
  for (std::size_t k = 0; k < id.size(); ++k) keys[k] = std::uint64_t(id[k]) << 32 | k;
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(id.size());
  for (std::size_t k = 0; k < id.size(); ++k) order[k] = std::uint32_t(keys[k]);
  return order;
}

// The points and triangles, or lines in a plane, of each body of a file of solids, by its number there.
struct BodyPart {
  std::vector<Vec3d> x;               // m
  std::vector<float> stretch;         // empty: not asked for
  std::vector<std::int32_t> element;  // of x
};

std::vector<BodyPart> partsOf(const VtkFile& file, std::size_t bodies, bool stretch) {
  const std::vector<float> x = file.array<float>("position", 3, file.points());
  const std::vector<std::int32_t> body = file.array<std::int32_t>("body", 1, file.points());
  const std::size_t corners = file.lines() > 0 ? 2 : 3;
  const std::vector<std::int32_t> element =
      file.array<std::int32_t>("connectivity", 1, corners == 2 ? 2 * file.lines() : 3 * file.triangles());
  std::vector<float> value;
  if (stretch) value = file.array<float>("stretch", 1, file.points());
  std::vector<BodyPart> parts(bodies);
  std::vector<std::int32_t> place(body.size());  // of each point in its body
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body[k] < 0 || std::size_t(body[k]) >= bodies) file.damaged(fmt::format("there is no body {}", body[k]));
    BodyPart& part = parts[std::size_t(body[k])];
    place[k] = std::int32_t(part.x.size());
    part.x.push_back({x[3 * k], x[3 * k + 1], x[3 * k + 2]});
    if (stretch) part.stretch.push_back(value[k]);
  }
  for (std::size_t k = 0; k < element.size(); ++k) {
    const std::int32_t point = element[k];
    if (point < 0 || std::size_t(point) >= body.size()) file.damaged(fmt::format("there is no point {}", point));
    if (body[std::size_t(point)] != body[std::size_t(element[k - k % corners])])
      file.damaged("a triangle or line is of two bodies");
    parts[std::size_t(body[std::size_t(point)])].element.push_back(place[std::size_t(point)]);
  }
  return parts;
}

glm::vec4 toGlm(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z), 0.f}; }

// Times in an index have nine digits.
void checkTime(const VtkFile& file, double indexed) {
  if (std::abs(file.time() - indexed) > 1e-9 + 1e-8 * std::abs(indexed))
    file.damaged(fmt::format("it is of {:g} s, and the index says {:g} s", file.time(), indexed));
}

}  // namespace

SavedFrameReader::SavedFrameReader(const SceneDef& scene, const picture::Colouring& colouring)
    : scene_(scene), colouring_(colouring), surfaces_(scene.solids.size()) {}

SavedFrame SavedFrameReader::read(const FrameFiles& files) {
  SavedFrame frame;
  frame.time = files.time;
  if (isGridScene(scene_))
    readGrid(files, frame.grid);
  else if (!files.fluid.empty())
    readParticles(files, frame.particles);
  frame.bodies.resize(scene_.solids.size());
  if (!files.solids.empty()) readBodies(files, frame.bodies);
  return frame;
}

std::vector<float> SavedFrameReader::fluidValues(const VtkFile& file) const {
  if (colouring_.fluid == FluidQuantity::none) return {};
  const std::string name = arrayOf(colouring_.fluid);
  if (!file.has(name)) notHeld(file, colouring_.fluid);
  if (std::find(std::begin(kScalars), std::end(kScalars), colouring_.fluid) != std::end(kScalars))
    return file.array<float>(name, 1, file.points());
  const std::vector<float> v = file.array<float>(name, 3, file.points());
  std::vector<float> length(file.points());
  for (std::size_t k = 0; k < length.size(); ++k) length[k] = glm::length(glm::vec3(v[3 * k], v[3 * k + 1], v[3 * k + 2]));
  return length;
}

void SavedFrameReader::readParticles(const FrameFiles& files, SavedParticles& p) const {
  const VtkFile file(files.fluid);
  checkTime(file, files.time);
  const std::size_t n = file.points();
  const std::vector<float> x = file.array<float>("position", 3, n), value = fluidValues(file);
  const std::vector<std::uint8_t> fluid = file.array<std::uint8_t>("fluid", 1, n);
  const std::vector<std::uint32_t> id = file.array<std::uint32_t>("id", 1, n);
  for (const std::uint32_t k : orderOf(id)) {
    if (!p.id.empty() && p.id.back() == id[k]) file.damaged(fmt::format("particle {} is in it twice", id[k]));
    if (fluid[k] >= scene_.fluids.size()) file.damaged(fmt::format("there is no fluid {}", fluid[k]));
    p.id.push_back(id[k]);
    p.fluid.push_back(fluid[k]);
    p.position.push_back({x[3 * k], x[3 * k + 1], x[3 * k + 2], 0.f});
    if (!value.empty()) p.value.push_back(value[k]);
  }
}

std::shared_ptr<const SavedSurface> SavedFrameReader::surfaceOf(std::size_t solid, const std::vector<Vec3d>& x,
                                                                std::vector<std::int32_t> triangles) {
  std::shared_ptr<const SavedSurface>& known = surfaces_[solid];
  if (known && known->triangles == triangles && known->points == x.size()) return known;
  auto made = std::make_shared<SavedSurface>();
  made->points = x.size();
  made->shaded = shadedSurface(x, triangles, deforms(scene_.solids[solid]) ? 180 : kSmoothOfRigid);
  made->triangles = std::move(triangles);
  return known = std::move(made);
}

void SavedFrameReader::readGrid(const FrameFiles& files, SavedGrid& grid) const {
  const VtkFile file(files.fluid);
  checkTime(file, files.time);
  grid.image = file.image();
  const bool water = file.has("level_set");
  grid.own = file.array<float>(water ? "level_set" : "smoke", 1, file.cells());
  const FluidQuantity quantity = picture::gridQuantity(colouring_.fluid, water);
  if (quantity == FluidQuantity::smoke || quantity == FluidQuantity::levelSet) {
    grid.value = grid.own;
  } else if (quantity == FluidQuantity::pressure) {
    grid.value = file.array<float>("pressure", 1, file.cells());
  } else {
    const std::vector<float> v = file.array<float>("velocity", 3, file.cells());
    for (std::size_t k = 0; k < v.size(); k += 3) grid.value.push_back(glm::length(glm::vec3(v[k], v[k + 1], v[k + 2])));
  }
}

std::vector<std::int32_t> SavedFrameReader::readPlaneBody(std::size_t solid, const std::vector<Vec3d>& x,
                                                          std::vector<std::int32_t> lines, SavedBody& body) {
  const GridDef& grid = scene_.solver.grid;
  const double cell = grid.cells > 0 ? (scene_.domain.max.x - scene_.domain.min.x) / grid.cells : grid.cellSize;
  PlaneSurface s = planeSurface(x, lines, kLineThickness * cell, !isShell(scene_.solids[solid]));
  for (const Vec3d& p : s.x) body.position.push_back(toGlm(p));
  for (const Vec3d& n : s.n) body.normal.push_back(toGlm(n));
  std::shared_ptr<const SavedSurface>& known = surfaces_[solid];
  if (!known || known->triangles != lines || known->shaded.tri != s.tri || known->points != x.size()) {
    auto made = std::make_shared<SavedSurface>();
    made->points = x.size();
    made->shaded.tri = std::move(s.tri);
    made->triangles = std::move(lines);
    known = std::move(made);
  }
  body.surface = known;
  return std::move(s.of);
}

void SavedFrameReader::readBodies(const FrameFiles& files, std::vector<SavedBody>& bodies) {
  const VtkFile file(files.solids);
  checkTime(file, files.time);
  const std::vector<std::string> names = file.names("bodies");
  const bool stretch = colouring_.mesh == MeshQuantity::stretch;
  std::vector<BodyPart> parts = partsOf(file, names.size(), stretch);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto& solids = scene_.solids;
    const auto def = std::find_if(solids.begin(), solids.end(), [&](const SolidDef& s) { return s.name == names[k]; });
    if (def == solids.end()) file.damaged(fmt::format("the scene has no solid \"{}\"", names[k]));
    const BodyPart& part = parts[k];
    SavedBody& body = bodies[std::size_t(def - solids.begin())];
    body = {};
    if (file.lines() > 0) {
      const std::vector<std::int32_t> of = readPlaneBody(std::size_t(def - solids.begin()), part.x, part.element, body);
      if (stretch && def->kind >= SolidKind::cloth)
        for (const std::int32_t point : of) body.value.push_back(point < 0 ? 0 : part.stretch[std::size_t(point)]);
      continue;
    }
    body.surface = surfaceOf(std::size_t(def - solids.begin()), part.x, part.element);
    const ShadedSurface& shaded = body.surface->shaded;
    for (const std::int32_t point : shaded.point) body.position.push_back(toGlm(part.x[std::size_t(point)]));
    for (const Vec3d& n : shaded.normals(part.x, part.element)) body.normal.push_back(toGlm(n));
    if (stretch && def->kind >= SolidKind::cloth)
      for (const std::int32_t point : shaded.point) body.value.push_back(part.stretch[std::size_t(point)]);
  }
}

}  // namespace meniscus::replay
