// Every look against its picture in tests/render/golden (MENISCUS_WRITE_GOLDEN=1 writes them anew), and a look that is broken on
// purpose is noticed by the same comparison.
#include <algorithm>
#include <cstdlib>

#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

constexpr int kWidth = 240, kHeight = 135;

// A tank with water, a ball half in it, a cloth over it and a second fluid.
struct Tank {
  std::vector<glm::vec4> water1, oil;
  std::vector<float> values, levelSet;
  std::uint64_t revision = 1;
  OwnedGrid space, plane{true};
  OwnedMesh sphere = ball({.25f, .5f, .32f}, .14f, 16), sheet = cloth({.7f, .5f, .62f}, .5f, 16);
  Picture picture;
  Camera camera;

  Tank() {
    const float radius = water({0, 0, 0}, {1, 1, .35f}, 4000, water1);
    water({.75f, .2f, .4f}, {.95f, .4f, .55f}, 80, oil);
    for (const glm::vec4& p : water1) values.push_back(p.x);
    ParticleSet a, b;
    a.position = floatsOf(water1);
    b.position = floatsOf(oil);
    a.radius = b.radius = radius;
    b.colour = {.6f, .15f, .05f};
    picture.fluids = {a, b};
    picture.meshes = {sphere.view(), sheet.view()};
    picture.meshes[1].sheet = true;
    picture.low = {0, 0, 0};
    picture.high = {1, 1, .9f};
    for (const int side : {0, 1, 2, 3, 4}) picture.wall[side] = true;
    camera.eye = {1, -2, 1.2f};
    camera.frame(picture.low, picture.high, float(kWidth) / kHeight);
  }
  // Water on a grid instead of particles, with a wave on it; raised: by this [m].
  void takeWater(float raised) {
    takeGrid(space);
    levelSet.resize(space.value.size());
    std::size_t k = 0;
    for (int z = 0; z < space.cells.z; ++z)
      for (int y = 0; y < space.cells.y; ++y)
        for (int x = 0; x < space.cells.x; ++x, ++k) {
          const glm::vec3 at = (glm::vec3(x, y, z) + .5f) * space.cell;
          levelSet[k] = at.z - .4f - raised - .06f * std::sin(7 * at.x) * std::cos(5 * at.y);
        }
    picture.grid.density = nullptr;
    picture.grid.levelSet = levelSet.data();
    picture.grid.revision = ++revision;
    picture.meshes[0].solid = true;
  }
  // A fluid on a grid instead of particles.
  void takeGrid(const OwnedGrid& grid) {
    picture.fluids.clear();
    picture.grid = grid.view();
  }
};

Image drawn(Renderer& renderer, Tank& tank, const Look& look) {
  Image image;
  renderer.drawImage(tank.picture, look, tank.camera, kWidth, kHeight, image);
  return image;
}

// Means of 3 x 3 pixels, so that a stair-step of another driver counts little. 0..255, by colour.
std::vector<float> coarse(const Image& image) {
  std::vector<float> means;
  for (int y = 0; y + 3 <= image.height; y += 3)
    for (int x = 0; x + 3 <= image.width; x += 3)
      for (int c = 0; c < 3; ++c) {
        int sum = 0;
        for (int k = 0; k < 9; ++k) sum += image.rgb[std::size_t(((y + k / 3) * image.width + x + k % 3) * 3 + c)];
        means.push_back(float(sum) / 9);
      }
  return means;
}

// Share of the picture that differs visibly: by more than 12 of 255.
double difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1;
  const std::vector<float> p = coarse(a), q = coarse(b);
  std::size_t other = 0;
  for (std::size_t k = 0; k < p.size(); k += 3) {
    bool differs = false;
    for (std::size_t c = 0; c < 3; ++c) differs = differs || std::fabs(p[k + c] - q[k + c]) > 12;
    other += differs;
  }
  return double(other) / (double(p.size()) / 3);
}
constexpr double kSame = 0.01;

struct LookCase {
  const char* name;
  void (*set)(Look&, Tank&);
  void (*broken)(Look&, Tank&);  // what the comparison must notice
};

const LookCase kLooks[] = {
    {"spheres", [](Look& l, Tank&) { l.fluid = FluidLook::spheres; }, [](Look& l, Tank&) { l.fluid = FluidLook::hidden; }},
    {"surface", [](Look&, Tank&) {}, [](Look& l, Tank&) { l.fluid = FluidLook::spheres; }},
    {"sky", [](Look& l, Tank&) { l.environment = Environment::sky; }, [](Look& l, Tank&) { l.environment = Environment::studio; }},
    {"dark", [](Look& l, Tank&) { l.dark = true; }, [](Look& l, Tank&) { l.dark = false; }},
    {"values",
     [](Look& l, Tank& t) {
       l.fluid = FluidLook::spheres;
       l.fluidScale = {ColourMap::turbo, 0, 1, "x", "m"};
       t.picture.fluids[0].value = floatsOf(t.values);
     },
     [](Look& l, Tank&) { l.fluidScale.high = 3; }},
    {"legend",
     [](Look& l, Tank& t) {
       l.fluidScale = {ColourMap::viridis, 0, 1, "Speed", "m/s"};
       l.dark = true;
       t.picture.fluids[0].value = floatsOf(t.values);
     },
     [](Look& l, Tank&) { l.fluidScale.label = {}; }},
    {"transparent-sheets", [](Look& l, Tank&) { l.sheetOpacity = .3f; }, [](Look& l, Tank&) { l.sheetOpacity = 1; }},
    {"wireframe", [](Look& l, Tank&) { l.fluid = FluidLook::hidden, l.wireframe = true; },
     [](Look& l, Tank&) { l.wireframe = false; }},
    {"edges", [](Look& l, Tank&) { l.fluid = FluidLook::hidden, l.edges = true; }, [](Look& l, Tank&) { l.edges = false; }},
    // the ball is half in the water, and its line is seen there too
    {"outline", [](Look&, Tank& t) { t.picture.meshes[0].selected = true; },
     [](Look&, Tank& t) { t.picture.meshes[0].selected = false; }},
    // the ball and the cloth are cut by it
    {"slice",
     [](Look& l, Tank& t) {
       t.takeGrid(t.space);
       l.fluid = FluidLook::hidden;
       l.fluidScale = {ColourMap::viridis, 0, 1, "x", "m"};
       l.sliceAxis = 1;
     },
     [](Look& l, Tank&) { l.sliceShare = .8f; }},
    {"smoke", [](Look&, Tank& t) { t.takeGrid(t.space); }, [](Look& l, Tank&) { l.shadows = false; }},
    // of a cloud alone, on the ground
    {"smoke-shadow",
     [](Look& l, Tank& t) {
       t.takeGrid(t.space);
       t.picture.meshes.clear();
       l.environment = Environment::sky;
       l.tank = false;
     },
     [](Look& l, Tank&) { l.shadows = false; }},
    {"smoke-and-slice",
     [](Look& l, Tank& t) {
       t.takeGrid(t.space);
       l.fluidScale = {ColourMap::turbo, 0, 1, "x", "m"};
       l.sliceAxis = 2;
       l.sliceShare = .3f;
     },
     [](Look& l, Tank&) { l.smokeDensity = .2f; }},
    {"plane",
     [](Look& l, Tank& t) {
       t.takeGrid(t.plane);
       t.picture.meshes.clear();
       t.picture.low = {0, 0, 0};
       t.picture.high = t.picture.grid.high();
       l.fluidScale = {ColourMap::coolwarm, 0, 1, "x", "m"};
       t.camera.eye = {.5f, -2, .4f};
       t.camera.target = {.5f, 0, .4f};
     },
     [](Look& l, Tank&) { l.fluidScale.high = 3; }},
    // a wave that the ball and the cloth's rim are in; half a cell more of it is noticed
    {"water", [](Look&, Tank& t) { t.takeWater(0); }, [](Look&, Tank& t) { t.takeWater(.5f * t.space.cell); }},
    {"water-under-sky",
     [](Look& l, Tank& t) {
       t.takeWater(0);
       l.environment = Environment::sky;
       l.sheetOpacity = .4f;
     },
     [](Look& l, Tank&) { l.refraction = 1; }},
    {"no-shadows", [](Look& l, Tank&) { l.shadows = false; }, [](Look& l, Tank&) { l.shadows = true; }},
};

class Golden : public ::testing::TestWithParam<LookCase> {};

TEST_P(Golden, LooksAsItDid) {
  NEEDS_OPENGL();
  Tank tank;
  Look look;
  GetParam().set(look, tank);
  Renderer renderer;
  context()->takeErrors();
  const Image image = drawn(renderer, tank, look);
  EXPECT_EQ(context()->takeErrors(), "");
  const std::string path = std::string(MENISCUS_SOURCE_DIR "/tests/render/golden/") + GetParam().name + ".png";
  if (std::getenv("MENISCUS_WRITE_GOLDEN")) return writePng(path, image);
  const Image golden = readPng(path);
  ASSERT_EQ(golden.width, kWidth) << path;
  const double share = difference(image, golden);
  EXPECT_LE(share, kSame) << "differs in " << 100 * share << " % of the picture; the new one is in " << path << ".new";
  if (share > kSame) writePng(path + ".new", image);
  // the same again, and not when it is broken
  EXPECT_EQ(difference(image, drawn(renderer, tank, look)), 0);
  GetParam().broken(look, tank);
  EXPECT_GT(difference(golden, drawn(renderer, tank, look)), kSame);
}

std::string nameOf(const ::testing::TestParamInfo<LookCase>& look) {
  std::string name = look.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Looks, Golden, ::testing::ValuesIn(kLooks), nameOf);

}  // namespace
}  // namespace meniscus::render
