// The command that goes on after an interrupted run.
#pragma once

#include <string>

#include "apps/cli/options.h"

namespace meniscus::cli {

// The command line of `options` with --resume checkpoint, quoted for a shell.
std::string resumeCommand(const RunOptions& options, const std::string& checkpoint);

}  // namespace meniscus::cli
