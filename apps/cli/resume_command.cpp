#include "apps/cli/resume_command.h"

#include <fmt/format.h>

namespace meniscus::cli {
namespace {

std::string quoted(const std::string& word) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string q = "'";
  for (const char c : word) q += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return q + "'";
}

}  // namespace

std::string resumeCommand(const RunOptions& o, const std::string& checkpoint) {
  std::string command = "meniscus run " + quoted(o.scene);
  const auto add = [&](const char* option, const std::string& value) { command += fmt::format(" {} {}", option, quoted(value)); };
  if (!o.method.empty()) add("--method", o.method);
  if (o.device != "auto") add("--device", o.device);
  if (o.threads > 0) add("--threads", fmt::to_string(o.threads));
  if (o.steps >= 0) add("--steps", fmt::to_string(o.steps));
  if (o.duration > 0) add("--duration", fmt::to_string(o.duration));
  if (o.dt > 0) add("--dt", fmt::to_string(o.dt));
  if (o.refine != 1) add("--refine", fmt::to_string(o.refine));
  if (!o.out.empty()) add("--out", o.out);
  if (o.every >= 0) add("--every", fmt::to_string(o.every));
  if (!o.formats.empty()) add("--format", fmt::format("{}", fmt::join(o.formats, ",")));
  if (o.checkpoint > 0) add("--checkpoint", fmt::to_string(o.checkpoint));
  if (!o.summary.empty()) add("--summary", o.summary);
  if (o.strict) command += " --strict";
  if (o.quiet) command += " --quiet";
  add("--resume", checkpoint);
  return command;
}

}  // namespace meniscus::cli
