#include "apps/picture/frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "apps/picture/check.h"

namespace meniscus::picture {
namespace {

glm::vec3 toGlm(const mnsVec3& v) { return {float(v.x), float(v.y), float(v.z)}; }

// One number a particle; empty for FluidQuantity::none.
void particleValues(mnsScene* scene, FluidQuantity quantity, std::vector<float>& values) {
  using Q = FluidQuantity;
  values.clear();
  if (quantity == Q::none) return;
  const mnsParticleField field = quantity == Q::speed          ? MNS_PARTICLE_VELOCITY
                                 : quantity == Q::pressure     ? MNS_PARTICLE_PRESSURE
                                 : quantity == Q::densityError ? MNS_PARTICLE_DENSITY_ERROR
                                 : quantity == Q::deficiency   ? MNS_PARTICLE_DEFICIENCY
                                 : quantity == Q::vorticity    ? MNS_PARTICLE_VORTICITY
                                                               : MNS_PARTICLE_LEAKED;
  mnsView view;
  check(mnsScene_GetParticles(scene, field, &view));
  values.resize(std::size_t(view.count));
  if (quantity == Q::speed || quantity == Q::vorticity) {
    const auto* v = static_cast<const glm::vec4*>(view.data);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = glm::length(glm::vec3(v[k]));
  } else if (quantity == Q::leaked) {
    const auto* v = static_cast<const std::uint8_t*>(view.data);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = v[k];
  } else if (!values.empty()) {
    std::memcpy(values.data(), view.data, values.size() * sizeof(float));
  }
}

// Of particles, one after the other.
struct Energies {
  double kinetic = 0, potential = 0;
  void add(const glm::vec4& x, const glm::vec4& u, const glm::dvec3& gravity) {
    const double mass = x.w > 0 ? 1 / double(x.w) : 0;
    kinetic += 0.5 * mass * double(glm::dot(glm::vec3(u), glm::vec3(u)));
    potential -= mass * glm::dot(gravity, glm::dvec3(x));
  }
  void give(Frame& frame) const {
    frame.kineticEnergy = float(kinetic);
    frame.potentialEnergy = float(potential);
  }
};

bool oneFluid(mnsScene* scene) {
  mnsView fluid;
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_FLUID, &fluid));
  const auto* number = static_cast<const std::int32_t*>(fluid.data);
  return std::all_of(number, number + fluid.count, [](std::int32_t k) { return k == 1; });
}

template <class T>
void copyArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, std::size_t perItem, std::vector<T>& to) {
  mnsView view;
  check(mnsBody_GetArray(scene, body, field, &view));
  to.resize(std::size_t(view.count) * perItem);
  if (!to.empty()) std::memcpy(to.data(), view.data, to.size() * sizeof(T));
}

// Of each point of the surface what valueOf says of its node.
template <class F>
void nodeValues(mnsScene* scene, mnsBodyField field, BodyFrame& body, const F& valueOf) {
  mnsView view;
  check(mnsBody_GetArray(scene, body.id, field, &view));
  if (body.node.empty())
    for (std::int64_t k = 0; k < view.count; ++k) body.value.push_back(valueOf(view.data, k));
  for (const std::int32_t node : body.node) body.value.push_back(valueOf(view.data, std::int64_t(node)));
}

float lengthOf(const void* vectors, std::int64_t k) { return glm::length(glm::vec3(static_cast<const glm::vec4*>(vectors)[k])); }
float numberOf(const void* numbers, std::int64_t k) { return static_cast<const float*>(numbers)[k]; }

void rigidSpeeds(mnsScene* scene, BodyFrame& body) {
  mnsVec3 position, linear, angular;
  mnsQuat rotation;
  check(mnsBody_GetTransform(scene, body.id, &position, &rotation));
  check(mnsBody_GetVelocity(scene, body.id, &linear, &angular));
  for (const glm::vec4& x : body.position)
    body.value.push_back(glm::length(toGlm(linear) + glm::cross(toGlm(angular), glm::vec3(x) - toGlm(position))));
}

// Constraints between two nodes as lines of their colour; where there are none (bodies of tetrahedra alone), all pairs of nodes of
// each constraint.
void constraintEdges(mnsScene* scene, BodyFrame& body) {
  body.edges.clear();
  mnsView nodes;
  check(mnsBody_GetArray(scene, body.id, MNS_BODY_CONSTRAINTS, &nodes));
  std::vector<glm::ivec4> constraints(std::size_t(nodes.count));
  if (constraints.empty()) return;
  std::memcpy(constraints.data(), nodes.data, constraints.size() * sizeof(glm::ivec4));
  std::vector<std::int32_t> colours;
  copyArray(scene, body.id, MNS_BODY_CONSTRAINT_COLOUR, 1, colours);
  const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t colour) {
    const auto count = std::int32_t(body.position.size());
    if (a >= 0 && b >= 0 && a < count && b < count) body.edges.push_back({a, b, colour});
  };
  for (std::size_t k = 0; k < constraints.size(); ++k)
    if (constraints[k][2] < 0) add(constraints[k][0], constraints[k][1], colours[k]);
  if (!body.edges.empty()) return;
  for (std::size_t k = 0; k < constraints.size(); ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) add(constraints[k][i], constraints[k][j], colours[k]);
}

template <class T>
const T* gridArray(mnsScene* scene, const char* name, std::size_t& cells) {
  mnsView view;
  check(mnsScene_GetGridArray(scene, name, &view));
  cells = std::size_t(view.count);
  return static_cast<const T*>(view.data);
}

}  // namespace

void listBodies(mnsScene* scene, std::vector<BodyFrame>& bodies) {
  std::int32_t count = 0;
  check(mnsScene_GetBodies(scene, nullptr, 0, &count));
  std::vector<mnsBodyId> ids(std::size_t(count), mnsBodyId{});
  check(mnsScene_GetBodies(scene, ids.data(), count, &count));
  bodies.resize(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    BodyFrame& body = bodies[k];
    const char* name = nullptr;
    body.id = ids[k];
    check(mnsBody_GetKind(scene, body.id, &body.kind));
    check(mnsBody_GetName(scene, body.id, &name));
    if (body.name != name) { body = BodyFrame{name, body.id, body.kind, false, false, {}, {}, {}, {}, {}, body.revision + 1, {}}; }
    mnsShape shape = mnsDefaultShape();
    check(mnsBody_GetShape(scene, body.id, &shape));
    body.container = shape.container;
    body.sheet = body.container || body.kind == MNS_BODY_CLOTH || shape.kind == MNS_SHAPE_SHEET || shape.kind == MNS_SHAPE_PLANE ||
                 shape.open;
  }
}

void FrameReader::readFluids(mnsScene* scene, FluidQuantity quantity, Frame& frame) {
  mnsView position, velocity, fluid;
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &position));
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &velocity));
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_FLUID, &fluid));
  particleValues(scene, quantity, value_);
  const auto* x = static_cast<const glm::vec4*>(position.data);
  const auto* u = static_cast<const glm::vec4*>(velocity.data);
  const auto* kind = static_cast<const std::int32_t*>(fluid.data);
  std::int32_t fluids = 1;
  for (std::int64_t k = 0; k < fluid.count; ++k) fluids = std::max(fluids, kind[k]);
  frame.fluids.resize(std::size_t(fluids));
  for (FluidFrame& f : frame.fluids) {
    f.position.clear();
    f.value.clear();
    f.buffer = 0;
  }
  Energies energies;
  for (std::int64_t k = 0; k < position.count; ++k) {
    FluidFrame& f = frame.fluids[std::size_t(kind[k] - 1)];
    f.position.push_back(x[k]);
    if (!value_.empty()) f.value.push_back(value_[std::size_t(k)]);
    energies.add(x[k], u[k], facts_.gravity);
  }
  energies.give(frame);
  frame.fluidRange = rangeOf(value_, quantity, some_);
}

void FrameReader::readEnergies(mnsScene* scene, Frame& frame) const {
  mnsView position, velocity;
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &position));
  check(mnsScene_GetParticles(scene, MNS_PARTICLE_VELOCITY, &velocity));
  const auto* x = static_cast<const glm::vec4*>(position.data);
  const auto* u = static_cast<const glm::vec4*>(velocity.data);
  Energies energies;
  for (std::int64_t k = 0; k < position.count; ++k) energies.add(x[k], u[k], facts_.gravity);
  energies.give(frame);
}

std::uint64_t stepsOf(const mnsStatistics& s, const SceneFacts& facts) {
  return facts.grid ? std::uint64_t(std::llround(s.time / facts.dt)) : s.steps;
}

FluidQuantity gridQuantity(FluidQuantity asked, bool water) {
  if (asked == FluidQuantity::speed || asked == FluidQuantity::pressure) return asked;
  return water ? FluidQuantity::levelSet : FluidQuantity::smoke;
}

void FrameReader::readGrid(mnsScene* scene, FluidQuantity quantity, Frame& frame) {
  GridFrame& grid = frame.grid;
  mnsGrid g{};
  g.structSize = sizeof g;
  check(mnsScene_GetGrid(scene, &g));
  grid.cells = {g.cells[0], g.cells[1], g.cells[2]};
  grid.low = toGlm(g.origin);
  grid.cell = float(g.cellSize);
  grid.plane = g.dimension == 2;
  std::size_t n = 0;
  mnsGridField first{};
  first.structSize = sizeof first;
  check(mnsScene_GetGridField(scene, 0, &first));
  grid.water = std::strcmp(first.name, "level_set") == 0;
  const float* own = gridArray<float>(scene, grid.water ? "level_set" : "smoke", n);
  grid.own.assign(own, own + n);
  frame.fluidQuantity = gridQuantity(quantity, grid.water);
  if (frame.fluidQuantity == FluidQuantity::speed) {
    const auto* v = gridArray<glm::vec3>(scene, "velocity", n);
    grid.value.resize(n);
    for (std::size_t k = 0; k < n; ++k) grid.value[k] = glm::length(v[k]);
  } else {
    const float* v = frame.fluidQuantity == FluidQuantity::pressure ? gridArray<float>(scene, "pressure", n) : own;
    grid.value.assign(v, v + n);
  }
  frame.fluidRange = rangeOfGrid(grid.value, grid.water ? grid.own : std::vector<float>(), frame.fluidQuantity);
  grid.revision = ++gridRevision_;
  mnsCoupling coupling{};
  coupling.structSize = sizeof coupling;
  check(mnsScene_GetCoupling(scene, &coupling));
  frame.kineticEnergy = float(coupling.kineticEnergy);
  frame.potentialEnergy = 0;
}

bool FrameReader::readShared(mnsScene* scene, FluidQuantity quantity, Frame& frame, GlPositions* shared) {
  if (!shared || !oneFluid(scene) || !shared->update(scene)) return false;
  frame.fluids.resize(1);
  FluidFrame& f = frame.fluids[0];
  f.position.clear();
  f.buffer = shared->buffer();
  f.inBuffer = shared->count();
  particleValues(scene, quantity, f.value);
  frame.kineticEnergy = frame.potentialEnergy = std::numeric_limits<float>::quiet_NaN();
  frame.fluidRange = rangeOf(f.value, quantity, some_);
  return true;
}

void FrameReader::readTriangles(mnsScene* scene, BodyFrame& body) {
  mnsView view;
  check(mnsBody_GetArray(scene, body.id, MNS_SURFACE_TRIANGLES, &view));
  const std::size_t count = 3 * std::size_t(view.count);
  const bool same = body.triangles.size() == count &&
                    (count == 0 || std::memcmp(body.triangles.data(), view.data, count * sizeof(std::int32_t)) == 0);
  if (same) return;
  const auto* nodes = static_cast<const std::int32_t*>(view.data);
  body.triangles.assign(nodes, nodes + count);
  ++body.revision;
  if (facts_.grid) {
    body.edges.clear();  // no constraints
    return findNodes(scene, body);
  }
  if (body.kind >= MNS_BODY_CLOTH) constraintEdges(scene, body);
}

// Beside a grid a surface has its own points. In space it has the triangles of the nodes, in the same order; in a plane every node
// has become the corners of a bar about it.
void FrameReader::findNodes(mnsScene* scene, BodyFrame& body) const {
  mnsView nodes, triangles;
  check(mnsBody_GetArray(scene, body.id, MNS_NODE_POSITION, &nodes));
  check(mnsBody_GetArray(scene, body.id, MNS_BODY_TRIANGLES, &triangles));
  body.node.assign(body.position.size(), 0);
  const auto* corner = static_cast<const std::int32_t*>(triangles.data);
  if (std::size_t(3 * triangles.count) == body.triangles.size()) {
    for (std::size_t k = 0; k < body.triangles.size(); ++k) body.node[std::size_t(body.triangles[k])] = corner[k];
    return;
  }
  const auto* x = static_cast<const glm::vec4*>(nodes.data);
  const auto away = [](const glm::vec4& a, const glm::vec4& b) { return glm::length(glm::vec2(a.x - b.x, a.z - b.z)); };
  for (std::size_t k = 0; k < body.position.size(); ++k) {
    const glm::vec4& p = body.position[k];
    const auto* nearest =
        std::min_element(x, x + nodes.count, [&](const glm::vec4& a, const glm::vec4& b) { return away(a, p) < away(b, p); });
    body.node[k] = std::int32_t(nearest - x);
  }
}

void FrameReader::readBody(mnsScene* scene, MeshQuantity quantity, BodyFrame& body) {
  copyArray(scene, body.id, MNS_SURFACE_POSITION, 1, body.position);
  copyArray(scene, body.id, MNS_SURFACE_NORMAL, 1, body.normal);
  readTriangles(scene, body);
  body.value.clear();
  const bool deformable = body.kind >= MNS_BODY_CLOTH;
  if (quantity == MeshQuantity::stretch && deformable) nodeValues(scene, MNS_NODE_STRETCH, body, numberOf);
  if (quantity != MeshQuantity::speed) return;
  if (deformable) {
    nodeValues(scene, MNS_NODE_VELOCITY, body, lengthOf);
  } else {
    rigidSpeeds(scene, body);
  }
}

void FrameReader::read(mnsScene* scene, const Colouring& colouring, Frame& frame, GlPositions* shared) {
  mnsStatistics s{};
  s.structSize = sizeof s;
  check(mnsScene_GetStatistics(scene, &s));
  frame.time = s.time;
  frame.steps = stepsOf(s, facts_);
  frame.fluidQuantity = colouring.fluid;
  frame.meshQuantity = colouring.mesh;
  if (facts_.grid) {
    frame.fluids.clear();
    readGrid(scene, colouring.fluid, frame);
  } else {
    frame.grid.cells = glm::ivec3(0);
    if (!readShared(scene, colouring.fluid, frame, shared)) readFluids(scene, colouring.fluid, frame);
  }
  listBodies(scene, frame.bodies);
  for (BodyFrame& body : frame.bodies) readBody(scene, frame.meshQuantity, body);
  frame.meshRange = rangeOfBodies(frame);
}

Range rangeOfBodies(const Frame& frame) {
  Range range{0, 0};
  for (const BodyFrame& body : frame.bodies)
    for (float v : body.value) {
      range.low = std::min(range.low, v);
      range.high = std::max(range.high, v);
    }
  if (frame.meshQuantity == MeshQuantity::stretch) range.low = -(range.high = std::max(range.high, -range.low));
  if (!(range.high > 1e-6f)) range.high = 1e-6f;
  return range;
}

void boundsOf(const Frame& frame, const SceneFacts& facts, glm::vec3& low, glm::vec3& high, const std::vector<glm::vec4>& more) {
  low = glm::vec3(std::numeric_limits<float>::max());
  high = -low;
  const auto add = [&](const glm::vec4& x) {
    low = glm::min(low, glm::vec3(x));
    high = glm::max(high, glm::vec3(x));
  };
  for (const FluidFrame& fluid : frame.fluids) std::for_each(fluid.position.begin(), fluid.position.end(), add);
  std::for_each(more.begin(), more.end(), add);
  for (const BodyFrame& body : frame.bodies) std::for_each(body.position.begin(), body.position.end(), add);
  if (frame.grid.cells.x > 0) {  // smoke goes everywhere
    low = frame.grid.low;
    high = low + glm::vec3(frame.grid.cells) * frame.grid.cell;
    return;
  }
  low = glm::max(low, facts.low);
  high = glm::min(high, facts.high);
  if (low.x > high.x || low.y > high.y || low.z > high.z) {
    low = facts.low;
    high = facts.high;
  }
}

}  // namespace meniscus::picture
