// The renderer's closed forms, its limits, and what it does with bad input.
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/render/colour_map.h"
#include "engine/render/legend.h"
#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

namespace fs = std::filesystem;

glm::vec3 pixel(const Image& image, int x, int y) {
  const std::size_t k = std::size_t(y * image.width + x) * 3;
  return {image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]};
}

// A solid that is gone leaves no shadow behind, and one that comes has one: the same picture as one drawn from the start.
TEST(Shadows, OfSolidsComeAndGoWithThem) {
  NEEDS_OPENGL();
  OwnedMesh sphere = ball({0, 0, .6f}, .25f, 12);
  Picture with, without;
  with.low = without.low = {-1, -1, 0};
  with.high = without.high = {1, 1, 1};
  with.meshes = {sphere.view()};
  Look look;
  Camera c;
  c.eye = {1, -3, 2.5f};
  c.frame(with.low, with.high, 1.5f);
  Image first, again, alone, seen;
  {
    Renderer fresh;
    fresh.drawImage(without, look, c, 240, 160, alone);
  }
  Renderer renderer;
  renderer.drawImage(with, look, c, 240, 160, first);
  renderer.drawImage(without, look, c, 240, 160, again);
  EXPECT_EQ(again.rgb, alone.rgb);
  renderer.drawImage(without, look, c, 240, 160, again);
  renderer.drawImage(with, look, c, 240, 160, seen);
  EXPECT_EQ(seen.rgb, first.rgb);
  int darker = 0;
  for (std::size_t i = 0; i < first.rgb.size(); i += 3) darker += first.rgb[i] + 20 < alone.rgb[i];
  EXPECT_GT(darker, 200);
  EXPECT_EQ(context()->takeErrors(), "");
}

// Sheets that let through what is behind them are drawn from far to near, in whatever order they come.
TEST(Sheets, LieOverWhatIsBehindThem) {
  NEEDS_OPENGL();
  OwnedMesh red = cloth({0, 0, 0}, 1, 8), blue = cloth({0, 0, .3f}, 1, 8);  // level, seen from above
  Look look;
  look.sheetOpacity = .5f;
  look.tank = look.ground = look.shadows = false;
  Camera c;
  c.eye = {.1f, -.2f, 3};
  c.up = {0, 1, 0};
  Renderer renderer;
  Image images[2];
  for (int k = 0; k < 2; ++k) {
    Picture picture;
    picture.low = glm::vec3(-1);
    picture.high = glm::vec3(1);
    Mesh far = red.view(), near = blue.view();
    far.colour = {.9f, .05f, .05f};
    near.colour = {.05f, .05f, .9f};
    far.sheet = near.sheet = true;
    picture.meshes = k == 0 ? std::vector<Mesh>{far, near} : std::vector<Mesh>{near, far};
    renderer.drawImage(picture, look, c, 100, 100, images[k]);
  }
  EXPECT_EQ(images[0].rgb, images[1].rgb);
  const glm::vec3 middle = pixel(images[0], 50, 50);
  EXPECT_GT(middle.b, middle.r);  // the nearer one shows more
  EXPECT_GT(middle.r, 60);
}

// Water that fills a shell touches it from within: none of it shows before the shell, though its surface is drawn by spheres that
// overlap.
TEST(Surface, DoesNotShowBeforeTheShellItIsIn) {
  NEEDS_OPENGL();
  const float spacing = .05f, inside = .5f;
  std::vector<glm::vec4> places;
  for (int k = 0; k < 8000; ++k) {
    const glm::vec3 p = (glm::vec3(k % 20, k / 20 % 20, k / 400) - 9.5f) * spacing;
    if (glm::length(p) < inside) places.push_back({p.x, p.y, p.z, 1});
  }
  OwnedMesh shell = ball({0, 0, 0}, inside + .25f * spacing, 32);
  Picture picture;
  ParticleSet set;
  set.position = floatsOf(places);
  set.radius = spacing / 2;
  picture.fluids = {set};
  picture.meshes = {shell.view()};
  picture.low = glm::vec3(-1);
  picture.high = glm::vec3(1);
  Look look;
  look.tank = look.ground = look.shadows = false;
  Camera c;
  c.eye = {2, -2.5f, 1};
  Renderer renderer;
  Image with, without;
  renderer.drawImage(picture, look, c, 200, 200, with);
  look.fluid = FluidLook::hidden;
  renderer.drawImage(picture, look, c, 200, 200, without);
  int other = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      if (std::hypot(x - 99.5, y - 99.5) < 36)  // the shell's outline is a circle of 41 pixels
        other += glm::length(pixel(with, x, y) - pixel(without, x, y)) > 4;
  EXPECT_EQ(other, 0) << "pixels of the shell that show water";
}

// The tank's edges are seen, and only faintly where no side beside them is a wall.
TEST(Tank, OpenSidesAreFaint) {
  NEEDS_OPENGL();
  Renderer renderer;
  Camera c;
  c.eye = {2, -3, 1.5f};
  c.frame(glm::vec3(0), glm::vec3(1), 1.5f);
  long marks[3];  // the sum of what differs from the empty studio: with walls, without, with a floor only
  for (int k = 0; k < 3; ++k) {
    Picture picture;
    for (int side = 0; side < 6; ++side) picture.wall[side] = k == 0 || (k == 2 && side == 4);
    Look look, empty;
    empty.tank = false;
    Image with, without;
    renderer.drawImage(picture, look, c, 240, 160, with);
    renderer.drawImage(picture, empty, c, 240, 160, without);
    marks[k] = 0;
    for (std::size_t i = 0; i < with.rgb.size(); ++i) marks[k] += std::abs(int(with.rgb[i]) - without.rgb[i]);
  }
  EXPECT_GT(marks[1], 1000);
  EXPECT_GT(2 * marks[0], 3 * marks[1]);
  EXPECT_GT(marks[2], marks[1]);
  EXPECT_LT(marks[2], marks[0]);
}

TEST(Colours, ValuesAreWhatTheMapSays) {
  NEEDS_OPENGL();
  const glm::vec4 nodes[4] = {{-9, 0, -9, 1}, {9, 0, -9, 1}, {9, 0, 9, 1}, {-9, 0, 9, 1}};
  const std::int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
  Look look;
  look.shadows = look.ground = look.tank = false;
  Camera c;
  c.eye = {0, -3, 0};
  Renderer renderer;
  glm::vec3 shown[2];
  for (int k = 0; k < 2; ++k) {
    const std::vector<float> values(4, k == 0 ? 2.f : 8.f);
    Picture picture;
    Mesh wall;
    wall.position = {&nodes[0].x, sizeof(glm::vec4), 4, 0};
    wall.value = floatsOf(values);
    wall.triangles = triangles;
    wall.triangleCount = 2;
    wall.sheet = true;
    picture.meshes = {wall};
    picture.low = glm::vec3(-9);
    picture.high = glm::vec3(9);
    look.meshScale = {ColourMap::coolwarm, 0, 10, "", ""};
    Image image;
    renderer.drawImage(picture, look, c, 33, 33, image);
    shown[k] = pixel(image, 16, 16);
  }
  EXPECT_GT(shown[0].b, shown[0].r + 30);  // cool
  EXPECT_GT(shown[1].r, shown[1].b + 30);  // warm
  const glm::vec3 low = mapColour(ColourMap::coolwarm, .2f), high = mapColour(ColourMap::coolwarm, .8f);
  EXPECT_GT(low.b, low.r);
  EXPECT_GT(high.r, high.b);
}

// What a letter is read by: the least of the contrasts between the pixels of its ink and the most different ones beside them
// (WCAG 2: relative luminances, .05 for the glare; 4.5 is good to read). pixels: how many are of ink.
double leastContrast(const Image& image, int ink, int& pixels) {
  const auto luminance = [&](int x, int y) {
    const glm::vec3 c = glm::pow(pixel(image, x, y) / 255.f, glm::vec3(2.2f));
    return double(glm::dot(c, glm::vec3(.2126f, .7152f, .0722f)));
  };
  double least = 1e9;
  pixels = 0;
  for (int y = 2; y < image.height - 2; ++y)
    for (int x = 2; x < image.width - 2; ++x) {
      const glm::vec3 c = pixel(image, x, y);
      if (std::fabs(c.r - float(ink)) > 1 || std::fabs(c.g - float(ink)) > 1 || std::fabs(c.b - float(ink)) > 1) continue;
      ++pixels;
      double most = 1;
      for (int k = 0; k < 25; ++k) {
        const double a = luminance(x, y), b = luminance(x + k % 5 - 2, y + k / 5 - 2);
        most = std::max(most, (std::max(a, b) + .05) / (std::min(a, b) + .05));
      }
      least = std::min(least, most);
    }
  return least;
}

// Over a plane that fills the picture with the darkest, a middle and the lightest colour, in a light and in a dark studio.
TEST(Legend, IsReadOnAnyGround) {
  NEEDS_OPENGL();
  OwnedGrid plane(true);
  Picture picture;
  Look look;
  look.fluidScale = {ColourMap::viridis, 0, 1, "Speed", "m/s"};
  look.tank = false;
  Camera c;
  c.eye = {.5f, -.3f, .4f};
  c.target = {.5f, 0, .4f};
  Renderer renderer;
  for (const float value : {0.f, .5f, 1.f}) {
    std::fill(plane.value.begin(), plane.value.end(), value);
    picture.grid = plane.view();
    picture.low = {0, 0, 0};
    picture.high = picture.grid.high();
    for (const bool dark : {false, true}) {
      look.dark = dark;
      Image image;
      renderer.drawImage(picture, look, c, 480, 320, image);
      int pixels = 0;
      EXPECT_GE(leastContrast(image, dark ? 235 : 20, pixels), 4.5) << value << (dark ? " dark" : " light");
      EXPECT_GT(pixels, 200) << value;
    }
  }
}

TEST(Legend, TicksAreRoundAndInside) {
  std::vector<float> ticks;
  findTicks(0, 1, ticks);
  EXPECT_EQ(ticks.size(), 6u);
  for (const auto& [low, high] :
       {std::pair(0.f, 1.f), std::pair(-3.7f, 12.1f), std::pair(101000.f, 101325.f), std::pair(0.f, 3e-5f)}) {
    findTicks(low, high, ticks);
    EXPECT_GE(ticks.size(), 3u) << low << " to " << high;
    EXPECT_LE(ticks.size(), 11u) << low << " to " << high;
    for (const float t : ticks) {
      EXPECT_GE(t, low - 1e-4f * (high - low));
      EXPECT_LE(t, high + 1e-4f * (high - low));
    }
  }
  // numbers that do not touch, every one of which is of a tick
  EXPECT_EQ(labelEvery(16, 16), 1);
  EXPECT_EQ(labelEvery(7, 8), 2);
  EXPECT_EQ(labelEvery(3, 8), 5);
  EXPECT_EQ(labelEvery(1, 8), 10);
  findTicks(1, 1, ticks);
  EXPECT_TRUE(ticks.empty());
  findTicks(0, std::numeric_limits<float>::infinity(), ticks);
  EXPECT_TRUE(ticks.empty());
}

TEST(Renderer, BearsWhatThereIs) {
  NEEDS_OPENGL();
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  std::vector<glm::vec4> bad = {{nan, 0, 0, 1}, {inf, 0, 0, 1}, {0, 0, 1e30f, 1}, {.5f, .5f, .5f, 1}}, none;
  std::vector<float> values(4, nan);
  Picture picture;
  ParticleSet set, empty;
  set.position = floatsOf(bad);
  set.value = floatsOf(values);
  empty.position = floatsOf(none);
  picture.fluids = {set, empty};
  OwnedMesh mesh = ball({.5f, .5f, .5f}, .2f, 4);
  mesh.nodes[3] = {nan, nan, nan, 1};
  picture.meshes = {mesh.view(), Mesh{}};
  Renderer renderer;
  Image image;
  for (const FluidLook fluid : {FluidLook::surface, FluidLook::spheres, FluidLook::hidden})
    for (const auto& [w, h] : {std::pair(1, 1), std::pair(2, 300), std::pair(700, 3)}) {
      Look look;
      look.fluid = fluid;
      look.fluidScale.label = "Speed";
      look.wireframe = look.edges = true;
      Camera c;
      c.frame(picture.low, picture.high, float(w) / float(h));
      renderer.drawImage(picture, look, c, w, h, image);
      EXPECT_EQ(image.rgb.size(), std::size_t(3 * w * h));
    }
  EXPECT_EQ(context()->takeErrors(), "");
  EXPECT_THROW(renderer.drawImage(picture, {}, {}, 0, 5, image), Error);
}

// A developer's slip in a shader: the words of the compiler with file and line, and the last good picture goes on.
TEST(Renderer, AShaderThatIsBrokenLeavesTheLastGoodOnes) {
  NEEDS_OPENGL();
  const fs::path folder = fs::temp_directory_path() / ("meniscus-shaders-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::copy(MENISCUS_SOURCE_DIR "/shaders", folder);
  Renderer renderer(folder.string());
  Image before, after;
  Camera c;
  c.frame(glm::vec3(0), glm::vec3(1), 1);
  renderer.drawImage({}, {}, c, 32, 32, before);
  std::string good, error;
  {
    std::ifstream in(folder / "background.frag");
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::ofstream(folder / "background.frag") << "// one line\n" << good << "\nvoid nonsense( {}\n";
  EXPECT_FALSE(renderer.reloadShaders(&error));
  EXPECT_NE(error.find("background.frag:"), std::string::npos) << error;
  renderer.drawImage({}, {}, c, 32, 32, after);
  EXPECT_EQ(before.rgb, after.rgb);
  std::ofstream(folder / "background.frag") << good;
  EXPECT_TRUE(renderer.reloadShaders(&error)) << error;
  fs::remove(folder / "fluid.frag");
  EXPECT_FALSE(renderer.reloadShaders(&error));
  EXPECT_NE(error.find("fluid.frag"), std::string::npos) << error;
  EXPECT_THROW(Renderer((folder / "missing").string()), Error);
  fs::remove_all(folder);
  context()->takeErrors();  // some drivers tell of the broken shader here too: not the next test's
}

}  // namespace
}  // namespace meniscus::render
