// Runs the validation cases and prints reference, ours, error and bound of each figure.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus::cli {
namespace {

using validate::Case;
using validate::Figure;
using validate::Findings;

void list() {
  for (const Case& c : validate::cases()) say(stdout, "{:<16} {} ({})\n", c.name, c.title, c.source);
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
    all.push_back(&*c);
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
  if (found.plots.empty() || std::system("command -v gnuplot > /dev/null 2>&1") != 0) return;
  for (const validate::Plot& p : found.plots)
    if (std::system(fmt::format("cd '{}' && gnuplot '{}.gp' > /dev/null 2>&1", folder, p.name).c_str()) != 0)
      say(stderr, "gnuplot could not draw {}/{}.gp\n", folder, p.name);
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
  if (o.list) return list(), 0;
  const std::vector<const Case*> run = chosen(o.cases);
  if (!o.out.empty()) makeFolder(o.out);
  catchInterrupts();
  std::string csv = "case,figure,unit,reference,ours,error,bound,kind,verdict\n";
  Progress progress(o.quiet, double(run.size()));
  std::size_t figures = 0, failed = 0;
  try {
    for (std::size_t k = 0; k < run.size(); ++k) {
      const Findings found = runCase(*run[k], o, progress, double(k), double(run.size()));
      print(*run[k], found);
      csv += csvOf(*run[k], found);
      figures += found.figures.size();
      for (const Figure& f : found.figures) failed += !f.holds();
      if (o.out.empty()) continue;
      for (const validate::Plot& p : found.plots) validate::writePlot(p, o.out);
      draw(o.out, found);
      writeWholeFile(o.out + "/validation.csv", csv);
    }
  } catch (const validate::Stopped&) {
    progress.finish();
    say(stderr, "stopped; name the cases that are left to go on with them\n");
    return 128 + interrupted();
  }
  say(stdout, "{} of {} hold\n", figures - failed, counted(figures, "figure"));
  return failed == 0 ? 0 : int(ErrorKind::simulation);
}

}  // namespace meniscus::cli
