// Makes figures of the ISPH-PBD paper again: CSV files, gnuplot scripts and their pictures.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/cli/folder_lock.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/figures/figures.h"
#include "apps/validate/trial.h"
#include "engine/base/file.h"
#include "engine/scene/process.h"

namespace meniscus::cli {
namespace {

using figures::Drawn;
using figures::PaperFigure;

void write(const Drawn& drawn, const std::string& folder) {
  constexpr double kPatience = 60;  // s
  for (const figures::Plot& p : drawn.plots) {
    validate::writePlot(p, folder);
    const ProcessResult r = runProcess({"gnuplot", p.name + ".gp"}, folder, kPatience);
    if (r.found && r.status != 0) say(stderr, "{}/{}.gp: gnuplot could not draw it: {}\n", folder, p.name, r.output);
  }
}

std::vector<PaperFigure> chosen(const BenchFiguresOptions& o) {
  std::vector<PaperFigure> all;
  for (const PaperFigure& figure : figures::all())
    if (o.only.empty() || std::find(o.only.begin(), o.only.end(), figure.number) != o.only.end()) all.push_back(figure);
  return o.shard.of(all);
}

Drawn runFigure(const PaperFigure& figure, const BenchFiguresOptions& o) {
  Progress progress(o.quiet, 1);
  validate::Effort effort;
  effort.full = o.full;
  effort.threads = o.threads;
  effort.progress = [&](double share) {
    if (interrupted()) throw validate::Stopped{};
    progress.show(share, fmt::format("figure {}", figure.number));
  };
  effort.keepScene = [](const std::string&, const std::string&) {};
  return figure.run(effort);
}

}  // namespace

int benchPaperFigures(const BenchFiguresOptions& o) {
  std::optional<FolderLock> lock;
  if (!o.out.empty()) lock.emplace(o.out);
  catchInterrupts("\nstopping; the figures that are finished are kept\n");
  try {
    for (const PaperFigure& figure : chosen(o)) {
      const Drawn drawn = runFigure(figure, o);
      say(stdout, "figure {}: {}\n", figure.number, figure.title);
      for (const std::string& s : drawn.sentences) say(stdout, "  {}\n", s);
      std::fflush(stdout);  // long work: what is known is seen, also in a file
      if (!o.out.empty()) write(drawn, o.out);
    }
  } catch (const validate::Stopped&) { return 128 + interrupted(); }
  return 0;
}

}  // namespace meniscus::cli
