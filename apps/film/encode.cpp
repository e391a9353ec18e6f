#include "apps/film/encode.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"

extern char** environ;

namespace meniscus::film {
namespace {

namespace fs = std::filesystem;

std::string extension(const std::string& path) { return fs::path(path).extension().string(); }

// Exit status; -1: not started. What it says goes to the file.
int run(const std::vector<std::string>& words, const std::string& said) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  if (!WIFEXITED(status)) return 128;
  return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);  // 127: the shell's word for a program that is not there
}

struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

bool isFilm(const std::string& path) {
  const std::string e = extension(path);
  return e == ".mp4" || e == ".webm" || e == ".gif";
}

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

void needFfmpeg() {
  if (run({"ffmpeg", "-version"}, "/dev/null") != 0)
    throw Error(
        ErrorKind::input,
        "the program ffmpeg, which makes films, cannot be started; install it (Debian: apt install ffmpeg), or give --out a "
        "folder: frames need no other program");
}

void encode(const std::string& pattern, double framesPerSecond, const std::string& path) {
  const TemporaryFile log{fmt::format("{}.{}.log", path, ::getpid())};
  const TemporaryFile part{fmt::format("{}.{}.part{}", path, ::getpid(), extension(path))};
  std::vector<std::string> words = {
      "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-framerate", fmt::format("{:g}", framesPerSecond), "-i", pattern};
  for (const std::string& w : coderArguments(path)) words.push_back(w);
  words.push_back(part.path);
  const int status = run(words, log.path);
  if (status != 0) {
    std::string said;
    try {
      said = readWholeFile(log.path);
    } catch (const Error&) {}
    throw Error(ErrorKind::input, fmt::format("{}: ffmpeg could not make it ({}): {}", path,
                                              status < 0 ? "it cannot be started" : fmt::format("status {}", status), said));
  }
  std::error_code error;
  fs::rename(part.path, path, error);
  if (error) throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}", path, error.message()));
}

}  // namespace meniscus::film
