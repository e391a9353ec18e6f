// A film of a scene that is simulated while it is drawn.
#ifdef MENISCUS_RENDER
#include <cmath>

#include "apps/cli/device.h"
#include "apps/cli/film_source.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/simulation.h"
#include "apps/picture/scene_picture.h"
#include "engine/base/file.h"

namespace meniscus::cli {
namespace {

class SceneSource : public FilmSource {
 public:
  explicit SceneSource(const RenderOptions& o) : o_(o), scene_(loadCheckedScene(o.scene)) {
    if (o.duration > 0) scene_.duration = o.duration;
    applyLook(o, scene_);
  }
  double begin() const override { return 0; }
  double end() const override { return scene_.duration; }
  std::string settings() const override { return "scene\n" + readWholeFile(o_.scene); }
  std::string checkpoint() const override { return "checkpoint.snapshot"; }
  int start(const std::string& checkpoint) override;
  bool goTo(double time) override;
  void draw(render::Renderer& renderer, int width, int height, render::Image& image) override {
    picture_->draw(renderer, width, height, image);
  }
  void save(const std::string& path, int next) const override { sim_->save(path, packFilm(next, picture_->film().memory())); }

 private:
  const RenderOptions& o_;
  SceneDef scene_;
  std::unique_ptr<Simulation> sim_;
  std::unique_ptr<picture::ScenePicture> picture_;
};

int SceneSource::start(const std::string& checkpoint) {
  sim_ = std::make_unique<Simulation>(scene_, o_.threads, checkpoint, chooseDevice(o_.device));
  picture_ = std::make_unique<picture::ScenePicture>(sim_->scene());
  if (checkpoint.empty()) return 0;
  std::string memory;
  const int next = unpackFilm(sim_->record(), &memory);
  picture_->film().remember(memory);
  return next;
}

// In equal steps of at most the scene's, which are the same wherever it is interrupted.
bool SceneSource::goTo(double time) {
  for (;;) {
    const double left = time - sim_->time();
    const int steps = int(std::ceil(left / scene_.solver.dt - 1e-6));
    if (steps <= 0) return true;
    if (interrupted() || !sim_->step(left / steps, [] { return interrupted() != 0; })) return false;
  }
}

}  // namespace

std::unique_ptr<FilmSource> sceneSource(const RenderOptions& o) { return std::make_unique<SceneSource>(o); }

}  // namespace meniscus::cli
#endif  // MENISCUS_RENDER
