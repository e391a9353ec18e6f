// The constant pressure of fluid that a solid encloses, solved for inside the solid's solve.
//
// A region without an open face has its pressure only up to a constant p0, and the solid's velocities must let no volume out of it:
// area . v + outflow = 0. p0 is the multiplier of this condition: the pressure on the region's boundary under which the solid's own
// answer meets it. This box wraps a solid and solves S(load + area p0) for p0, so that any coupling method sees a solid that keeps
// its enclosed volumes, and its models never meet p0.
//
// Based on: Akbay et al. 2018, section 6 (boundary pressure projection). The paper takes p0 from the fluid's masses in each fluid
// call: a controller whose volume error is in proportion to the p0 that is needed; here the solid answers, and the error is the
// tolerance.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <utility>
#include <vector>

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

// A region as the fluid's last solve left it.
struct EnclosedRegion {
  std::vector<double> area;  // n [m^2]: force on each coordinate of the nodes for 1 Pa, pointing out of the region (W^T C_s)
  double outflow = 0;        // [m^3/s] through sources and bodies of given motion (C_k^T u_k); inflow is negative
};

// Whether the constant pressure of a region is an unknown of the step. area: as above, of size n.
using HasConstant = std::function<bool(const Eigen::VectorXd& area)>;

struct EnclosedPressureOptions {
  double volumeTolerance = 0;  // [m^3] that a region may gain or lose in a step beside its outflow; must be given
  int maxIterations = 12;      // Newton steps of one solve
  double pressureStep = 1;     // [Pa] of the first difference where neither load nor pressure gives a scale

  // The derivative of the volumes is kept from one solve of a step to the next: one solid solve a region less. The bits of a solve
  // then hang on the solves before it in the step.
  bool keepDerivative = false;
};

struct EnclosedPressureReport {
  bool converged = true;
  int iterations = 0;      // Newton steps of the last solve
  int solidSolves = 0;     // of the wrapped solid since save
  double volumeError = 0;  // [m^3] of the last solve, the largest of all regions
  int rigidRegions = 0;    // without a node that moves; one that has an outflow can not be incompressible and is not converged
};

class EnclosedPressure : public SolidBox {
 public:
  using Regions = std::function<std::vector<EnclosedRegion>()>;

  // regions is called at the beginning of every solve. Throws Error(input) for a solid that takes pressures, which p0 can not be
  // added to without areas of its own, and for options out of their range. Solid and regions must outlive this.
  EnclosedPressure(SolidBox& solid, Regions regions, const EnclosedPressureOptions& options);

  void save() override;
  void restore() override;
  LoadKind loadKind() const override { return solid_.loadKind(); }
  Operators* operators() override { return solid_.operators(); }
  Motion motion() const override { return solid_.motion(); }
  bool addsEnclosedPressure() const override { return true; }
  std::vector<SolidPart> parts() const override { return solid_.parts(); }

  // Throws Error(input) where a region's areas do not fit the load.
  Motion solve(const Load& load, double dt) override;

  // p0 [Pa] of each region in the last solve. Part of the saved state: the next step starts from it while the number of regions
  // stays.
  const std::vector<double>& pressure() const { return pressure_; }
  void setPressure(const std::vector<double>& p) { pressure_ = p; }

  const EnclosedPressureReport& report() const { return report_; }

 private:
  struct Step;  // one solve's regions, load and last answer
  Step begin(const Load& load, double dt, double& lost);
  bool evaluate(Step& s, const Eigen::VectorXd& p);
  bool differentiate(Step& s);
  double mostChange(const Step& s) const;
  bool changeBy(Step& s, Eigen::VectorXd& change, bool& beyond);
  bool balance(Step& s);

  SolidBox& solid_;
  Regions regions_;
  EnclosedPressureOptions options_;
  std::vector<double> pressure_, savedPressure_;
  Eigen::MatrixXd derivative_;  // of the regions' outflow over their pressure [m^3/s/Pa], kept in a step
  EnclosedPressureReport report_;
};

}  // namespace meniscus::coupling
