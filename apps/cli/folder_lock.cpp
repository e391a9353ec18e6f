#include "apps/cli/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus::cli {

namespace {

// Whether the path still names the file that is open.
bool names(const std::string& path, int fd) {
  struct stat byPath, open;
  return ::stat(path.c_str(), &byPath) == 0 && ::fstat(fd, &open) == 0 && byPath.st_ino == open.st_ino &&
         byPath.st_dev == open.st_dev;
}

}  // namespace

// The lock is the kernel's (flock): a run that was killed leaves the file behind, but not the lock. Where the run before this one
// took the file away between the opening and the locking, it is made anew.
FolderLock::FolderLock(const std::string& folder) : path_(folder + "/.lock") {
  makeFolder(folder);
  do {
    if (fd_ >= 0) ::close(fd_);
    take(folder);
  } while (!names(path_, fd_));
  const std::string pid = std::to_string(::getpid());
  // the number is only for the message to others
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, pid.data(), pid.size(), 0) < 0) {
    const int error = errno;
    ::close(fd_);
    throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}; choose another --out", path_, std::strerror(error)));
  }
  for (const std::string& place : {folder, folder + "/frames"}) removeAbandonedParts(place);
}

void FolderLock::take(const std::string& folder) {
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be created: {}; choose another --out", path_, std::strerror(errno)));
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const bool known = errno == EWOULDBLOCK && ::read(fd_, holder, sizeof holder - 1) > 0;
    ::close(fd_);
    throw Error(ErrorKind::input, fmt::format("{}: another run{} is writing to this folder; wait for it or choose another --out",
                                              folder, known ? fmt::format(" (process {})", holder) : ""));
  }
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());  // while it is still locked, so that it cannot be another's
  ::close(fd_);
}

}  // namespace meniscus::cli
