// What a sub-step has come to: errors of density and divergence, forces and impulses on surfaces, the state of tetrahedra.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/particle/solver_impl.h"

namespace meniscus {
namespace {

// Of the fluid as a whole, where it has no surface. Impacts of full skins stay within a thousandth. Under a surface a packing may
// be that dense for some steps, from a jittered start or a crushed one, and rises.
constexpr double kMostCompressed = 0.01;

// Share of the tetrahedra: single ones at a corner are turned in a hard impact and turn back.
constexpr double kMostInverted = 0.05;

}  // namespace

// Walls that leave the fluid less room than its volume ask for what has no solution; the pressure finds some state all the same.
// surface: share of the particles that are at one.
void ParticleSolver::Impl::reportCompression(StepReport& r, double surface, Index particles) const {
  const double change = r.volumeChange + misread / std::max<double>(particles, 1);  // misread: the part that is none
  if (!(change < -kMostCompressed) || surface > kMostSurface || !r.converged) return;
  r.converged = false;
  r.reason =
      fmt::format("fluid: compressed by {:.2g} %, without a surface to rise at; walls or solids leave it less room than its volume",
                  -100 * change);
}

void ParticleSolver::Impl::measure(World& w, double h) {
  clock.begin("measure");
  FluidState& f = w.fluid;
  if (f.n) std::memcpy(f.p.data(), system.pressure().data(), std::size_t(f.n) * sizeof(float));
  struct Errors {
    const float *e, *deficiency;
    void operator()(Index i, double* acc) const {
      acc[3] -= double(e[i]) / (1 + double(e[i]));
      acc[4] += deficiency[i] > kSurface;
      if (deficiency[i] > 0.05f) return;
      acc[0] += std::fabs(double(e[i]));
      acc[1] += e[i];
      acc[2] += 1;
    }
  };
  double sum[5];
  parallelSum<5>(exec, "measure: density", f.n, Errors{f.e.data(), f.deficiency.data()}, sum);
  struct MaxError {
    const float* e;
    double operator()(Index i) const { return std::fabs(double(e[i])); }
  };
  const double n = std::max(sum[2], 1.0);
  w.report.densityErrorMean = std::max(w.report.densityErrorMean, sum[0] / n);
  w.report.densitySigned = sum[1] / n;
  w.report.volumeChange = sum[3] / std::max<double>(f.n, 1);
  w.report.densityErrorMax = std::max(w.report.densityErrorMax, parallelMax(exec, "measure: max", f.n, MaxError{f.e.data()}));
  Index leaked = 0;
  for (Index i = 0; i < f.n; ++i) leaked += f.leaked[i] != 0;
  w.report.leaked = leaked + Index(w.lostThroughWalls);
  reportCompression(w.report, sum[4] / std::max<double>(f.n, 1), f.n);
  measureForces(w, h);
  measureContacts(w, h);
  countInverted(w);

  system.divergence(exec, f.u.view(), linear.node, linear.linear, linear.angular, divergence);
  struct Divergence {
    const float *divergence, *deficiency;
    void operator()(Index i, double* acc) const {
      if (deficiency[i] > 0.05f) return;
      acc[0] += double(divergence[i]) * divergence[i];
      acc[1] += 1;
    }
  };
  double square[2];
  parallelSum<2>(exec, "measure: divergence", f.n, Divergence{divergence.data(), f.deficiency.data()}, square);
  w.report.divergenceError = std::max(w.report.divergenceError, h * std::sqrt(square[0] / std::max(square[1], 1.0)));
}

// Reactions of the pressure on surfaces: forces on rigid bodies, and impulses for the balance of momentum.
void ParticleSolver::Impl::measureForces(World& w, double h) {
  for (RigidBody& r : w.solid.rigid) r.fluidForce = {};
  const View<const Feature> features = boundary.features();
  for (Index k = 0; k < boundary.nearParticle().n; ++k)
    for (int f = 0; f < boundary.featureCount()[k]; ++f) {
      const Index slot = boundary.slotBegin()[k] + f;
      const SurfaceInfo info = boundary.surface(features[slot].surface);
      const Vec3d force = Vec3d(features[slot].n) * (w.particleVolume * double(system.slotForce()[slot]));
      w.impulseExchanged += norm(force) * h;
      if (info.rigid >= 0) {
        RigidBody& r = w.solid.rigid[std::size_t(info.rigid)];
        r.fluidForce += force;
        // the features are those of the beginning of the sub-step
        const Feature& at = features[slot];
        const Vec3d point = Vec3d(xOld[boundary.nearParticle()[k]].xyz() - at.n * at.d) + w.scene.domain.min;
        if (r.invMass == 0) onGiven[std::size_t(info.rigid)].add(force * h, point - r.xPrev);
      }
      const bool moves =
          info.owner == SurfaceOwner::nodes || (info.rigid >= 0 && w.solid.rigid[std::size_t(info.rigid)].invMass > 0);
      if (!moves) w.impulseOnFluidFromStatic -= force * h;
    }
}

void ParticleSolver::Impl::addToGiven(const std::vector<GivenImpulse>& more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    onGiven[i].linear += more[i].linear;
    onGiven[i].angular += more[i].angular;
  }
}

// Impulses of static obstacles on solids: of nodes by the multipliers of the last solve, of rigid bodies by what the projections
// added before it. What restitution adds is counted where it is added.
void ParticleSolver::Impl::measureContacts(World& w, double h) {
  const SolidState& s = w.solid;
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    if (rows.rows[k].constraint != kContactRow) continue;
    const RowEntry& e = rows.entries[std::size_t(rows.rows[k].begin)];
    if (s.w[e.node] > 0) addContactImpulse(w, e.grad * (system.multiplier(Index(k)) / h));
  }
  for (std::size_t i = 0; i < s.rigid.size(); ++i)
    if (s.rigid[i].invMass > 0) addContactImpulse(w, (pushed.linear[i] - predicted.linear[i]) * s.rigid[i].mass);
}

// Tetrahedra turned inside out: the load is more than the material bears, and what the surface encloses is no longer the body.
void ParticleSolver::Impl::countInverted(World& w) {
  const SolidState& s = w.solid;
  struct Inverted {
    const Index* tet;
    const Vec3d* x;
    void operator()(Index t, double* acc) const {
      const Index* n = tet + 4 * Offset(t);
      acc[0] += dot(x[n[1]] - x[n[0]], cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[0]])) < 0;
    }
  };
  double sum[1];
  const Index all = Index(s.tet.size() / 4);
  parallelSum<1>(exec, "measure: tetrahedra", all, Inverted{s.tet.data(), s.x.data()}, sum);
  if (!(sum[0] > kMostInverted * all) || !w.report.converged) return;
  w.report.converged = false;
  w.report.reason = fmt::format(
      "soft solids: {:.0f} of {} tetrahedra are inside out; a stiffer material or a smaller load is needed", sum[0], all);
}

}  // namespace meniscus
