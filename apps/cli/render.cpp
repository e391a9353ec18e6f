#ifdef MENISCUS_RENDER
#include "apps/cli/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "apps/cli/call.h"
#include "apps/cli/folder_lock.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/cli/simulation.h"
#include "apps/film/encode.h"
#include "apps/picture/scene_picture.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/render/headless.h"
#include "engine/world/snapshot.h"

namespace meniscus::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kCheckpointEvery = 60;  // s of work
constexpr int kLargest = 8192;           // pixels
constexpr int kMostFrames = 99999;       // of five digits

void readSize(const std::string& text, int& width, int& height) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 || width > kLargest ||
      height > kLargest)
    throw Error(ErrorKind::input,
                fmt::format("--size {}: give WIDTHxHEIGHT in pixels, 16 to {} each, as in 1280x720", text, kLargest));
}

// The scene with what the command line says instead.
SceneDef effectiveScene(const RenderOptions& o) {
  SceneDef scene = loadCheckedScene(o.scene);
  if (o.duration > 0) scene.duration = o.duration;
  constexpr const char* looks[] = {"surface", "spheres", "hidden"};
  for (int k = 0; k < 3; ++k)
    if (o.fluid == looks[k]) scene.output.view.fluid = FluidLook(k);
  constexpr const char* colours[] = {"none", "speed", "pressure", "density_error", "vorticity", "deficiency"};
  for (int k = 0; k < 6; ++k)
    if (o.colour == colours[k]) scene.output.view.colour = FluidColour(k);
  return scene;
}

std::string outOf(const RenderOptions& o) { return o.out.empty() ? fs::path(o.scene).stem().string() + "-frames" : o.out; }

class Film {
 public:
  explicit Film(const RenderOptions& options);
  int make();

 private:
  std::string frame(int number) const { return fmt::format("{}/frame-{:05d}.png", folder_, number); }
  std::string checkpoint() const { return folder_ + "/checkpoint.snapshot"; }
  std::string settings() const;
  std::string takeUp();
  bool stepTo(double time);
  void save(int next, const picture::ScenePicture& picture);
  void finish();

  const RenderOptions& o_;
  const std::string out_;
  const bool film_;
  const std::string folder_;
  int width_ = 0, height_ = 0, frames_ = 0;
  SceneDef scene_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<Simulation> sim_;
  Clock::time_point saved_ = Clock::now();
};

// What can be said at once is said before the time is spent.
Film::Film(const RenderOptions& o)
    : o_(o), out_(outOf(o)), film_(film::isFilm(out_)), folder_(film_ ? out_ + ".frames" : out_), scene_(effectiveScene(o)) {
  readSize(o.size, width_, height_);
  const double count = std::floor(scene_.duration / o.speed * o.framesPerSecond + 1e-6) + 1;
  if (!(count <= kMostFrames))
    throw Error(ErrorKind::input,
                fmt::format("that would be {:.0f} frames, of {} that are possible; give a shorter --duration or a "
                            "lower --fps",
                            count, kMostFrames));
  frames_ = int(count);
  if (film_) {
    film::needFfmpeg();
    checkFolderExists(fs::absolute(out_).parent_path().string());
  }
  checkFolder(folder_);
}

// All that frames depend on: those in a folder go together.
std::string Film::settings() const {
  return fmt::format("size {}x{}\nfps {:.17g}\nspeed {:.17g}\nfluid {}\ncolour {}\nscene\n{}", width_, height_, o_.framesPerSecond,
                     o_.speed, o_.fluid, o_.colour, readWholeFile(o_.scene));
}

// The checkpoint to go on from, or "".
std::string Film::takeUp() {
  const std::string kept = folder_ + "/settings.txt";
  const bool begun = fs::exists(kept);
  if (begun && !o_.restart && readWholeFile(kept) != settings())
    throw Error(
        ErrorKind::input,
        fmt::format("{}: has frames of other settings or another scene; give --restart to begin anew, or another --out", folder_));
  if (!begun && !o_.restart && fs::exists(frame(0)))
    throw Error(ErrorKind::input,
                fmt::format("{}: has frames of something else; give another --out, or --restart to write over them", folder_));
  if (!begun || o_.restart) {
    for (int k = 0; fs::remove(frame(k)); ++k) {}
    fs::remove(checkpoint());
    writeWholeFile(kept, settings());
  }
  return fs::exists(checkpoint()) ? checkpoint() : "";
}

// In equal steps of at most the scene's, which are the same wherever it is interrupted. False: interrupted.
bool Film::stepTo(double time) {
  for (;;) {
    const double left = time - sim_->world().time;
    const int steps = int(std::ceil(left / scene_.solver.dt - 1e-6));
    if (steps <= 0) return true;
    if (interrupted() || !sim_->step(left / steps, [] { return interrupted() != 0; })) return false;
  }
}

void Film::save(int next, const picture::ScenePicture& picture) {
  saveSnapshot(sim_->world(), checkpoint(), fmt::format("{} {}", next, picture.ranges()));
  saved_ = Clock::now();
}

void Film::finish() {
  fs::remove(checkpoint());
  if (!film_) {
    if (!o_.quiet) say(stdout, "{} frames in {}\n", frames_, folder_);
    return;
  }
  film::encode(folder_ + "/frame-%05d.png", o_.framesPerSecond, out_);
  if (!o_.quiet) say(stdout, "{}: {} frames, {:g} s\n", out_, frames_, frames_ / o_.framesPerSecond);
  lock_.reset();
  if (!o_.keepFrames) fs::remove_all(folder_);
}

int Film::make() {
  const render::HeadlessContext context;
  render::Renderer renderer;
  lock_ = std::make_unique<FolderLock>(folder_);
  const std::string snapshot = takeUp();
  sim_ = std::make_unique<Simulation>(scene_, o_.threads, snapshot);
  int next = snapshot.empty() ? 0 : std::clamp(std::atoi(sim_->record().c_str()), 0, frames_);
  if (!o_.quiet && next > 0) say(stdout, "goes on with frame {} of {}\n", next + 1, frames_);
  picture::ScenePicture picture(sim_->scene());
  if (const std::size_t space = sim_->record().find(' '); space != std::string::npos)
    picture.setRanges(sim_->record().substr(space + 1));
  render::Image image;
  catchInterrupts();
  Progress progress(o_.quiet, 1);
  for (; next < frames_; ++next) {
    if (!stepTo(double(next) * o_.speed / o_.framesPerSecond)) {
      save(next, picture);
      progress.finish();
      say(stderr, "interrupted before frame {} of {}; the same command goes on\n", next + 1, frames_);
      return 0;
    }
    picture.draw(renderer, width_, height_, image);
    writePng(frame(next), image);
    if (std::chrono::duration<double>(Clock::now() - saved_).count() > kCheckpointEvery) save(next + 1, picture);
    progress.show(double(next + 1) / frames_, fmt::format("frame {} of {}, t = {:.3f} s", next + 1, frames_, sim_->world().time));
  }
  progress.finish();
  finish();
  return 0;
}

}  // namespace

int render(const RenderOptions& options) { return Film(options).make(); }

}  // namespace meniscus::cli
#endif  // MENISCUS_RENDER
