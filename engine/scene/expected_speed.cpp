#include "engine/scene/expected_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/scene/capillary.h"

namespace meniscus {

double fastestExpected(const SceneDef& scene) {
  double start = 0;
  for (const FluidDef& f : scene.fluids) start = std::max(start, norm(f.velocity));
  for (const EmitterDef& e : scene.emitters) start = std::max(start, e.jetSpeed());
  for (const SolidDef& b : scene.solids) start = std::max(start, norm(b.velocity));
  const Vec3d size = scene.domain.max - scene.domain.min;
  double fall = 0;  // |g . size|, the most that a particle can gain
  for (int k = 0; k < 3; ++k) fall += std::fabs(scene.gravity[k]) * size[k];
  const double drawn = scene.fluids.empty() ? 0 : fastestByTension(scene, scene.fluids[0].spacing);
  return std::sqrt(start * start + 2 * fall + drawn * drawn);
}

double leastSoundSpeed(double v) { return v * std::sqrt(0.5 * 7 / (std::pow(1 + kMostDensityError, 7) - 1)); }

std::string soundSpeedMistake(const SceneDef& scene) {
  const SolverDef& s = scene.solver;
  if (s.pressure != PressureMode::weaklyCompressible || !(s.soundSpeed > 0)) return "";
  const double v = fastestExpected(scene), least = leastSoundSpeed(v);
  if (s.soundSpeed >= least) return "";
  return fmt::format(
      "\"sound_speed\" is {:g} m/s, too low for this scene: a fall through its domain, from the greatest speed at which something "
      "starts, ends at {:.3g} m/s, and fluid that fast is stopped only from {:.3g} m/s on; make it larger, or leave it out, or "
      "make "
      "the domain no taller than the fluid needs",
      s.soundSpeed, v, least);
}

}  // namespace meniscus
