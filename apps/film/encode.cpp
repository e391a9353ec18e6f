#include "apps/film/encode.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/base/error.h"

namespace meniscus::film {
namespace {

namespace fs = std::filesystem;

std::string extension(const std::string& path) { return fs::path(path).extension().string(); }
std::string logOf(const std::string& path) { return path + "." + std::to_string(::getpid()) + ".log"; }
std::string partOf(const std::string& path) { return path + "." + std::to_string(::getpid()) + ".part" + extension(path); }

std::string numberOf(double value) {
  char words[32];
  std::snprintf(words, sizeof words, "%g", value);
  return words;
}

// Coder, quality and colours of a film of this name.
std::vector<std::string> coderArguments(const std::string& path) {
  const std::string e = extension(path);
  if (e == ".webm")
    return {"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-pix_fmt", "yuv420p"};
  if (e == ".gif") return {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer"};
  return {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",  // the coder wants even sizes
          "-c:v",      "libx264",
          "-crf",      "18",
          "-preset",   "veryfast",
          "-pix_fmt",  "yuv420p",
          "-movflags", "+faststart"};
}

// All that ffmpeg is told: what it reads, then what it makes of it.
std::vector<std::string> argumentsFor(std::vector<std::string> input, const std::string& path) {
  std::vector<std::string> words = {"-hide_banner", "-loglevel", "error", "-y"};
  words.insert(words.end(), input.begin(), input.end());
  for (const std::string& w : coderArguments(path)) words.push_back(w);
  words.push_back(partOf(path));
  return words;
}

// The film has been made, or not: its part becomes the film.
void settle(int status, const std::string& log, const std::string& path) {
  if (status != 0) throw Error(ErrorKind::input, failureOf(path, status, log));
  std::error_code error;
  fs::rename(partOf(path), path, error);
  if (error) throw Error(ErrorKind::input, path + ": cannot be written: " + error.message());
}

}  // namespace

bool isFilm(const std::string& path) {
  const std::string e = extension(path);
  return e == ".mp4" || e == ".webm" || e == ".gif";
}

// Folders have versions and dates in their names, so that digits are no ending.
std::string otherFilm(const std::string& path) {
  const std::string e = extension(path);
  const bool letters = std::any_of(e.begin(), e.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  return isFilm(path) || !letters || fs::is_directory(path) ? "" : e;
}

void needFfmpeg(const std::string& otherwise) {
  if (waitFor(startFfmpeg({"-version"}, -1, "/dev/null")) != 0)
    throw Error(ErrorKind::input,
                "the program ffmpeg, which makes films, cannot be started; install it (Debian: apt install ffmpeg), "
                "or " +
                    otherwise + ": frames need no other program");
}

void encode(const std::string& pattern, double framesPerSecond, const std::string& path) {
  const TemporaryFile log(logOf(path)), part(partOf(path));
  const std::vector<std::string> words = argumentsFor({"-framerate", numberOf(framesPerSecond), "-i", pattern}, path);
  settle(waitFor(startFfmpeg(words, -1, log.path)), log.path, path);
}

FilmWriter::FilmWriter(const std::string& path, int width, int height, double framesPerSecond)
    : path_(path), log_(logOf(path)), part_(partOf(path)) {
  std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is an error of a write, not the end of the program
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::input, std::string("no pipe to ffmpeg: ") + std::strerror(errno));
  child_ =
      startFfmpeg(argumentsFor({"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", std::to_string(width) + "x" + std::to_string(height),
                                "-r", numberOf(framesPerSecond), "-i", "-"},
                               path),
                  ends[0], log_.path);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (child_ >= 0) return;
  ::close(pipe_);
  throw Error(ErrorKind::input, failureOf(path, -1, log_.path));
}

FilmWriter::~FilmWriter() {
  if (pipe_ >= 0) ::close(pipe_);
  if (child_ >= 0) waitFor(child_);
}

void FilmWriter::add(const unsigned char* rgb, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::write(pipe_, rgb, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      finish();  // ffmpeg has ended, and says why
      throw Error(ErrorKind::input, path_ + ": ffmpeg does not take more frames");
    }
    rgb += n;
    bytes -= std::size_t(n);
  }
}

void FilmWriter::finish() {
  if (child_ < 0) return;
  ::close(std::exchange(pipe_, -1));
  settle(waitFor(std::exchange(child_, -1)), log_.path, path_);
}

}  // namespace meniscus::film
