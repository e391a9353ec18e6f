// The body that a call names, in a started scene.
#pragma once

#include "engine/api/objects.h"
#include "engine/api/publish.h"

namespace meniscus::api {

struct BodyAt {
  std::int32_t order;  // in SceneDef::solids
  World& world;
  SolidDef& def;
  SolidState& state;
  SolidPlace place;

  bool deformable() const { return place.body && place.rigid < 0; }
  // Of a deformable one.
  Index nodes() const { return place.body->nodeEnd - place.body->nodeBegin; }
  RigidBody& rigid() const { return state.rigid[std::size_t(place.rigid)]; }
};

// Throws Failure(INVALID_HANDLE, NOT_STARTED).
BodyAt bodyAt(mnsScene& s, const mnsBodyId& id);

// Throw Failure(WRONG_KIND).
void needDeformable(const BodyAt& b);
void needKinematic(const BodyAt& b);
void needRigid(const BodyAt& b);
void needFree(const BodyAt& b);  // rigid or deformable

// Throws Failure(INVALID_ARGUMENT) where a prescribed motion is faster than the sub-steps of a step resolve. what: whose.
void needResolved(const World& w, double speed, const char* what);

}  // namespace meniscus::api
