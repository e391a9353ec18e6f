// What the command line says, one struct a command.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/shard.h"

namespace meniscus::cli {

struct RunOptions {
  std::string scene;
  std::string method;                // empty: the scene's
  std::string device = "auto";       // auto, cpu, cuda
  int threads = 0;                   // 0: all processors
  long long steps = -1;              // -1: from the duration
  double duration = -1;              // s; -1: the scene's
  double dt = -1;                    // s; -1: the scene's
  double refine = 1;                 // lengths of particles, cells and edges divided by it
  std::string out;                   // empty: no files
  double every = -1;                 // s between frames; -1: the scene's
  std::vector<std::string> formats;  // empty: the scene's
  double checkpoint = 0;             // simulated seconds between checkpoints; 0: only when interrupted
  std::string resume;
  std::string summary;
  bool strict = false, quiet = false;
};

// Of every bench that measures times.
struct BenchTableOptions {
  std::string csv;       // file for the table; empty: none
  std::string note;      // lines for its head: what else ran on the machine
  std::string compare;   // a table to compare with; empty: none
  double failAbove = 0;  // exit status 3 where a time or an amount of memory is more than so many times the stored one; 0: never
};

struct BenchOptions {
  std::vector<std::string> scenes;
  Shard shard;  // of the scenes
  int threads = 0;
  int repeat = 3;
  int steps = 50;   // timed, a repeat
  int warmUp = 10;  // steps before each
  BenchTableOptions table;
};

struct BenchKernelsOptions {
  std::vector<int> particles = {20000, 75000, 300000};
  int threads = 0;
  int repeat = 5;
  BenchTableOptions table;
};

struct BenchPicturesOptions {
  int particles = 20000;
  int repeat = 20;
  BenchTableOptions table;
};

struct BenchPeerOptions {
  std::vector<int> only;  // particles along an edge of the cube; empty: 29, 42 and 58
  Shard shard;            // of these
  std::string folder = "assets/scenes";
  double duration = -1;  // s; -1: the scenes'
  std::string beside;    // a file with figures of the peer on this machine; empty: none
  int threads = 0;
  bool quiet = false;
  BenchTableOptions table;
};

struct BenchDeviceOptions {
  std::vector<std::string> scenes;
  bool serial = false;  // on the serial device of the tests
  int repeat = 3;
  int steps = 50;   // timed, a repeat
  int warmUp = 10;  // steps before each
  int threads = 0;  // that build the scene; 0: all processors
  BenchTableOptions table;
};

struct BenchPressureOptions {
  std::vector<int> n = {32, 64, 128};  // cells along each edge of the tanks
  int threads = 0;
  int repeat = 3;
  bool baseline = true;  // solve with Eigen too
  BenchTableOptions table;
};

struct BenchModesOptions {
  std::vector<std::string> scenes;
  int threads = 0;
  int steps = 0;            // of the scene, from its start; 0: 50, or the whole motion at equal errors
  double densityError = 0;  // with equalError: each mode at this mean density error instead
  bool equalError = false;  // each mode at the compatible mode's density error
  BenchTableOptions table;
};

struct BenchTable1Options {
  std::string folder = "assets/scenes";
  std::vector<std::string> only;  // names of scenes; empty: all six
  Shard shard;                    // of these
  int threads = 0;
  int steps = 0;  // 0: the scenes' durations
  bool quiet = false;
  BenchTableOptions table;
};

struct BenchFiguresOptions {
  std::vector<std::string> only;  // numbers of figures; empty: all
  Shard shard;                    // of these
  bool full = false, quiet = false;
  int threads = 0;
  std::string out;  // folder for curves and pictures; empty: none
};

struct BenchCouplingOptions {
  bool right = false;      // right pressure forces instead of the ones that show the published limits of stability
  bool crossings = false;  // weights of the shell's nodes by crossings instead of dual cells
  int refine = 1;          // of 40 x 60 cells
  int threads = 0;
  BenchTableOptions table;
};

struct CheckOptions {
  std::string scene;
  bool fields = false;  // list the world's fields too
};

struct ValidateOptions {
  std::vector<std::string> cases;  // empty: all
  Shard shard;                     // of these
  bool full = false;               // the long form: finer and longer
  bool list = false, quiet = false;
  int threads = 0;
  std::string out;  // folder for tables, curves and the scenes; empty: none
};

struct CompareOptions {
  std::string scene;
  std::vector<std::string> methods;  // empty: all that take the scene
  int threads = 0;
  long long steps = -1;  // -1: from the duration
  double duration = -1;  // s; -1: the scene's
  double dt = -1;        // s; -1: the scene's
  double refine = 1;     // lengths of particles, cells and edges divided by it
  std::string out;       // folder for the table, curves and pictures; empty: none
  bool quiet = false;
};

// Each returns the exit status; mistakes leave as exceptions.
int run(const RunOptions& options);
int bench(const BenchOptions& options);
int benchKernels(const BenchKernelsOptions& options);
int benchPictures(const BenchPicturesOptions& options);
int benchPeer(const BenchPeerOptions& options);
int benchDevice(const BenchDeviceOptions& options);
int benchPressure(const BenchPressureOptions& options);
int benchPressureModes(const BenchModesOptions& options);
int benchPaperTable1(const BenchTable1Options& options);
int benchPaperFigures(const BenchFiguresOptions& options);
int benchCoupling(const BenchCouplingOptions& options);
int check(const CheckOptions& options);
int compare(const CompareOptions& options);
int validateCases(const ValidateOptions& options);
int info();

}  // namespace meniscus::cli
