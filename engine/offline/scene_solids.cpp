#include "engine/offline/scene_solids.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "engine/offline/body_width.h"
#include "engine/offline/given_motion.h"
#include "engine/offline/grid_axes.h"
#include "engine/offline/plane_shape.h"
#include "engine/offline/scene_contacts.h"
#include "engine/offline/solid_surface.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/generate.h"
#include "engine/scene/methods.h"
#include "engine/solid/implicit/corotational_tets.h"
#include "engine/solid/implicit/shell_model.h"
#include "engine/solid/motion.h"
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

// Pressures of smoke are those above the fluid at rest, so the buoyancy of a body in place of it is taken from its weight.
template <int D>
Vec3d gravityLessBuoyancy(const SceneDef& scene, const SceneSolid<D>& s, double density) {
  const bool lighter = s.isBody() && scene.fluids[0].kind == FluidKind::smoke;
  const Vec3d g = scene.gravity * (lighter ? 1 - scene.fluids[0].density / density : 1.0);
  return {g.x, D == 2 ? 0 : g.y, g.z};
}

template <int D>
std::shared_ptr<implicit::NodalSolid<D>> nodalSolid(const SolidDef& def, const SolidSurface<D>& s, const SceneSolid<D>& out) {
  const Vector x = gridVector<D>(s.x);
  const MaterialDef& m = def.material;
  if constexpr (D == 2) {
    const auto model = implicit::chainModel(x, s.closed, shellParameters(m));
    return std::make_shared<implicit::NodalSolid<2>>(model, x, implicit::chainMass(*model, m.arealDensity));
  } else {
    if (def.kind == SolidKind::soft) {
      const std::vector<std::array<int, 4>> tets(out.tets.begin(), out.tets.end());
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
  out.nodal = nodalSolid(def, s, out);
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

// In the grid's axes.
template <int D>
void setGuide(const GuideDef& g, implicit::RigidBodyDef& r) {
  const auto inGrid = [](const Vec3d& v) {
    Eigen::Vector3d e = Eigen::Vector3d::Zero();
    e.head<D>() = toGrid<D>(v);
    return e;
  };
  if (norm2(g.slide) > 0) {
    r.freedom = implicit::Freedom::slide;
    r.axis = inGrid(g.slide);
    if (!(r.axis.norm() > 0)) throw Error(ErrorKind::input, "slides along y only, which a grid in two dimensions has not");
  }
  r.force = inGrid(g.force);
  for (const SpringDef& s : g.springs) r.springs.push_back({inGrid(s.point), inGrid(s.anchor), s.stiffness, s.damping});
}

template <int D>
void addRigid(const SolidDef& def, const SolidSurface<D>& s, SceneSolid<D>& out) {
  implicit::RigidBodyDef r;
  r.points = gridVector<D>(out.start);
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  gravity.head<D>() = toGrid<D>(out.gravity);
  if (out.isGiven()) {
    r.mass = 1;  // of no meaning: nothing moves it
    r.freedom = implicit::Freedom::none;
    // where its shape is; nothing else reads it of what does not move
    r.center.head<D>() = toGrid<D>(out.isStatic() ? out.origin : carriedTo(out.motions[0], out.origin, out.origin, 0));
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
    setGuide<D>(def.guide, r);
    out.guided = r.freedom != implicit::Freedom::all || r.force.norm() > 0 || !r.springs.empty();
    out.mass = r.mass;
  }
  out.rigid = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{r}, gravity);
}

// What does not move has some part of it in the domain, in its plane in two dimensions.
template <int D>
void checkWithin(const DomainDef& d, const SceneSolid<D>& s) {
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    double lo = 1e300, hi = -1e300;
    for (const Vec3d& x : s.start) {
      lo = std::min(lo, x[k]);
      hi = std::max(hi, x[k]);
    }
    if (hi >= d.min[k] && lo <= d.max[k]) continue;
    throw Error(ErrorKind::input, fmt::format("is wholly outside of the domain: along {} it goes from {:g} to {:g} m, the domain "
                                              "from {:g} to {:g} m; move it, or remove it",
                                              "xyz"[k], lo, hi, d.min[k], d.max[k]));
  }
}

// Extent of the free nodes along an axis of the scene; lo > hi where none is free.
struct Extent {
  double lo = 1e300, hi = -1e300;
};
template <int D>
Extent freeExtent(const SceneSolid<D>& s, int k) {
  Extent e;
  for (std::size_t i = 0; i < s.start.size(); ++i) {
    if (s.held[i]) continue;
    e.lo = std::min(e.lo, s.start[i][k]);
    e.hi = std::max(e.hi, s.start[i][k]);
  }
  return e;
}

double slackOf(const DomainDef& d) { return 1e-9 * norm(d.max - d.min); }

bool within(const Extent& e, const DomainDef& d, int k) {
  return e.hi < e.lo || (e.lo >= d.min[k] - slackOf(d) && e.hi <= d.max[k] + slackOf(d));
}

template <int D>
bool sticksOut(const SceneDef& scene, const SceneSolid<D>& s) {
  for (int a = 0; a < D && !s.isGiven(); ++a)
    if (!within(freeExtent(s, sceneAxis<D>(a)), scene.domain, sceneAxis<D>(a))) return true;
  return false;
}

// Only what is held, or does not move, may reach beyond the grid.
template <int D>
void checkInside(const SceneDef& scene, const SceneSolid<D>& s) {
  const DomainDef& d = scene.domain;
  if (s.isStatic()) checkWithin(d, s);
  if (s.isGiven()) return;
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    const Extent e = freeExtent(s, k);
    if (within(e, d, k)) continue;
    const bool larger = e.hi - e.lo > d.max[k] - d.min[k];
    throw Error(ErrorKind::input,
                fmt::format("{} the domain: along {} its free nodes go from {:g} to {:g} m, the domain from {:g} to {:g} m; {}",
                            larger ? "is larger than" : "sticks out of", "xyz"[k], e.lo, e.hi, d.min[k], d.max[k],
                            larger        ? "enlarge the domain"
                            : s.isRigid() ? "move it or enlarge the domain"
                                          : "move it, enlarge the domain, or pin these nodes"));
  }
}

// The key frames, in order, and the nodes of a kinematic solid where it begins.
template <int D>
void setMotions(const SolidDef& def, SceneSolid<D>& out) {
  if (def.kind == SolidKind::kinematic) out.motions.push_back(def.motion);
  const bool moves = std::any_of(def.pins.begin(), def.pins.end(), [](const PinDef& p) { return !p.motion.empty(); });
  for (const PinDef& p : def.pins)
    if (moves) out.motions.push_back(p.motion);
  for (std::vector<KeyFrame>& m : out.motions) sortKeyFrames(m);
  if (def.kind == SolidKind::kinematic)
    for (Vec3d& x : out.start) x = carriedTo(out.motions[0], out.origin, x, 0);
}

// What closes an open surface of one rim: in the plane from the end of the chain to its beginning, in space triangles about the
// middle of the rim.
std::vector<std::array<Index, 2>> mouthOf(const std::vector<std::array<Index, 2>>& chain) {
  return {{chain.back()[1], chain.front()[0]}};
}
std::vector<std::array<Index, 3>> mouthOf(const std::vector<std::array<Index, 3>>& triangles) {
  std::set<std::pair<Index, Index>> edges;
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) edges.insert({t[k], t[(k + 1) % 3]});
  std::vector<std::array<Index, 3>> mouth;
  for (const auto& [a, b] : edges)
    if (edges.count({b, a}) == 0) mouth.push_back({b, a, -1});
  return mouth;
}

template <int D>
SceneSolid<D> solidOfSize(const SceneDef& scene, const SolidDef& def, double cell, RoundSize round,
                          std::vector<std::string>* notes) {
  const SolidSurface<D> s = solidSurface<D>(scene, def, cell, round, notes);
  if (notes && s.share < 1)
    notes->push_back(
        fmt::format("solid \"{}\": touches something at the start, so its nodes stay within its shape, and enclose {:.3g} "
                    "of its volume; give it a \"resolution\" for more",
                    def.name, s.share));
  SceneSolid<D> out;
  out.name = def.name;
  out.kind = def.kind;
  out.where = def.where;
  out.closed = s.closed;
  out.grown = s.grown;
  out.gravity = gravityLessBuoyancy(scene, out, def.material.density);
  out.start = s.x;
  out.elements = s.elements;
  for (std::size_t t = 0; t + 3 < s.tet.size(); t += 4) out.tets.push_back({s.tet[t], s.tet[t + 1], s.tet[t + 2], s.tet[t + 3]});
  out.origin = def.transform.translate;
  out.pin = pinOfNodes(def, s);
  for (const int pin : out.pin) out.held.push_back(pin >= 0);
  for (const PinDef& p : def.pins) out.pinUntil.push_back(p.until);
  setMotions(def, out);
  const std::string mistake = tooFast(scene, givenSpeed(out, -1e300, 1e300));
  if (!mistake.empty()) throw Error(ErrorKind::input, "moves by its key frames, and " + mistake);
  if (def.kind == SolidKind::inflatable && !s.closed) {
    if (def.shape.mouth == 0) throw Error(ErrorKind::input, "an inflatable needs a closed surface; make it cloth, or close it");
    out.mouth = mouthOf(s.elements);
  }
  if (out.isGiven() || def.kind == SolidKind::rigid)
    addRigid(def, s, out);
  else
    addNodal(def, s, out);
  if (s.grown && sticksOut(scene, out)) return solidOfSize<D>(scene, def, cell, RoundSize::within, notes);
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
      all.push_back(solidOfSize<D>(scene, def, cell, RoundSize::ofVolume, notes));
    } catch (const Error& e) {
      if (e.kind != ErrorKind::input) throw;
      mistakes.push_back({scene.file, def.where.line, def.where.column, fmt::format("solid \"{}\": {}", def.name, e.what())});
    }
  }
  throwIfAny(mistakes);
  for (const std::size_t k : grownThatOverlap<D>(scene, all, cell))
    all[k] = solidOfSize<D>(scene, scene.solids[k], cell, RoundSize::within, notes);
  for (const SceneSolid<D>& s : all)
    if (std::string note = notes ? narrowBody(scene, s, cell) : std::string(); !note.empty()) notes->push_back(std::move(note));
  return all;
}

template std::vector<SceneSolid<2>> sceneSolids<2>(const SceneDef&, double, std::vector<std::string>*);
template std::vector<SceneSolid<3>> sceneSolids<3>(const SceneDef&, double, std::vector<std::string>*);

}  // namespace meniscus::offline
