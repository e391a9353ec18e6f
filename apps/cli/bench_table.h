// The table of a benchmark: one writer and one reader for all of them, and the comparison with a stored table.
//
// A line a figure, with all that says whether it can be compared: machine, threads, version and commit, name, value, unit, and the
// hash of the state that was reached, where there is one. Lines that begin with # are notes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/options.h"

namespace meniscus::cli {

struct BenchRow {
  std::string machine;
  int threads = 0;
  std::string version, name;
  double value = 0;
  std::string unit, hash;  // hash: 16 digits, or ""
  int line = 0;            // of the file it was read from

  // Time or memory: more is worse, and --fail-above is about it. Counts, errors and rates are shown only.
  bool isCost() const;
};

// The processor's model and how many of them this process may use: "AMD EPYC, 2 processors".
std::string machineName();
// "0.1.0 048ba94"; a plus: with changes.
std::string versionAndCommit();

// Throws Error(input) naming file and line.
std::vector<BenchRow> readBenchTable(const std::string& path);

class BenchTable {
 public:
  // Checks that the file can be written and reads the one to compare with, before any time is spent. threads: 0: one a processor.
  // Throws Error(input).
  BenchTable(const BenchTableOptions& options, int threads, const std::string& machine = machineName());

  // A second figure of the same name gets a number. hash: "" or 16 digits.
  void add(const std::string& name, double value, const std::string& unit, const std::string& hash = "");

  // Writes and compares. The exit status: 3 where a time or an amount of memory is above the limit, else 0. Throws Error(input).
  int finish() const;

 private:
  void write() const;
  int compare() const;

  BenchTableOptions options_;
  BenchRow common_;
  std::vector<BenchRow> rows_, stored_;
};

}  // namespace meniscus::cli
