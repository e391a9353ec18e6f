// A column of water stands on a plate of aluminium that is clamped at both ends, in a slab whose sides slip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/call.h"
#include "apps/validate/block.h"
#include "apps/validate/cases.h"
#include "apps/validate/trial.h"

namespace meniscus::validate {
namespace {

// Fourey et al. 2010
constexpr double kLength = 1, kThickness = 0.05, kWater = 2;         // m
constexpr double kYoung = 67.5e9, kPoisson = 0.34, kDensity = 2700;  // Pa, 1, kg/m^3
constexpr double kGravity = 9.81, kRho = 1000, kDepth = 0.25,
                 kUnder = 0.2;  // m/s^2, kg/m^3, m: of the slab (nodes are in single precision), below the plate

std::string columnScene(double dx, double dt, double seconds) {
  const double top = kUnder + kThickness;
  return fmt::format(
      R"({{"meniscus": 1, "name": "column of water on a plate", "duration": {},
"gravity": [0, 0, {}], "domain": {{"min": [0, 0, 0], "max": [{}, {}, {}]}}, "solver": {{"dt": {}, "max_iterations": 2000}},
"fluids": [{{"name": "water", "spacing": {:.17g}, "density": {}, "shapes": [{{"box": {{"min": [0, 0, {:.17g}], "max": [{}, {}, {:.17g}]}}}}]}}]}})",
      seconds, -kGravity, kLength, kDepth, top + kWater + 0.3, dt, dx, kRho, top, kLength, kDepth, top + kWater);
}

mnsBodyId addPlate(mnsScene* scene, int layers) {
  const Block b = block(20 * layers, 1, layers, {kLength, kDepth, kThickness}, {0, 0, kUnder});
  const mnsShape shape = b.shape();
  mnsMaterial material = mnsDefaultMaterial();
  material.density = kDensity;
  material.youngsModulus = kYoung;
  material.poissonRatio = kPoisson;
  mnsPin clamps[2] = {};
  for (mnsPin& p : clamps) p.kind = MNS_PIN_BOX;
  clamps[0].box = {{-1, -1, -1}, {1e-6, 1, 1}};
  clamps[1].box = {{kLength - 1e-6, -1, -1}, {kLength + 1, 1, 1}};
  mnsBodyDef def = mnsDefaultBodyDef();
  def.kind = MNS_BODY_SOFT;
  def.shape = &shape;
  def.material = &material;
  def.pins = clamps;
  def.pinCount = 2;
  mnsBodyId body{};
  cli::need(mnsCreateBody(scene, &def, &body));
  return body;
}

struct Sag {
  double mean, swing;  // of the later half of the time: m; greatest difference from the mean
};

// Of the middle of a plate of so many layers of tetrahedra.
Sag sagOf(const Effort& effort, int layers, double dx, double dt, double seconds, Curve& curve, double begin, double end) {
  const std::string text = columnScene(dx, dt, seconds);
  effort.keepScene("plate-under-water-without-the-plate", text);
  mnsBodyId plate{};
  Trial trial(text, effort.threads, [&](mnsScene* scene) { plate = addPlate(scene, layers); });
  std::vector<std::size_t> middle;
  const std::vector<Vec3d> start = trial.nodes(plate);
  for (std::size_t i = 0; i < start.size(); ++i)
    if (std::fabs(start[i].x - kLength / 2) < 1e-4) middle.push_back(i);
  std::vector<double> later;
  while (trial.time() < seconds - dt / 2) {
    trial.step(dt);
    effort.progress(begin + (end - begin) * trial.time() / seconds);
    const std::vector<Vec3d> x = trial.nodes(plate);
    double sag = 0;
    for (const std::size_t i : middle) sag += (start[i].z - x[i].z) / double(middle.size());
    curve.points.emplace_back(trial.time(), 1e6 * sag);
    if (trial.time() > seconds / 2) later.push_back(sag);
  }
  Sag s{};
  for (const double sag : later) s.mean += sag / double(later.size());
  for (const double sag : later) s.swing = std::max(s.swing, std::fabs(sag - s.mean));
  return s;
}

}  // namespace

// The stiffness of linear tetrahedra in bending is too large by a share that falls with the square of the number of layers: 1 / sag
// is a straight line over it, and goes to that of the plate itself. By the equations of elasticity alone (a direct solve of these
// two meshes under an even load) the sags are 0.68 and 0.82 of q L^4 / 384 D and the line ends at 0.99.
Findings plateUnderWater(const Effort& effort) {
  const double dx = effort.pick(0.05, 0.025), seconds = 0.04;
  const int layers[2] = {2, 3};
  const double dt[2] = {0.001, 0.0007};  // what the solves of stiffer ones resolve
  double inverse[2];
  Curve curves[2];
  Findings found;
  for (int k = 0; k < 2; ++k) {
    curves[k].name = fmt::format("Meniscus, {} layers", layers[k]);
    curves[k].points = {{0, 0}};
    const Sag sag = sagOf(effort, layers[k], dx, dt[k], seconds, curves[k], 0.3 * k, k ? 1 : 0.3);
    inverse[k] = 1 / sag.mean;
    found.figures.push_back(
        {fmt::format("swing at the end, {} layers", layers[k]), "of the sag", 0, sag.swing / sag.mean, 0.1, Error::absolute});
  }
  const double a = layers[0] * layers[0], b = layers[1] * layers[1];
  const double sag = (b - a) / (b * inverse[1] - a * inverse[0]);
  const double D = kYoung * kThickness * kThickness * kThickness / (12 * (1 - kPoisson * kPoisson));
  // particles start half a spacing below the surface that they make
  const double q = kGravity * (kRho * (kWater + dx / 2) + kDensity * kThickness);
  const double exact = q * std::pow(kLength, 4) / (384 * D);
  found.figures.insert(found.figures.begin(), {"sag of the middle, layers made many", "mm", 1e3 * exact, 1e3 * sag, 0.05});
  Plot plot{"plate-under-water", "time [s]", "sag of the middle [um]", {}};
  plot.curves.push_back({"q L^4 / 384 D", {{0, 1e6 * exact}, {seconds, 1e6 * exact}}, true});
  for (Curve& c : curves) plot.curves.push_back(std::move(c));
  found.plots.push_back(std::move(plot));
  return found;
}

}  // namespace meniscus::validate
