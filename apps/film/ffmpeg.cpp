#include "apps/film/ffmpeg.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

extern char** environ;

namespace meniscus::film {

int startFfmpeg(const std::vector<std::string>& arguments, int input, const std::string& said) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) {
    posix_spawn_file_actions_adddup2(&actions, input, 0);
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::string program = "ffmpeg";
  std::vector<char*> words = {program.data()};
  for (const std::string& w : arguments) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  pid_t child = -1;
  posix_spawnattr_t group;  // of its own, which the terminal's signals do not go to
  posix_spawnattr_init(&group);
  if (input >= 0) posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  const int failed = posix_spawnp(&child, words[0], &actions, &group, words.data(), environ);
  posix_spawnattr_destroy(&group);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : child;
}

int waitFor(int child) {
  int status = 0;
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  if (!WIFEXITED(status)) return 128;
  return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);  // 127: the shell's word for a program that is not there
}

std::string failureOf(const std::string& film, int status, const std::string& said) {
  std::ifstream in(said);
  std::string words((std::istreambuf_iterator<char>(in)), {});
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return film + ": ffmpeg could not make it (" + (status < 0 ? "it cannot be started" : "status " + std::to_string(status)) +
         "): " + words;
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace meniscus::film
