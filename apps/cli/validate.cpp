// Runs the validation cases and prints reference, ours, error and bound of each figure.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "apps/cli/folder_lock.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scene/process.h"

namespace meniscus::cli {
namespace {

using validate::Case;
using validate::Figure;
using validate::Findings;

void list(const std::vector<const Case*>& cases) {
  for (const Case* c : cases) say(stdout, "{:<16} {} ({})\n", c->name, c->title, c->source);
}

std::vector<const Case*> chosen(const std::vector<std::string>& names) {
  std::vector<const Case*> all;
  if (names.empty())
    for (const Case& c : validate::cases()) all.push_back(&c);
  for (const std::string& name : names) {
    const auto& cases = validate::cases();
    const auto c = std::find_if(cases.begin(), cases.end(), [&](const Case& k) { return k.name == name; });
    if (c == cases.end())
      throw Error(ErrorKind::input, fmt::format("there is no validation case \"{}\"; meniscus validate --list names them", name));
    if (std::find(all.begin(), all.end(), &*c) == all.end()) all.push_back(&*c);
  }
  return all;
}

std::string errorText(const Figure& f) {
  if (f.kind == validate::Error::relative) return fmt::format("{:+.2f} %", 100 * (f.ours / f.reference - 1));
  return fmt::format("{:+.2g}", f.ours - f.reference);
}

std::string boundText(const Figure& f) {
  return f.kind == validate::Error::relative ? fmt::format("{:.3g} %", 100 * f.bound) : fmt::format("{:.2g}", f.bound);
}

void print(const Case& c, const Findings& found) {
  say(stdout, "{}: {} ({})\n", c.name, c.title, c.source);
  say(stdout, "  {:<64} {:>12} {:>12} {:>10} {:>10}\n", "", "reference", "ours", "error", "bound");
  for (const Figure& f : found.figures)
    say(stdout, "  {:<64} {:>12.5g} {:>12.5g} {:>10} {:>10}  {}\n", f.unit.empty() ? f.what : f.what + " [" + f.unit + "]",
        f.reference, f.ours, errorText(f), boundText(f), f.holds() ? "holds" : "DOES NOT HOLD");
}

// A cell of a table of commas.
std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string csvOf(const Case& c, const Findings& found) {
  std::string csv;
  for (const Figure& f : found.figures)
    csv += fmt::format("{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{},{}\n", c.name, quoted(f.what), quoted(f.unit), f.reference, f.ours,
                       f.error(), f.bound, f.kind == validate::Error::relative ? "relative" : "absolute",
                       f.holds() ? "holds" : "fails");
  return csv;
}

// Pictures of the plots, where gnuplot is.
void draw(const std::string& folder, const Findings& found) {
  constexpr double kPatience = 60;  // s
  for (const validate::Plot& p : found.plots) {
    const ProcessResult r = runProcess({"gnuplot", p.name + ".gp"}, folder, kPatience);
    if (!r.found) return;
    if (r.status != 0) say(stderr, "{}/{}.gp: gnuplot could not draw it: {}\n", folder, p.name, r.output);
  }
}

// The lines of earlier runs into the folder, but for the cases that are run now.
std::string keptRows(const std::string& path, const std::vector<const Case*>& run) {
  std::string kept;
  if (!std::filesystem::exists(path)) return kept;
  std::istringstream lines(readTextFile(path));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line))
    if (std::none_of(run.begin(), run.end(), [&](const Case* c) { return line.rfind(std::string(c->name) + ",", 0) == 0; }))
      kept += line + "\n";
  return kept;
}

Findings runCase(const Case& c, const ValidateOptions& o, Progress& progress, double before, double all) {
  validate::Effort effort;
  effort.full = o.full;
  effort.threads = o.threads;
  effort.progress = [&](double share) {
    if (interrupted()) throw validate::Stopped{};
    progress.show(before + share, fmt::format("{} ({:.0f} of {:.0f})", c.name, before + 1, all));
  };
  effort.keepScene = [&](const std::string& name, const std::string& text) {
    if (!o.out.empty()) writeWholeFile(o.out + "/" + name + ".json", text + "\n");
  };
  const Findings found = c.run(effort);
  progress.finish();
  return found;
}

}  // namespace

int validateCases(const ValidateOptions& o) {
  const std::vector<const Case*> run = o.shard.of(chosen(o.cases));
  if (o.list) return list(run), 0;
  std::optional<FolderLock> lock;
  if (!o.out.empty()) lock.emplace(o.out);
  catchInterrupts("\nstopping; what is finished is kept\n");
  const std::string table = o.out + "/validation.csv";
  std::string csv = "case,figure,unit,reference,ours,error,bound,kind,verdict\n";
  if (!o.out.empty()) csv += keptRows(table, run);
  Progress progress(o.quiet, double(run.size()));
  std::size_t figures = 0, failed = 0;
  try {
    for (std::size_t k = 0; k < run.size(); ++k) {
      const Findings found = runCase(*run[k], o, progress, double(k), double(run.size()));
      print(*run[k], found);
      std::fflush(stdout);  // long work: what is known is seen, also in a file
      csv += csvOf(*run[k], found);
      figures += found.figures.size();
      for (const Figure& f : found.figures) failed += !f.holds();
      if (o.out.empty()) continue;
      writeWholeFile(table, csv);
      for (const validate::Plot& p : found.plots) validate::writePlot(p, o.out);
      draw(o.out, found);
    }
  } catch (const validate::Stopped&) {
    progress.finish();
    say(stderr, "stopped; to go on, name the cases that are left\n");
    return 128 + interrupted();
  }
  say(stdout, "{} of {} hold\n", figures - failed, counted(figures, "figure"));
  return failed == 0 ? 0 : int(ErrorKind::simulation);
}

}  // namespace meniscus::cli
