// The command line. Exit status: 0 done, 1 internal error, 2 bad command line, scene or mesh, 3 the simulation failed, 4 device not
// available.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "apps/cli/options.h"
#include "apps/cli/render.h"
#include "apps/cli/say.h"
#include "engine/base/build_info.h"
#include "engine/base/error.h"

namespace {

using namespace meniscus;

constexpr long long kMostSteps = 1'000'000'000'000;

// A finite number above zero, or also zero. CLI11's own checks let NaN through.
CLI::Validator number(bool zero) {
  return CLI::Validator(
      [zero](const std::string& text) {
        char* end = nullptr;
        const double v = std::strtod(text.c_str(), &end);
        const bool right = end != text.c_str() && *end == 0 && std::isfinite(v) && (zero ? v >= 0 : v > 0);
        return right ? std::string() : fmt::format("{} is not a finite number {} 0", text, zero ? ">=" : ">");
      },
      zero ? ">=0" : ">0");
}

// An option that was given without a name is a slip, of a shell variable mostly, and not the wish to do without it.
CLI::Validator notEmpty() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? std::string("is empty; give a name") : std::string(); },
                        "");
}

void addRun(CLI::App& app, cli::RunOptions& o) {
  CLI::App* c = app.add_subcommand("run", "Simulate a scene");
  c->add_option("SCENE", o.scene, "Scene file")->required()->check(notEmpty());
  c->add_option("--method", o.method, "Method, instead of the scene's")->check(notEmpty());
  c->add_option("--device", o.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}))->capture_default_str();
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  auto* steps = c->add_option("--steps", o.steps, "Number of steps")->check(CLI::Range(0LL, kMostSteps));
  c->add_option("--duration", o.duration, "Simulated time [s], instead of the scene's")->check(number(false))->excludes(steps);
  c->add_option("--dt", o.dt, "Time step [s], instead of the scene's")->check(number(false));
  c->add_option("--out", o.out, "Folder for frames, steps.csv and checkpoints")->check(notEmpty());
  c->add_option("--every", o.every, "Time between frames [s], instead of the scene's; 0: none")->check(number(true));
  c->add_option("--format", o.formats,
                "Formats of the frames: vtk, ply; surface adds the fluid's surface as a mesh; vdb is of smoke")
      ->delimiter(',')
      ->check(notEmpty());
  c->add_option("--checkpoint", o.checkpoint, "Time between checkpoints [s simulated]")->check(number(false));
  c->add_option("--resume", o.resume, "Go on from this checkpoint")->check(notEmpty());
  c->add_option("--summary", o.summary, "Write the summary to this JSON file")->check(notEmpty());
  c->add_flag("--strict", o.strict, "Exit status 3 where a step does not converge or an expectation is not met");
  c->add_flag("--quiet", o.quiet, "Print mistakes only");
}

void addBenchPressure(CLI::App& bench, cli::BenchPressureOptions& o) {
  CLI::App* c = bench.add_subcommand("pressure", "Time the grid's pressure solver on tanks, beside Eigen's, instead of scenes");
  c->add_option("--n", o.n, "Cells along the edges of the tanks")->delimiter(',')->check(CLI::Range(1, 512))->capture_default_str();
  c->add_option("--repeat", o.repeat, "Repeats; the fastest counts")->check(CLI::Range(1, 1000))->capture_default_str();
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_flag("!--no-baseline", o.baseline, "Without Eigen's solver, which takes most of the time");
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
}

void addBenchDevice(CLI::App& bench, cli::BenchDeviceOptions& o) {
  CLI::App* c = bench.add_subcommand("device", "Time scenes of fluid alone on a graphics card: stages, launches, bytes moved");
  c->add_option("SCENES", o.scenes, "Scene files")->required()->check(notEmpty());
  c->add_flag("--serial", o.serial, "On the serial device of the tests, which is slow: to try the command without a card");
  c->add_option("--repeat", o.repeat, "Repeats, each from the start")->check(CLI::Range(1, 1000))->capture_default_str();
  c->add_option("--steps", o.steps, "Timed steps of a repeat")->check(CLI::Range(1, 1000000))->capture_default_str();
  c->add_option("--warm-up", o.warmUp, "Steps before the timed ones")->check(CLI::Range(1, 1000000))->capture_default_str();
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
}

void addBenchModes(CLI::App& bench, cli::BenchModesOptions& o) {
  CLI::App* c = bench.add_subcommand("pressure-modes", "Run scenes with every pressure mode: time and errors beside each other");
  c->add_option("SCENES", o.scenes, "Scene files")->required()->check(notEmpty());
  c->add_option("--steps", o.steps, "Steps of a run, from the start of the scene; default 50, with --equal-error its duration")
      ->check(CLI::Range(1, 1000000));
  c->add_flag(
      "--equal-error", o.equalError,
      "The paper's Table 2: search the parameter of each mode at which its mean density error is that of the compatible mode");
  c->add_option("--density-error", o.densityError, "With --equal-error: search all modes, the compatible one's step too, for this")
      ->check(CLI::Range(1e-6, 0.1));
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
}

void addBenchTable1(CLI::App& bench, cli::BenchTable1Options& o) {
  CLI::App* c =
      bench.add_subcommand("paper-table1", "The six scenes of the ISPH-PBD paper's Table 1: the paper's figures and ours");
  c->add_option("SCENES", o.only, "Names of scenes; none: all six")
      ->check(
          CLI::IsMember({"water-balloon", "double-cloth", "shell-in-basin", "shower-on-cloth", "deformable-bodies", "flower-pot"}));
  c->add_option("--folder", o.folder, "Where the scenes are")->check(notEmpty())->capture_default_str();
  c->add_option("--steps", o.steps, "Steps of a scene, from its start; default: its duration")->check(CLI::Range(1, 1000000));
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addBenchFigures(CLI::App& bench, cli::BenchFiguresOptions& o) {
  CLI::App* c = bench.add_subcommand("paper-figures", "Figures of the ISPH-PBD paper, made again: curves and what they say");
  c->add_option("FIGURES", o.only, "Their numbers; none: all")->check(CLI::IsMember({"6", "8", "10", "11", "13", "17"}));
  c->add_flag("--full", o.full, "The long form: finer and longer");
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--out", o.out, "Folder for the curves and their pictures (with gnuplot)")->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addBenchCoupling(CLI::App& bench, cli::BenchCouplingOptions& o) {
  CLI::App* c =
      bench.add_subcommand("coupling", "Compare offline couplings on a cloth in a jet of smoke, beside a published table");
  c->add_flag("--right", o.right, "Pressure forces as they are instead of doubled, and the methods' own defaults besides");
  c->add_flag("--crossings", o.crossings, "Weights of the shell's nodes by crossings instead of their part of a dual cell");
  c->add_option("--refine", o.refine, "Cells along an edge of each of 40 x 60")->check(CLI::Range(1, 8))->capture_default_str();
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
}

void addBench(CLI::App& app, cli::BenchOptions& o, cli::BenchDeviceOptions& device, cli::BenchPressureOptions& pressure,
              cli::BenchModesOptions& modes, cli::BenchTable1Options& table1, cli::BenchFiguresOptions& figures,
              cli::BenchCouplingOptions& coupling) {
  CLI::App* c = app.add_subcommand("bench", "Time scenes: warm-up, repeats, median, stage times, state hash");
  addBenchDevice(*c, device);
  addBenchPressure(*c, pressure);
  addBenchModes(*c, modes);
  addBenchTable1(*c, table1);
  addBenchFigures(*c, figures);
  addBenchCoupling(*c, coupling);
  c->add_option("SCENES", o.scenes, "Scene files")->check(notEmpty());
  c->final_callback([c, &o] {
    if (o.scenes.empty() && c->get_subcommands().empty()) throw CLI::RequiredError("SCENES");
  });
  c->add_option("--repeat", o.repeat, "Repeats, each from the start")->check(CLI::Range(1, 1000))->capture_default_str();
  c->add_option("--steps", o.steps, "Timed steps of a repeat")->check(CLI::Range(1, 1000000))->capture_default_str();
  c->add_option("--warm-up", o.warmUp, "Steps before the timed ones")->check(CLI::Range(0, 1000000))->capture_default_str();
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--csv", o.csv, "Write the table to this file")->check(notEmpty());
}

void addCheck(CLI::App& app, cli::CheckOptions& o) {
  CLI::App* c = app.add_subcommand("check", "Say every mistake of a scene as file:line:column");
  c->add_option("SCENE", o.scene, "Scene file")->required()->check(notEmpty());
  c->add_flag("--fields", o.fields, "List the fields of the world it makes");
}

void addCompare(CLI::App& app, cli::CompareOptions& o) {
  CLI::App* c = app.add_subcommand("compare", "Run a scene of a grid by several methods: one table, and curves");
  c->add_option("SCENE", o.scene, "Scene file")->required()->check(notEmpty());
  c->add_option("--methods", o.methods, "Methods, by commas")->delimiter(',')->check(notEmpty())->capture_default_str();
  auto* steps = c->add_option("--steps", o.steps, "Number of steps")->check(CLI::Range(0LL, kMostSteps));
  c->add_option("--duration", o.duration, "Simulated seconds")->check(number(false))->excludes(steps);
  c->add_option("--dt", o.dt, "Step [s]")->check(number(false));
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--out", o.out, "Folder for compare.csv, the curves and their pictures (with gnuplot)")->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addValidate(CLI::App& app, cli::ValidateOptions& o) {
  CLI::App* c =
      app.add_subcommand("validate", "Hold the engine against closed forms and experiments: reference, ours, error, bound");
  auto* cases = c->add_option("CASES", o.cases, "Names of cases; none: all")->check(notEmpty());
  c->add_flag("--full", o.full, "The long form: finer and longer, minutes a case instead of seconds");
  c->add_flag("--list", o.list, "Name the cases")->excludes(cases);
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--out", o.out, "Folder for validation.csv, the curves, their pictures (with gnuplot) and the scenes")
      ->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

#ifdef MENISCUS_RENDER
void addRender(CLI::App& app, cli::RenderOptions& o) {
  CLI::App* c =
      app.add_subcommand("render",
                         "Draw a scene while it is simulated, or the folder of a run, without a window: pictures or a film. "
                         "Interrupted, the same command goes on. Between two frames of a run, particles (by their ids) and bodies "
                         "go straight from one to the other");
  c->add_option("SCENE", o.scene, "Scene file, or a folder that meniscus run --out --every has left VTK frames in")
      ->required()
      ->check(notEmpty());
  c->add_option("--out", o.out, "Film (.mp4, .webm, .gif: needs ffmpeg), or a folder for pictures [SCENE-frames]")
      ->check(notEmpty());
  c->add_option("--size", o.size, "WIDTHxHEIGHT in pixels")->check(notEmpty())->capture_default_str();
  c->add_option("--fps", o.framesPerSecond, "Frames a second of film")->check(number(false))->capture_default_str();
  c->add_option("--speed", o.speed, "Simulated seconds a second of film")->check(number(false))->capture_default_str();
  c->add_option("--duration", o.duration, "Simulated time [s], instead of the scene's; of a run at most its own")
      ->check(number(false));
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--fluid", o.fluid, "surface, spheres or hidden, instead of the scene's")
      ->check(CLI::IsMember({"surface", "spheres", "hidden"}));
  c->add_option("--colour", o.colour, "none, speed, pressure, density_error, vorticity or deficiency, instead of the scene's")
      ->check(CLI::IsMember({"none", "speed", "pressure", "density_error", "vorticity", "deficiency"}));
  c->add_flag("--restart", o.restart, "Begin anew where there are frames already");
  c->add_flag("--keep-frames", o.keepFrames, "Keep the frames beside the film, in FILM.frames");
  c->add_flag("--quiet", o.quiet, "Print mistakes only");
}
#endif

int dispatch(int argc, char** argv) {
  CLI::App app("Meniscus: incompressible fluids and the solids they push");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("meniscus ") + version());
  app.footer(
      "Exit status: 0 done, 1 internal error, 2 bad command line, scene or mesh, 3 the simulation failed, 4 device not available.");
  cli::RunOptions runOptions;
  cli::BenchOptions benchOptions;
  cli::CheckOptions checkOptions;
  addRun(app, runOptions);
  addCheck(app, checkOptions);
  app.add_subcommand("info", "Version, build and devices");
  cli::BenchDeviceOptions benchDeviceOptions;
  cli::BenchPressureOptions benchPressureOptions;
  cli::BenchModesOptions benchModesOptions;
  cli::BenchTable1Options benchTable1Options;
  cli::BenchFiguresOptions benchFiguresOptions;
  cli::BenchCouplingOptions benchCouplingOptions;
  addBench(app, benchOptions, benchDeviceOptions, benchPressureOptions, benchModesOptions, benchTable1Options, benchFiguresOptions,
           benchCouplingOptions);
  cli::CompareOptions compareOptions;
  addCompare(app, compareOptions);
  cli::ValidateOptions validateOptions;
  addValidate(app, validateOptions);
#ifdef MENISCUS_RENDER
  cli::RenderOptions renderOptions;
  addRender(app, renderOptions);
#endif
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) { return app.exit(e) == 0 ? 0 : int(ErrorKind::input); }
  if (app.got_subcommand("run")) return cli::run(runOptions);
  if (app.got_subcommand("check")) return cli::check(checkOptions);
  if (app.got_subcommand("compare")) return cli::compare(compareOptions);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("device"))
    return cli::benchDevice(benchDeviceOptions);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("pressure"))
    return cli::benchPressure(benchPressureOptions);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("pressure-modes"))
    return cli::benchPressureModes(benchModesOptions);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("paper-table1"))
    return cli::benchPaperTable1(benchTable1Options);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("paper-figures"))
    return cli::benchPaperFigures(benchFiguresOptions);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("coupling"))
    return cli::benchCoupling(benchCouplingOptions);
  if (app.got_subcommand("bench")) return cli::bench(benchOptions);
  if (app.got_subcommand("validate")) return cli::validateCases(validateOptions);
#ifdef MENISCUS_RENDER
  if (app.got_subcommand("render")) return cli::render(renderOptions);
#endif
  return cli::info();
}

int dispatchAndReport(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const Error& e) {
    cli::say(stderr, "{}\n", e.what());
    return int(e.kind);
  } catch (const std::bad_alloc&) {
    cli::say(stderr, "out of memory; fewer particles (a larger \"spacing\") or a smaller domain need less\n");
    return int(ErrorKind::internal);
  } catch (const std::exception& e) {
    cli::say(stderr, "internal error: {}\n", e.what());
    return int(ErrorKind::internal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is no reason to lose a run
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a message
  const int status = dispatchAndReport(argc, argv);
  const std::string lost = cli::lostOutput();
  if (lost.empty()) return status;
  cli::say(stderr, "standard output cannot be written: {}\n", lost);
  return status == 0 ? int(ErrorKind::input) : status;
}
