#include "engine/offline/scene_solids.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/plane_shape.h"
#include "engine/offline/solid_surface.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/generate.h"
#include "engine/solid/implicit/corotational_tets.h"
#include "engine/solid/implicit/shell_model.h"
#include "engine/solid/rigid.h"

namespace meniscus::offline {
namespace {

using implicit::Vector;

template <int D>
Vector gridVector(const std::vector<Vec3d>& x) {
  Vector v(Eigen::Index(x.size()) * D);
  for (std::size_t i = 0; i < x.size(); ++i) v.segment<D>(Eigen::Index(i) * D) = toGrid<D>(x[i]);
  return v;
}

// Of a sheet of the modulus: E t, and E t^3 / (12 (1 - nu^2)).
implicit::ShellParameters shellParameters(const MaterialDef& m) {
  const double t = m.thickness, stretching = m.youngsModulus * t;
  return {stretching, stretching * t * t / (12 * (1 - m.poissonRatio * m.poissonRatio)), stretching * m.damping};
}

// Pressures are those above the fluid at rest, so the buoyancy of a body in place of fluid is taken from its weight.
template <int D>
Vec3d gravityLessBuoyancy(const SceneDef& scene, const SceneSolid<D>& s, double density) {
  const Vec3d g = scene.gravity * (s.isFilled() ? 1 - scene.fluids[0].density / density : 1.0);
  return {g.x, D == 2 ? 0 : g.y, g.z};
}

template <int D>
std::shared_ptr<implicit::NodalSolid<D>> nodalSolid(const SolidDef& def, const SolidSurface<D>& s) {
  const Vector x = gridVector<D>(s.x);
  const MaterialDef& m = def.material;
  if constexpr (D == 2) {
    const auto model = implicit::chainModel(x, s.closed, shellParameters(m));
    return std::make_shared<implicit::NodalSolid<2>>(model, x, implicit::chainMass(*model, m.arealDensity));
  } else {
    if (def.kind == SolidKind::soft) {
      std::vector<std::array<int, 4>> tets;
      for (std::size_t t = 0; t + 3 < s.tet.size(); t += 4) tets.push_back({s.tet[t], s.tet[t + 1], s.tet[t + 2], s.tet[t + 3]});
      const auto model = std::make_shared<implicit::CorotationalTets>(
          x, tets, implicit::TetParameters{m.youngsModulus, m.poissonRatio, m.damping});
      return std::make_shared<implicit::NodalSolid<3>>(model, x, model->mass(m.density));
    }
    const std::vector<std::array<int, 3>> triangles(s.elements.begin(), s.elements.end());
    const auto model = implicit::sheetModel(x, triangles, shellParameters(m));
    return std::make_shared<implicit::NodalSolid<3>>(model, x, implicit::sheetMass(x, triangles, m.arealDensity));
  }
}

template <int D>
void addNodal(const SolidDef& def, const SolidSurface<D>& s, SceneSolid<D>& out) {
  out.nodal = nodalSolid(def, s);
  out.nodal->setGravity(toGrid<D>(out.gravity));
  const Vector& mass = out.nodal->mass();
  Vec3d center{};
  for (Eigen::Index i = 0; i < mass.size(); i += D) {
    out.mass += mass[i];
    center += s.x[std::size_t(i / D)] * mass[i];
  }
  center = center / out.mass;
  std::vector<Vec3d> v;
  for (std::size_t i = 0; i < s.x.size(); ++i)
    v.push_back(out.held[i] ? Vec3d{} : def.velocity + cross(def.angularVelocity, s.x[i] - center));
  out.nodal->setMotion(gridVector<D>(s.x), gridVector<D>(v));
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (out.held[i]) out.nodal->prescribe(int(i), implicit::NodalSolid<D>::Coordinates::Zero());
}

// Mass, centre and inertia of the body per unit of density.
template <int D>
void setMass(const SolidSurface<D>& s, double density, implicit::RigidBodyDef& r) {
  if constexpr (D == 2) {
    const PlaneMass m = planeMass({s.x, true});
    r.mass = density * m.area;
    r.center.head<2>() = toGrid<2>(m.center);
    r.inertia(2, 2) = density * m.inertia;
  } else {
    SurfaceMesh mesh{s.x, {}};
    for (const auto& e : s.elements) mesh.tri.insert(mesh.tri.end(), e.begin(), e.end());
    const MassProperties m = massProperties(mesh);
    r.mass = density * m.volume;
    r.center = toGrid<3>(m.center);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r.inertia(i, j) = density * m.inertia.r[i][j];
  }
}

template <int D>
void addRigid(const SolidDef& def, const SolidSurface<D>& s, SceneSolid<D>& out) {
  implicit::RigidBodyDef r;
  r.points = gridVector<D>(s.x);
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  gravity.head<D>() = toGrid<D>(out.gravity);
  if (def.kind == SolidKind::fixed) {
    r.mass = 1;  // of no meaning: it does not move
    r.freedom = implicit::Freedom::none;
  } else {
    if (!s.closed) throw Error(ErrorKind::input, "a rigid solid needs a closed surface; make it static, or cloth");
    setMass(s, def.material.density, r);
    if (!(r.mass > 0)) throw Error(ErrorKind::input, "encloses no volume, and so has no mass; check its winding and size");
    r.velocity.head<D>() = toGrid<D>(def.velocity);
    // the plane's third axis, x cross z, is -y
    if (D == 2)
      r.angularVelocity[2] = -def.angularVelocity.y;
    else
      r.angularVelocity = toGrid<3>(def.angularVelocity);
    out.mass = r.mass;
  }
  out.rigid = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{r}, gravity);
}

// Only what is held, or does not move, may reach beyond the grid.
template <int D>
void checkInside(const SceneDef& scene, const SceneSolid<D>& s) {
  if (s.isStatic()) return;
  const DomainDef& d = scene.domain;
  const double slack = 1e-9 * norm(d.max - d.min);
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    double lo = 1e300, hi = -1e300;
    for (std::size_t i = 0; i < s.start.size(); ++i) {
      if (s.held[i]) continue;
      lo = std::min(lo, s.start[i][k]);
      hi = std::max(hi, s.start[i][k]);
    }
    if (hi < lo || (lo >= d.min[k] - slack && hi <= d.max[k] + slack)) continue;
    const bool larger = hi - lo > d.max[k] - d.min[k];
    throw Error(ErrorKind::input,
                fmt::format("{} the domain: along {} its free nodes go from {:g} to {:g} m, the domain from {:g} to {:g} m; {}",
                            larger ? "is larger than" : "sticks out of", "xyz"[k], lo, hi, d.min[k], d.max[k],
                            larger        ? "enlarge the domain"
                            : s.isRigid() ? "move it or enlarge the domain"
                                          : "move it, enlarge the domain, or pin these nodes"));
  }
}

template <int D>
SceneSolid<D> sceneSolid(const SceneDef& scene, const SolidDef& def, double cell, std::vector<std::string>* notes) {
  const SolidSurface<D> s = solidSurface<D>(scene, def, cell, notes);
  SceneSolid<D> out;
  out.name = def.name;
  out.kind = def.kind;
  out.where = def.where;
  out.closed = s.closed;
  out.gravity = gravityLessBuoyancy(scene, out, def.material.density);
  out.start = s.x;
  out.elements = s.elements;
  out.held = heldNodes(def, s);
  if (def.kind == SolidKind::inflatable && !s.closed)
    throw Error(ErrorKind::input, "an inflatable needs a closed surface; make it cloth, or close it");
  if (def.kind == SolidKind::fixed || def.kind == SolidKind::rigid)
    addRigid(def, s, out);
  else
    addNodal(def, s, out);
  checkInside(scene, out);
  return out;
}

}  // namespace

template <int D>
std::vector<SceneSolid<D>> sceneSolids(const SceneDef& scene, double cell, std::vector<std::string>* notes) {
  std::vector<SceneSolid<D>> all;
  Diagnostics mistakes;
  for (const SolidDef& def : scene.solids) {
    try {
      all.push_back(sceneSolid<D>(scene, def, cell, notes));
    } catch (const Error& e) {
      if (e.kind != ErrorKind::input) throw;
      mistakes.push_back({scene.file, def.where.line, def.where.column, fmt::format("solid \"{}\": {}", def.name, e.what())});
    }
  }
  throwIfAny(mistakes);
  return all;
}

template std::vector<SceneSolid<2>> sceneSolids<2>(const SceneDef&, double, std::vector<std::string>*);
template std::vector<SceneSolid<3>> sceneSolids<3>(const SceneDef&, double, std::vector<std::string>*);

}  // namespace meniscus::offline
