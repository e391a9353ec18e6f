// What a validation case found: figures beside their reference, and curves beside the points of theirs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace meniscus::validate {

enum class Error {
  relative,  // |ours / reference - 1|
  absolute   // |ours - reference| in the figure's unit
};

struct Figure {
  std::string what, unit;
  double reference = 0, ours = 0, bound = 0;  // the error may not be above the bound
  Error kind = Error::relative;

  double error() const;
  bool holds() const;  // false where ours is not finite
};

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool reference = false;  // drawn as marks beside the lines of the others
};

struct Plot {
  std::string name, x, y;  // file name without ending; labels of the axes with their units
  std::vector<Curve> curves;
};

struct Findings {
  std::vector<Figure> figures;
  std::vector<Plot> plots;
};

// A line of y at x, between the points of a curve whose x ascends; its ends beyond them.
double valueAt(const Curve& curve, double x);

// name.csv (curve,x,y) and name.gp, which gnuplot makes name.png of when it is run in the folder. Throws Error(input) where the
// files cannot be written.
void writePlot(const Plot& plot, const std::string& folder);

}  // namespace meniscus::validate
