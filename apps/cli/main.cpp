// The command line. Exit status: 0 done, 1 internal error, 2 bad command line, scene or mesh, 3 the simulation failed, 4 device not
// available.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sstream>

#include "apps/cli/bench_commands.h"
#include "apps/cli/options.h"
#include "apps/cli/render.h"
#include "apps/cli/say.h"
#include "apps/cli/validators.h"
#include "engine/base/build_info.h"
#include "engine/base/error.h"

namespace {

using namespace meniscus;
using cli::notEmpty;
using cli::number;

constexpr long long kMostSteps = 1'000'000'000'000;

// Names between commas. The option takes one text: a second one is not swallowed.
void addNames(CLI::App* c, const std::string& name, std::vector<std::string>& names, const std::string& help) {
  const CLI::Validator eachNamed(
      [](const std::string& text) {
        const bool gap = ("," + text + ",").find(",,") != std::string::npos;
        return gap ? fmt::format("{} has an empty name; give names with a comma between two", text) : std::string();
      },
      "");
  auto* option = c->add_option_function<std::vector<std::string>>(
      name,
      [&names](const std::vector<std::string>& texts) {
        names.clear();
        for (const std::string& text : texts) {
          std::istringstream in(text);
          for (std::string one; std::getline(in, one, ',');) names.push_back(one);
        }
      },
      help);
  option->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(notEmpty())
      ->check(eachNamed);
  if (!names.empty()) option->default_str(fmt::format("{}", fmt::join(names, ",")));
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
  c->add_option("--refine", o.refine, "Divide spacings, cells and edges of generated surfaces by this")->check(number(false));
  c->add_option("--out", o.out, "Folder for frames, steps.csv and checkpoints")->check(notEmpty());
  c->add_option("--every", o.every, "Time between frames [s], instead of the scene's; 0: none")->check(number(true));
  addNames(c, "--format", o.formats,
           "Formats of the frames: vtk, ply; surface adds the fluid's surface as a mesh; vdb is of grids; png: pictures");
  c->add_option("--checkpoint", o.checkpoint, "Time between checkpoints [s simulated]")->check(number(false));
  c->add_option("--resume", o.resume, "Go on from this checkpoint")->check(notEmpty());
  c->add_option("--summary", o.summary, "Write the summary to this JSON file")->check(notEmpty());
  c->add_flag("--strict", o.strict, "Exit status 3 where a step does not converge or an expectation is not met");
  c->add_flag("--quiet", o.quiet, "Print mistakes only");
}

void addCheck(CLI::App& app, cli::CheckOptions& o) {
  CLI::App* c = app.add_subcommand("check", "Say every mistake of a scene as file:line:column");
  c->add_option("SCENE", o.scene, "Scene file")->required()->check(notEmpty());
  c->add_flag("--fields", o.fields, "List the fields of the world it makes");
}

void addCompare(CLI::App& app, cli::CompareOptions& o) {
  CLI::App* c = app.add_subcommand("compare", "Run a scene by several methods: one table, and curves");
  c->add_option("SCENE", o.scene, "Scene file")->required()->check(notEmpty());
  addNames(c, "--methods", o.methods, "Methods, by commas; none: those that take the scene");
  auto* steps = c->add_option("--steps", o.steps, "Number of steps")->check(CLI::Range(0LL, kMostSteps));
  c->add_option("--duration", o.duration, "Simulated seconds")->check(number(false))->excludes(steps);
  c->add_option("--dt", o.dt, "Step [s]")->check(number(false));
  c->add_option("--refine", o.refine, "Divide spacings, cells and edges of generated surfaces by this")->check(number(false));
  c->add_option("--threads", o.threads, "Threads; 0: one a processor")->check(CLI::Range(0, 1024))->capture_default_str();
  c->add_option("--out", o.out, "Folder for compare.csv, the curves and their pictures (with gnuplot)")->check(notEmpty());
  c->add_flag("--quiet", o.quiet, "Without progress");
}

void addValidate(CLI::App& app, cli::ValidateOptions& o) {
  CLI::App* c =
      app.add_subcommand("validate", "Hold the engine against closed forms and experiments: reference, ours, error, bound");
  auto* cases = c->add_option("CASES", o.cases, "Names of cases; none: all")->check(notEmpty());
  cli::addShard(c, o.shard, "cases");
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
  c->add_option("--device", o.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}))->capture_default_str();
  c->add_option("--fluid", o.fluid, "surface, spheres or hidden, instead of the scene's")
      ->check(CLI::IsMember({"surface", "spheres", "hidden"}));
  c->add_option("--colour", o.colour,
                "none, speed, pressure, density_error, vorticity, deficiency or smoke, instead of the scene's")
      ->check(CLI::IsMember({"none", "speed", "pressure", "density_error", "vorticity", "deficiency", "smoke"}));
  c->add_option("--slice", o.slice, "Of a grid: AXIS=METRES, as in y=0.5, or none, instead of the scene's")->check(notEmpty());
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
  cli::CheckOptions checkOptions;
  addRun(app, runOptions);
  addCheck(app, checkOptions);
  app.add_subcommand("info", "Version, build and devices");
  cli::BenchCommands bench;
  bench.add(app);
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
  if (app.got_subcommand("bench")) return bench.run();
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
