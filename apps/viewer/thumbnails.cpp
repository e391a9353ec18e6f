#include "apps/viewer/thumbnails.h"

#include <epoxy/gl.h>
#include <meniscus/meniscus.h>
#include <stb/stb_image.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "apps/picture/check.h"
#include "apps/picture/picture_of.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;

unsigned makeTexture(const unsigned char* rgb, int width, int height) {
  unsigned texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return texture;
}

}  // namespace

Thumbnails::Thumbnails() : thread_([this] { run(); }) {}

Thumbnails::~Thumbnails() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  for (auto& [path, entry] : entries_)
    if (entry.texture) glDeleteTextures(1, &entry.texture);
}

// Named after the path and when the file was written: a scene that has changed gets a new one.
std::string Thumbnails::cacheFile(const std::string& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error).time_since_epoch().count();
  const std::size_t hash = std::hash<std::string>()(absolutePath(path) + text("|%lld|3", static_cast<long long>(written)));
  return (fs::path(cacheFolder()) / "thumbnails" / text("%016zx.png", hash)).string();
}

bool Thumbnails::readCached(const std::string& path, Entry& entry) const {
  int width = 0, height = 0, channels = 0;
  unsigned char* rgb = stbi_load(cacheFile(path).c_str(), &width, &height, &channels, 3);
  if (!rgb) return false;
  entry.texture = makeTexture(rgb, width, height);
  stbi_image_free(rgb);
  return true;
}

unsigned Thumbnails::texture(const std::string& path) {
  Entry& entry = entries_[path];
  if (entry.asked) return entry.texture;
  entry.asked = true;
  if (readCached(path, entry)) return entry.texture;
  std::lock_guard<std::mutex> lock(mutex_);
  wanted_.push_back(path);
  wake_.notify_all();
  return 0;
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
    picture::check(mnsScene_Start(scene));
    picture::FrameReader(*loaded.facts).read(scene, {}, loaded.frame);
  } catch (const std::exception&) {
    return false;  // opening the scene says what is wrong with it; here it stays without a picture
  }
  loaded.path = path;
  return true;
}

void Thumbnails::run() {
  ::setpriority(PRIO_PROCESS, id_t(::syscall(SYS_gettid)), 15);  // of this thread alone
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_) {
    wake_.wait(lock, [&] { return stop_ || (!paused_ && !wanted_.empty()); });
    if (stop_) return;
    const std::string path = wanted_.front();
    wanted_.pop_front();
    lock.unlock();
    Loaded loaded;
    const bool good = load(path, loaded);
    lock.lock();
    if (good) loaded_.push_back(std::move(loaded));
  }
}

bool Thumbnails::drawOne(render::Renderer& renderer) {
  Loaded loaded;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (loaded_.empty()) return false;
    loaded = std::move(loaded_.front());
    loaded_.pop_front();
  }
  render::Picture picture;
  render::Look look;
  look.fluid = render::FluidLook::spheres;
  look.dark = true;
  render::Camera camera;
  picture::firstView(loaded.frame, *loaded.facts, float(kWidth) / kHeight, camera.eye, camera.target, camera.up);
  picture::pictureOf(loaded.frame, *loaded.facts, -1, picture);
  render::Image image;
  renderer.drawImage(picture, look, camera, kWidth, kHeight, image);
  entries_[loaded.path].texture = makeTexture(image.rgb.data(), image.width, image.height);
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
