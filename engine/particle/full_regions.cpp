// Fluid that fills a closed space: how much change of its volume the pressure solve may be asked for.
//
// Fluid without a surface has the volume of its enclosure, whatever its density by summation is. Asked for another one by the
// density term, it answers with pressures whose gradient hardly moves anything (a constant one would not), so they grow until what
// is left of it stirs the fluid. The less an enclosure gives way, the worse: a stiff skin three spacings from the middle of its
// water, where the density by summation reads 1 to 3 % too high in the corners, went from rest to 10^5 J in five steps.
// For the same reason the constraint on the volume of a skin rests while fluid fills it: pressure and multiplier would be two
// answers to one question, and grow against each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/particle/fluid_regions.h"
#include "engine/particle/solver_impl.h"
#include "engine/solid/volume.h"

namespace meniscus {
namespace {

// Pressure that the density term may hold in a skin, a share of rho (dx / h)^2. The p_a + p_b form lets a constant pressure push
// neighbours apart; this force is taken from the start of the step, so pressures of 0.1 and more shake the particles.
constexpr double kHeldPressure = 0.01;
// Of an inflatable's volume that its fluid may lack and still be taken to fill it.
constexpr double kMostMissing = 0.1;
// Share of the particles of full fluid that may look like a surface: in an inflatable, those in its folds.
constexpr double kMostFolded = 0.02;

// The innermost inflatable around x, or -1.
Index inflatableAround(const SolidState& s, const Vec3d& x) {
  Index innermost = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Body& body = s.bodies[b];
    if (body.kind != SolidKind::inflatable || std::fabs(windingNumber(s, body.triBegin, body.triEnd, x)) < 0.5) continue;
    const double volume = enclosedVolume(s, s.xPrev.data(), body.triBegin, body.triEnd);
    if (volume >= least) continue;
    least = volume;
    innermost = Index(b);
  }
  return innermost;
}

// Another solid within it takes room that is not counted.
bool holdsSolids(const SolidState& s, const Body& skin) {
  const auto inside = [&](const Vec3d& x) { return std::fabs(windingNumber(s, skin.triBegin, skin.triEnd, x)) >= 0.5; };
  for (const Body& b : s.bodies)
    if (&b != &skin && b.nodeEnd > b.nodeBegin && inside(s.x[b.nodeBegin])) return true;
  return std::any_of(s.rigid.begin(), s.rigid.end(), [&](const RigidBody& r) { return inside(r.x); });
}

// Pressure by relative change of volume [Pa] of a skin that is stretched alike everywhere: with U its energy at the strain e and
// dV / V = 3 e, U'' / (9 V). An edge of the length L has U'' = L^2 / alpha; a neo-Hookean triangle, whose C^2 is 12 e^2, 12 /
// alpha.
double bulkModulus(const SolidState& s, Index skin, double volume) {
  double sum = 0;
  for (const Constraint& c : s.constraints.items) {
    if (c.body != skin) continue;
    const double rest = c.type == ConstraintType::distance   ? s.rest[std::size_t(c.rest)] * s.rest[std::size_t(c.rest)]
                        : c.type == ConstraintType::membrane ? 12
                                                             : 0;
    if (rest == 0) continue;
    if (!(c.compliance > 0)) return std::numeric_limits<double>::infinity();
    sum += rest / c.compliance;
  }
  return sum / (9 * volume);
}

}  // namespace

FluidRegion ParticleSolver::Impl::sumsOf(const World& w, View<const Index> region) const {
  const FluidState& f = w.fluid;
  FluidRegion r{region.n, 0, 0, 0, 0, {}};
  Index deep = region[0];
  for (Index k = 0; k < region.n; ++k) {
    const Index i = region[k];
    r.asked += densityTerm[i];
    r.error += std::min(f.e[i], kMostError);
    r.surface += f.deficiency[i] > kSurface;
    if (boundary.nearIndex()[i] < 0) deep = i;
  }
  r.kind = f.kind[deep];
  r.deep = Vec3d(f.x[deep].xyz()) + w.scene.domain.min;
  return r;
}

// What to add to the density term of every particle of a region.
double ParticleSolver::Impl::volumeCorrection(World& w, const FluidRegion& region, double h) {
  SolidState& s = w.solid;
  const double scale = w.scene.solver.densityCorrection * system.densityShare() / (h * h);
  if (region.surface > kMostFolded * region.count) return 0;  // spray and open water: not worth looking for a skin around it
  const double asked = region.asked / region.count, error = region.error / region.count;
  const bool full = region.surface <= kMostSurface * region.count;
  const Index skin = inflatableAround(s, region.deep);
  if (skin < 0) return full ? -asked : 0;

  const Body& body = s.bodies[std::size_t(skin)];
  const bool shared = holdsSolids(s, body);
  const double volume = enclosedVolume(s, s.xPrev.data(), body.triBegin, body.triEnd);
  const double pressure = kHeldPressure * w.scene.fluids[std::size_t(region.kind)].density * (w.dx / h) * (w.dx / h);
  const double slack = std::min(pressure / bulkModulus(s, skin, volume), double(kMostError));
  const double compression = region.count * w.particleVolume / volume - 1;
  if (shared ? !full : compression < -kMostMissing) return 0;
  for (VolumeConstraint& c : s.volumes)
    if (c.body == skin) c.filled = true;
  if (shared) return scale * (std::clamp(error, -slack, slack) - error);
  misread += region.count * (error - compression);
  return scale * (std::clamp(error, compression - slack, compression + slack) - error);
}

void ParticleSolver::Impl::limitVolumeChange(World& w, double h) {
  const FluidState& f = w.fluid;
  misread = 0;
  for (VolumeConstraint& c : w.solid.volumes) c.filled = false;
  const auto& bodies = w.solid.bodies;
  const bool inflatables = std::any_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.kind == SolidKind::inflatable; });
  struct Surface {
    const float* deficiency;
    void operator()(Index i, double* acc) const { acc[0] += deficiency[i] > kSurface; }
  };
  double surface[1];
  parallelSum<1>(exec, "volume change", f.n, Surface{f.deficiency.data()}, surface);
  // a full chamber beside one with a surface is not looked for
  if (f.n == 0 || (surface[0] > kMostSurface * f.n && !inflatables)) return;
  regions.find(lists, f.n);
  for (Index r = 0; r < regions.count(); ++r) {
    const View<const Index> region = regions[r];
    const float more = float(volumeCorrection(w, sumsOf(w, region), h));
    if (more == 0) continue;
    for (Index k = 0; k < region.n; ++k) densityTerm[region[k]] += more;
  }
}

}  // namespace meniscus
