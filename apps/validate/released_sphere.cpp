// A sphere in the middle of a tank of still water is let go: it accelerates with its own and the added mass of the water. Without
// added mass a sphere of a tenth of the water's density would start at 9 g instead of 1.4 g.
#include <fmt/format.h>

#include <cmath>

#include "apps/cli/call.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

constexpr double kRadius = 0.1, kHalfWidth = 0.3, kGravity = 9.81, kDt = 0.002;

struct Water {
  std::vector<Vec3d> x, u;
};

// What the solver takes beside dt: one system of water and ball, or passes of both until they agree to 0.1 mm/s.
constexpr const char* kOneSystem = "";
constexpr const char* kXpm = R"(, "method": "xpm", "coupling": {"tolerance": 1e-5})";

// kind: the ball's. Round one that is still, the packing is settled.
std::string tank(const std::string& kind, double ratio, double dx, const char* method) {
  return fmt::format(
      R"({{"meniscus": 1, "name": "released sphere", "duration": 0.01, "domain": {{"min": [-0.3, -0.3, -0.3], "max": [0.3, 0.3, 0.4]}},
"solver": {{"dt": {}{}}}, "max_particles": {},
"fluids": [{{"name": "water", "spacing": {:.17g}, "carve": true, "relax": {}, "shapes": [{{"box": {{"min": [-0.3, -0.3, -0.3], "max": [0.3, 0.3, 0.3]}}}}]}}],
"solids": [{{"name": "ball", "kind": "{}", "shape": {{"sphere": {{"radius": 0.1}}}}{}}}]}})",
      kDt, method, int(std::pow(2.2 * kHalfWidth / dx, 3)), dx, kind == "static", kind,
      kind == "rigid" ? fmt::format(", \"material\": {{\"density\": {}}}", 1000 * ratio) : "");
}

// At several times: the force on the ball varies by a hundredth from step to step.
std::vector<Water> restingWater(const Effort& effort, double dx, double from, double to) {
  Trial trial(tank("static", 1, dx, kOneSystem), effort.threads);
  std::vector<Water> all;
  for (int k = 1; k <= 300; ++k) {
    trial.step(kDt);
    if (k >= 150 && k % 25 == 0) all.push_back({trial.positions(), trial.velocities()});
    effort.progress(from + (to - from) * k / 300);
  }
  return all;
}

// Instead of the trial's own water.
void fill(Trial& trial, const Water& water) {
  trial.removeParticles();
  std::vector<float> x, u;
  for (std::size_t i = 0; i < water.x.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      x.push_back(float(water.x[i][c]));
      u.push_back(float(water.u[i][c]));
    }
  mnsFluidId fluid{};
  cli::need(mnsScene_FindFluid(trial.scene(), "water", &fluid));
  const mnsView positions = mnsHostView(x.data(), MNS_FORMAT_FLOAT3, std::int64_t(water.x.size()));
  const mnsView velocities = mnsHostView(u.data(), MNS_FORMAT_FLOAT3, std::int64_t(water.x.size()));
  cli::need(mnsScene_EmitParticles(trial.scene(), fluid, &positions, &velocities, nullptr));
}

// Mean over 10 ms, in which the ball rises by less than a millimetre [m/s^2].
double acceleration(const Effort& effort, const std::vector<Water>& resting, double ratio, double dx, const char* method) {
  double sum = 0;
  for (const Water& water : resting) {
    Trial trial(tank("rigid", ratio, dx, method), effort.threads);
    fill(trial, water);
    for (int k = 0; k < 5; ++k) trial.step(kDt);
    mnsVec3 linear{}, angular{};
    cli::need(mnsBody_GetVelocity(trial.scene(), trial.body("ball"), &linear, &angular));
    sum += linear.z / (5 * kDt);
  }
  return sum / double(resting.size());
}

// In unbounded water the added mass is half of the displaced one; every image of the ball beside it in the side walls adds 3/16
// (a/h)^3 (2 h / distance)^3, the sum of which over the square lattice of images is 9.03. Floor and surface cancel to this order.
double theory(double ratio) {
  const double added = 0.5 * (1 + 3.0 / 16 * 9.03 * std::pow(kRadius / kHalfWidth, 3));
  return (1 - ratio) / (ratio + added);
}

}  // namespace

Findings releasedSphere(const Effort& effort) {
  const double ratios[] = {0.1, 0.5, 0.9};
  const std::vector<int> across = effort.full ? std::vector<int>{24, 30, 36} : std::vector<int>{24};
  Findings found;
  std::vector<double> error[3];
  for (std::size_t s = 0; s < across.size(); ++s) {
    const double dx = 2 * kHalfWidth / across[s], n = double(across.size());
    const std::vector<Water> resting = restingWater(effort, dx, double(s) / n, (double(s) + 0.5) / n);
    for (int r = 0; r < 3; ++r) {
      const double a = acceleration(effort, resting, ratios[r], dx, kOneSystem) / kGravity;
      effort.progress((double(s) + 0.5 + (r + 1) / 6.0) / n);
      error[r].push_back(a);
      // an error of buoyancy weighs the more in the acceleration the less weight is left: judged as one of buoyancy
      found.figures.push_back({fmt::format("acceleration at density ratio {}, radius of {:.0f} spacings", ratios[r], kRadius / dx),
                               "g", theory(ratios[r]), a, 0.05 * theory(ratios[r]) / (1 - ratios[r]), Error::absolute});
    }
    const double coupled = acceleration(effort, resting, ratios[0], dx, kXpm) / kGravity;
    found.figures.push_back({fmt::format("the same by XPM at density ratio {}, radius of {:.0f} spacings", ratios[0], kRadius / dx),
                             "g", theory(ratios[0]), coupled, 0.05 * theory(ratios[0]) / (1 - ratios[0]), Error::absolute});
  }
  Plot plot{"released-sphere", "radius over spacing", "acceleration over theory", {}};
  for (int r = 0; r < 3; ++r) {
    Curve c{fmt::format("density ratio {}", ratios[r]), {}};
    for (std::size_t s = 0; s < across.size(); ++s) c.points.push_back({across[s] / 6.0, error[r][s] / theory(ratios[r])});
    plot.curves.push_back(c);
  }
  found.plots.push_back(plot);
  return found;
}

}  // namespace meniscus::validate
