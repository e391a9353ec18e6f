#include "engine/output/step_csv.h"

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

constexpr const char* kHeader =
    "step,time_s,substeps,substeps_undone,pressure_iterations,pressure_solves,coupling_iterations,coupling_residual,converged,"
    "density_error_mean,"
    "density_error_max,density_signed,volume_change,divergence_error,max_speed_m_s,particles,contacts,leaked,emitted,drained,"
    "escaped,"
    "constraint_rows,ms\n";

// The lines of an earlier run up to and including step `last`.
std::string earlierLines(const std::string& path, std::uint64_t last) {
  if (last == 0 || !std::filesystem::exists(path)) return {};
  const std::string text = readWholeFile(path);
  std::size_t at = text.find('\n');
  if (at == std::string::npos || text.compare(0, at + 1, kHeader) != 0) return {};
  const std::size_t begin = ++at;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (std::strtoull(text.c_str() + at, nullptr, 10) > last) break;
  return text.substr(begin, at - begin);
}

}  // namespace

StepCsv::StepCsv(const std::string& path, std::uint64_t keepSteps) : path_(path) {
  writeWholeFile(path, kHeader + earlierLines(path, keepSteps));
  fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw Error(ErrorKind::input, fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
}

StepCsv::~StepCsv() {
  if (fd_ >= 0) ::close(fd_);
}

void StepCsv::add(const World& world, double milliseconds) {
  const StepReport& r = world.report;
  const std::string line = fmt::format(
      "{},{:.9g},{},{},{},{},{},{:.4g},{:d},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{},{},{},{:.4g}\n", world.steps,
      world.time, r.substeps, r.undone, r.pressureIterations, r.pressureSolves, r.couplingIterations, r.couplingResidual,
      r.converged, r.densityErrorMean, r.densityErrorMax, r.densitySigned, r.volumeChange, r.divergenceError, r.maxSpeed,
      world.fluid.n, r.contacts, r.leaked, r.emitted, r.drained, r.escaped, r.constraintRows, milliseconds);
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  errno = ENOSPC;  // what a short write means
  if (::write(fd_, line.data(), line.size()) == ssize_t(line.size())) return;
  const std::string why = std::strerror(errno);
  // a file without the last, broken line; where even that fails the error below still says so
  const bool mended = ::ftruncate(fd_, before) == 0;
  throw Error(ErrorKind::input, fmt::format("{}: cannot be written: {}{}", path_, why, mended ? "" : "; its last line is broken"));
}

}  // namespace meniscus
