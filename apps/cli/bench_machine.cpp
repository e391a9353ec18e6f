// What a figure of a benchmark was measured on, and with what.
#include <fmt/format.h>

#include <fstream>

#include "apps/cli/bench_table.h"
#include "apps/cli/say.h"
#include "commit.h"
#include "engine/base/build_info.h"
#include "engine/exec/exec.h"

namespace meniscus::cli {
namespace {

// "" where the system does not say.
std::string processorModel() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    const std::size_t from = line.find_first_not_of(" \t", colon + 1);
    return from == std::string::npos ? "" : line.substr(from, line.find_last_not_of(" \t") + 1 - from);
  }
  return "";
}

}  // namespace

std::string machineName() {
  const std::string model = processorModel();
  return fmt::format("{}, {}", model.empty() ? "unknown processor" : model, counted(Exec::processors(), "processor"));
}

std::string versionAndCommit() { return std::string(version()) + (*MENISCUS_COMMIT ? " " MENISCUS_COMMIT : ""); }

}  // namespace meniscus::cli
