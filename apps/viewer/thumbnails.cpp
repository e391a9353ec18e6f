#include "apps/viewer/thumbnails.h"

#include <epoxy/gl.h>
#include <meniscus/meniscus.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "apps/picture/check.h"
#include "apps/picture/picture_of.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "engine/base/error.h"

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;

unsigned makeTexture(const render::Image& image) {
  unsigned texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image.width, image.height, 0, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return texture;
}

}  // namespace

Thumbnails::Thumbnails() : thread_([this] { run(); }) {}

Thumbnails::~Thumbnails() {
  askToEnd();
  thread_.join();
  for (auto& [path, entry] : entries_)
    if (entry.texture) glDeleteTextures(1, &entry.texture);
}

// Named after the path and when the file was written: a scene that has changed gets a new one.
std::string Thumbnails::cacheFile(const std::string& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error).time_since_epoch().count();
  const std::size_t hash = std::hash<std::string>()(absolutePath(path) + text("|%lld|4", static_cast<long long>(written)));
  return (fs::path(cacheFolder()) / "thumbnails" / text("%016zx.png", hash)).string();
}

bool Thumbnails::readCached(const std::string& path, Cached& cached) {
  try {
    cached.image = render::readPng(cacheFile(path));
  } catch (const Error&) {
    return false;  // it is made anew
  }
  cached.path = path;
  return true;
}

void Thumbnails::beginFrame() {
  std::lock_guard<std::mutex> lock(mutex_);
  ++frame_;
  place_ = 0;
}

Thumbnails::Answer Thumbnails::show(const std::string& path) {
  std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = entries_[path];
  if (entry.frame == 0) wake_.notify_all();
  entry.frame = frame_;
  entry.place = place_++;
  return {entry.texture, entry.stage};
}

bool Thumbnails::working() const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [path, entry] : entries_) {
    if (entry.stage == Stage::making || (entry.stage == Stage::waiting && !paused_)) return true;
  }
  return false;
}

void Thumbnails::askToEnd() {
  std::lock_guard<std::mutex> lock(mutex_);
  stop_ = true;
  wake_.notify_all();
}

bool Thumbnails::making() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return making_;
}

void Thumbnails::setPaused(bool paused) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (paused != paused_) wake_.notify_all();
  paused_ = paused;
}

bool Thumbnails::load(const std::string& path, Loaded& loaded) const {
  struct Context {
    mnsContext* context = nullptr;
    ~Context() { mnsDestroyContext(context); }
  } c;
  try {
    mnsContextDef def = mnsDefaultContextDef();
    def.threads = 1;
    mnsScene* scene = nullptr;
    picture::check(mnsCreateContext(MNS_VERSION, &def, &c.context));
    picture::check(mnsLoadScene(c.context, path.c_str(), &scene));
    loaded.facts = std::make_unique<picture::SceneFacts>(picture::factsOf(scene));
    loaded.view = sceneViewOf(scene);
    picture::check(mnsScene_Start(scene));
    picture::FrameReader(*loaded.facts).read(scene, loaded.view.colouring.value_or(picture::Colouring()), loaded.frame);
  } catch (const std::exception&) {
    return false;  // opening the scene says what is wrong with it; here it stays without a picture
  }
  loaded.path = path;
  return true;
}

// Of the scenes that wait: of those that were in sight last, the first; empty where none waits.
std::string Thumbnails::nextWanted() const {
  const Entry* best = nullptr;
  const std::string* path = nullptr;
  for (const auto& [name, entry] : entries_) {
    if (entry.stage != Stage::waiting) continue;
    const bool before = !best || entry.frame > best->frame || (entry.frame == best->frame && entry.place < best->place);
    if (!before) continue;
    best = &entry;
    path = &name;
  }
  return path ? *path : std::string();
}

void Thumbnails::makeNext(std::unique_lock<std::mutex>& lock, const std::string& path) {
  entries_[path].stage = Stage::making;
  lock.unlock();
  Cached cached;
  Loaded loaded;
  const bool kept = readCached(path, cached), good = kept || load(path, loaded);
  lock.lock();
  if (kept) {
    cached_.push_back(std::move(cached));
  } else if (good) {
    loaded_.push_back(std::move(loaded));
  } else {
    entries_[path].stage = Stage::failed;
  }
}

void Thumbnails::run() {
  ::setpriority(PRIO_PROCESS, id_t(::syscall(SYS_gettid)), 15);  // of this thread alone
  std::unique_lock<std::mutex> lock(mutex_);
  std::string path;
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || (!paused_ && !(path = nextWanted()).empty()); });
    if (stop_) return;
    making_ = true;
    makeNext(lock, path);
    making_ = false;
  }
}

void Thumbnails::showCached() {
  for (; !cached_.empty(); cached_.pop_front()) {
    const Cached& c = cached_.front();
    Entry& entry = entries_[c.path];
    entry.texture = makeTexture(c.image);
    entry.stage = Stage::done;
  }
}

bool Thumbnails::drawOne(render::Renderer& renderer) {
  Loaded loaded;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    showCached();
    if (loaded_.empty()) return false;
    loaded = std::move(loaded_.front());
    loaded_.pop_front();
  }
  render::Picture picture;
  Shown shown;
  loaded.view.apply(shown);
  picture::setScales(loaded.frame, shown.colouring, loaded.frame.fluidRange, loaded.frame.meshRange, shown.look);
  shown.look.fluidScale.label = {};  // a legend would cover the picture
  shown.look.meshScale.label = {};
  render::Camera camera;
  picture::firstView(loaded.frame, *loaded.facts, float(kWidth) / kHeight, camera.eye, camera.target, camera.up);
  if (loaded.view.camera) {
    const glm::vec3 up = camera.up;
    camera = *loaded.view.camera;
    camera.up = up;
  }
  picture::pictureOf(loaded.frame, *loaded.facts, -1, picture);
  render::Image image;
  renderer.drawImage(picture, shown.look, camera, kWidth, kHeight, image);
  const unsigned texture = makeTexture(image);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    entries_[loaded.path].texture = texture;
    entries_[loaded.path].stage = Stage::done;
  }
  try {
    const std::string file = cacheFile(loaded.path);
    fs::create_directories(fs::path(file).parent_path());
    render::writePng(file, image);
  } catch (const std::exception&) {
    // without a cache it is made again the next time
  }
  return true;
}

}  // namespace meniscus::viewer
