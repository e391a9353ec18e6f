#include "apps/viewer/recorder.h"

#include <filesystem>
#include <utility>

#include "apps/viewer/text.h"
#include "engine/base/error.h"

namespace meniscus::viewer {

namespace fs = std::filesystem;
using Format = FilmSettings::Format;

const char* extensionOf(Format format) {
  static const char* const names[] = {".mp4", ".webm", ".gif", ""};
  return names[int(format)];
}

void Recorder::begin(const std::string& path, const FilmSettings& settings) {
  finish();
  settings_ = settings;
  path_ = path;
  error_.clear();
  threadError_.clear();
  frames_ = written_ = 0;
  ending_ = false;
  if (settings.format == Format::png) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw Error(ErrorKind::input, path + ": the folder for the frames cannot be made: " + error.message());
  } else {
    film::needFfmpeg("choose PNG frames");
    film_ = std::make_unique<film::FilmWriter>(path, settings.width, settings.height, settings.framesPerSecond);
  }
  recording_ = true;
  thread_ = std::thread([this] { run(); });
}

void Recorder::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const render::Image image = std::move(queue_.front());
    queue_.pop_front();
    const bool failed = !threadError_.empty();
    lock.unlock();
    std::string error;
    try {
      if (!failed) write(image);
    } catch (const std::exception& e) { error = e.what(); }
    lock.lock();
    if (!error.empty()) threadError_ = error;
    changed_.notify_all();
  }
}

void Recorder::write(const render::Image& image) {
  ++written_;
  if (settings_.format == Format::png)
    return render::writePng((fs::path(path_) / text("frame-%05d.png", written_)).string(), image);
  film_->add(image.rgb.data(), image.rgb.size());
}

bool Recorder::add(render::Image& image) {
  if (!recording_) return false;
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return queue_.size() < 4 || !threadError_.empty(); });
  if (!threadError_.empty()) {
    lock.unlock();
    return finish();
  }
  queue_.push_back(image);
  ++frames_;
  changed_.notify_all();
  return true;
}

bool Recorder::finish() {
  if (!recording_) return error_.empty();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  recording_ = false;
  error_ = threadError_;
  try {
    if (film_ && error_.empty()) film_->finish();
  } catch (const Error& e) { error_ = e.what(); }
  film_.reset();
  return error_.empty();
}

}  // namespace meniscus::viewer
