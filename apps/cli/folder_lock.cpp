#include "apps/cli/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus::cli {

// The lock is the kernel's (flock), so a run that was killed leaves none behind; the file itself stays.
FolderLock::FolderLock(const std::string& folder) {
  makeFolder(folder);
  const std::string path = folder + "/.lock";
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be created: {}; choose another --out", path, std::strerror(errno)));
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const bool known = errno == EWOULDBLOCK && ::read(fd_, holder, sizeof holder - 1) > 0;
    ::close(fd_);
    throw Error(ErrorKind::input, fmt::format("{}: another run{} is writing to this folder; wait for it or choose another --out",
                                              folder, known ? fmt::format(" (process {})", holder) : ""));
  }
  const std::string pid = std::to_string(::getpid());
  // the number is only for the message above
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, pid.data(), pid.size(), 0) < 0) {
    const int error = errno;
    ::close(fd_);
    throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}; choose another --out", path, std::strerror(error)));
  }
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace meniscus::cli
