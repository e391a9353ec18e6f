// Water on a grid: its surface is where its level set is zero, it takes up light by its depth, and it ends at solids.
#include <algorithm>

#include "engine/render/solid_cells.h"
#include "engine/render/water_volume.h"
#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

constexpr int kSize = 160;

// A unit cube of n^3 cells with the distance to a plane of this height, at most six cells.
struct Pool {
  int n;
  std::vector<float> distance;
  std::uint64_t revision = ++made();  // another one of each, though it may lie where one before lay
  static std::uint64_t& made() {
    static std::uint64_t count = 0;
    return count;
  }
  Pool(int cells, float height) : n(cells) {
    const float far = 6.f / float(n);
    for (int k = 0; k < n * n * n; ++k) distance.push_back(std::clamp((float(k / (n * n)) + .5f) / float(n) - height, -far, far));
  }
  float& at(int x, int y, int z) { return distance[std::size_t((z * n + y) * n + x)]; }
  Grid view() const {
    Grid g;
    g.cells = glm::ivec3(n);
    g.cell = 1 / float(n);
    g.levelSet = distance.data();
    g.revision = revision;
    return g;
  }
};

// By trilinear interpolation between the samples, as a texture has it.
float sampled(const WaterVolume& w, const glm::vec3& place) {
  const glm::ivec3 n = w.samples();
  const glm::vec3 q = glm::clamp(place * glm::vec3(n) - .5f, glm::vec3(0), glm::vec3(n) - 1.001f);
  const glm::ivec3 i(q);
  float sum = 0;
  for (int c = 0; c < 8; ++c) {
    const glm::ivec3 o(c & 1, (c >> 1) & 1, c >> 2);
    float weight = 1;
    for (int k = 0; k < 3; ++k) weight *= o[k] ? q[k] - float(i[k]) : 1 - q[k] + float(i[k]);
    const glm::ivec3 p = i + o;
    sum += weight * w.distance()[(p.z * n.y + p.y) * n.x + p.x];
  }
  return sum;
}

// The spline leaves planes as they are, and its samples are several to a cell.
TEST(WaterVolume, APlaneStaysWhereItIs) {
  const Pool pool(16, .43f);
  WaterVolume w;
  ASSERT_TRUE(w.take(pool.view(), {}));
  EXPECT_FALSE(w.take(pool.view(), {}));  // nothing has changed
  EXPECT_GE(w.samples().x, 48);
  for (const float z : {.36f, .4f, .43f, .46f, .475f})
    for (const float x : {.1f, .37f, .8f}) EXPECT_NEAR(sampled(w, {x, .5f, z}), z - .43f, 1e-5f) << x << ' ' << z;
  EXPECT_TRUE(w.wet());
  EXPECT_FLOAT_EQ(w.wetLow().z, 0);
  EXPECT_GE(w.wetHigh().z, .43f);
  EXPECT_LE(w.wetHigh().z, .43f + 2.f / 16);
}

// Where there is none, and where there is no number.
TEST(WaterVolume, NoWater) {
  Pool pool(8, -1);
  pool.at(4, 4, 4) = std::nanf("");
  WaterVolume w;
  ASSERT_TRUE(w.take(pool.view(), {}));
  EXPECT_FALSE(w.wet());
}

// The cells whose centres are in a ball, to those that its facets cut.
TEST(SolidCells, AreThoseInABall) {
  constexpr int n = 24;
  const Pool pool(n, .5f);
  const OwnedMesh sphere = ball({.52f, .47f, .5f}, .31f, 48);
  Mesh mesh = sphere.view();
  mesh.solid = true;
  SolidCells cells;
  cells.find(pool.view(), {mesh});
  ASSERT_TRUE(cells.any());
  // cells in it get their neighbours' value: what is changed are the layers below its surface
  std::vector<float> values(n * n * n, 1.f);
  for (int k = 0; k < n * n * n; ++k) {
    const glm::vec3 c = (glm::vec3(k % n, k / n % n, k / n / n) + .5f) / float(n);
    if (glm::distance(c, glm::vec3(.52f, .47f, .5f)) < .309f) values[std::size_t(k)] = 7;
  }
  cells.extend(pool.view(), values);
  int left = 0;
  for (int k = 0; k < n * n * n; ++k) {
    const glm::vec3 c = (glm::vec3(k % n, k / n % n, k / n / n) + .5f) / float(n);
    const float depth = .31f - glm::distance(c, glm::vec3(.52f, .47f, .5f));
    // outside, and in the first layer; the facets reach a little less far than the ball
    if (depth < 1.f / n && std::abs(depth) > .003f) { EXPECT_EQ(values[std::size_t(k)], 1) << k; }
    left += values[std::size_t(k)] == 7;
  }
  EXPECT_GT(left, 30);  // of the middle
  EXPECT_LT(left, 900);
}

// Cells of a ball are dry; with the ball the water is as level beside it as far from it.
TEST(WaterVolume, GoesOnInSolids) {
  constexpr int n = 20;
  Pool pool(n, .5f);
  const glm::vec3 middle(.5f, .5f, .5f);
  for (int k = 0; k < n * n * n; ++k) {
    const glm::vec3 c = (glm::vec3(k % n, k / n % n, k / n / n) + .5f) / float(n);
    if (glm::distance(c, middle) < .3f) pool.distance[std::size_t(k)] = 6.f / n;
  }
  const OwnedMesh sphere = ball(middle, .3f, 32);
  Mesh mesh = sphere.view();
  WaterVolume hollow, full;
  ASSERT_TRUE(hollow.take(pool.view(), {mesh}));
  mesh.solid = true;
  ASSERT_TRUE(full.take(pool.view(), {mesh}));
  const glm::vec3 beside(.5f + .3f + .2f / n, .5f, .48f);  // just outside, under water
  EXPECT_GT(sampled(hollow, beside), -.01f);
  EXPECT_LT(sampled(full, beside), -.01f);
}

glm::vec3 pixel(const Image& image, int x, int y) {
  const std::size_t k = std::size_t(y * image.width + x) * 3;
  return {image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]};
}

float toLight(float byte) {
  const float c = byte / 255;
  return c <= .04045f ? c / 12.92f : std::pow((c + .055f) / 1.055f, 2.4f);
}

struct Seen {
  Picture picture;
  Camera camera;
  Look look;
  explicit Seen(const Pool& pool) {
    picture.grid = pool.view();
    picture.low = {0, 0, 0};
    picture.high = {1, 1, 1};
    camera.target = {.5f, .5f, .5f};
    camera.eye = {.5f, -2.5f, .5f};
    look.tank = look.ground = look.shadows = false;
  }
  Image drawn(Renderer& renderer) {
    Image image;
    renderer.drawImage(picture, look, camera, kSize, kSize, image);
    return image;
  }
};

// A level seen from its own height is a line: above it nothing changes, below it all does, to a pixel; whatever the cells are.
TEST(Water, IsSharpAtItsLevel) {
  NEEDS_OPENGL();
  Renderer renderer;
  context()->takeErrors();
  for (const int cells : {8, 16, 40})
    for (const float height : {.41f, .5f, .57f}) {
      const Pool pool(cells, height);
      Seen seen(pool);
      seen.camera.eye.z = seen.camera.target.z = height;
      const Image with = seen.drawn(renderer);
      seen.look.fluid = FluidLook::hidden;
      const Image without = seen.drawn(renderer);
      // the front side's upper edge is on the optical axis: the middle of the picture
      for (const int x : {60, 80, 100}) {
        EXPECT_EQ(pixel(with, x, kSize / 2 - 3), pixel(without, x, kSize / 2 - 3)) << cells << ' ' << height;
        EXPECT_GT(glm::length(pixel(with, x, kSize / 2 + 2) - pixel(without, x, kSize / 2 + 2)), 25) << cells << ' ' << height;
      }
    }
  EXPECT_EQ(context()->takeErrors(), "");
}

// Of the difference that a board's colour makes behind a full box, exp(-depth) is left, and of that what the side does not mirror.
TEST(Water, TakesAsMuchLightAsBeerAndLambertSay) {
  NEEDS_OPENGL();
  const Pool pool(12, 2);
  Seen seen(pool);
  OwnedMesh board = cloth({.5f, .8f, .4f}, 4, 8);
  for (glm::vec4& p : board.nodes) p = glm::vec4(p.x, 1.2f, p.y, 1);  // upright behind the box
  board.normals.assign(board.nodes.size(), glm::vec4(0, -1, 0, 0));
  Renderer renderer;
  const auto left = [&](float density) {
    seen.look.smokeDensity = density;
    seen.look.fluid = density > 0 ? FluidLook::surface : FluidLook::hidden;
    float light[2];
    for (int k = 0; k < 2; ++k) {
      seen.picture.meshes = {board.view()};
      seen.picture.meshes[0].colour = k ? glm::vec3(.5f) : glm::vec3(.1f);
      light[k] = toLight(pixel(seen.drawn(renderer), kSize / 2, kSize / 2).r);
    }
    return light[1] - light[0];
  };
  const float clear = left(0), radius = .5f * std::sqrt(3.f);
  ASSERT_GT(clear, .1f);
  for (const float density : {.3f, .6f, 1.2f}) {
    const float depth = 3 * density / radius * (.75f - .05f);
    EXPECT_NEAR(left(density) / clear, std::exp(-depth) * .99f, .02f) << density;
  }
}

// A ray that enters by the surface is bent to what lies deeper: a ball under water looks higher from the side.
TEST(Water, Refracts) {
  NEEDS_OPENGL();
  const Pool pool(16, .6f);
  Seen seen(pool);
  seen.camera.eye = {.5f, -1.2f, 2.2f};
  const OwnedMesh sphere = ball({.5f, .5f, .25f}, .12f, 24);
  seen.picture.meshes = {sphere.view()};
  seen.picture.meshes[0].colour = {1, .02f, .02f};
  Renderer renderer;
  const auto middle = [&](float index) {
    seen.look.refraction = index;
    const Image image = seen.drawn(renderer);
    double sum = 0, rows = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        const glm::vec3 c = pixel(image, x, y);
        if (c.r < 1.3f * c.g || c.r < 1.1f * c.b) continue;
        sum += 1;
        rows += y;
      }
    EXPECT_GT(sum, 30) << index;
    return rows / sum;
  };
  EXPECT_LT(middle(1.33f), middle(1) - 2);  // rows run down
}

// In the water, under its surface, and with the eye in it there are pictures too.
TEST(Water, IsSeenFromInsideAndBelow) {
  NEEDS_OPENGL();
  const Pool pool(16, .6f);
  Seen seen(pool);
  Renderer renderer;
  seen.look.fluid = FluidLook::hidden;
  seen.camera.eye = {.5f, .1f, .2f};
  seen.camera.target = {.5f, .9f, .9f};
  const Image dry = seen.drawn(renderer);
  seen.look.fluid = FluidLook::surface;
  const Image up = seen.drawn(renderer);
  EXPECT_GT(glm::length(pixel(dry, kSize / 2, kSize / 2) - pixel(up, kSize / 2, kSize / 2)), 20);
  // flat water mirrors what is slant to it and lets through what is steep
  seen.camera.target = {.5f, .95f, .62f};
  const Image slant = seen.drawn(renderer);
  EXPECT_GT(glm::length(pixel(slant, kSize / 2, kSize / 2) - pixel(up, kSize / 2, kSize / 2)), 5);
  EXPECT_EQ(context()->takeErrors(), "");
}

// Its shadow lies on the ground.
TEST(Water, CastsAShadow) {
  NEEDS_OPENGL();
  const Pool full(12, 2);
  Seen seen(full);
  seen.picture.low = {0, 0, -1};
  seen.look.ground = true;
  seen.camera.eye = {-1.2f, -3, 2};
  seen.camera.target = {.5f, .5f, -1};
  Renderer renderer;
  const auto darker = [&](const Image& a, const Image& b) {
    int count = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) count += pixel(a, x, y).g < pixel(b, x, y).g - 12;
    return count;
  };
  const Image unshaded = seen.drawn(renderer);
  seen.look.shadows = true;
  EXPECT_GT(darker(seen.drawn(renderer), unshaded), 300);
}

}  // namespace
}  // namespace meniscus::render
