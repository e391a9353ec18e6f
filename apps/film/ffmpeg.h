// The program ffmpeg as a child.
#pragma once

#include <string>
#include <vector>

namespace meniscus::film {

// Starts it with these arguments. input: the file descriptor it reads as its standard input, or -1 for none; what it says goes to
// the file `said`. A Ctrl-C in the terminal reaches it where it has no input: what is fed to it ends when that does. The process
// id, or -1 where it cannot be started.
int startFfmpeg(const std::vector<std::string>& arguments, int input, const std::string& said);
// Waits for its end: the exit status; -1: it could not be started; 128: it was killed.
int waitFor(int child);

// The text of a film's failure, with what ffmpeg has said.
std::string failureOf(const std::string& film, int status, const std::string& said);

// A file that goes with its owner.
struct TemporaryFile {
  std::string path;
  TemporaryFile() = default;
  explicit TemporaryFile(const std::string& p) : path(p) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();
};

}  // namespace meniscus::film
