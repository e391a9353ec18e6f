// The solids as the fluid sees them: triangles and primitives, the closest features of every particle, continuous contact.
// Positions are relative to the domain's lower corner, single precision, as the particles' are.
#pragma once

#include <memory>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/particle/given_impulse.h"
#include "engine/world/world.h"
#include "kernels/contact/feature.h"
#include "kernels/search/cells.h"

namespace meniscus {

// The cells of the domain; particles are sorted by cell (x fastest), cell c holds [begin[c], begin[c+1]).
struct CellGrid : Cells {
  Buffer<Index> begin;  // cells() + 1
};

// What stands behind a feature's surface.
enum class SurfaceOwner : std::uint8_t { fixed, kinematic, rigid, nodes };
struct SurfaceInfo {
  SurfaceOwner owner;
  bool twoSided;
  std::int32_t rigid;  // index into SolidState::rigid, or -1 (domain walls, deformable)
  Index node[3];       // nodes of the triangle in SolidState, where the owner is `nodes`
  float friction;      // Coulomb coefficient
  bool noSlip;
  std::int32_t body = -1;  // index into SolidState::bodies, or -1 (primitives)
};

class Boundary {
 public:
  Boundary(const World& world, float support, float contactDistance);  // both in m
  ~Boundary();

  // Reads the solids at the start of the sub-step (SolidState::xPrev, RigidBody::xPrev/qPrev; velocities v, omega), and lists the
  // triangles within reach (support plus `margin`, the largest displacement expected) of every cell that holds particles.
  void update(Exec& exec, const World& world, const CellGrid& grid, float margin);

  // Features of all particles at x (sorted as the grid says). Near particles are those with at least one.
  void findFeatures(Exec& exec, const CellGrid& grid, View<const Vec4f> x);
  View<const Index> nearIndex() const;            // per particle: its row in the feature table, or -1
  View<const Index> nearParticle() const;         // the inverse: ascending particle numbers
  View<const std::uint8_t> featureCount() const;  // per near particle, 1..kMaxFeatures
  // Slots: the features of all near particles, one after the other; those of row k begin at slotBegin()[k].
  View<const Index> slotBegin() const;  // per near particle, and the number of all
  View<const Feature> features() const;
  SurfaceInfo surface(std::int32_t s) const;
  // velocity of the fixed or kinematic surface s at point c [m/s]; 0 for domain walls
  Vec3f surfaceVelocity(std::int32_t s, const Vec3f& c) const;

  // True where a two-sided sheet, or an obstacle thinner than the support, stands between particles a and b at the positions given
  // to findFeatures. Symmetric in a and b. Cheap where the two are farther from such surfaces than from each other;
  // for many pairs in a row, see SheetsNear.
  bool separated(Index a, Index b) const { return mayBeSeparated(a, b) && separatedBySheet(a, b); }
  // Per particle: distance to the nearest of those surfaces, infinite beyond the support; null where there are none [m].
  const float* sheetDistance() const { return sheetDistance_; }

  // After the move: particles went straight from xOld to x, solids from xPrev to SolidState::x (rigid: to x, q). Finds the
  // particles whose path meets a surface (continuous test, exact for linear motion), puts them on their old side at the contact
  // distance, pushes every particle nearer than that off its features, and removes approaching normal velocity inelastically with
  // the reaction on nodes and rigid bodies (their v, omega; mass-weighted), Coulomb friction or sticking included. Several passes
  // until no path crosses. Then repeats the crossing test on the final paths and marks in `leaked` whatever still crossed.
  // No leak is promised for any speed (tested to 128 spacings a sub-step), for turns of a surface up to 90 degrees a sub-step,
  // triangle edges of 0.5 to 8 spacings, folds that close to 1 degree, and surfaces that come as near to each other as 0.005
  // spacings with particles between them (0.02 contact distances: a squeezed particle is put down to 0.01 from either). Beyond that
  // there is no place for a particle, and it is marked. What moves the particles moves free bodies back. resting: per rigid body,
  // then per SolidState::bodies, 1 where it stands on an obstacle, which takes its reaction; may be empty. Returns the number of
  // particles corrected by the continuous test.
  Index resolveContacts(Exec& exec, World& world, const CellGrid& grid, View<const Vec4f> xOld, View<Vec4f> x, View<Vec4f> u,
                        View<std::uint8_t> leaked, View<const std::uint8_t> resting);
  Index leakedInLastStep() const;
  // Of its impulses, what each rigid body took that is held or moves as given.
  const std::vector<GivenImpulse>& contactsOnGiven() const;

  // Largest speed of any surface point [m/s], for the CFL rule: as the constructor, update or resolveContacts last saw it.
  double maxSurfaceSpeed(const World& world) const;
  std::size_t bytes() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  friend class SheetsNear;
  bool mayBeSeparated(Index a, Index b) const {
    if (!sheetDistance_) return false;
    // a crossing is at least da away from a and db from b; beyond the support the distance is infinite
    const float reach = sheetDistance_[a] + sheetDistance_[b];
    return reach * reach <= norm2((positions_[a] - positions_[b]).xyz());
  }
  bool separatedBySheet(Index a, Index b) const;

  std::unique_ptr<Impl> impl_;
  const float* sheetDistance_ = nullptr;  // per particle [m]; null without sheets
  const Vec4f* positions_ = nullptr;      // those given to findFeatures
};

// Winding number of a closed triangle surface around x, 1 inside and 0 outside: van Oosterom & Strackee 1983, solid angles summed.
double windingNumber(const SolidState& s, Index triBegin, Index triEnd, const Vec3d& x);

}  // namespace meniscus
