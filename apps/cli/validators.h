// What the command line asks of values.
#pragma once

#include <CLI/CLI.hpp>

namespace meniscus::cli {

// A finite number above zero, or also zero. CLI11's own checks let NaN through.
CLI::Validator number(bool zero);
// An option that was given without a name is a slip, of a shell variable mostly, and not the wish to do without it.
CLI::Validator notEmpty();

}  // namespace meniscus::cli
