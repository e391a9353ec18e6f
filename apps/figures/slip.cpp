// Figure 18: water poured on a body that it sticks to, that rubs it, or that it slips on.
#include <fmt/format.h>

#include <filesystem>

#include "apps/figures/figures.h"
#include "apps/validate/trial.h"

namespace meniscus::figures {
namespace {

using validate::Trial;

constexpr const char* kBunny = "assets/meshes/bunny.off";

struct Surface {
  const char *name, *material;
};
// The paper's no-slip condition is a friction of 0.4 along the surface.
constexpr Surface kSurfaces[] = {
    {"no-slip, friction 0.4", R"("friction": 0.4)"}, {"sticking", R"("no_slip": true)"}, {"free slip", R"("friction": 0)"}};

std::string pourScene(const Effort& effort, const Surface& surface, bool bunny) {
  const double dx = effort.pick(0.012, 0.006);
  const std::string body =
      bunny
          ? fmt::format(
                R"("shape": {{"mesh": {{"file": "{}", "resolution": {}}}}}, "rotation": {{"axis": [1, 0, 0], "degrees": 90}}, "scale": 0.3)",
                kBunny, dx)
          : std::string(R"("shape": {"sphere": {"radius": 0.08}})");
  return fmt::format(
      R"({{"meniscus": 1, "name": "water on a body, {0}", "domain": {{"min": [-0.25, -0.2, 0], "max": [0.25, 0.2, 0.5]}},
"solver": {{"dt": 0.002}},
"fluids": [{{"name": "water", "spacing": {1}, "viscosity": 1e-3, "shapes": [{{"sphere": {{"radius": 0.07}}, "position": [0, 0, 0.35]}}]}}],
"solids": [{{"name": "body", "kind": "static", {2}, "position": [0, 0, 0.12], "material": {{{3}}}}}]}})",
      surface.name, dx, body, surface.material);
}

// Share of the water that is more than 6 cm above the ground.
double heldBack(const Trial& trial) {
  const std::vector<Vec3d> x = trial.positions();
  double above = 0;
  for (const Vec3d& p : x) above += p.z > 0.06;
  return above / double(x.size());
}

}  // namespace

// What stalls on the body comes down later: the share of the water that is above the ground, and how fast it is on its way.
Drawn slipOnBody(const Effort& effort) {
  const bool bunny = std::filesystem::exists(kBunny);
  const double seconds = effort.pick(0.4, 1), dt = 0.002;
  Drawn drawn;
  if (!bunny)
    drawn.sentences.push_back(
        fmt::format("{} is not there (scripts/setup.sh fetches it): a sphere stands in for the bunny", kBunny));
  Plot plot{"figure-18", "time [s]", "share of the water more than 6 cm above the ground", {}};
  double done = 0;
  for (const Surface& s : kSurfaces) {
    const std::string text = pourScene(effort, s, bunny);
    effort.keepScene(s.name, text);
    Trial trial(text, effort.threads);
    Curve c{s.name, {}};
    while (trial.time() < seconds - 0.5 * dt) {
      trial.step(dt);
      effort.progress((done + trial.time() / seconds) / 3);
      c.points.emplace_back(trial.time(), heldBack(trial));
    }
    done += 1;
    double speed = 0, count = 0;
    const std::vector<Vec3d> x = trial.positions(), u = trial.velocities();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i].z > 0.06) {
        speed += norm(u[i]);
        count += 1;
      }
    drawn.sentences.push_back(fmt::format("{}: {:.1f} % of the water still above 6 cm after {:g} s, at {:.2f} m/s", s.name,
                                          100 * c.points.back().second, seconds, count > 0 ? speed / count : 0.0));
    plot.curves.push_back(std::move(c));
  }
  drawn.plots.push_back(std::move(plot));
  return drawn;
}

}  // namespace meniscus::figures
