#include "apps/cli/frame_pictures.h"

#include <algorithm>

#include "apps/cli/call.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/offline/snapshot.h"
#include "engine/output/series_index.h"
#ifdef MENISCUS_RENDER
#include "apps/picture/scene_picture.h"
#include "engine/render/headless.h"
#endif

namespace meniscus::cli {

bool hasPictures(const std::vector<std::string>& formats) {
  return std::find(formats.begin(), formats.end(), "png") != formats.end();
}

#ifdef MENISCUS_RENDER

void checkPictures(const std::vector<std::string>&) {}

struct FramePictures::Parts {
  std::string folder;
  render::HeadlessContext context;  // what follows has things in it, and goes before it
  render::Renderer renderer;
  picture::ScenePicture picture;
  render::Image image;

  Parts(mnsScene* scene, const std::string& to) : folder(to), picture(scene) {}
};

FramePictures::FramePictures(mnsScene* scene, const std::string& folder, const std::string& memory)
    : parts_(std::make_unique<Parts>(scene, folder)) {
  makeFolder(folder + "/frames");
  parts_->picture.film().remember(memory);
}

void FramePictures::write(std::uint64_t number) {
  constexpr int kWidth = 1280, kHeight = 720;  // pixels, as those of `render`
  parts_->picture.draw(parts_->renderer, kWidth, kHeight, parts_->image);
  writePng(parts_->folder + "/" + frameName(FrameKind::picture, number, FrameFormat::png), parts_->image);
}

std::string FramePictures::memory() const { return parts_->picture.film().memory(); }

#else

void checkPictures(const std::vector<std::string>& formats) {
  if (hasPictures(formats))
    throw Error(ErrorKind::input,
                "the format \"png\" is not available: this build has no renderer (Debian: libepoxy-dev libglm-dev libstb-dev)");
}

struct FramePictures::Parts {};
FramePictures::FramePictures(mnsScene*, const std::string&, const std::string&) { checkPictures({"png"}); }
void FramePictures::write(std::uint64_t) {}
std::string FramePictures::memory() const { return ""; }

#endif

FramePictures::~FramePictures() = default;

void OfflinePictures::write(const offline::OfflineRun& run, std::uint64_t number) {
  const std::string state = offline::packSnapshot(run, run.modelHash());
  need(mnsScene_Restore(shown_.scene(), state.data(), state.size()));
  pictures_.write(number);
}

}  // namespace meniscus::cli
