// Making one solid of a world from its definition: what building a world and adding to a running one share.
#pragma once

#include <memory>
#include <vector>

#include "engine/scene/mesh_file.h"
#include "engine/scene/region.h"
#include "engine/solid/motion.h"
#include "engine/solid/solid.h"
#include "engine/world/build_parts.h"

namespace meniscus {

bool isStill(const SolidDef& s);  // fixed or kinematic
// The first has an inside that the other one, of those that move by themselves, is held out of.
bool keepsOut(const SolidDef& a, const SolidDef& b);
double surfaceArea(const ShapeDef& s);  // m^2, of a primitive

// The shape of one solid in the world frame.
struct BuiltSolid {
  SolidDef def;  // scale in the sizes
  bool hasMesh = false;
  MeshFile mesh;
  TetMesh tets;
  bool closed = true;
};

// Fills s from s.def. Throws Error(input).
void shapeSolid(Builder& b, BuiltSolid& s);
// Appends it to the world's state, without colouring the constraints. Throws Error(input).
void addToState(Builder& b, BuiltSolid& s);
// What the solid fills at the start: kinematic ones stand where their first key frame puts them.
std::unique_ptr<Region> regionOf(const BuiltSolid& s);
// As fluids see it.
FillObstacle obstacleOf(const SolidDef& def, const Region& region);

// Points of a solid that moves by itself, just added to the state: its nodes that are not held, or the surface of a primitive.
std::vector<Vec3d> freePoints(const SolidState& state, const BuiltSolid& s);
// On the surface of a primitive.
std::vector<Vec3d> pointsOn(const ShapeDef& primitive, const Transform& place);

// The solid just added to the state, against the mass of the particles that will touch it.
void checkMass(Builder& b, const BuiltSolid& s);
// Deformable and rigid solids must be in the domain as a whole, still ones must reach into it.
void checkInside(Builder& b, const SolidDef& def, const Box3& box);
// A solid that starts within one that keeps it out would be thrown out of it. region: of that one.
// own: the solid's own region; null: by its points alone, which say nothing where the two are in one place (of soft ones
// checkSoftOverlaps says it).
void checkApart(Builder& b, const SolidDef& def, const std::vector<Vec3d>& points, const Region* own, const SolidDef& still,
                const Region& region);

// The mistake, with the solid's name once.
void noteMistake(Builder& b, const SolidDef& def, const std::string& text);

}  // namespace meniscus
