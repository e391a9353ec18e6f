// Figures of the ISPH-PBD paper (Abu Rumman et al. 2020), made again: curves of what they show, and the numbers that sum them up.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/validate/cases.h"

namespace meniscus::figures {

using validate::Curve;
using validate::Effort;
using validate::Plot;

struct Drawn {
  std::vector<std::string> sentences;  // what the curves say, with numbers
  std::vector<Plot> plots;
};

struct PaperFigure {
  const char *number, *title;
  Drawn (*run)(const Effort&);
};

const std::vector<PaperFigure>& all();

Drawn kernelGradients(const Effort&);       // 6
Drawn balloonStiffness(const Effort&);      // 8
Drawn balloonPressureError(const Effort&);  // 10
Drawn pillarPressureError(const Effort&);   // 11
Drawn sheetStiffness(const Effort&);        // 13
Drawn buoyancy(const Effort&);              // 17
Drawn volumeLoss(const Effort&);            // 9
Drawn slipOnBody(const Effort&);            // 18
Drawn clumping(const Effort&);              // 19

// |estimate / true - 1| of the pressure gradient's first term in eq. 6 in a simple cubic lattice of spacing 1, for a pressure that
// is linear in each coordinate: a kernel of the smoothing length h = S, given W'(r) / r.
double gradientError(double (*slopeOverR)(double r, double h), double supportInH, double S);
double wendlandSlope(double r, double h);  // C2, support 2 h [1/m^5]
double cubicSlope(double r, double h);     // cubic spline, support 2 h
double quarticSlope(double r, double h);   // quartic spline, support 2.5 h
double quinticKernel(double r, double h);  // fifth-order B-spline [1/m^3], support 3 h

}  // namespace meniscus::figures
