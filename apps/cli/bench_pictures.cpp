// What a picture takes: a tank of particles and one of water on a grid, by look. By the clock, and by the time of this process'
// processors shared out over all of them, which is what the clock would show where nothing else ran and a software OpenGL draws.
#include "apps/cli/options.h"
#include "engine/base/error.h"

#ifdef MENISCUS_RENDER
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "apps/cli/bench_table.h"
#include "apps/cli/say.h"
#include "engine/exec/exec.h"
#include "engine/output/metrics.h"
#include "engine/render/headless.h"
#include "engine/render/renderer.h"

namespace meniscus::cli {
namespace {

constexpr int kWidth = 1280, kHeight = 720;

double processorSeconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * double(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// A dam of water in the corner of a tank twice as long, its surface waving.
struct Tank {
  std::vector<glm::vec4> places;
  std::vector<float> levelSet;
  render::Picture particles, grid;
  render::Camera camera;

  explicit Tank(int count) {
    const float d = std::cbrt(.5f / float(count));
    for (float z = d / 2; z < .55f; z += d)
      for (float y = d / 2; y < 1; y += d)
        for (float x = d / 2; x < 1; x += d)
          if (z < level(x, y) && int(places.size()) < count) places.emplace_back(x, y, z, 1);
    render::ParticleSet set;
    set.position = {&places[0].x, sizeof(glm::vec4), places.size(), 0};
    set.radius = d / 2;
    particles.fluids = {set};
    particles.high = {2, 1, 1};
    std::fill(std::begin(particles.wall), std::end(particles.wall), true);
    grid = particles;
    grid.fluids.clear();
    const glm::ivec3 n(64, 32, 32);
    for (int k = 0; k < n.x * n.y * n.z; ++k) {
      const glm::vec3 at = (glm::vec3(k % n.x, k / n.x % n.y, k / n.x / n.y) + .5f) / 32.f;
      levelSet.push_back(std::max(at.z - level(at.x, at.y), at.x - 1));
    }
    grid.grid.cells = n;
    grid.grid.cell = 1 / 32.f;
    grid.grid.levelSet = levelSet.data();
    camera.eye = {1.45f, -1.8f, 1.3f};
    camera.frame(particles.low, particles.high, float(kWidth) / kHeight);
  }
  static float level(float x, float y) { return .5f + .04f * std::sin(6 * x) * std::cos(5 * y); }
};

}  // namespace

int benchPictures(const BenchPicturesOptions& o) {
  BenchTable table(o.table, 0);
  const render::HeadlessContext context;
  render::Renderer renderer;
  Tank tank(o.particles);
  const double processors = Exec::processors();
  say(stdout, "{} x {} pixels, {} particles, {}\n", kWidth, kHeight, tank.places.size(), context.description());
  const struct {
    const char* name;
    render::FluidLook look;
    bool grid;
    double wanted;  // ms; 0: none
  } kinds[] = {{"spheres", render::FluidLook::spheres, false, 40},
               {"screen-space surface", render::FluidLook::surface, false, 400},
               {"water on a grid", render::FluidLook::surface, true, 0}};
  for (const auto& kind : kinds) {
    render::Picture& picture = kind.grid ? tank.grid : tank.particles;
    render::Look look;
    look.fluid = kind.look;
    render::Image image;
    std::vector<double> wall, work;
    for (int k = -2; k < o.repeat; ++k) {
      ++picture.grid.revision;  // as while it runs
      const double before = processorSeconds();
      const auto begin = std::chrono::steady_clock::now();
      renderer.drawImage(picture, look, tank.camera, kWidth, kHeight, image);
      if (k < 0) continue;
      wall.push_back(1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      work.push_back(1e3 * (processorSeconds() - before) / processors);
    }
    const double least = *std::min_element(wall.begin(), wall.end()), median = quantile(work, 0.5).value_or(0);
    say(stdout, "  {:<24} {:>8.1f} ms by the clock at best, {:>8.1f} ms of {:g} processors{}\n", kind.name, least, median,
        processors, kind.wanted > 0 ? fmt::format(", wanted <= {:g}", kind.wanted) : "");
    table.add(fmt::format("{}: picture", kind.name), least, "ms");
    table.add(fmt::format("{}: processors", kind.name), median, "ms");
  }
  return table.finish();
}

}  // namespace meniscus::cli

#else

namespace meniscus::cli {

int benchPictures(const BenchPicturesOptions&) {
  throw Error(ErrorKind::input, "this build has no renderer (Debian: libepoxy-dev libglm-dev libstb-dev)");
}

}  // namespace meniscus::cli

#endif
