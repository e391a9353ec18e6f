// The camera: rays, frames, orbits.
#include <algorithm>

#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

TEST(Camera, RaysAndProjectionAgree) {
  Camera c;
  c.eye = {2, -3, 1.5f};
  c.target = {.1f, .2f, .3f};
  c.fieldOfView = 55;
  const float aspect = 1.7f;
  const glm::mat4 both = c.projection(aspect, c.target, 2) * c.view();
  for (const glm::vec2 at : {glm::vec2(.5f, .5f), glm::vec2(.1f, .9f), glm::vec2(.85f, .2f)}) {
    const glm::vec4 clip = both * glm::vec4(c.eye + 3.f * c.ray(at.x, at.y, aspect), 1);
    EXPECT_NEAR(clip.x / clip.w * .5f + .5f, at.x, 1e-5);
    EXPECT_NEAR(.5f - clip.y / clip.w * .5f, at.y, 1e-5);
  }
}

TEST(Camera, FramesTheWholeBox) {
  for (const float aspect : {.4f, 1.f, 2.5f}) {
    Camera c;
    c.eye = {5, -1, 3};
    const glm::vec3 low(-1, 2, 0), high(3, 2.5f, 4);
    c.frame(low, high, aspect);
    const glm::mat4 both = c.projection(aspect, (low + high) * .5f, glm::length(high - low) / 2) * c.view();
    float reach = 0;
    for (int k = 0; k < 8; ++k) {
      const glm::vec4 clip = both * glm::vec4(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z, 1);
      ASSERT_GT(clip.w, 0);
      reach = std::max({reach, std::abs(clip.x / clip.w), std::abs(clip.y / clip.w)});
    }
    EXPECT_LE(reach, 1.f) << aspect;
    EXPECT_GE(reach, .5f) << aspect;  // and not from miles away
  }
}

TEST(Camera, OrbitKeepsTheDistanceAndZoomHalvesIt) {
  Camera c;
  const float before = glm::length(c.eye - c.target);
  c.orbit(.7f, .3f);
  EXPECT_NEAR(glm::length(c.eye - c.target), before, 1e-5);
  c.orbit(0, 10);  // short of the pole
  EXPECT_GT(glm::length(glm::cross(c.eye - c.target, c.up)), 1e-3f * before);
  c.zoom(2);
  EXPECT_NEAR(glm::length(c.eye - c.target), before / 2, 1e-5);
}
}  // namespace
}  // namespace meniscus::render
