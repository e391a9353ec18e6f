// Fluids drawn as spheres: silhouettes, points and triangles, squares of the picture.
#include <algorithm>
#include <cmath>

#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

glm::vec3 pixel(const Image& image, int x, int y) {
  const std::size_t k = std::size_t(y * image.width + x) * 3;
  return {image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]};
}

// Blue spheres and nothing else.
struct SpheresAlone {
  SpheresAlone(const std::vector<glm::vec4>& places, float radius) {
    ParticleSet set;
    set.position = floatsOf(places);
    set.radius = radius;
    picture.fluids = {set};
    look.fluid = FluidLook::spheres;
    look.tank = look.ground = look.shadows = false;
    camera.fieldOfView = 30;
  }
  // With the eye within the domain: as triangles, and not in squares of the picture.
  void draw(bool near, int width, int height, Image& image) {
    picture.low = glm::vec3(near ? -4 : -1);
    picture.high = glm::vec3(near ? 4 : 1);
    renderer.drawImage(picture, look, camera, width, height, image);
  }
  Picture picture;
  Look look;
  Camera camera;
  Renderer renderer;
};

// A ball seen from straight before: its disc has the radius r / sqrt(d^2 - r^2) of the picture's half height per tangent.
TEST(Spheres, HaveTheSilhouetteOfASphere) {
  NEEDS_OPENGL();
  const glm::vec4 at(0, 0, 0, 1);
  Picture picture;
  ParticleSet one;
  one.position = {&at.x, sizeof at, 1, 0};
  one.radius = .5f;
  one.colour = {1, 0, 0};
  picture.fluids = {one};
  picture.low = glm::vec3(-1);
  picture.high = glm::vec3(1);
  Look look;
  look.fluid = FluidLook::spheres;
  look.tank = look.ground = look.shadows = false;
  Camera c;
  c.eye = {0, -3, 0};
  c.fieldOfView = 40;
  Image image;
  Renderer renderer;
  renderer.drawImage(picture, look, c, 200, 200, image);
  int wide = 0, high = 0;
  for (int k = 0; k < 200; ++k) {
    const glm::vec3 across = pixel(image, k, 100), down = pixel(image, 100, k);
    wide += across.r > across.b + 40;
    high += down.r > down.b + 40;
  }
  const double expected = 200 * .5 / std::sqrt(9 - .25) / std::tan(20 * 3.14159265 / 180);
  EXPECT_NEAR(wide, expected, 2);
  EXPECT_NEAR(high, expected, 2);
}

// Small spheres are points, large ones triangles, by how near the domain comes to the eye: the same picture, at its border too.
TEST(Spheres, LookTheSameAsPointsAndAsTriangles) {
  NEEDS_OPENGL();
  std::vector<glm::vec4> places;
  for (int k = 0; k < 400; ++k) places.push_back({k % 20 * .1f - .95f, k % 7 * .03f, k / 20 * .1f - .95f, 1});
  SpheresAlone scene(places, .04f);
  scene.camera.eye = {.3f, -3, .2f};  // some of them are cut by the border
  scene.camera.target = {.3f, 0, .2f};
  Image images[2];
  for (int k = 0; k < 2; ++k) scene.draw(k == 1, 240, 180, images[k]);
  EXPECT_EQ(context()->takeErrors(), "");
  int blue = 0, other = 0;
  for (std::size_t i = 0; i < images[0].rgb.size(); i += 3) {
    int largest = 0;
    for (std::size_t j = i; j < i + 3; ++j) largest = std::max(largest, std::abs(int(images[0].rgb[j]) - images[1].rgb[j]));
    blue += images[0].rgb[i + 2] > images[0].rgb[i] + 40;
    other += largest > 24;
  }
  EXPECT_GT(blue, 240 * 180 / 4);
  EXPECT_LE(other, 240 * 180 / 200) << "pixels that differ";
}

// Spheres far from each other, of which many reach into a square of the picture by some pixels alone: none is cut there, in a
// picture of whole squares and in one that ends within them.
TEST(Spheres, AreWholeAcrossTheSquaresOfThePicture) {
  NEEDS_OPENGL();
  std::vector<glm::vec4> places;
  for (int k = 0; k < 60; ++k)
    places.push_back(
        {std::fmod(k * .61803f, 1.f) * 1.9f - .95f, std::fmod(k * .31f, .2f), std::fmod(k * .41421f, 1.f) * 1.4f - .7f, 1});
  SpheresAlone scene(places, .035f);
  scene.camera.eye = {0, -3, 0};
  scene.camera.target = {0, 0, 0};
  for (const glm::ivec2 size : {glm::ivec2(256, 192), glm::ivec2(301, 211)}) {
    Image images[2];
    for (int k = 0; k < 2; ++k) scene.draw(k == 1, size.x, size.y, images[k]);
    int blue[2] = {0, 0}, other = 0;
    for (std::size_t i = 0; i < images[0].rgb.size(); i += 3) {
      for (int k = 0; k < 2; ++k) blue[k] += images[k].rgb[i + 2] > images[k].rgb[i] + 40;
      other += std::abs(int(images[0].rgb[i]) - images[1].rgb[i]) > 60;
    }
    EXPECT_GT(blue[0], 60 * 40) << size.x;
    EXPECT_NEAR(blue[0], blue[1], blue[1] * .01) << size.x;
    EXPECT_LE(other, blue[1] / 200) << size.x;
  }
}
}  // namespace
}  // namespace meniscus::render
