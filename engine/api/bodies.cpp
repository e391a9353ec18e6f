// Bodies: made, found, described, destroyed.
#include <algorithm>
#include <new>

#include "engine/api/convert.h"
#include "engine/api/create.h"
#include "engine/api/defs.h"
#include "engine/api/files.h"
#include "engine/api/grid_scene.h"
#include "engine/api/parameter_list.h"
#include "engine/base/file.h"
#include "engine/world/change_solids.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

constexpr std::size_t kMostSolids = 65535;  // the state numbers them with 16 bits

void needFile(const ShapeDef& shape) {
  if (shape.kind == ShapeKind::mesh && !shape.mesh) asFile([&] { readWholeFile(shape.file); }, [] {});
}

// The solver was made for the bodies there were.
void bodiesChanged(mnsScene& s) noexcept {
  s.running->dropSolver();
  s.published.forget();
}

void addToRunning(mnsScene& s, const SolidDef& solid) {
  std::vector<std::string> notes;
  appendSolid(s.running->world, solid, &notes);
  bodiesChanged(s);
  try {
    for (const std::string& note : notes) {
      s.notes += (s.notes.empty() ? "" : "\n") + note;
      MNS_LOG(*s.context, MNS_LOG_INFO, "scene", note);
    }
  } catch (const std::bad_alloc&) {}  // the body is there; only what was adjusted about it is not said
}

void forgetForces(mnsScene& s, std::int32_t order) noexcept {
  s.forces.erase(std::remove_if(s.forces.begin(), s.forces.end(), [&](const PendingForce& f) { return f.body == order; }),
                 s.forces.end());
  for (PendingForce& f : s.forces)
    if (f.body > order) --f.body;
}

// The fluid that filled it stays; what says that it is to be filled at a start goes with it.
void removeFromRunning(mnsScene& s, std::int32_t order) {
  World& w = s.running->world;
  const std::string name = w.scene.solids[std::size_t(order)].name;
  removeSolid(w, std::size_t(order));
  for (FluidDef& f : w.scene.fluids)
    for (std::size_t k = f.shapes.size(); k-- > 0;)
      if (f.shapes[k].inside == name) {
        f.shapes.erase(f.shapes.begin() + std::ptrdiff_t(k));
        f.transforms.erase(f.transforms.begin() + std::ptrdiff_t(k));
      }
  forgetForces(s, order);
  bodiesChanged(s);
}

void removeBeforeStart(mnsScene& s, std::int32_t order) {
  const std::string& name = s.def.solids[std::size_t(order)].name;
  for (const FluidDef& f : s.def.fluids)
    for (const ShapeDef& shape : f.shapes)
      if (shape.inside == name)
        fail(MNS_ERROR_SCENE, "the fluid \"{}\" is to fill the body \"{}\"; destroy that fluid first", f.name, name);
  s.def.solids.erase(s.def.solids.begin() + order);
}

}  // namespace

extern "C" {

mnsResult mnsCreateBody(mnsScene* scene, const mnsBodyDef* given, mnsBodyId* out) {
  return write(scene, [&](mnsScene& s) {
    needPointer(out, "body");
    needParticles(s);
    const mnsBodyDef def = checked(given, "mnsBodyDef");
    SceneDef& now = s.current();
    if (now.solids.size() >= kMostSolids) fail(MNS_ERROR_CAPACITY, "a scene has {} bodies at the most", kMostSolids);
    SolidDef solid = toSolid(def, nameFor(def.name, "body", s.namesMade, now.solids));
    needFile(solid.shape);
    s.bodies.reserveOne();
    const std::int32_t order = std::int32_t(now.solids.size());
    if (s.running) {
      addToRunning(s, solid);
    } else {
      checkSolid(now, solid, s.spacing);
      now.solids.push_back(std::move(solid));
    }
    s.bodies.add(order, def.userData);
    noteName(s, def.name);
    *out = s.bodies.idOfOrder<mnsBodyId>(order, s.serial);
    return MNS_OK;
  });
}

mnsResult mnsDestroyBody(mnsScene* scene, mnsBodyId body) {
  return write(scene, [&](mnsScene& s) {
    const std::int32_t order = s.bodies.at(body, s.serial, "body").order;
    needParticles(s);
    const std::string parameters = "solids." + s.current().solids[std::size_t(order)].name + ".";
    if (s.running)
      removeFromRunning(s, order);
    else
      removeBeforeStart(s, order);
    s.bodies.remove(body.index);
    forgetParameters(s, parameters);
    return MNS_OK;
  });
}

bool mnsBody_IsValid(mnsScene* scene, mnsBodyId body) {
  return read(scene, [&](mnsScene& s) {
           s.bodies.at(body, s.serial, "body");
           return MNS_OK;
         }) == MNS_OK;
}

mnsResult mnsBody_GetKind(mnsScene* scene, mnsBodyId body, mnsBodyKind* kind) {
  return read(scene, [&](mnsScene& s) {
    needPointer(kind, "kind");
    *kind = mnsBodyKind(int(s.current().solids[std::size_t(s.bodies.at(body, s.serial, "body").order)].kind));
    return MNS_OK;
  });
}

mnsResult mnsBody_GetName(mnsScene* scene, mnsBodyId body, const char** name) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    *name = s.current().solids[std::size_t(s.bodies.at(body, s.serial, "body").order)].name.c_str();
    return MNS_OK;
  });
}

mnsResult mnsBody_GetShape(mnsScene* scene, mnsBodyId body, mnsShape* shape) {
  return read(scene, [&](mnsScene& s) {
    const SolidDef& def = s.current().solids[std::size_t(s.bodies.at(body, s.serial, "body").order)];
    mnsShape full = fromShape(def.shape);
    full.scale = def.transform.scale.x;
    giveOut(shape, full, "mnsShape");
    return MNS_OK;
  });
}

mnsResult mnsBody_GetUserData(mnsScene* scene, mnsBodyId body, void** userData) {
  return read(scene, [&](mnsScene& s) {
    needPointer(userData, "userData");
    *userData = s.bodies.at(body, s.serial, "body").userData;
    return MNS_OK;
  });
}

mnsResult mnsScene_FindBody(mnsScene* scene, const char* name, mnsBodyId* body) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(body, "body");
    *body = findByName<mnsBodyId>(s.bodies, s.current().solids, name, s.serial, "body");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetBodies(mnsScene* scene, mnsBodyId* bodies, int32_t capacity, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    *count = std::int32_t(s.current().solids.size());
    for (std::int32_t k = 0; bodies && k < *count && k < capacity; ++k) bodies[k] = s.bodies.idOfOrder<mnsBodyId>(k, s.serial);
    return MNS_OK;
  });
}

}  // extern "C"
