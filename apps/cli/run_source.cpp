// A film of the frames that a run has left in its folder.
#ifdef MENISCUS_RENDER
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/call.h"
#include "apps/cli/film_source.h"
#include "apps/cli/interrupt.h"
#include "apps/picture/scene_picture.h"
#include "apps/replay/replay.h"
#include "engine/api/inside.h"
#include "engine/base/file.h"

namespace meniscus::cli {
namespace {

// The run's scene, not started: it says how it is to be seen.
class SceneOfRun {
 public:
  explicit SceneOfRun(const SceneDef& scene) {
    mnsContextDef def = mnsDefaultContextDef();
    def.device = MNS_DEVICE_CPU;
    def.threads = 1;
    need(mnsCreateContext(MNS_VERSION, &def, &context_));
    const mnsResult result = api::adoptScene(context_, SceneDef(scene), &scene_);
    if (result < 0) mnsDestroyContext(context_);
    need(result);
  }
  ~SceneOfRun() { mnsDestroyContext(context_); }
  SceneOfRun(const SceneOfRun&) = delete;
  SceneOfRun& operator=(const SceneOfRun&) = delete;

  mnsScene* get() const { return scene_; }
  std::vector<picture::BodyFrame> bodies() const {
    std::vector<picture::BodyFrame> list;
    picture::listBodies(scene_, list);
    return list;
  }

 private:
  mnsContext* context_ = nullptr;
  mnsScene* scene_ = nullptr;
};

replay::RunFolder openRun(const RenderOptions& o) {
  replay::RunFolder run = replay::openRunFolder(o.scene);
  applyLook(o, run.scene);
  return run;
}

class RunSource : public FilmSource {
 public:
  explicit RunSource(const RenderOptions& o)
      : o_(o),
        run_(openRun(o)),
        scene_(run_.scene),
        picture_(picture::framePictureOf(scene_.get())),
        replay_(run_, picture_.colouring(), scene_.bodies()) {}
  double begin() const override { return replay_.begin(); }
  double end() const override { return o_.duration > 0 ? std::min(o_.duration, replay_.end()) : replay_.end(); }
  std::string settings() const override;
  std::string checkpoint() const override { return "next.txt"; }
  int start(const std::string& checkpoint) override;
  bool goTo(double time) override {
    time_ = time;
    return !interrupted();
  }
  void draw(render::Renderer& renderer, int width, int height, render::Image& image) override;
  void save(const std::string& path, int next) const override { writeWholeFile(path, packFilm(next, picture_.memory())); }

 private:
  const RenderOptions& o_;
  const replay::RunFolder run_;
  const SceneOfRun scene_;
  picture::FramePicture picture_;
  replay::Replay replay_;
  double time_ = 0;  // s
};

// A run in progress only adds frames at the end.
std::string RunSource::settings() const {
  std::string all = "run\n" + run_.sceneText;
  for (const replay::FrameFiles& f : run_.frames) all += fmt::format("{:.9g}\n", f.time);
  return all;
}

int RunSource::start(const std::string& checkpoint) {
  if (checkpoint.empty()) return 0;
  std::string memory;
  const int next = unpackFilm(readWholeFile(checkpoint), &memory);
  picture_.remember(memory);
  return next;
}

void RunSource::draw(render::Renderer& renderer, int width, int height, render::Image& image) {
  const picture::Frame& frame = replay_.at(time_);
  render::Camera camera;
  const bool own = picture::sceneCamera(scene_.get(), time_, camera);
  picture_.draw(frame, own ? &camera : nullptr, renderer, width, height, image);
}

}  // namespace

std::unique_ptr<FilmSource> runSource(const RenderOptions& o) { return std::make_unique<RunSource>(o); }

}  // namespace meniscus::cli
#endif  // MENISCUS_RENDER
