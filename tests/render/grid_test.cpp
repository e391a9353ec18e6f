// Fluids on a grid: slices have the colours of their values, smoke takes as much light as it should.
#include <algorithm>

#include "engine/render/colour_map.h"
#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

constexpr int kSize = 120;

glm::vec3 pixel(const Image& image, int x, int y) {
  const std::size_t k = std::size_t(y * image.width + x) * 3;
  return {image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]};
}

// From the front, or another side, onto the middle of a box.
Camera before(const Picture& picture, const glm::vec3& from) {
  Camera c;
  c.target = (picture.low + picture.high) * .5f;
  c.eye = c.target + from;
  c.up = std::abs(from.z) > .5f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
  return c;
}

Picture boxOf(const OwnedGrid& grid, const glm::vec3& low) {
  Picture picture;
  picture.grid = grid.view(low);
  picture.low = low;
  picture.high = picture.grid.high();
  return picture;
}

// Where the ray through the middle of a pixel meets the plane.
glm::vec3 onPlane(const Camera& c, int x, int y, int axis, float at) {
  const glm::vec3 d = c.ray((float(x) + .5f) / kSize, (float(y) + .5f) / kSize, 1);
  return c.eye + d * ((at - c.eye[axis]) / d[axis]);
}

// The values grow with x: straight between the centres of cells, and as at the outermost centres beyond these. Pixels at the edge
// are mixed with what is beside them.
void expectLinearColours(const Image& image, const Picture& picture, const Camera& camera, int axis, float at, ColourMap map) {
  const Grid& g = picture.grid;
  int seen = 0;
  for (int y = 2; y < kSize - 2; y += 3)
    for (int x = 2; x < kSize - 2; x += 3) {
      const glm::vec3 p = onPlane(camera, x, y, axis, at) - g.low, room = g.high() - g.low;
      bool inside = true;
      for (int k = 0; k < 3; ++k) inside = inside && (k == axis || (p[k] > .06f * room[k] && p[k] < .94f * room[k]));
      if (!inside) continue;
      const float value = std::clamp(p.x, .5f * g.cell, room.x - .5f * g.cell);
      const glm::vec3 wanted = mapColour(map, value) * 255.f, is = pixel(image, x, y);
      for (int c = 0; c < 3; ++c) ASSERT_NEAR(is[c], wanted[c], 2) << x << ' ' << y << " at x = " << p.x;
      ++seen;
    }
  EXPECT_GT(seen, 100);
}

TEST(Slice, AnEvenFieldHasTheColoursOfTheMap) {
  NEEDS_OPENGL();
  const OwnedGrid grid;
  const glm::vec3 low(2, -1, .5f);
  Picture picture = boxOf(grid, low);
  Renderer renderer;
  for (const int axis : {1, 2})
    for (const float share : {.2f, .5f})
      for (const ColourMap map : {ColourMap::viridis, ColourMap::turbo}) {
        Look look;
        look.fluid = FluidLook::hidden;
        look.tank = look.ground = false;
        look.fluidScale = {map, 0, 1, {}, {}};
        look.sliceAxis = axis;
        look.sliceShare = share;
        const Camera camera = before(picture, axis == 1 ? glm::vec3(0, -1.6f, 0) : glm::vec3(0, 0, 1.6f));
        Image image;
        renderer.drawImage(picture, look, camera, kSize, kSize, image);
        const float at = glm::mix(low[axis], picture.grid.high()[axis], share);
        expectLinearColours(image, picture, camera, axis, at, map);
      }
  EXPECT_EQ(context()->takeErrors(), "");
}

// Its colours do not hang on light, smoke or where the range's values come from; other values show at once.
TEST(Slice, FollowsTheValuesOfANewRevision) {
  NEEDS_OPENGL();
  OwnedGrid grid(true);
  Picture picture = boxOf(grid, {0, 0, 0});
  const Camera camera = before(picture, {0, -1.6f, 0});
  Look look;
  look.tank = false;
  look.fluidScale = {ColourMap::viridis, 0, 1, {}, {}};
  Renderer renderer;
  Image image;
  renderer.drawImage(picture, look, camera, kSize, kSize, image);
  expectLinearColours(image, picture, camera, 1, .5f * grid.cell, ColourMap::viridis);
  std::fill(grid.value.begin(), grid.value.end(), 1.f);
  ++picture.grid.revision;
  renderer.drawImage(picture, look, camera, kSize, kSize, image);
  const glm::vec3 wanted = mapColour(ColourMap::viridis, 1) * 255.f, is = pixel(image, kSize / 2, kSize / 2);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(is[c], wanted[c], 3);
}

// Of the water's values none are shown in the air, of its level set both sides, and its surface is a dark line.
TEST(Slice, OfWaterHasItsSurface) {
  NEEDS_OPENGL();
  OwnedGrid grid;
  Picture picture = boxOf(grid, {0, 0, 0});
  const glm::vec3 room = picture.grid.high();
  std::vector<float> levelSet;
  for (int k = 0; k < picture.grid.cells.z; ++k)
    for (int j = 0; j < picture.grid.cells.x * picture.grid.cells.y; ++j)
      levelSet.push_back((float(k) + .5f) * picture.grid.cell - .5f * room.z);
  picture.grid.levelSet = levelSet.data();
  Look look;
  look.fluid = FluidLook::hidden;
  look.tank = look.ground = false;
  look.sliceAxis = 1;
  look.fluidScale = {ColourMap::viridis, 0, 1, {}, {}};
  const Camera camera = before(picture, {0, -1.6f, 0});
  Renderer renderer;
  Image empty, all, water;
  renderer.drawImage(Picture{}, look, camera, kSize, kSize, empty);
  renderer.drawImage(picture, look, camera, kSize, kSize, all);
  picture.grid.ofWater = true;
  renderer.drawImage(picture, look, camera, kSize, kSize, water);
  const auto at = [&](const Image& image, float z) {
    for (int y = 0; y < kSize; ++y)
      if (std::abs(onPlane(camera, kSize / 2, y, 1, .5f * room.y).z - z * room.z) < .007f * room.z)
        return pixel(image, kSize / 2, y);
    ADD_FAILURE() << "no pixel at " << z;
    return glm::vec3(0);
  };
  EXPECT_EQ(at(water, .7f), at(empty, .7f));
  EXPECT_NE(at(all, .7f), at(empty, .7f));
  EXPECT_EQ(at(water, .3f), at(all, .3f));
  for (const Image* image : {&all, &water}) {
    float darkest = 255;
    for (int y = kSize / 2 - 2; y <= kSize / 2 + 2; ++y) darkest = std::min(darkest, pixel(*image, kSize / 2, y).g);
    EXPECT_LT(darkest, 60);
    EXPECT_GT(at(*image, .3f).g, 60);
  }
  EXPECT_EQ(context()->takeErrors(), "");
}

float linear(float byte) {
  const float c = byte / 255;
  return c <= .04045f ? c / 12.92f : std::pow((c + .055f) / 1.055f, 2.4f);
}

// Smoke of one density before a board: of the difference that the board's colour makes, exp(-optical depth) is left. The depth over
// half of the domain's diagonal is 14 for density 1.
TEST(Smoke, TakesAsMuchLightAsBeerAndLambertSay) {
  NEEDS_OPENGL();
  OwnedGrid grid;
  Picture picture = boxOf(grid, {0, 0, 0});
  const Camera camera = before(picture, {0, -3.f, 0});
  OwnedMesh board = cloth({.5f, .8f, .4f}, 4, 8);
  for (glm::vec4& p : board.nodes) p = glm::vec4(p.x, 1.2f, p.y, 1);  // upright behind the box
  board.normals.assign(board.nodes.size(), glm::vec4(0, -1, 0, 0));
  Look look;
  look.tank = look.ground = look.shadows = false;
  Renderer renderer;
  const float diagonal = glm::length(picture.high - picture.low);
  const auto left = [&](float density) {
    std::fill(grid.density.begin(), grid.density.end(), density);
    ++picture.grid.revision;
    float seen[2];
    for (int k = 0; k < 2; ++k) {
      picture.meshes = {board.view()};
      picture.meshes[0].colour = k ? glm::vec3(.5f) : glm::vec3(.1f);
      Image image;
      renderer.drawImage(picture, look, camera, kSize, kSize, image);
      seen[k] = linear(pixel(image, kSize / 2, kSize / 2).g);
    }
    return seen[1] - seen[0];
  };
  const float clear = left(0);
  ASSERT_GT(clear, .1f);
  for (const float density : {.05f, .1f, .2f}) {
    const float depth = 14 * density * (picture.high.y - picture.low.y) / (.5f * diagonal);
    EXPECT_NEAR(left(density) / clear, std::exp(-depth), .03f) << density;
  }
}

// A board above it takes the light from the smoke below.
TEST(Smoke, IsDarkerInTheShadowOfSolids) {
  NEEDS_OPENGL();
  OwnedGrid grid;
  Picture picture = boxOf(grid, {0, 0, 0});
  const Camera camera = before(picture, {0, -3.f, 0});
  OwnedMesh board = cloth({.5f, .4f, .95f}, 1.6f, 8);
  Look look;
  look.tank = look.ground = false;
  look.smokeDensity = 4;
  Renderer renderer;
  float seen[2];
  for (const bool covered : {false, true}) {
    if (covered) picture.meshes = {board.view()};
    ++picture.grid.revision;
    Image image;
    renderer.drawImage(picture, look, camera, kSize, kSize, image);
    seen[covered] = pixel(image, kSize / 2, kSize / 2).g;
  }
  EXPECT_LT(seen[1], .9f * seen[0]);
}

// The light on the ground and on a board below a cloud of one density is what exp(-optical depth) leaves of it, shadows being as
// dark as they are in every look; through the height of the cloud at the slant of the light.
TEST(Smoke, TakesTheLightFromWhatIsBelow) {
  NEEDS_OPENGL();
  OwnedGrid grid;
  grid.cell = .25f;
  Picture picture = boxOf(grid, {0, 0, 0});
  picture.low.z = -3;
  const glm::vec3 toLight = glm::normalize(glm::vec3(.42f, -.38f, .80f));
  // below the middle of the cloud, as light comes down
  const auto below = [&](float z) { return glm::vec3(1.5f, 1.25f, 0) + toLight * (z / toLight.z); };
  const float path = picture.grid.high().z / toLight.z, diagonal = glm::length(picture.high - picture.low);
  Look look;
  look.tank = false;
  Renderer renderer;
  for (const bool onBoard : {false, true}) {
    const glm::vec3 at = below(onBoard ? -2.f : -3.f);
    OwnedMesh board = cloth({at.x, at.y, -2}, 1, 2);
    for (glm::vec4& p : board.nodes) p.z = -2;
    board.normals.assign(board.nodes.size(), glm::vec4(0, 0, 1, 0));
    if (onBoard) picture.meshes = {board.view()};
    Camera camera;
    camera.eye = at + glm::vec3(0, 0, .6f);
    camera.target = at;
    camera.up = {0, 1, 0};
    const auto light = [&](float density, bool shadows) {
      std::fill(grid.density.begin(), grid.density.end(), density);
      ++picture.grid.revision;
      look.shadows = shadows;
      Image image;
      renderer.drawImage(picture, look, camera, kSize, kSize, image);
      return linear(pixel(image, kSize / 2, kSize / 2).g);
    };
    const float clear = light(0, true), dark = light(50, true);
    ASSERT_GT(clear, dark + .1f);
    EXPECT_NEAR(light(50, false), clear, .004f);  // only where there are shadows
    for (const float left : {.75f, .5f, .25f}) {
      const float density = -std::log(left) * .5f * diagonal / (14 * path);
      EXPECT_NEAR((light(density, true) - dark) / (clear - dark), left, .02f) << (onBoard ? "board " : "ground ") << left;
    }
  }
  EXPECT_EQ(context()->takeErrors(), "");
}

// What is not finite is magenta in a slice and nothing in smoke; a grid that goes leaves nothing behind.
TEST(Grid, BearsWhatThereIs) {
  NEEDS_OPENGL();
  OwnedGrid grid;
  std::fill(grid.value.begin(), grid.value.end(), std::nanf(""));
  std::fill(grid.density.begin(), grid.density.end(), std::nanf(""));
  Picture picture = boxOf(grid, {0, 0, 0});
  const Camera camera = before(picture, {0, -1.6f, 0});
  Look look;
  look.tank = look.ground = false;
  Renderer renderer;
  Image empty, image;
  renderer.drawImage(Picture{}, look, camera, kSize, kSize, empty);
  renderer.drawImage(picture, look, camera, kSize, kSize, image);
  EXPECT_EQ(pixel(image, kSize / 2, kSize / 2), pixel(empty, kSize / 2, kSize / 2));
  look.sliceAxis = 1;
  renderer.drawImage(picture, look, camera, kSize, kSize, image);
  EXPECT_EQ(pixel(image, kSize / 2, kSize / 2), glm::vec3(255, 0, 255));
  picture.grid.cells = glm::ivec3(0);
  renderer.drawImage(picture, look, camera, kSize, kSize, image);
  EXPECT_EQ(pixel(image, kSize / 2, kSize / 2), pixel(empty, kSize / 2, kSize / 2));
  EXPECT_EQ(context()->takeErrors(), "");
}

}  // namespace
}  // namespace meniscus::render
