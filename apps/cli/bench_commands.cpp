#include "apps/cli/bench_commands.h"

#include "apps/cli/validators.h"

namespace meniscus::cli {
namespace {

void addThreads(CLI::App* c, int& threads) {
  c->add_option("--threads", threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
}

void addTable(CLI::App* c, BenchTableOptions& o) {
  c->add_option("--csv", o.csv, "Write the figures to this file: machine, threads, version, name, value, unit, state hash")
      ->check(notEmpty());
  c->add_option("--note", o.note, "Text for the head of that file: what else the machine did")->check(notEmpty());
  auto* compare =
      c->add_option("--compare", o.compare, "Ratios to the figures of this file, which --csv wrote; says where a state differs")
          ->check(notEmpty());
  c->add_option("--fail-above", o.failAbove,
                "Exit status 3 where a time or an amount of memory is more than so many times that of the file")
      ->check(number(false))
      ->needs(compare);
}

void addBenchPressure(CLI::App& bench, BenchPressureOptions& o) {
  CLI::App* c = bench.add_subcommand("pressure", "Time the grid's pressure solver on tanks, beside Eigen's, instead of scenes");
  c->add_option("--n", o.n, "Cells along the edges of the tanks")->delimiter(',')->check(CLI::Range(1, 512))->capture_default_str();
  c->add_option("--repeat", o.repeat, "Repeats; the fastest counts")->check(CLI::Range(1, 1000))->capture_default_str();
  addThreads(c, o.threads);
  c->add_flag("!--no-baseline", o.baseline, "Without Eigen's solver, which takes most of the time");
  addTable(c, o.table);
}

void addBenchDevice(CLI::App& bench, BenchDeviceOptions& o) {
  CLI::App* c = bench.add_subcommand("device", "Time scenes on a graphics card: stages, launches, bytes moved");
  c->add_option("SCENES", o.scenes, "Scene files")->required()->check(notEmpty());
  c->add_flag("--serial", o.serial, "On the serial device of the tests, which is slow: to try the command without a card");
  c->add_option("--repeat", o.repeat, "Repeats, each from the start")->check(CLI::Range(1, 1000))->capture_default_str();
  c->add_option("--steps", o.steps, "Timed steps of a repeat")->check(CLI::Range(1, 1000000))->capture_default_str();
  c->add_option("--warm-up", o.warmUp, "Steps before the timed ones")->check(CLI::Range(0, 1000000))->capture_default_str();
  c->add_option("--threads", o.threads, "Threads that build the scene; 0: one a processor. A step takes one beside the device")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  addTable(c, o.table);
}

void addBenchModes(CLI::App& bench, BenchModesOptions& o) {
  CLI::App* c = bench.add_subcommand("pressure-modes", "Run scenes with every pressure mode: time and errors beside each other");
  c->add_option("SCENES", o.scenes, "Scene files")->required()->check(notEmpty());
  c->add_option("--steps", o.steps, "Steps of a run, from the start of the scene; default 50, with --equal-error its duration")
      ->check(CLI::Range(1, 1000000));
  c->add_flag(
      "--equal-error", o.equalError,
      "The paper's Table 2: search the parameter of each mode at which its mean density error is that of the compatible mode");
  c->add_option("--density-error", o.densityError, "With --equal-error: search all modes, the compatible one's step too, for this")
      ->check(CLI::Range(1e-6, 0.1));
  addThreads(c, o.threads);
  addTable(c, o.table);
}

void addBenchTable1(CLI::App& bench, BenchTable1Options& o) {
  CLI::App* c =
      bench.add_subcommand("paper-table1", "The six scenes of the ISPH-PBD paper's Table 1: the paper's figures and ours");
  c->add_option("SCENES", o.only, "Names of scenes; none: all six")
      ->check(
          CLI::IsMember({"water-balloon", "double-cloth", "shell-in-basin", "shower-on-cloth", "deformable-bodies", "flower-pot"}));
  c->add_option("--folder", o.folder, "Where the scenes are")->check(notEmpty())->capture_default_str();
  c->add_option("--steps", o.steps, "Steps of a scene, from its start; default: its duration")->check(CLI::Range(1, 1000000));
  addShard(c, o.shard, "scenes");
  addThreads(c, o.threads);
  addTable(c, o.table);
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addBenchFigures(CLI::App& bench, BenchFiguresOptions& o) {
  CLI::App* c = bench.add_subcommand("paper-figures", "Figures of the ISPH-PBD paper, made again: curves and what they say");
  c->add_option("FIGURES", o.only, "Their numbers; none: all")
      ->check(CLI::IsMember({"6", "8", "9", "10", "11", "13", "17", "18", "19"}));
  c->add_flag("--full", o.full, "The long form: finer and longer");
  addShard(c, o.shard, "figures");
  addThreads(c, o.threads);
  c->add_option("--out", o.out, "Folder for the curves and their pictures (with gnuplot)")->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addBenchCoupling(CLI::App& bench, BenchCouplingOptions& o) {
  CLI::App* c =
      bench.add_subcommand("coupling", "Compare offline couplings on a cloth in a jet of smoke, beside a published table");
  c->add_flag("--right", o.right, "Pressure forces as they are instead of doubled, and the methods' own defaults besides");
  c->add_flag("--crossings", o.crossings, "Weights of the shell's nodes by crossings instead of their part of a dual cell");
  c->add_option("--refine", o.refine, "Cells along an edge of each of 40 x 60")->check(CLI::Range(1, 8))->capture_default_str();
  addThreads(c, o.threads);
  addTable(c, o.table);
}

void addBenchKernels(CLI::App& bench, BenchKernelsOptions& o) {
  CLI::App* c = bench.add_subcommand(
      "kernels", "Time the parts of a particle step on a cube and in tanks: what a pair, a particle, a constraint takes");
  c->add_option("--particles", o.particles, "Sizes of the tanks")
      ->delimiter(',')
      ->check(CLI::Range(1000, 5000000))
      ->capture_default_str();
  c->add_option("--repeat", o.repeat, "Repeats; the fastest counts")->check(CLI::Range(1, 1000))->capture_default_str();
  addThreads(c, o.threads);
  addTable(c, o.table);
}

void addBenchPictures(CLI::App& bench, BenchPicturesOptions& o) {
  CLI::App* c = bench.add_subcommand("pictures", "Time pictures of a tank at 1280 x 720: spheres, surface, water on a grid");
  c->add_option("--particles", o.particles, "Of the tank")->check(CLI::Range(1000, 5000000))->capture_default_str();
  c->add_option("--repeat", o.repeat, "Pictures of each look")->check(CLI::Range(1, 1000))->capture_default_str();
  addTable(c, o.table);
}

void addBenchPeer(CLI::App& bench, BenchPeerOptions& o) {
  CLI::App* c =
      bench.add_subcommand("peer", "A cube of water in a tank beside what SPlisHSPlasH took for it: seconds, error, memory");
  c->add_option("SIZES", o.only, "Particles along an edge of the cube: 29, 42, 58; none: all")->check(CLI::IsMember({29, 42, 58}));
  c->add_option("--folder", o.folder, "Where the scenes are")->check(notEmpty())->capture_default_str();
  c->add_option("--duration", o.duration, "Simulated time [s], instead of the scenes'")->check(number(false));
  c->add_option("--beside", o.beside, "Figures of a peer run on this machine, as scripts/peer.sh leaves them")->check(notEmpty());
  addShard(c, o.shard, "sizes");
  addThreads(c, o.threads);
  addTable(c, o.table);
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addScenes(CLI::App* c, BenchOptions& o) {
  c->add_option("SCENES", o.scenes, "Scene files")->check(notEmpty());
  c->final_callback([c, &o] {
    if (o.scenes.empty() && c->get_subcommands().empty()) throw CLI::RequiredError("SCENES");
  });
  c->add_option("--repeat", o.repeat, "Repeats, each from the start")->check(CLI::Range(1, 1000))->capture_default_str();
  c->add_option("--steps", o.steps, "Timed steps of a repeat")->check(CLI::Range(1, 1000000))->capture_default_str();
  c->add_option("--warm-up", o.warmUp, "Steps before the timed ones")->check(CLI::Range(0, 1000000))->capture_default_str();
  addShard(c, o.shard, "scenes");
  addThreads(c, o.threads);
  addTable(c, o.table);
}

}  // namespace

void BenchCommands::add(CLI::App& app) {
  command_ = app.add_subcommand("bench", "Time scenes: warm-up, repeats, median, stage times, state hash");
  addBenchKernels(*command_, kernels_);
  addBenchPictures(*command_, pictures_);
  addBenchPeer(*command_, peer_);
  addBenchDevice(*command_, device_);
  addBenchPressure(*command_, pressure_);
  addBenchModes(*command_, modes_);
  addBenchTable1(*command_, table1_);
  addBenchFigures(*command_, figures_);
  addBenchCoupling(*command_, coupling_);
  addScenes(command_, scenes_);
}

int BenchCommands::run() const {
  const auto asked = [this](const char* name) { return command_->got_subcommand(name); };
  if (asked("kernels")) return benchKernels(kernels_);
  if (asked("pictures")) return benchPictures(pictures_);
  if (asked("peer")) return benchPeer(peer_);
  if (asked("device")) return benchDevice(device_);
  if (asked("pressure")) return benchPressure(pressure_);
  if (asked("pressure-modes")) return benchPressureModes(modes_);
  if (asked("paper-table1")) return benchPaperTable1(table1_);
  if (asked("paper-figures")) return benchPaperFigures(figures_);
  if (asked("coupling")) return benchCoupling(coupling_);
  return bench(scenes_);
}

}  // namespace meniscus::cli
