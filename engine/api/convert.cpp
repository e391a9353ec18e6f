#include "engine/api/convert.h"

#include <cmath>

#include "engine/api/convert_parts.h"
#include "engine/api/defs.h"
#include "engine/base/file.h"
#include "engine/base/heap.h"
#include "engine/scene/keys.h"
#include "engine/scene/mesh_file.h"

namespace meniscus::api {
namespace {

// The definition written as in a scene file and read again: what the format refuses, this refuses, with the same sentence in the
// words of this interface.
template <class S>
void checkAsText(const Table<S>& table, const S& s, const char* what, const std::string& name) {
  const std::string text = table.write(s).dump();
  Diagnostics out;
  Reader reader{name, "", out};
  reader.meshesInHand = true;
  JsonNode root;
  S back;
  if (parseJson(name, text, root, out)) table.read(reader, root, back);
  if (out.empty()) return;
  std::set<std::string> keys;
  addKeys(keys, table.schema());
  std::string all;
  for (const Diagnostic& d : out) all += (all.empty() ? "" : "\n") + inFieldNames(d.text, keys);
  fail(MNS_ERROR_INVALID_ARGUMENT, "{} \"{}\": {}", what, name, all);
}

std::string textOf(const char* s) { return s ? s : ""; }

void addWindow(std::vector<ScheduleSpan>& schedule, double begin, double end) {
  if (!(begin >= 0) || !(end > begin))
    fail(MNS_ERROR_INVALID_ARGUMENT, "begin is {} s and end {} s; 0 <= begin < end is needed", begin, end);
  if (begin > 0 || std::isfinite(end)) schedule.push_back({begin, end});
}

template <class T>
void copyIndices(std::vector<Index>& to, const T* from, std::int32_t count, std::int32_t each, std::int32_t vertices,
                 const char* what) {
  if (count < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "the number of {} is {}", what, count);
  if (!from && count > 0) fail(MNS_ERROR_INVALID_ARGUMENT, "there are {} {}, but their pointer is null", count, what);
  if (!from) return;
  to.resize(std::size_t(count) * std::size_t(each));
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (from[k] < 0 || from[k] >= vertices)
      fail(MNS_ERROR_INVALID_ARGUMENT, "number {} of the {} names vertex {}, but there are {}", k / std::size_t(each), what,
           from[k], vertices);
    to[k] = from[k];
  }
}

std::shared_ptr<const MeshFile> toMesh(const mnsShape& s, const std::string& name) {
  if (s.vertexCount <= 0) fail(MNS_ERROR_INVALID_ARGUMENT, "vertexCount is {}; it must be > 0", s.vertexCount);
  auto mesh = std::make_shared<MeshFile>();
  mesh->path = name;
  mesh->x.resize(std::size_t(s.vertexCount));
  for (std::size_t i = 0; i < mesh->x.size(); ++i) {
    const float* v = s.vertices + 3 * i;
    if (!std::isfinite(v[0]) || !std::isfinite(v[1]) || !std::isfinite(v[2]))
      fail(MNS_ERROR_INVALID_ARGUMENT, "vertex {} is ({}, {}, {}), which is not finite", i, v[0], v[1], v[2]);
    mesh->x[i] = {double(v[0]), double(v[1]), double(v[2])};
  }
  copyIndices(mesh->tri, s.triangles, s.triangleCount, 3, s.vertexCount, "triangles");
  copyIndices(mesh->tet, s.tetrahedra, s.tetrahedronCount, 4, s.vertexCount, "tetrahedra");
  if (mesh->tri.empty() && mesh->tet.empty()) fail(MNS_ERROR_INVALID_ARGUMENT, "the mesh has neither triangles nor tetrahedra");
  for (Index t = 0; t < Index(mesh->tri.size() / 3); ++t) mesh->face.push_back(t);
  return mesh;
}

ShapeDef toShape(const mnsShape& s, Transform& place, const std::string& name) {
  ShapeDef d;
  if (s.kind < MNS_SHAPE_BOX || s.kind > MNS_SHAPE_SHEET)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the kind of the shape is {}, which is none of MNS_SHAPE_...", int(s.kind));
  constexpr ShapeKind kinds[] = {ShapeKind::box,     ShapeKind::plane, ShapeKind::sphere, ShapeKind::cylinder,
                                 ShapeKind::capsule, ShapeKind::mesh,  ShapeKind::sheet};
  d.kind = kinds[s.kind];
  needOwnFields(s);
  d.size = toVec(s.size, "size of the shape");
  needNotNegative(s.radius, "radius");
  needNotNegative(s.height, "height");
  needNotNegative(s.resolution, "resolution");
  needPositive(s.scale, "scale");
  d.radius = s.radius;
  d.height = s.height;
  d.normal = toVec(s.normal, "normal");
  d.resolution = s.resolution;
  d.container = s.container;
  d.openMesh = s.open;
  if (s.scale != 1) place.scale = {s.scale, s.scale, s.scale};
  if (d.kind != ShapeKind::mesh) return d;
  if (!s.file && !s.vertices) fail(MNS_ERROR_INVALID_ARGUMENT, "the shape is a mesh, but has neither file nor vertices");
  if (s.file) {
    if (!*s.file) fail(MNS_ERROR_FILE, "file of the shape is empty; give the path of a mesh, or arrays");
    needUtf8(s.file, "the file of the shape");
    d.file = absolutePath(s.file).lexically_normal().string();  // it is read again, wherever the process is by then
  } else {
    d.mesh = toMesh(s, name);
    d.file = name;
  }
  return d;
}

// A field of the other kind of opening.
void needUnset(double value, const char* field, const char* kind, const char* other) {
  if (value != 0)
    fail(MNS_ERROR_INVALID_ARGUMENT, "{} is {}, but the kind is {}, which takes none; set the kind to {}, or leave {} 0", field,
         value, kind, other, field);
}

template <class Def, class Opening>
void toOpening(const Def& def, Opening& d) {
  if (def.kind != MNS_OPENING_DISC && def.kind != MNS_OPENING_RECTANGLE)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the kind of the opening is {}, which is none of MNS_OPENING_...", int(def.kind));
  d.kind = def.kind == MNS_OPENING_DISC ? OpeningKind::disc : OpeningKind::rectangle;
  d.transform.translate = toVec(def.position, "position");
  d.transform.rotate = toQuat(def.rotation, "rotation");
  if (d.kind == OpeningKind::disc) {
    needUnset(def.sizeX, "sizeX", "MNS_OPENING_DISC", "MNS_OPENING_RECTANGLE");
    needUnset(def.sizeY, "sizeY", "MNS_OPENING_DISC", "MNS_OPENING_RECTANGLE");
    needPositive(def.radius, "radius");
    d.radius = def.radius;
  } else {
    needUnset(def.radius, "radius", "MNS_OPENING_RECTANGLE", "MNS_OPENING_DISC");
    needPositive(def.sizeX, "sizeX");
    needPositive(def.sizeY, "sizeY");
    d.size = {def.sizeX, def.sizeY, 0};
  }
  addWindow(d.schedule, def.begin, def.end);
}

}  // namespace

Vec3d toVec(const mnsVec3& v, const char* what) {
  needFinite(v, what);
  return {v.x, v.y, v.z};
}

Vec3d toPlace(const mnsVec3& v, const char* what) {
  constexpr double kFurthest = 1e9;  // m; beyond, a millimetre is less than the last digit of sums in double precision
  const Vec3d x = toVec(v, what);
  if (norm(x) > kFurthest) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is {:g} m away; the most is {:g} m", what, norm(x), kFurthest);
  return x;
}

Quatd toQuat(const mnsQuat& q, const char* what) {
  const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!std::isfinite(l) || l < 1e-12)
    fail(MNS_ERROR_INVALID_ARGUMENT, "{} is ({}, {}, {}, {}), which is no rotation", what, q.x, q.y, q.z, q.w);
  Quatd r;
  r.x = q.x / l;
  r.y = q.y / l;
  r.z = q.z / l;
  r.w = q.w / l;
  return r;
}

SceneDef toScene(const mnsSceneDef& def) {
  const HeapFallback tables;
  SceneDef s;
  needUtf8(def.name, "the name of the scene");
  s.name = textOf(def.name);
  s.file = s.name.empty() ? "scene" : s.name;
  s.gravity = toVec(def.gravity, "gravity");
  s.domain.min = toVec(def.domain.min, "domain.min");
  s.domain.max = toVec(def.domain.max, "domain.max");
  if (def.openSides > 63u) fail(MNS_ERROR_INVALID_ARGUMENT, "openSides is {:#x}; it has a bit for each of 6 sides", def.openSides);
  for (int k = 0; k < 6; ++k) s.domain.walls[k] = !(def.openSides >> k & 1u);
  needNotNegative(def.domainFriction, "domainFriction");
  s.domain.friction = def.domainFriction;
  s.domain.noSlip = def.domainNoSlip;
  needFinite(def.spacing, "spacing");
  if (def.maxParticles < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "maxParticles is {}; it must not be negative", def.maxParticles);
  s.maxParticles = def.maxParticles;
  needPositive(def.duration, "duration");
  s.duration = def.duration;
  if (def.pressure < MNS_PRESSURE_COMPATIBLE || def.pressure > MNS_PRESSURE_POSITION_BASED)
    fail(MNS_ERROR_INVALID_ARGUMENT, "pressure is {}, which is none of MNS_PRESSURE_...", int(def.pressure));
  if (def.krylov != MNS_KRYLOV_CONJUGATE_GRADIENTS && def.krylov != MNS_KRYLOV_BICGSTAB)
    fail(MNS_ERROR_INVALID_ARGUMENT, "krylov is {}, which is none of MNS_KRYLOV_...", int(def.krylov));
  SolverDef& v = s.solver;
  needPositive(def.maxStep, "maxStep");
  for (const auto& [value, what] :
       {std::pair(def.support, "support"), std::pair(def.cfl, "cfl"), std::pair(def.tolerance, "tolerance"),
        std::pair(def.densityCorrection, "densityCorrection"), std::pair(def.highPass, "highPass"), std::pair(def.xsph, "xsph"),
        std::pair(def.contactDistance, "contactDistance"), std::pair(def.couplingTolerance, "couplingTolerance"),
        std::pair(def.soundSpeed, "soundSpeed"), std::pair(def.densityVariation, "densityVariation"),
        std::pair(def.artificialViscosity, "artificialViscosity"), std::pair(def.constraintRelaxation, "constraintRelaxation"),
        std::pair(def.tensileCorrection, "tensileCorrection")})
    needFinite(value, what);
  v.dt = def.maxStep;
  v.cfl = def.cfl;
  v.maxSubsteps = def.maxSubsteps;
  v.support = def.support;
  v.pressure = PressureMode(int(def.pressure));
  v.krylov = KrylovMethod(int(def.krylov));
  v.tolerance = def.tolerance;
  v.maxIterations = def.maxIterations;
  v.densityCorrection = def.densityCorrection;
  v.highPass = def.highPass;
  v.xsph = def.xsph;
  v.contactDistance = def.contactDistance;
  v.couplingTolerance = def.couplingTolerance;
  v.maxCouplingIterations = def.maxCouplingIterations;
  v.constraintIterations = def.constraintIterations;
  v.solidSubsteps = def.solidSubsteps;
  v.soundSpeed = def.soundSpeed;
  v.densityVariation = def.densityVariation;
  v.artificialViscosity = def.artificialViscosity;
  v.densityIterations = def.densityIterations;
  v.constraintRelaxation = def.constraintRelaxation;
  v.tensileCorrection = def.tensileCorrection;
  checkAsText(solverTable(), s.solver, "solver of scene", s.file);
  checkAsText(domainTable(), s.domain, "domain of scene", s.file);
  return s;
}

SolidDef toSolid(const mnsBodyDef& def, const std::string& name) {
  const HeapFallback tables;
  SolidDef d;
  d.name = name;
  if (def.kind < MNS_BODY_STATIC || def.kind > MNS_BODY_SOFT)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the kind of body \"{}\" is {}, which is none of MNS_BODY_...", name, int(def.kind));
  d.kind = SolidKind(int(def.kind));
  needPointer(def.shape, "shape of the body");
  d.shape = toShape(checked(def.shape, "mnsShape"), d.transform, name);
  if (def.material) d.material = toMaterial(checked(def.material, "mnsMaterial"));
  d.transform.translate = toPlace(def.position, "position");
  d.transform.rotate = toQuat(def.rotation, "rotation");
  d.velocity = toVec(def.velocity, "velocity");
  needSpeed(norm(d.velocity), "the velocity of the body");
  d.angularVelocity = toVec(def.angularVelocity, "angularVelocity");
  if (d.kind == SolidKind::kinematic) d.motion.emplace_back();  // rests until it is told to move
  if (def.pinCount < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "pinCount is {}; it must not be negative", def.pinCount);
  if (def.pinCount > 0 && !def.pins) fail(MNS_ERROR_INVALID_ARGUMENT, "pinCount is {}, but pins is null", def.pinCount);
  for (int k = 0; k < def.pinCount; ++k) d.pins.push_back(toPin(def.pins[k], k));
  needNotNegative(def.pressure, "pressure");
  needNotNegative(def.inflation, "inflation");
  needNotNegative(def.maxTetVolume, "maxTetVolume");
  d.pressure = def.pressure;
  d.inflation = def.inflation;
  d.meshVolume = def.maxTetVolume;
  checkAsText(solidTable(), d, "body", name);
  return d;
}

void addFluidShape(FluidDef& f, const mnsShape& shape, const mnsVec3& position, const mnsQuat& rotation) {
  Transform place;
  ShapeDef s = toShape(shape, place, f.name);
  place.translate = toVec(position, "position");
  place.rotate = toQuat(rotation, "rotation");
  if (s.kind == ShapeKind::plane || s.kind == ShapeKind::sheet)
    fail(MNS_ERROR_INVALID_ARGUMENT, "fluid \"{}\": a plane or a sheet has no volume to fill", f.name);
  f.shapes.push_back(std::move(s));
  f.transforms.push_back(place);
}

FluidDef toFluid(const mnsFluidDef& def, const std::string& name, const std::string& inside, double spacing) {
  const HeapFallback tables;
  FluidDef f;
  f.name = name;
  f.spacing = spacing;
  needPositive(def.density, "density");
  needNotNegative(def.viscosity, "viscosity");
  needNotNegative(def.surfaceTension, "surfaceTension");
  f.density = def.density;
  f.viscosity = def.viscosity;
  f.surfaceTension = def.surfaceTension;
  f.velocity = toVec(def.velocity, "velocity");
  needSpeed(norm(f.velocity), "the velocity of the fluid");
  f.carve = def.carve;
  if (def.shape && !inside.empty()) fail(MNS_ERROR_INVALID_ARGUMENT, "fluid \"{}\" has both shape and inside; give one", name);
  if (def.shape) addFluidShape(f, checked(def.shape, "mnsShape"), def.position, def.rotation);
  if (!inside.empty()) {
    ShapeDef s;
    s.inside = inside;
    f.shapes.push_back(s);
    f.transforms.emplace_back();
  }
  checkAsText(fluidTable(), f, "fluid", name);
  return f;
}

EmitterDef toEmitter(const mnsEmitterDef& def, const std::string& name, const std::string& fluid) {
  const HeapFallback tables;
  EmitterDef d;
  d.name = name;
  d.fluid = fluid;
  toOpening(def, d);
  needNotNegative(def.speed, "speed");
  needNotNegative(def.rate, "rate");
  needNotNegative(def.maxVolume, "maxVolume");
  d.speed = def.speed;
  d.rate = def.rate;
  d.maxVolume = def.maxVolume;
  checkAsText(emitterTable(), d, "emitter", name);
  return d;
}

DrainDef toDrain(const mnsDrainDef& def, const std::string& name) {
  const HeapFallback tables;
  DrainDef d;
  d.name = name;
  toOpening(def, d);
  needNotNegative(def.depth, "depth");
  needNotNegative(def.rate, "rate");
  d.depth = def.depth;
  d.rate = def.rate;
  checkAsText(drainTable(), d, "drain", name);
  return d;
}

}  // namespace meniscus::api
