// Parts of a SceneDef as definitions of the C interface.
#include "engine/api/convert.h"
#include "engine/api/defs.h"

namespace meniscus::api {

mnsShape fromShape(const ShapeDef& s) {
  mnsShape d = mnsDefaultShape();
  switch (s.kind) {
    case ShapeKind::box:
      d.kind = MNS_SHAPE_BOX;
      break;
    case ShapeKind::plane:
      d.kind = MNS_SHAPE_PLANE;
      break;
    case ShapeKind::sphere:
      d.kind = MNS_SHAPE_SPHERE;
      break;
    case ShapeKind::cylinder:
      d.kind = MNS_SHAPE_CYLINDER;
      break;
    case ShapeKind::capsule:
      d.kind = MNS_SHAPE_CAPSULE;
      break;
    case ShapeKind::mesh:
      d.kind = MNS_SHAPE_MESH;
      break;
    case ShapeKind::sheet:
      d.kind = MNS_SHAPE_SHEET;
      break;
  }
  d.size = fromVec(s.size);
  d.radius = s.radius;
  d.height = s.height;
  d.normal = fromVec(s.normal);
  d.resolution = s.resolution;
  d.container = s.container;
  d.open = s.openMesh;
  if (s.kind == ShapeKind::mesh) d.file = s.file.c_str();
  return d;
}

mnsSceneDef fromScene(const SceneDef& s) {
  mnsSceneDef d = mnsDefaultSceneDef();
  d.name = s.name.c_str();
  d.domain = {fromVec(s.domain.min), fromVec(s.domain.max)};
  for (unsigned k = 0; k < 6; ++k)
    if (!s.domain.walls[k]) d.openSides |= 1u << k;
  d.domainFriction = s.domain.friction;
  d.domainNoSlip = s.domain.noSlip;
  d.gravity = fromVec(s.gravity);
  d.maxParticles = s.maxParticles;
  d.duration = s.duration;
  const SolverDef& v = s.solver;
  d.maxStep = v.dt;
  d.cfl = v.cfl;
  d.maxSubsteps = v.maxSubsteps;
  d.support = v.support;
  d.pressure = mnsPressureMode(int(v.pressure));
  d.krylov = mnsKrylov(int(v.krylov));
  d.tolerance = v.tolerance;
  d.maxIterations = v.maxIterations;
  d.densityCorrection = v.densityCorrection;
  d.highPass = v.highPass;
  d.xsph = v.xsph;
  d.contactDistance = v.contactDistance;
  d.couplingTolerance = v.couplingTolerance;
  d.maxCouplingIterations = v.maxCouplingIterations;
  d.constraintIterations = v.constraintIterations;
  d.solidSubsteps = v.solidSubsteps;
  d.soundSpeed = v.soundSpeed;
  d.densityVariation = v.densityVariation;
  d.artificialViscosity = v.artificialViscosity;
  d.densityIterations = v.densityIterations;
  d.constraintRelaxation = v.constraintRelaxation;
  d.tensileCorrection = v.tensileCorrection;
  return d;
}

}  // namespace meniscus::api
