#include "apps/viewer/recorder.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "engine/base/error.h"

extern char** environ;

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;
using Format = FilmSettings::Format;

std::vector<std::string> ffmpegArguments(const FilmSettings& s, const std::string& path) {
  std::vector<std::string> a = {"ffmpeg",
                                "-hide_banner",
                                "-loglevel",
                                "error",
                                "-y",
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "rgb24",
                                "-s",
                                text("%dx%d", s.width, s.height),
                                "-r",
                                text("%d", s.framesPerSecond),
                                "-i",
                                "-"};
  const auto add = [&](std::initializer_list<const char*> more) { a.insert(a.end(), more.begin(), more.end()); };
  if (s.format == Format::mp4)
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-preset", "veryfast", "-pix_fmt", "yuv420p",
         "-movflags", "+faststart"});
  if (s.format == Format::webm)
    add({"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-pix_fmt", "yuv420p"});
  if (s.format == Format::gif) add({"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer"});
  a.push_back(path);
  return a;
}

std::string readAll(const std::string& file) {
  std::ifstream in(file);
  std::string all((std::istreambuf_iterator<char>(in)), {});
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

}  // namespace

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
    startFfmpeg();
  }
  recording_ = true;
  thread_ = std::thread([this] { run(); });
}

void Recorder::startFfmpeg() {
  std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is an error of a write, not the end of the program
  logFile_ = (fs::temp_directory_path() / text("meniscus-ffmpeg-%d.log", int(::getpid()))).string();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::input, text("no pipe to ffmpeg: %s", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, logFile_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const std::vector<std::string> words = ffmpegArguments(settings_, path_);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (failed) {
    ::close(ends[1]);
    throw Error(ErrorKind::input,
                text("the program ffmpeg cannot be started (%s): install it (Debian: apt install ffmpeg), or record "
                     "PNG frames, which need no other program",
                     std::strerror(failed)));
  }
  pipe_ = ends[1];
  child_ = child;
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
  std::size_t at = 0;
  while (at < image.rgb.size()) {
    const ssize_t n = ::write(pipe_, image.rgb.data() + at, image.rgb.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(ErrorKind::input, text("ffmpeg does not take more frames: %s", std::strerror(errno)));
    at += std::size_t(n);
  }
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

void Recorder::endFfmpeg() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
  child_ = -1;
  const std::string words = readAll(logFile_);
  std::error_code ignored;
  fs::remove(logFile_, ignored);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && threadError_.empty()) return;
  error_ = text("%s was not written: %s", path_.c_str(), words.empty() ? threadError_.c_str() : words.c_str());
  if (error_.back() == ' ') error_ += "ffmpeg failed without a word";
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
  if (child_ >= 0) endFfmpeg();
  return error_.empty();
}

}  // namespace meniscus::viewer
