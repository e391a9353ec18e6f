#include "apps/cli/shard.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "apps/cli/say.h"

namespace meniscus::cli {
namespace {

constexpr int kMost = 1000000;

bool readShard(const std::string& text, Shard& shard) {
  char rest = 0;
  return std::sscanf(text.c_str(), "%9d/%9d%c", &shard.index, &shard.count, &rest) == 2 && shard.count >= 1 &&
         shard.count <= kMost && shard.index >= 1 && shard.index <= shard.count;
}

}  // namespace

// More parts than items are no mistake of a list of jobs, but a job that did nothing should not look like one that did its part.
void Shard::sayEmpty(std::size_t items) const {
  say(stderr, "shard {}/{}: nothing to do, the number of {} is {}\n", index, count, what, items);
}

void addShard(CLI::App* command, Shard& shard, const std::string& what) {
  shard.what = what;
  command
      ->add_option_function<std::string>(
          "--shard", [&shard](const std::string& text) { readShard(text, shard); },
          fmt::format("I/N: the I-th of N parts of the {}; the N parts together do all, each once", what))
      ->check(CLI::Validator(
          [](const std::string& text) {
            Shard s;
            return readShard(text, s) ? std::string() : fmt::format("{} is not I/N with 1 <= I <= N, as in 1/4", text);
          },
          ""));
}

}  // namespace meniscus::cli
