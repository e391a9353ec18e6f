// One particle on its way through a sub-step, against all surfaces: see boundary_mover.cpp.
#pragma once

#include "engine/particle/boundary_impl.h"
#include "kernels/contact/continuous.h"

namespace meniscus {

constexpr int kMaxContacts = 16;  // recorded per particle

struct Meeting {
  double s = 2;  // time of the first crossing, > 1: none
  std::int32_t surface = 0;
  Vec3f c{}, n{};  // the point met and the normal to the old side, at the end of the sub-step
  float b0 = 0, b1 = 0;
};

// A contact of the particle, and how far it has been moved by it.
struct HeldBy {
  Hit hit;
  Vec3f moved;
};

// One particle on its way.
class Mover {
 public:
  Mover(const Boundary::Impl& impl, const World& w, HitList& scratch, HeldBy* contacts)
      : im(impl), world(w), hits(scratch), held(contacts) {}

  // startDistance: from the start to the nearest triangle, at most the support, where known
  void run(const Vec3f& from, const Vec3f& to, bool startKnown, float startDistance);
  Vec3f position() const { return y; }
  bool corrected() const { return met; }
  bool leaks() const { return leak; }
  bool isSqueezed() const { return squeezed; }
  int contacts() const { return n; }
  const HeldBy& contact(int k) const { return held[k]; }

 private:
  bool trianglesMatter() const;
  bool beyondLists(const Vec3f& q) const;
  void chooseCandidates(const Vec3f& q);
  MovingTriangle motion(Index t, bool still) const;
  void meetTriangles(CandidateSpan span, bool still, const Vec3f& q, Meeting& first) const;
  void meetPrimitives(const Vec3f& q, Meeting& first) const;
  Meeting firstMeeting(const Vec3f& q) const;
  bool pushOff();
  bool outside(const Vec3f& q) const;
  bool acceptable(const Vec3f& q) const { return !outside(q) && firstMeeting(q).s > 1; }
  void carry(const Meeting& first);
  bool tryAlong(const Vec3f& c, const Vec3f& normal);
  void record(const Hit& h, const Vec3f& moved);
  void noteMove(std::int32_t surface, const Vec3f& moved);
  void renewContacts();

  const Boundary::Impl& im;
  const World& world;
  HitList& hits;
  HeldBy* held;  // kMaxContacts
  Vec3f p0{}, y{};
  bool known = false;
  float distance = 0;
  Index cell = 0;
  CandidateSpan moving{nullptr, 0}, still{nullptr, 0};
  bool triangles = false, met = false, leak = false, squeezed = false;
  int n = 0;
};

}  // namespace meniscus
