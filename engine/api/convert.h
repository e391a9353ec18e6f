// Definitions of the C interface as parts of a SceneDef, checked by the tables of the scene format: one set of rules for both.
#pragma once

#include "engine/api/call.h"
#include "engine/scene/scene.h"

namespace meniscus::api {

// All throw Failure(INVALID_DEFINITION, INVALID_ARGUMENT) naming what is wrong. name: the object's, unique in the scene.
SceneDef toScene(const mnsSceneDef& def);
mnsSceneDef fromScene(const SceneDef& scene);  // name points into it
mnsShape fromShape(const ShapeDef& shape);     // file points into it
SolidDef toSolid(const mnsBodyDef& def, const std::string& name);
FluidDef toFluid(const mnsFluidDef& def, const std::string& name, const std::string& inside, double spacing);
EmitterDef toEmitter(const mnsEmitterDef& def, const std::string& name, const std::string& fluid);
DrainDef toDrain(const mnsDrainDef& def, const std::string& name);
void addFluidShape(FluidDef& fluid, const mnsShape& shape, const mnsVec3& position, const mnsQuat& rotation);

Vec3d toVec(const mnsVec3& v, const char* what);
Vec3d toPlace(const mnsVec3& v, const char* what);  // no further away than 1e9 m
Quatd toQuat(const mnsQuat& q, const char* what);
inline mnsVec3 fromVec(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline mnsQuat fromQuat(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace meniscus::api
