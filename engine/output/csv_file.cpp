#include "engine/output/csv_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus {
namespace {

// The lines of an earlier run up to and including step `last`.
std::string earlierLines(const std::string& path, const std::string& header, std::uint64_t last) {
  if (last == 0 || !std::filesystem::exists(path)) return {};
  const std::string text = readTextFile(path);
  std::size_t at = text.find('\n');
  if (at == std::string::npos || text.compare(0, at + 1, header) != 0) return {};
  const std::size_t begin = ++at;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (std::strtoull(text.c_str() + at, nullptr, 10) > last) break;
  return text.substr(begin, at - begin);
}

}  // namespace

std::string csvName(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += c == ',' || c == '"' || c == '\n' ? '_' : c;
  return plain;
}

CsvFile::CsvFile(const std::string& path, const std::string& header, std::uint64_t keep) : path_(path) {
  writeWholeFile(path, header + earlierLines(path, header, keep));
  fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw Error(ErrorKind::input, fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
}

CsvFile::~CsvFile() {
  if (fd_ >= 0) ::close(fd_);
}

void CsvFile::add(const std::string& line) {
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  // a short write does not say why: the one behind it does
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t n = ::write(fd_, line.data() + done, line.size() - done);
    if (n <= 0) break;
    done += std::size_t(n);
  }
  if (done == line.size()) return;
  const std::string why = std::strerror(errno);
  // a file without the last, broken line; where even that fails the error below still says so
  const bool mended = ::ftruncate(fd_, before) == 0;
  throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}{}", path_, why, mended ? "" : "; its last line is broken"));
}

}  // namespace meniscus
