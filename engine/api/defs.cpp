#include "engine/api/defs.h"

#include <limits>

#include "engine/scene/scene.h"

namespace meniscus::api {
namespace {

constexpr mnsQuat kNoRotation = {0, 0, 0, 1};

// Fills what the caller's header knows of the definition.
template <class Def>
void give(Def* to, std::size_t size, Def full) {
  if (!to) return;
  full.structSize = std::uint32_t(std::min(size, sizeof full));
  full.cookie = kCookie;
  std::memset(static_cast<void*>(to), 0, size);
  std::memcpy(static_cast<void*>(to), &full, std::min(size, sizeof full));
}

mnsResistance none() { return {MNS_RESISTANCE_NONE, 0, 0}; }

}  // namespace
}  // namespace meniscus::api

using namespace meniscus;
using namespace meniscus::api;

extern "C" {

void mnsInitContextDef(mnsContextDef* def, size_t size) {
  mnsContextDef d{};
  d.device = MNS_DEVICE_AUTO;
  d.logLevel = MNS_LOG_INFO;
  give(def, size, d);
}

// The numbers are those of the scene file's defaults.
void mnsInitSceneDef(mnsSceneDef* def, size_t size) {
  const SceneDef scene;
  const SolverDef& s = scene.solver;
  mnsSceneDef d{};
  d.gravity = {scene.gravity.x, scene.gravity.y, scene.gravity.z};
  d.maxStep = 0.01;
  d.settle = true;
  d.support = s.support;
  d.cfl = s.cfl;
  d.maxSubsteps = s.maxSubsteps;
  d.tolerance = s.tolerance;
  d.maxIterations = s.maxIterations;
  d.densityCorrection = s.densityCorrection;
  d.highPass = s.highPass;
  d.xsph = s.xsph;
  d.contactDistance = s.contactDistance;
  d.couplingTolerance = s.couplingTolerance;
  d.maxCouplingIterations = s.maxCouplingIterations;
  d.constraintIterations = s.constraintIterations;
  d.solidSubsteps = s.solidSubsteps;
  d.soundSpeed = s.soundSpeed;
  d.densityVariation = s.densityVariation;
  d.artificialViscosity = s.artificialViscosity;
  d.densityIterations = s.densityIterations;
  d.constraintRelaxation = s.constraintRelaxation;
  d.tensileCorrection = s.tensileCorrection;
  d.duration = scene.duration;
  give(def, size, d);
}

void mnsInitShape(mnsShape* shape, size_t size) {
  mnsShape d{};
  d.normal = {0, 0, 1};
  d.scale = 1;
  give(shape, size, d);
}

void mnsInitMaterial(mnsMaterial* material, size_t size) {
  const MaterialDef m;
  mnsMaterial d{};
  d.density = m.density;
  d.poissonRatio = m.poissonRatio;
  d.stretch = d.shear = d.bend = d.volume = none();
  give(material, size, d);
}

void mnsInitFluidDef(mnsFluidDef* def, size_t size) {
  mnsFluidDef d{};
  d.rotation = kNoRotation;
  d.density = FluidDef{}.density;
  give(def, size, d);
}

void mnsInitEmitterDef(mnsEmitterDef* def, size_t size) {
  mnsEmitterDef d{};
  d.rotation = kNoRotation;
  d.end = std::numeric_limits<double>::infinity();
  give(def, size, d);
}

void mnsInitDrainDef(mnsDrainDef* def, size_t size) {
  mnsDrainDef d{};
  d.rotation = kNoRotation;
  d.end = std::numeric_limits<double>::infinity();
  give(def, size, d);
}

void mnsInitBodyDef(mnsBodyDef* def, size_t size) {
  mnsBodyDef d{};
  d.rotation = kNoRotation;
  d.inflation = 1;
  give(def, size, d);
}

const char* mnsResult_ToString(mnsResult result) {
  switch (result) {
    case MNS_OK:
      return "MNS_OK";
    case MNS_PENDING:
      return "MNS_PENDING";
    case MNS_INTERRUPTED:
      return "MNS_INTERRUPTED";
    case MNS_ERROR_INTERNAL:
      return "MNS_ERROR_INTERNAL";
    case MNS_ERROR_INVALID_ARGUMENT:
      return "MNS_ERROR_INVALID_ARGUMENT";
    case MNS_ERROR_INVALID_HANDLE:
      return "MNS_ERROR_INVALID_HANDLE";
    case MNS_ERROR_INVALID_DEFINITION:
      return "MNS_ERROR_INVALID_DEFINITION";
    case MNS_ERROR_VERSION_MISMATCH:
      return "MNS_ERROR_VERSION_MISMATCH";
    case MNS_ERROR_OUT_OF_MEMORY:
      return "MNS_ERROR_OUT_OF_MEMORY";
    case MNS_ERROR_BUSY:
      return "MNS_ERROR_BUSY";
    case MNS_ERROR_NOT_STARTED:
      return "MNS_ERROR_NOT_STARTED";
    case MNS_ERROR_STARTED:
      return "MNS_ERROR_STARTED";
    case MNS_ERROR_DEVICE_NOT_AVAILABLE:
      return "MNS_ERROR_DEVICE_NOT_AVAILABLE";
    case MNS_ERROR_DEVICE_MISMATCH:
      return "MNS_ERROR_DEVICE_MISMATCH";
    case MNS_ERROR_BUFFER_TOO_SMALL:
      return "MNS_ERROR_BUFFER_TOO_SMALL";
    case MNS_ERROR_FILE:
      return "MNS_ERROR_FILE";
    case MNS_ERROR_SCENE:
      return "MNS_ERROR_SCENE";
    case MNS_ERROR_SIMULATION:
      return "MNS_ERROR_SIMULATION";
    case MNS_ERROR_CAPACITY:
      return "MNS_ERROR_CAPACITY";
    case MNS_ERROR_SNAPSHOT:
      return "MNS_ERROR_SNAPSHOT";
    case MNS_ERROR_NOT_FOUND:
      return "MNS_ERROR_NOT_FOUND";
    case MNS_ERROR_WRONG_KIND:
      return "MNS_ERROR_WRONG_KIND";
  }
  return "MNS_UNKNOWN";
}

void mnsInitGlBufferDef(mnsGlBufferDef* def, size_t size) {
  mnsGlBufferDef d{};
  d.particleField = MNS_PARTICLE_POSITION;
  d.bodyField = MNS_NODE_POSITION;
  d.share = true;
  give(def, size, d);
}

}  // extern "C"
