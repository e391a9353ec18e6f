// The tables of the scene format. Each is built once, on first use.
#pragma once

#include <initializer_list>

#include "engine/scene/table.h"

namespace meniscus {

const Table<SceneDef>& sceneTable();    // keys_scene.cpp
const Table<SolverDef>& solverTable();  // keys_solver.cpp
const Table<DomainDef>& domainTable();
const Table<FluidDef>& fluidTable();  // keys_fluid.cpp
const Table<ScheduleSpan>& scheduleTable();
const Table<EmitterDef>& emitterTable();
const Table<DrainDef>& drainTable();
const Table<GridDef>& gridTable();  // keys_grid.cpp
const Table<CouplingDef>& couplingTable();
const Table<InflowDef>& inflowTable();
void addSmoke(Table<FluidDef>& t);  // the keys of smoke
void addGuide(Table<SolidDef>& t);  // what leads a rigid solid beside a grid
inline const std::vector<std::string> kSides = {"-x", "+x", "-y", "+y", "-z", "+z"};
const Table<SolidDef>& solidTable();        // keys_solid.cpp
const Table<MaterialDef>& materialTable();  // keys_material.cpp
const Table<Resistance>& resistanceTable();
const Table<ShapeDef>& solidShapeTable();  // keys_shape.cpp
const Table<ShapeDef>& fluidShapeTable();
const Table<KeyFrame>& keyFrameTable();
const Table<ViewDef>& viewTable();  // keys_view.cpp

// A mistake where the key is in the object but means nothing for this kind of solid.
void onlyFor(Reader& r, const JsonNode& object, const char* key, SolidKind kind, std::initializer_list<SolidKind> kinds);
// Of a solid's object: its material against its kind.
void checkMaterial(Reader& r, const JsonNode& solid, SolidDef& s);

// Where the "box" of a shape gives "min" and "max", the box's centre in the frame of the shape; zero otherwise.
Vec3d boxCenter(const JsonNode* shape);

// The keys position, rotation and scale of an object that has a place.
template <class S>
void addPlace(Table<S>& t, Transform S::*m, bool scale) {
  t.add(
      "position", optional, vectorSchema("m", kAny, 3, "Where the local origin is put."),
      [=](Reader& r, const JsonNode& n, S& s) {
        double v[3];
        if (readVector(r, n, "position", "m", kAny, v, 3)) (s.*m).translate = {v[0], v[1], v[2]};
      },
      [=](const S& s) { return (s.*m).translate == Vec3d{} ? Json() : toJson((s.*m).translate); });
  t.add(
      "rotation", optional, rotationSchema("Turns the local frame about its origin."),
      [=](Reader& r, const JsonNode& n, S& s) { readRotation(r, n, "rotation", (s.*m).rotate); },
      [=](const S& s) {
        const Quatd& q = (s.*m).rotate;
        return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0 ? Json() : toJson(q);
      });
  if (!scale) return;
  Json schema = {{"oneOf", {numberSchema("", kPositive, "All axes."), vectorSchema("", kPositive, 3, "Each local axis.")}},
                 {"description", "Factor on local coordinates, one for all axes or one for each. [1]"}};
  t.add(
      "scale", optional, schema,
      [=](Reader& r, const JsonNode& n, S& s) {
        double v[3];
        if (n.kind == JsonNode::Kind::array) {
          if (readVector(r, n, "scale", "", kPositive, v, 3)) (s.*m).scale = {v[0], v[1], v[2]};
        } else if (readNumber(r, n, "scale", "", kPositive, v[0])) {
          (s.*m).scale = {v[0], v[0], v[0]};
        }
      },
      [=](const S& s) {
        return (s.*m).scale == Vec3d{1, 1, 1} ? Json() : toJson((s.*m).scale);
      });
}

}  // namespace meniscus
