// Contacts of rigid bodies with obstacles as conditions of the pressure solve (kernels/solid/rigid_hold.h).
//
// Which contacts carry, a solve cannot know: those that the projection after it found to carry hold their bodies in the next one,
// and those that then had to pull are let go. What they carry is what the solve needed to hold them, shared out among them without
// pulls; the projection starts from that, and may take of it. Friction goes by what projections bring, all of them together, not by
// what water presses. (With all that is carried as its limit, that of a light ball thrown at a wall swung from one projection to
// the next ever wider.)
//
// Only bodies that the pressure accelerates are held; of the others, too, one projection goes on where the last one ended.
#pragma once

#include <vector>

#include "engine/solid/solid_state.h"
#include "kernels/solid/rigid_hold.h"

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
  const std::vector<RigidHold>& holds() const { return holds_; }
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
  struct Direction {
    RigidRate along, normal;  // normal . along = 1
    double speed;             // that the body has along it
  };
  struct Row {  // of a contact, along its normal or across it: its direction, and the acceleration by a unit impulse along it
    RigidRate normal, along;
    double size, speed;  // normal . along; what the gap or the slip asks for [m/s]
  };
  struct Share {  // what a contact carries [kg m/s]
    RigidContact* contact;
    Row normal, across[2];
    double n, t[2];
  };
  Row rowOf(const SolidState& s, const RigidContact& c, const Vec3d& direction, double h) const;
  void findDirections(const SolidState& s, Index body, double h);
  void addDirections(Index body);
  void shareOut(RigidRate& needed, double h, double slow);
  void shareNormals(const RigidBody& b, RigidRate& needed, double slow);
  bool releaseBody(const SolidState& s, Index body, RigidRate needed, double h, double slow);

  std::vector<RigidHold> holds_;                   // a body
  std::vector<std::vector<Direction>> direction_;  // a body
  std::vector<RigidContact> now_, next_, released_, slid_;
  std::vector<RigidRate> given_;  // a body: by the contacts as far as they are held from the next solve on [m/s]
  std::vector<Row> rows_, left_;  // of a body; what others do not hold of them
  std::vector<Share> shares_;     // of a body
  std::vector<NormalRow> normalRows_;
};

}  // namespace meniscus
