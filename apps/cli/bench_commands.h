// `meniscus bench` and what can stand behind it.
#pragma once

#include <CLI/CLI.hpp>

#include "apps/cli/options.h"

namespace meniscus::cli {

class BenchCommands {
 public:
  void add(CLI::App& app);
  int run() const;  // after the command line has been read: the exit status

 private:
  CLI::App* command_ = nullptr;
  BenchOptions scenes_;
  BenchKernelsOptions kernels_;
  BenchPicturesOptions pictures_;
  BenchPeerOptions peer_;
  BenchDeviceOptions device_;
  BenchPressureOptions pressure_;
  BenchModesOptions modes_;
  BenchTable1Options table1_;
  BenchFiguresOptions figures_;
  BenchCouplingOptions coupling_;
};

}  // namespace meniscus::cli
