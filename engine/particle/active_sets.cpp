// Conditions of the coupled solve that hold one way only: contacts push, edges pull, films do not pull. A solve is linear, so which
// of them act is guessed before it and corrected after it.
#include <algorithm>

#include "engine/particle/solver_impl.h"
#include "engine/solid/body_contact.h"
#include "kernels/fluid/films.h"

namespace meniscus {
namespace {

// Share of the edges' forces, as a root of sums of squares, that edges may push with in the last solve.
constexpr double kMostPush = 0.3;

constexpr double kPenetrates = 0.01;  // share of the contact distance

// Contacts of bodies with each other are many, and those at the edge of a patch come and go in every solve. What is left to the
// next sub-step: to pull with this share of what they all carry, as a root of sums of squares, and to be nearer than they may by
// this share of the contact distance.
constexpr double kMostPull = 0.1, kMostNearer = 0.1;

}  // namespace

// The active set of contacts. One that pulled in the last solve has no row in the next; a node that the last solve took into an
// obstacle has one. True: there are such.
bool ParticleSolver::Impl::contactsChanged(World& w) {
  bool changed = false;
  const auto set = [&](std::size_t node, ActiveRow state) {
    contactRow[node] = state;
    changed = true;
  };
  hasContact.assign(contactRow.size(), 0);
  w.solid.contactLambda.assign(contactRow.size(), 0.0);
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    if (rows.rows[k].constraint != kContactRow) continue;
    const std::size_t node = std::size_t(rows.entries[std::size_t(rows.rows[k].begin)].node);
    hasContact[node] = 1;
    w.solid.contactLambda[node] = std::max(0.0, system.multiplier(Index(k)));
    if (system.multiplier(Index(k)) < 0) set(node, ActiveRow::never);
  }
  const double margin = w.scene.solver.contactDistance * w.dx;
  for (const Body& b : w.solid.bodies)
    for (std::size_t i = std::size_t(b.nodeBegin); i < std::size_t(b.nodeEnd) && b.rigid < 0; ++i) {
      double d, mu;
      Vec3d n, v;
      const double least = clearanceOf(w.solid, i, margin) - margin * kPenetrates;
      if (hasContact[i] || !obstacles->nearest(w.solid.x[i], margin, d, n, v, mu) || d >= least) continue;
      set(i, ActiveRow::always);
    }
  return changed;
}

// The active set of the contacts of bodies with each other, likewise.
bool ParticleSolver::Impl::bodyContactsChanged(World& w) {
  std::vector<BodyContact>& contacts = w.solid.work.bodyContacts;
  const double least = kMostNearer * w.scene.solver.contactDistance * w.dx;
  double pull2 = 0, all2 = 0;  // multipliers
  std::vector<BodyContact>::iterator next = contacts.begin();
  bool nearer = false;
  const auto enter = [&](std::vector<BodyContact>::iterator end) {  // those without a row, up to the next that has one
    for (; next != end; ++next) {
      const double value = bodyContactValue(w.solid, *next);
      next->lambda = 0;
      next->acts = value < 0;
      nearer |= value < -least;
    }
  };
  for (std::size_t k = 0; k < rows.bodyContact.size(); ++k) {
    enter(contacts.begin() + rows.bodyContact[k]);
    const double lambda = system.multiplier(rows.firstBodyContact + Index(k));
    all2 += lambda * lambda;
    if (lambda < 0) pull2 += lambda * lambda;
    next->lambda = std::max(0.0, lambda);
    next->acts = !(lambda < 0);
    ++next;
  }
  enter(contacts.end());
  return nearer || pull2 > kMostPull * kMostPull * all2;
}

// Contacts of rigid bodies that had to pull in the last solve hold them no longer in the next. True: there are such.
bool ParticleSolver::Impl::releaseHeld(const World& w, double h) {
  if (!held.any()) return false;
  return held.release(w.solid, h, {start.linear, start.angular},
                      {system.rigidLinearAcceleration(), system.rigidAngularAcceleration()}, {linear.linear, linear.angular},
                      w.scene.solver.couplingTolerance * slowSpeed(w));
}

// Edges pull, they do not push: by what the solve says of them, not the projection after it, which ends with others at random where
// many are slack. True: those that pushed carry too much of what the edges carry to be left to the next sub-step. (With every edge
// that goes slack or taut counted, a jet on cloth takes a third more iterations and sub-steps end at the limit.)
bool ParticleSolver::Impl::sortEdges(const World& w) {
  const SolidState& s = w.solid;
  double push2 = 0, all2 = 0;  // multipliers
  if (const FluidElsewhere* far = system.fluidElsewhere()) {
    far->edgeForces(push2, all2);
    return push2 > kMostPush * kMostPush * all2;
  }
  for (std::size_t k = 0; k < rows.edges.size(); ++k) {
    const SolidEdge& e = rows.edges[k];
    const Constraint& c = s.constraints.items[e.constraint];
    const bool pulls = e.hasRow() ? !(system.edgeMultiplier(Index(k)) > 0) : norm(s.x[c.node[0]] - s.x[c.node[1]]) > s.rest[c.rest];
    edgeRow[e.constraint] = pulls ? ActiveRow::always : ActiveRow::never;
    if (!e.hasRow()) continue;
    const double lambda = system.edgeMultiplier(Index(k));
    all2 += lambda * lambda;
    if (!pulls) push2 += lambda * lambda;
  }
  return push2 > kMostPush * kMostPush * all2;
}

// What was separate in the last step is so at first. Where pressures are not solved for, they know no suction: nothing to hold.
void ParticleSolver::Impl::guessFilms(const World& w) {
  films.clear();
  if (!system.knowsSuction() || system.fluidElsewhere()) return;
  const View<const Index> near = boundary.nearParticle();
  for (Index k = 0; k < near.n && w.scene.solver.clampSeparation; ++k)
    if (w.fluid.deficiency[near[k]] > kFilm && w.fluid.p[near[k]] == 0) films.push_back(near[k]);
}

// A film that leaves a surface is not held back by suction. In the solves that follow, its pressure is zero from the start: taken
// away afterwards, it would leave velocities that no equation asked for. True: those that were held want to push again.
bool ParticleSolver::Impl::separateFilms(const World& w) {
  if (const FluidElsewhere* far = system.fluidElsewhere()) return far->filmsChanged();
  Buffer<float>& p = system.pressure();
  double sum = 0, above = 0;
  for (const Index i : films) {
    const double compression = std::max(0.0, system.heldCompression(i));
    sum += compression;
    above += compression > kMostOfOneFilm;
  }
  // (With every film counted by the bound of the mean, two of three sub-steps of a jet on cloth were solved once more for a
  // hundredth of its films.)
  const bool changed = filmsPush(sum, double(films.size()), above);
  films.clear();
  const View<const Index> near = boundary.nearParticle();
  for (Index k = 0; k < near.n; ++k) {
    const Index i = near[k];
    if (!(w.fluid.deficiency[i] > kFilm) || p[i] >= 0) continue;
    films.push_back(i);
    p[i] = 0;
  }
  return changed;
}

}  // namespace meniscus
