#include "apps/picture/picture_of.h"

#include <algorithm>
#include <cmath>

#include "engine/render/camera.h"

namespace meniscus::picture {
namespace {

// Of fluids and of bodies, in turn; linear.
constexpr glm::vec3 kFluidColours[] = {{.05f, .27f, .62f}, {.62f, .16f, .05f}, {.10f, .45f, .12f}, {.45f, .12f, .50f}};
constexpr glm::vec3 kBodyColours[] = {{.80f, .36f, .10f}, {.12f, .45f, .32f}, {.70f, .56f, .10f},
                                      {.52f, .18f, .42f}, {.16f, .32f, .62f}, {.62f, .16f, .14f}};
constexpr glm::vec3 kStatic{.42f, .43f, .45f};

render::Floats floats(const std::vector<glm::vec4>& v) { return {v.empty() ? nullptr : &v[0].x, sizeof(glm::vec4), v.size(), 0}; }
render::Floats floats(const std::vector<float>& v) { return {v.data(), sizeof(float), v.size(), 0}; }

glm::vec3 upOf(const SceneFacts& facts) {
  const glm::vec3 g(facts.gravity);
  const int axis =
      std::abs(g.x) > std::abs(g.y) ? (std::abs(g.x) > std::abs(g.z) ? 0 : 2) : (std::abs(g.y) > std::abs(g.z) ? 1 : 2);
  glm::vec3 up(0, 0, 1);
  if (std::abs(g[axis]) > 0) {
    up = glm::vec3(0);
    up[axis] = g[axis] > 0 ? -1.f : 1.f;
  }
  return up;
}

void setMesh(const BodyFrame& body, std::size_t index, bool selected, render::Mesh& mesh) {
  mesh.position = floats(body.position);
  mesh.normal = floats(body.normal);
  mesh.value = floats(body.value);
  mesh.triangles = body.triangles.data();
  mesh.triangleCount = body.triangles.size() / 3;
  mesh.edges = body.edges.data();
  mesh.edgeCount = body.edges.size();
  mesh.colour = body.kind == MNS_BODY_STATIC ? kStatic : kBodyColours[index % std::size(kBodyColours)];
  mesh.sheet = body.sheet;
  mesh.solid = !body.sheet && body.kind != MNS_BODY_INFLATABLE;
  mesh.opacity = body.container ? .3f : body.kind == MNS_BODY_INFLATABLE ? .5f : 1.f;
  mesh.selected = selected;
  mesh.revision = body.revision;
}

}  // namespace

void pictureOf(const Frame& frame, const SceneFacts& facts, int selected, render::Picture& picture) {
  picture.fluids.resize(frame.fluids.size());
  for (std::size_t k = 0; k < frame.fluids.size(); ++k) {
    render::ParticleSet& set = picture.fluids[k];
    const FluidFrame& fluid = frame.fluids[k];
    set.position = fluid.buffer ? render::Floats{nullptr, sizeof(glm::vec4), fluid.inBuffer, fluid.buffer} : floats(fluid.position);
    set.value = floats(frame.fluids[k].value);
    set.radius = facts.spacing / 2;
    set.colour = kFluidColours[k % std::size(kFluidColours)];
    // so that a cube of all of it is as deep in colour at any size, as models in films are dyed; few particles count as more
    const float edge = facts.spacing * std::cbrt(float(std::max<std::size_t>(set.position.count, 8000)));
    set.absorption = 1.5f / edge * (glm::vec3(.75f) - set.colour);
  }
  picture.meshes.resize(frame.bodies.size());
  for (std::size_t k = 0; k < frame.bodies.size(); ++k) setMesh(frame.bodies[k], k, int(k) == selected, picture.meshes[k]);
  const GridFrame& grid = frame.grid;
  picture.grid = {grid.cells, grid.low, grid.cell, grid.value.data(), nullptr, grid.plane, grid.revision, nullptr};
  (grid.water ? picture.grid.levelSet : picture.grid.density) = grid.own.data();
  picture.grid.ofWater = grid.water && frame.fluidQuantity != FluidQuantity::levelSet;
  picture.low = facts.low;
  picture.high = facts.high;
  if (grid.plane) {
    picture.low.y = grid.low.y;
    picture.high.y = grid.low.y + grid.cell;
  }
  std::copy(std::begin(facts.wall), std::end(facts.wall), std::begin(picture.wall));
  picture.up = grid.plane ? glm::vec3(0, 0, 1) : upOf(facts);
  picture.time = frame.time;
}

void setScales(const Frame& frame, const Colouring& colouring, const Range& fluid, const Range& mesh, render::Look& look) {
  const Range range = colouring.automatic ? fluid : Range{colouring.low, colouring.high};
  const QuantityName& name = nameOf(frame.fluidQuantity);
  const bool any = frame.fluidQuantity != FluidQuantity::none;
  look.fluidScale = {colouring.map, range.low, range.high, any ? name.label : "", any ? name.unit : ""};
  const QuantityName& meshName = nameOf(frame.meshQuantity);
  const bool meshAny = frame.meshQuantity != MeshQuantity::none;
  look.meshScale = {colouring.map, mesh.low, mesh.high, meshAny ? meshName.label : "", meshAny ? meshName.unit : ""};
}

void firstView(const Frame& frame, const SceneFacts& facts, float aspect, glm::vec3& eye, glm::vec3& target, glm::vec3& up,
               const std::vector<glm::vec4>& more) {
  render::Camera camera;
  camera.up = upOf(facts);
  // from before, a little from the right and from above, whichever axis is up
  const glm::vec3 side = std::abs(camera.up.x) > .5f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
  const glm::vec3 front = glm::cross(side, camera.up);
  camera.target = (facts.low + facts.high) * .5f;
  camera.eye = camera.target + .45f * side + front + .4f * camera.up;
  glm::vec3 low, high;
  boundsOf(frame, facts, low, high, more);
  if (frame.grid.plane) {  // straight on
    camera.up = {0, 0, 1};
    camera.target = (low + high) * .5f;
    camera.eye = camera.target - glm::vec3(0, 1, 0);
    camera.frame(low, high, aspect);
    eye = camera.eye;
    target = camera.target;
    up = camera.up;
    return;
  }
  // tanks much larger than what is in them are not shown whole
  const glm::vec3 room = high - low;
  camera.frame(glm::max(facts.low, low - .5f * room), glm::min(facts.high, high + .5f * room), aspect);
  eye = camera.eye;
  target = camera.target;
  up = camera.up;
}

}  // namespace meniscus::picture
