// Contacts of rigid bodies, with obstacles and with each other, as conditions of the pressure solve (kernels/solid/rigid_hold.h).
//
// Which contacts carry, a solve cannot know: those that the projection after it found to carry hold their bodies in the next one,
// and those that then had to pull are let go. What they carry is what the solve needed to hold them, shared out among them without
// pulls; the projection starts from that, and may take of it. Friction goes by what projections bring, all of them together, not by
// what water presses. (With all that is carried as its limit, that of a light ball thrown at a wall swung from one projection to
// the next ever wider.)
//
// Only bodies that the pressure accelerates are held, and what touches them; of the others, too, one projection goes on where the
// last one ended. Bodies that hold each other are an island, which has its directions in common.
#pragma once

#include <cmath>
#include <vector>

#include "engine/particle/body_holds.h"
#include "engine/solid/solid_state.h"

namespace meniscus {

// Velocities or accelerations of all rigid bodies.
struct BodyRates {
  const std::vector<Vec3d>&linear, &angular;
};

class HeldBodies {
 public:
  // At the start of a coupling: nothing is held.
  void begin(SolidState& s);
  // Before a solve: what was found since the last one counts.
  void take(const SolidState& s, double h);
  bool any() const { return !now_.empty(); }
  const BodyHolds& holds() const { return holds_; }
  // Of the velocities, what the contacts leave.
  void hold(std::vector<Vec3d>& linear, std::vector<Vec3d>& angular) const;

  // After a solve. start, acceleration: of the bodies, without the holds; reached: with them. True: some contacts had to pull
  // faster than `slow` [m/s], or their friction is short of it; they let go, or slide, from the next solve on.
  bool release(const SolidState& s, double h, const BodyRates& start, const BodyRates& acceleration, const BodyRates& reached,
               double slow);

  // Before a projection and after it: contacts that carry are held from the next solve on. acceleration: of the bodies, by the
  // pressure. The last call adds the projection's change to the velocities that the next solve starts from, but for what contacts
  // gave in the directions that it holds.
  void seed(SolidState& s) const;
  void note(const SolidState& s, double h, const BodyRates& acceleration);
  void endProjection(SolidState& s, const BodyRates& projected, const BodyRates& solved, std::vector<Vec3d>& linear,
                     std::vector<Vec3d>& angular);

 private:
  struct Row {      // of a contact, along its normal or across it: its direction, and the acceleration by a unit impulse along it
    int ends;       // bodies
    Index body[2];  // places in the island
    RigidRate normal[2], along[2];
    double size, speed;  // normal . along; what the gap or the slip asks for [m/s]
  };
  struct Direction {
    std::size_t first;  // in rates_: `along`, then `normal`, of the island's bodies; normal . along = 1
    double speed;       // that the bodies have along it
  };
  struct Island {
    std::vector<Index> bodies;
    std::vector<Direction> directions;
  };
  struct Share {  // what a contact carries [kg m/s]
    RigidContact* contact;
    Row normal, across[2];
    double n, t[2];
  };
  // held_directions.cpp
  Row rowOf(const SolidState& s, const RigidContact& c, const Vec3d& direction, double h) const;
  void findIslands(const SolidState& s);
  void findDirections(const SolidState& s, Island& island, double h);
  void addDirections(Island& island);
  void pass(const Island& island);
  // held_shares.cpp
  void shareOut(double h, double slow);
  void shareNormals(const RigidBody& b, double slow);
  bool releaseIsland(const SolidState& s, const Island& island, double h, double slow);
  double alongNeeded(const Row& row) const;
  void giveNeeded(const Row& row, double impulse);

  void giveBoth(const SolidState& s, const RigidContact& c, const Vec3d& j);
  Index rootOf(Index body) const;
  bool unite(Index a, Index b);

  BodyHolds holds_;
  mutable std::vector<Index> parent_;  // of bodies that have held each other in this coupling: a tree each
  std::vector<Index> sizeOf_;          // of the tree, at its root
  std::vector<Island> islands_;
  std::size_t islandCount_ = 0;
  std::vector<Index> islandOf_, placeOf_;  // a body: its island, or -1, and which of its bodies it is
  std::vector<RigidRate> rates_;
  std::vector<std::uint8_t> reached_;  // a tree, at its root: does the pressure accelerate one of its bodies?
  std::vector<RigidContact> now_, next_, released_, slid_;
  std::vector<RigidRate> given_;  // a body: by the contacts as far as they are held from the next solve on [m/s]
  std::vector<Row> rows_;         // of an island
  std::vector<RigidRate> left_;   // what others do not hold of them: `along`, then `normal`, of the island's bodies; row by row
  std::vector<double> leftSpeed_;
  std::vector<Share> shares_;      // of an island
  std::vector<RigidRate> needed_;  // of its bodies: the change of velocity that holding them took, or what is left of it
  std::vector<RigidRate> swept_;
  std::vector<NormalRow> normalRows_;
};

// ---- of the three files ----

namespace held {

inline double along(const RigidRate& a, const RigidRate& b) { return dot(a.linear, b.linear) + dot(a.angular, b.angular); }
inline void addScaled(RigidRate& a, const RigidRate& b, double s) {
  a.linear += b.linear * s;
  a.angular += b.angular * s;
}
inline Vec3d across(const Vec3d& n, int k) {
  const Vec3d axis = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}, t = normalized(cross(n, axis));
  return k == 0 ? t : cross(n, t);
}

}  // namespace held

}  // namespace meniscus
