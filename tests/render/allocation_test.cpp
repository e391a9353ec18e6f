// A frame of settled sizes takes no memory from the heap: counted by this program's own operator new, on the drawing thread. The
// driver's allocations are malloc's, not counted.
#include "tests/render/scene.h"
#include "tests/shared/counted_new.h"

namespace {
thread_local long allocations = 0;
}  // namespace

void meniscus::testing::countAllocation() { ++allocations; }

namespace meniscus::render {
namespace {

TEST(Allocation, NoneInASettledFrame) {
  NEEDS_OPENGL();
  std::vector<glm::vec4> places;
  const float radius = water({0, 0, 0}, {1, 1, .3f}, 2000, places);
  std::vector<float> values;
  for (const glm::vec4& p : places) values.push_back(p.x);
  OwnedMesh sphere = ball({.25f, .5f, .32f}, .14f, 16), sheet = cloth({.7f, .5f, .62f}, .5f, 16);
  Picture picture;
  ParticleSet set;
  set.position = floatsOf(places);
  set.value = floatsOf(values);
  set.radius = radius;
  picture.fluids = {set};
  picture.meshes = {sphere.view(), sheet.view()};
  picture.meshes[0].selected = picture.meshes[1].sheet = true;
  Camera camera;
  camera.frame(picture.low, picture.high, 1.5f);
  Look look;
  look.fluidScale = {ColourMap::viridis, 0, 1, "a name too long to lie in the text itself", "metres a second"};
  look.sheetOpacity = .5f;
  look.edges = look.wireframe = true;
  OwnedGrid grid;
  picture.grid = grid.view();
  look.sliceAxis = 1;
  Renderer renderer;
  Image image;
  for (const FluidLook fluid : {FluidLook::spheres, FluidLook::surface, FluidLook::hidden}) {
    look.fluid = fluid;
    long in[4];
    for (long& n : in) {
      for (glm::vec4& p : places) p.z += .001f;  // as in a film
      ++picture.grid.revision;
      const long before = allocations;
      renderer.drawImage(picture, look, camera, 150, 100, image);
      n = allocations - before;
    }
    EXPECT_EQ(in[2], 0) << "with the fluid's look " << int(fluid);
    EXPECT_EQ(in[3], 0);
  }
  EXPECT_GT(allocations, 0);  // they are counted
}

// Water on a grid, whose level set is another one in each frame, with a solid in it.
TEST(Allocation, NoneInASettledFrameOfWater) {
  NEEDS_OPENGL();
  OwnedMesh sphere = ball({.5f, .4f, .35f}, .14f, 16);
  OwnedGrid grid;
  std::vector<float> levelSet;
  for (std::size_t k = 0; k < grid.value.size(); ++k)
    levelSet.push_back((float(k / std::size_t(grid.cells.x * grid.cells.y)) + .5f) * grid.cell - .35f);
  Picture picture;
  picture.meshes = {sphere.view()};
  picture.meshes[0].solid = true;
  picture.grid = grid.view();
  picture.grid.density = nullptr;
  picture.grid.levelSet = levelSet.data();
  Camera camera;
  camera.frame(picture.low, picture.high, 1.5f);
  Renderer renderer;
  Image image;
  long in[4];
  for (long& n : in) {
    for (float& d : levelSet) d += .001f;
    ++picture.grid.revision;
    const long before = allocations;
    renderer.drawImage(picture, Look{}, camera, 150, 100, image);
    n = allocations - before;
  }
  EXPECT_GT(in[0], 0);
  EXPECT_EQ(in[2], 0);
  EXPECT_EQ(in[3], 0);
}

}  // namespace
}  // namespace meniscus::render
