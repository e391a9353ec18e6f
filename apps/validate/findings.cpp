#include "apps/validate/findings.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "engine/base/file.h"

namespace meniscus::validate {

double Figure::error() const { return kind == Error::relative ? std::fabs(ours / reference - 1) : std::fabs(ours - reference); }

bool Figure::holds() const { return error() <= bound; }

double valueAt(const Curve& curve, double x) {
  const auto& p = curve.points;
  if (p.empty()) return std::nan("");
  for (std::size_t k = 1; k < p.size(); ++k)
    if (x <= p[k].first) {
      const double width = p[k].first - p[k - 1].first, share = width > 0 ? (x - p[k - 1].first) / width : 1;
      return p[k - 1].second + (share < 0 ? 0 : share) * (p[k].second - p[k - 1].second);
    }
  return p.back().second;
}

namespace {

// Inside quotes of a gnuplot script, where a quote is written twice.
std::string inQuotes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out;
}

}  // namespace

void writePlot(const Plot& plot, const std::string& folder) {
  std::string csv = "curve,x,y\n", draw;
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& c = plot.curves[k];
    for (const auto& [x, y] : c.points) csv += fmt::format("\"{}\",{:.9g},{:.9g}\n", c.name, x, y);
    draw += fmt::format("{}'{}.csv' using 2:(strcol(1) eq '{}' ? $3 : NaN) skip 1 with {} title '{}'", k ? ", \\\n  " : "",
                        plot.name, inQuotes(c.name), c.reference ? "points pt 6" : "lines lw 2", inQuotes(c.name));
  }
  const std::string script = fmt::format(
      "set terminal pngcairo size 900,600\nset output '{}.png'\nset datafile separator ','\nset datafile missing NaN\nset xlabel "
      "'{}'\nset ylabel '{}'\nset grid\nset key outside below\nplot {}\n",
      plot.name, inQuotes(plot.x), inQuotes(plot.y), draw);
  writeWholeFile(folder + "/" + plot.name + ".csv", csv);
  writeWholeFile(folder + "/" + plot.name + ".gp", script);
}

}  // namespace meniscus::validate
