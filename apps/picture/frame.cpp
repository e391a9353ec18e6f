#include "apps/picture/frame.h"

#include <algorithm>
#include <cstring>
#include <glm/gtc/quaternion.hpp>
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
                                                               : MNS_PARTICLE_LEAKED;
  mnsView view;
  check(mnsScene_GetParticles(scene, field, &view));
  values.resize(std::size_t(view.count));
  if (quantity == Q::speed) {
    const auto* v = static_cast<const glm::vec4*>(view.data);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = glm::length(glm::vec3(v[k]));
  } else if (quantity == Q::leaked) {
    const auto* v = static_cast<const std::uint8_t*>(view.data);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = v[k];
  } else if (!values.empty()) {
    std::memcpy(values.data(), view.data, values.size() * sizeof(float));
  }
}

template <class T>
void copyArray(mnsScene* scene, mnsBodyId body, mnsBodyField field, std::size_t perItem, std::vector<T>& to) {
  mnsView view;
  check(mnsBody_GetArray(scene, body, field, &view));
  to.resize(std::size_t(view.count) * perItem);
  if (!to.empty()) std::memcpy(to.data(), view.data, to.size() * sizeof(T));
}

Range rangeOfBodies(const Frame& frame) {
  Range range{0, 0};
  for (const BodyFrame& body : frame.bodies)
    for (float v : body.value) range.high = std::max(range.high, v);
  if (!(range.high > 1e-6f)) range.high = 1e-6f;
  return range;
}

}  // namespace

FrameReader::FrameReader(const SceneFacts& facts) : facts_(facts) {
  const float extent = 2 * glm::length(facts_.high - facts_.low);
  for (const SolidFacts& solid : facts_.solids) primitives_.push_back(primitiveMesh(solid.shape, extent));
}

const SolidFacts* FrameReader::factsOf(const std::string& name) const {
  for (const SolidFacts& solid : facts_.solids)
    if (solid.name == name) return &solid;
  return nullptr;
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
  frame.fluids.resize(std::max<std::size_t>(1, facts_.fluids.size()));
  for (FluidFrame& f : frame.fluids) {
    f.position.clear();
    f.value.clear();
  }
  double kinetic = 0, potential = 0;
  for (std::int64_t k = 0; k < position.count; ++k) {
    FluidFrame& f = frame.fluids[std::size_t(std::clamp(kind[k] - 1, 0, int(frame.fluids.size()) - 1))];
    f.position.push_back(x[k]);
    if (!value_.empty()) f.value.push_back(value_[std::size_t(k)]);
    const double mass = x[k].w > 0 ? 1 / double(x[k].w) : 0;
    kinetic += 0.5 * mass * double(glm::dot(glm::vec3(u[k]), glm::vec3(u[k])));
    potential -= mass * glm::dot(facts_.gravity, glm::dvec3(x[k]));
  }
  frame.kineticEnergy = float(kinetic);
  frame.potentialEnergy = float(potential);
  frame.fluidRange = rangeOf(value_, quantity);
}

void FrameReader::placePrimitive(mnsScene* scene, MeshQuantity quantity, std::size_t index, BodyFrame& body) {
  const TriangleMesh& mesh = primitives_[index];
  mnsVec3 position, linear, angular;
  mnsQuat rotation;
  check(mnsBody_GetTransform(scene, body.id, &position, &rotation));
  check(mnsBody_GetVelocity(scene, body.id, &linear, &angular));
  const glm::quat q(float(rotation.w), float(rotation.x), float(rotation.y), float(rotation.z));
  const glm::vec3 at = toGlm(position), v = toGlm(linear), omega = toGlm(angular);
  const std::size_t n = mesh.position.size();
  body.position.resize(n);
  body.normal.resize(n);
  body.value.resize(quantity == MeshQuantity::speed ? n : 0);
  for (std::size_t k = 0; k < n; ++k) {
    const glm::vec3 arm = q * glm::vec3(mesh.position[k]);
    body.position[k] = glm::vec4(at + arm, 0);
    body.normal[k] = glm::vec4(q * glm::vec3(mesh.normal[k]), 0);
    if (!body.value.empty()) body.value[k] = glm::length(v + glm::cross(omega, arm));
  }
  if (body.triangles.size() != mesh.triangles.size()) {
    body.triangles = mesh.triangles;
    ++body.revision;
  }
}

void FrameReader::readBody(mnsScene* scene, MeshQuantity quantity, BodyFrame& body) {
  const SolidFacts* facts = factsOf(body.name);
  body.container = facts && facts->shape.container;
  copyArray(scene, body.id, MNS_NODE_POSITION, 1, body.position);
  if (body.position.empty() && facts) {
    body.sheet = body.container || facts->shape.kind == Primitive::Kind::sheet || facts->shape.kind == Primitive::Kind::plane;
    return placePrimitive(scene, quantity, std::size_t(facts - facts_.solids.data()), body);
  }
  body.sheet = body.container || body.kind == MNS_BODY_CLOTH || (facts && facts->shape.kind == Primitive::Kind::sheet);
  copyArray(scene, body.id, MNS_NODE_NORMAL, 1, body.normal);
  const std::size_t before = body.triangles.size();
  copyArray(scene, body.id, MNS_BODY_TRIANGLES, 3, body.triangles);
  if (body.triangles.size() != before) ++body.revision;
  body.value.clear();
  if (quantity != MeshQuantity::speed) return;
  mnsView velocity;
  check(mnsBody_GetArray(scene, body.id, MNS_NODE_VELOCITY, &velocity));
  const auto* v = static_cast<const glm::vec4*>(velocity.data);
  for (std::int64_t k = 0; k < velocity.count; ++k) body.value.push_back(glm::length(glm::vec3(v[k])));
}

void FrameReader::read(mnsScene* scene, const Colouring& colouring, Frame& frame) {
  mnsStatistics s{};
  s.structSize = sizeof s;
  check(mnsScene_GetStatistics(scene, &s));
  frame.time = s.time;
  frame.steps = s.steps;
  frame.fluidQuantity = colouring.fluid;
  frame.meshQuantity = colouring.mesh;
  readFluids(scene, colouring.fluid, frame);
  std::int32_t count = 0;
  check(mnsScene_GetBodies(scene, nullptr, 0, &count));
  ids_.resize(std::size_t(count));
  check(mnsScene_GetBodies(scene, ids_.data(), count, &count));
  frame.bodies.resize(ids_.size());
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    BodyFrame& body = frame.bodies[k];
    const char* name = nullptr;
    body.id = ids_[k];
    check(mnsBody_GetKind(scene, body.id, &body.kind));
    check(mnsBody_GetName(scene, body.id, &name));
    if (body.name != name) { body = BodyFrame{name, body.id, body.kind, false, false, {}, {}, {}, {}, body.revision + 1}; }
    readBody(scene, colouring.mesh, body);
  }
  frame.meshRange = rangeOfBodies(frame);
}

void boundsOf(const Frame& frame, const SceneFacts& facts, glm::vec3& low, glm::vec3& high) {
  low = glm::vec3(std::numeric_limits<float>::max());
  high = -low;
  const auto add = [&](const glm::vec4& x) {
    low = glm::min(low, glm::vec3(x));
    high = glm::max(high, glm::vec3(x));
  };
  for (const FluidFrame& fluid : frame.fluids) std::for_each(fluid.position.begin(), fluid.position.end(), add);
  for (const BodyFrame& body : frame.bodies) std::for_each(body.position.begin(), body.position.end(), add);
  low = glm::max(low, facts.low);
  high = glm::min(high, facts.high);
  if (low.x > high.x || low.y > high.y || low.z > high.z) {
    low = facts.low;
    high = facts.high;
  }
}

}  // namespace meniscus::picture
