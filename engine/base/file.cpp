#include "engine/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"

namespace meniscus {
namespace {

std::string cause(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full";
    case EACCES:
    case EPERM:
      return "permission denied";
    case EROFS:
      return "the file system is read-only";
    case EFBIG:
      return "it would be larger than files may be here";
    case ENOENT:
      return "no such file or folder";
    default:
      return std::strerror(error);
  }
}

// What to do about it, for places that are written to.
const char* remedy(int error) {
  return error == ENOSPC || error == EDQUOT ? "free some space or choose another place" : "choose another place";
}

// Closes on every way out.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// As long as one lives, a write that may not grow its file or has lost its reader is an error of this thread, and not the end of
// the process: what a host does about these signals is its own affair.
class NoSignals {
 public:
  NoSignals() {
    sigset_t pending;
    sigemptyset(&ours_);
    sigpending(&pending);
    for (const int signal : {SIGXFSZ, SIGPIPE})
      if (!sigismember(&pending, signal)) sigaddset(&ours_, signal);  // others' are left to them
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  ~NoSignals() {
    const timespec now{0, 0};
    while (sigtimedwait(&ours_, nullptr, &now) > 0) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSignals(const NoSignals&) = delete;

 private:
  sigset_t ours_, before_;
};

// 0 or errno
int writeAll(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    data.remove_prefix(std::size_t(n));
  }
  return 0;
}

// flags: beyond those of writing
int writeAndSync(const std::string& path, int flags, std::string_view data) {
  const NoSignals quiet;
  Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)};
  if (file.fd < 0) return errno;
  if (const int error = writeAll(file.fd, data)) return error;
  if (::fsync(file.fd) != 0 && errno != EINVAL && errno != EROFS) return errno;  // these two: a pipe or device has no disk
  const int fd = file.fd;
  file.fd = -1;
  return ::close(fd) == 0 ? 0 : errno;
}

}  // namespace

void writeWholeFile(const std::string& path, std::string_view data) {
  const auto fail = [&](int error) {
    throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}; {}", path, cause(error), remedy(error)));
  };
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) fail(EISDIR);
  if (there && !S_ISREG(info.st_mode)) {  // a rename would put a file in the place of the device or pipe
    if (const int error = writeAndSync(path, 0, data)) fail(error);
    return;
  }
  std::error_code unresolved;
  const std::string target = there ? std::filesystem::canonical(path, unresolved).string() : path;  // what a link leads to
  if (unresolved) fail(unresolved.value());
  const std::string temporary = fmt::format("{}.{}.part", target, ::getpid());
  int error = writeAndSync(temporary, O_CREAT | O_TRUNC, data);
  if (!error && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (!error) return;
  ::unlink(temporary.c_str());
  fail(error);
}

namespace {

// The process that writes a temporary file of this name, as writeWholeFile makes it; 0: it is none.
pid_t writerOf(const std::string& name) {
  const std::string end = ".part";
  if (name.size() <= end.size() || name.compare(name.size() - end.size(), end.size(), end) != 0) return 0;
  const std::size_t last = name.size() - end.size(), dot = name.rfind('.', last - 1);
  if (dot == std::string::npos || dot == 0 || dot + 1 == last || last - dot > 10) return 0;
  pid_t pid = 0;
  for (std::size_t k = dot + 1; k < last; ++k) {
    if (name[k] < '0' || name[k] > '9') return 0;
    pid = 10 * pid + (name[k] - '0');
  }
  return pid;
}

}  // namespace

void removeAbandonedParts(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const pid_t writer = writerOf(it->path().filename().string());
    std::error_code unknown;
    if (writer <= 0 || !it->is_regular_file(unknown) || it->is_symlink(unknown)) continue;
    if (::kill(writer, 0) != 0 && errno == ESRCH) ::unlink(it->path().c_str());
  }
}

std::string readWholeFile(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // a pipe without a writer must not block
  struct stat info {};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be read: {}", path, cause(errno)));
  if (!S_ISREG(info.st_mode)) throw Error(ErrorKind::input, fmt::format("{}: is not a file", path));
  std::string data(std::size_t(info.st_size), '\0');
  std::size_t have = 0;
  while (have < data.size()) {
    const ssize_t n = ::read(file.fd, &data[have], data.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(ErrorKind::input, fmt::format("{}: cannot be read: {}", path, cause(errno)));
    if (n == 0) break;  // it has become shorter meanwhile
    have += std::size_t(n);
  }
  data.resize(have);
  return data;
}

// The mark of UTF-32 begins, where the lower byte is first, with that of UTF-16: a text of that does not begin with the character
// 0.
const char* wideEncodingOf(std::string_view text) {
  using namespace std::string_view_literals;
  const auto begins = [&](std::string_view mark) { return text.substr(0, mark.size()) == mark; };
  if (begins("\xFF\xFE\0\0"sv) || begins("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (begins("\xFF\xFE"sv) || begins("\xFE\xFF"sv)) return "UTF-16";
  if (text.size() >= 4 && (text[0] != 0) != (text[3] != 0) && text[1] == 0 && text[2] == 0) return "UTF-32";
  if (text.size() >= 2 && (text[0] != 0) != (text[1] != 0)) return "UTF-16";
  return nullptr;
}

void refuseEncoding(const std::string& path, const char* encoding) {
  throw Error(ErrorKind::input, fmt::format("{}: is text in {}; save it as UTF-8", path, encoding));
}

std::string readTextFile(const std::string& path) {
  std::string text = readWholeFile(path);
  if (const char* encoding = wideEncodingOf(text)) refuseEncoding(path, encoding);
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  return text;
}

namespace {

void checkThere(const std::string& path) {
  if (!std::filesystem::is_directory(path))
    throw Error(ErrorKind::input, fmt::format("{}: is not a folder; choose another place", path));
  if (::access(path.c_str(), W_OK | X_OK) == 0) return;
  const int error = errno;
  throw Error(ErrorKind::input,
              fmt::format("{}: files cannot be created in this folder: {}; {}", path, cause(error), remedy(error)));
}

}  // namespace

void checkFolderExists(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(ErrorKind::input, fmt::format("{}: there is no such folder; make it or choose another place", path));
  checkThere(path);
}

void makeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw Error(ErrorKind::input,
                fmt::format("{}: the folder cannot be made: {}; {}", path, cause(error.value()), remedy(error.value())));
  checkThere(path);
}

std::filesystem::path absolutePath(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path whole = path.empty() ? std::filesystem::current_path(error) : std::filesystem::absolute(path, error);
  if (error)
    throw Error(ErrorKind::input, fmt::format("{}: the current folder cannot be told ({}); give a path from the root on",
                                              path.string(), error.message()));
  return whole;
}

void checkFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::path nearest = absolutePath(path);
  while (!std::filesystem::exists(nearest, error) && nearest != nearest.root_path()) nearest = nearest.parent_path();
  checkThere(nearest.string());
}

}  // namespace meniscus
