#include "apps/cli/say.h"

#include <cerrno>
#include <cstring>

namespace meniscus::cli {
namespace {

int lost = 0;  // errno of the first failure on standard output

void note(std::FILE* to, bool failed) {
  if (failed && to == stdout && lost == 0) lost = errno;
}

}  // namespace

void write(std::FILE* to, const std::string& text) { note(to, std::fwrite(text.data(), 1, text.size(), to) != text.size()); }

std::string lostOutput() {
  note(stdout, std::fflush(stdout) != 0);
  return lost == 0 || lost == EPIPE ? "" : std::strerror(lost);
}

}  // namespace meniscus::cli
