// Running a program and waiting for it.
#pragma once

#include <string>
#include <vector>

namespace meniscus {

struct ProcessResult {
  bool found = false;  // the program could be started
  int status = 0;      // exit status; -1: ended by a signal or out of time
  std::string output;  // standard output and error
};

// Looks the program up in PATH. Ends it after `seconds`.
ProcessResult runProcess(const std::vector<std::string>& command, const std::string& folder, double seconds);

// A folder of its own under $TMPDIR or /tmp that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace meniscus
