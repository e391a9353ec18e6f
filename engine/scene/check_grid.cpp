#include "engine/scene/check_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/scene/coupling_keys.h"
#include "engine/scene/keys.h"
#include "engine/scene/methods.h"
#include "engine/scene/solid_kinds.h"

namespace meniscus {
namespace {

struct Keys {
  Reader& r;
  const std::string method;

  void refuse(const JsonNode& object, const char* key, const std::string& why) const {
    if (const JsonMember* m = object.find(key)) r.error(m->line, m->column, fmt::format("\"{}\" {}", key, why));
  }
  void idle(const JsonNode& object, std::initializer_list<const char*> keys) const {
    for (const char* key : keys) refuse(object, key, fmt::format("does nothing in the method \"{}\"; remove it", method));
  }
};

const JsonNode* memberOf(const JsonNode& n, const char* key) {
  const JsonMember* m = n.find(key);
  return m ? &m->value : nullptr;
}

void eachItem(const JsonNode& root, const char* list, const std::function<void(const JsonNode&, std::size_t)>& visit) {
  const JsonNode* items = memberOf(root, list);
  if (!items || items->kind != JsonNode::Kind::array) return;
  for (std::size_t k = 0; k < items->items.size(); ++k)
    if (items->items[k].kind == JsonNode::Kind::object) visit(items->items[k], k);
}

const JsonNode& solverOf(const JsonNode& root) {
  const JsonNode* s = memberOf(root, "solver");
  return s ? *s : root;
}

// What a picture of another kind of fluid shows.
void checkView(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  const JsonNode* output = memberOf(root, "output");
  const JsonNode* view = output ? memberOf(*output, "view") : nullptr;
  if (!view || view->kind != JsonNode::Kind::object) return;
  const ViewDef& v = scene.output.view;
  const bool grid = isGridScene(scene), smoke = v.colour == FluidColour::smoke;
  if (!grid) {
    keys.refuse(*view, "slice", "is of a grid, and this scene is of particles; remove it");
    if (smoke) keys.refuse(*view, "colour", "is smoke, and this scene is of particles; give another");
    return;
  }
  if (v.fluid == FluidLook::spheres) keys.refuse(*view, "fluid", "is spheres, and there are no particles on a grid; give another");
  if (v.colour >= FluidColour::densityError && !smoke)
    keys.refuse(*view, "colour", "is known of particles only; give none, speed, pressure or smoke");
  if (v.slice.axis < 0) return;
  const double low = scene.domain.min[v.slice.axis], high = scene.domain.max[v.slice.axis];
  if (v.slice.position < low || v.slice.position > high)
    keys.refuse(*view, "slice", fmt::format("is outside of the domain, which reaches from {:g} to {:g} m", low, high));
}

void checkCouplingOfParticles(const Keys& keys, const JsonNode& coupling, const SolverDef& solver) {
  if (coupling.kind != JsonNode::Kind::object) return;
  checkCouplingKeys(keys.r, coupling, solver);
  keys.refuse(coupling, "reuse", "is for grids: a step of particles hangs on their state alone; remove it");
  for (const char* key : {"load", "pressure_scale", "weights", "p0_mode", "p0_tolerance"})
    keys.refuse(coupling, key, "is for grids; particles give impulses, and know no enclosed regions; remove it");
}

// A particle scene with something of a grid in it, or one that couples its particles.
void checkParticleScene(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  const std::string forCouplings =
      "is for the grid methods (partitioned, iqn-ils, xpm, monolithic, staggered); give one as \"method\", or remove it";
  const bool both = takesBothEngines(scene);
  if (!both) keys.refuse(solverOf(root), "grid", forCouplings);
  if (!isGridMethod(scene.solver.method)) {
    if (!both) keys.refuse(solverOf(root), "coupling", forCouplings);
  } else if (const JsonNode* c = memberOf(solverOf(root), "coupling")) {
    checkCouplingOfParticles(keys, *c, scene.solver);
  }
  eachItem(root, "fluids", [&](const JsonNode& n, std::size_t k) {
    if (k < scene.fluids.size() && scene.fluids[k].kind != FluidKind::particles && !both)
      keys.refuse(n, "kind",
                  fmt::format("is {}, which needs a grid method: give \"method\": \"xpm\" and a \"grid\" in \"solver\"",
                              scene.fluids[k].kind == FluidKind::smoke ? "smoke" : "water"));
    else
      for (const char* key : {"smoke", "buoyancy", "start", "inflows"})
        keys.refuse(n, key, "is for fluids of kind \"smoke\" or \"water\"; remove it");
  });
  eachItem(root, "solids", [&](const JsonNode& n, std::size_t k) {
    if (const JsonNode* m = memberOf(n, "material")) keys.idle(*m, {"damping"});
    keys.idle(n, {"guide"});
    eachItem(n, "pins", [&](const JsonNode& p, std::size_t) { keys.refuse(p, "until", "is for the grid methods; remove it"); });
    if (k < scene.solids.size() && scene.solids[k].kind == SolidKind::inflatable && scene.solids[k].shape.mouth > 0)
      keys.refuse(n, "shape", "has a mouth, and an inflatable of the particles encloses a volume; make it cloth, or close it");
  });
}

void checkWater(const Keys& keys, const JsonNode& root, const JsonNode& n, const SceneDef& scene) {
  const FluidDef& f = scene.fluids[0];
  for (const char* key : {"smoke", "buoyancy", "start"}) keys.refuse(n, key, "is for fluids of kind \"smoke\"; remove it");
  eachItem(n, "inflows",
           [&](const JsonNode& i, std::size_t) { keys.refuse(i, "smoke", "is for fluids of kind \"smoke\"; remove it"); });
  for (const ShapeDef& s : f.shapes)
    if (s.inside.empty() && s.kind == ShapeKind::mesh)
      keys.r.error(s.where.line, s.where.column,
                   "water starts in boxes, spheres, cylinders, capsules and the inside of solids; give one of them instead");
  for (int k = 0; k < 6; ++k)
    if (!scene.domain.walls[k] && !(scene.solver.grid.dimension == 2 && k / 2 == 1)) {
      const JsonNode* d = memberOf(root, "domain");
      keys.r.error(d ? *d : root, fmt::format("the side {} is open, which water does not take: leave \"walls\" out; water leaves "
                                              "through inflows of negative speed, and over it is air",
                                              kSides[std::size_t(k)]));
    }
  constexpr double kMostCells = 4;  // of a band of known distances about the surface
  if (scene.solver.grid.cfl > kMostCells)
    if (const JsonNode* grid = memberOf(solverOf(root), "grid"))
      keys.refuse(*grid, "cfl",
                  fmt::format("is {:g}, but water takes {:g} cells a step at most", scene.solver.grid.cfl, kMostCells));
}

void checkSmoke(const Keys& keys, const SceneDef& scene) {
  for (const ShapeDef& s : scene.fluids[0].shapes)
    if (!s.inside.empty() || s.kind == ShapeKind::mesh)
      keys.r.error(s.where.line, s.where.column,
                   "smoke starts in boxes, spheres, cylinders and capsules; give one of them instead");
}

// Steps that grid.cfl makes as short as the speeds that the scene names ask.
void checkSpeeds(const Keys& keys, const JsonNode& n, const SceneDef& scene) {
  const GridDef& g = scene.solver.grid;
  const FluidDef& f = scene.fluids[0];
  double speed = g.startSpeed;
  for (int k = 0; k < 3; ++k) speed = std::max(speed, std::abs(f.velocity[k]));
  for (const InflowDef& i : f.inflows) speed = std::max(speed, std::abs(i.speed));
  const std::string mistake = tooFast(scene, speed);
  if (!mistake.empty()) keys.r.error(n, "a fluid that starts or flows in " + mistake);
}

void checkFluid(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  eachItem(root, "fluids", [&](const JsonNode& n, std::size_t k) {
    if (k >= scene.fluids.size()) return;
    const FluidDef& f = scene.fluids[k];
    if (f.kind == FluidKind::particles) {
      const JsonMember* at = n.find("kind");
      keys.r.error(at ? at->value : n, fmt::format("fluid \"{}\" is of particles, but the method \"{}\" has a grid; give "
                                                   "\"kind\": \"smoke\" or \"water\", or the method isph-pbd",
                                                   f.name, keys.method));
      return;
    }
    keys.idle(n, {"viscosity", "surface_tension"});
    if (!takesBothEngines(scene)) keys.idle(n, {"spacing", "jitter", "relax", "carve"});
    if (k > 0) keys.r.error(n, "a grid is filled with one fluid; remove all but one of \"fluids\"");
    for (const InflowDef& i : f.inflows) {
      const std::size_t axis = std::size_t(i.side / 2);
      if (scene.solver.grid.dimension == 2 && axis == 1)
        keys.r.error(i.where.line, i.where.column, "in two dimensions there are no sides -y and +y; choose another");
    }
    if (k > 0) return;
    if (f.kind == FluidKind::water)
      checkWater(keys, root, n, scene);
    else
      checkSmoke(keys, scene);
    checkSpeeds(keys, n, scene);
  });
  if (scene.fluids.empty())
    keys.r.error(root,
                 fmt::format("the method \"{}\" needs a fluid of kind \"smoke\" or \"water\"; add it to \"fluids\"", keys.method));
}

void checkMaterialOf(const Keys& keys, const JsonNode& solid, const SolidDef& s) {
  const JsonNode* m = memberOf(solid, "material");
  if (!m || m->kind != JsonNode::Kind::object) return;
  keys.idle(*m, {"membrane", "bend_model", "shear", "no_slip"});
  for (const char* key : {"stretch", "bend", "volume"})
    keys.refuse(*m, key,
                fmt::format("is of the particles' constraints; the method \"{}\" takes \"youngs_modulus\"{} and \"damping\"",
                            keys.method, s.kind == SolidKind::soft ? "" : ", \"thickness\""));
}

void checkElastic(const Keys& keys, const JsonNode& solid, const SolidDef& s) {
  const JsonNode* m = memberOf(solid, "material");
  const JsonNode& at = m ? *m : solid;
  if (keys.r.spoilt(solid, "material") || (m && (keys.r.spoilt(*m, "youngs_modulus") || keys.r.spoilt(*m, "thickness")))) return;
  if (isShell(s) && !(s.material.youngsModulus > 0 && s.material.thickness > 0))
    keys.r.error(at, fmt::format("solid \"{}\" needs \"youngs_modulus\" > 0 Pa and \"thickness\" > 0 m in the method \"{}\"",
                                 s.name, keys.method));
  if (s.kind == SolidKind::soft && !(s.material.youngsModulus > 0))
    keys.r.error(at, fmt::format("solid \"{}\" needs \"youngs_modulus\" > 0 Pa in the method \"{}\"", s.name, keys.method));
}

// The plane of a grid in two dimensions cuts only shapes that stand across it.
void checkPlane(const Keys& keys, const JsonNode& solid, const SolidDef& s) {
  const Vec3d y = s.transform.rotate.rotate({0, 1, 0}), z = s.transform.rotate.rotate({0, 0, 1});
  const ShapeKind k = s.shape.kind;
  const bool fits = (k == ShapeKind::sphere && (s.shape.mouth == 0 || std::abs(y.y) > 1 - 1e-12)) ||
                    ((k == ShapeKind::box || k == ShapeKind::sheet) && std::abs(y.y) > 1 - 1e-12) ||
                    (k == ShapeKind::cylinder && std::abs(z.y) > 1 - 1e-12);
  if (!fits)
    keys.r.error(solid,
                 fmt::format("solid \"{}\": in two dimensions a solid is a sphere, a cylinder about y, or a box or sheet that "
                             "is turned about y only; give one of these, or dimension 3",
                             s.name));
  if (s.kind == SolidKind::soft)
    keys.r.error(solid, fmt::format("solid \"{}\": soft solids need dimension 3; make it cloth or rigid", s.name));
}

// What a plane has no room for: parts along y of what moves in it, and turns but about y.
void inPlane(const Keys& keys, const JsonNode& object, const char* key, const Vec3d& v) {
  if (v.y != 0)
    keys.refuse(
        object, key,
        fmt::format("has the part {:g} along y, but in two dimensions nothing moves along y; make it 0, or give dimension 3", v.y));
}
void aboutY(const Keys& keys, const JsonNode& object, const char* key, const Vec3d& axis) {
  if (norm(Vec3d{axis.x, 0, axis.z}) > 1e-12 * norm(axis))
    keys.refuse(object, key,
                "is not about y, but in two dimensions nothing turns about another axis; change it, or give dimension 3");
}

// By the list: there may be more frames than it has (key_turn.h).
void checkMotionInPlane(const Keys& keys, const JsonNode& object, const std::vector<KeyFrame>& motion) {
  for (const KeyFrame& k : motion) {
    if (k.translate.y == 0 && norm(Vec3d{k.rotate.x, 0, k.rotate.z}) <= 1e-12) continue;
    return keys.refuse(
        object, "motion",
        "has a displacement along y, or a rotation about another axis, which there are none of in two dimensions; change "
        "it, or give dimension 3");
  }
}

void checkSolidInPlane(const Keys& keys, const JsonNode& solid, const SolidDef& s) {
  inPlane(keys, solid, "velocity", s.velocity);
  aboutY(keys, solid, "angular_velocity", s.angularVelocity);
  checkMotionInPlane(keys, solid, s.motion);
  eachItem(solid, "pins", [&](const JsonNode& pin, std::size_t k) {
    if (k < s.pins.size()) checkMotionInPlane(keys, pin, s.pins[k].motion);
  });
  if (const JsonNode* guide = memberOf(solid, "guide"); guide && guide->kind == JsonNode::Kind::object)
    inPlane(keys, *guide, "force", s.guide.force);
}

void checkSolids(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  eachItem(root, "solids", [&](const JsonNode& n, std::size_t k) {
    if (k >= scene.solids.size() || !n.find("kind") || keys.r.spoilt(n, "kind") || !n.find("shape") || keys.r.spoilt(n, "shape"))
      return;
    const SolidDef& s = scene.solids[k];
    if (s.shape.kind == ShapeKind::plane)
      keys.refuse(n, "shape", "is a plane, which has no end on a grid; give a box, or a wall of the domain");
    if (s.shape.container)
      keys.refuse(n, "shape", "is a container: on a grid the fluid is on both sides of a surface; remove that");
    keys.refuse(n, "pressure", "is of a gas; on a grid an inflatable is filled by an inflow inside of it");
    keys.refuse(n, "inflation", "is of the particles' constraints; on a grid the fluid inside keeps the volume");
    checkMaterialOf(keys, n, s);
    checkElastic(keys, n, s);
    if (scene.solver.grid.dimension != 2) return;
    checkPlane(keys, n, s);
    checkSolidInPlane(keys, n, s);
  });
}

void checkCells(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  const GridDef& g = scene.solver.grid;
  const JsonNode* grid = memberOf(solverOf(root), "grid");
  if (!(g.cells > 0 || g.cellSize > 0)) {
    const auto said = [&](const JsonNode& n) { return keys.r.spoilt(n, "cells") || keys.r.spoilt(n, "cell_size"); };
    if (!grid || (!said(*grid) && !keys.r.spoilt(solverOf(root), "grid")))
      keys.r.error(grid ? *grid : solverOf(root),
                   fmt::format("the method \"{}\" needs a \"grid\" with \"cells\" or \"cell_size\" in \"solver\"", keys.method));
    return;
  }
  const CellsMistakes mistakes = cellsMistakes(scene);
  if (!mistakes.tooMany.empty()) keys.r.error(grid ? *grid : root, mistakes.tooMany);
  for (const std::string& m : mistakes.uneven) keys.r.error(scene.domain.where.line, scene.domain.where.column, m);
}

void checkGridScene(const Keys& keys, const JsonNode& root, const SceneDef& scene) {
  const std::string no = fmt::format("means nothing to the method \"{}\": ", keys.method);
  keys.refuse(root, "emitters", no + "fluid flows in through \"inflows\" of its fluid; remove it");
  keys.refuse(
      root, "drains",
      no + "smoke flows out through sides of the domain that are no walls, water through inflows of negative speed; remove it");
  keys.refuse(root, "max_particles", no + "it has no particles; remove it");
  keys.idle(solverOf(root), {"cfl",
                             "max_substeps",
                             "support",
                             "pressure",
                             "krylov",
                             "tolerance",
                             "max_iterations",
                             "density_correction",
                             "high_pass",
                             "xsph",
                             "contact_distance",
                             "coupling_tolerance",
                             "max_coupling_iterations",
                             "constraint_iterations",
                             "solid_substeps",
                             "serial_constraints",
                             "clamp_separation",
                             "sound_speed",
                             "density_variation",
                             "artificial_viscosity",
                             "density_iterations",
                             "constraint_relaxation",
                             "tensile_correction"});
  const JsonNode* coupling = memberOf(solverOf(root), "coupling");
  if (coupling && coupling->kind == JsonNode::Kind::object) checkCouplingKeys(keys.r, *coupling, scene.solver);
  if (coupling && keys.method == "monolithic" && scene.solver.coupling.load == CouplingLoad::force)
    keys.r.error(*coupling, "the method \"monolithic\" takes impulses; remove \"load\" from \"coupling\"");
  if (const JsonNode* d = memberOf(root, "domain")) keys.idle(*d, {"no_slip"});
  if (scene.solver.grid.dimension == 2) {
    inPlane(keys, root, "gravity", scene.gravity);
    eachItem(root, "fluids", [&](const JsonNode& n, std::size_t k) {
      if (k >= scene.fluids.size()) return;
      inPlane(keys, n, "velocity", scene.fluids[k].velocity);
      inPlane(keys, n, "buoyancy", scene.fluids[k].buoyancy);
    });
  }
  checkFluid(keys, root, scene);
  checkSolids(keys, root, scene);
  checkCells(keys, root, scene);
}

}  // namespace

CellsMistakes cellsMistakes(const SceneDef& scene) {
  CellsMistakes mistakes;
  const GridDef& g = scene.solver.grid;
  const Vec3d size = scene.domain.max - scene.domain.min;
  if (!(g.cells > 0 || g.cellSize > 0) || !(size.x > 0 && size.y > 0 && size.z > 0)) return mistakes;
  const double dx = g.cellSize > 0 ? g.cellSize : size.x / g.cells;
  constexpr double kMostCells = 1e9;
  if (!(size.x / dx * (size.z / dx) * (g.dimension == 3 ? size.y / dx : 1) <= kMostCells))
    mistakes.tooMany = fmt::format("cells of {:g} m make more than {:g} of them in the domain; make them larger", dx, kMostCells);
  for (int axis = 0; axis < 3; ++axis) {
    if (g.dimension == 2 && axis == 1) continue;
    const double cells = size[axis] / dx;
    if (std::round(cells) >= 1 && std::abs(cells - std::round(cells)) <= 1e-6) continue;
    mistakes.uneven.push_back(fmt::format("the domain is {:g} m along {}, which is {:g} cells of {:g} m; make it {:g} m",
                                          size[axis], "xyz"[axis], cells, dx, std::max(1.0, std::round(cells)) * dx));
  }
  return mistakes;
}

void checkMethodTakes(Reader& r, const JsonNode& root, const SceneDef& scene) {
  if (r.spoilt(solverOf(root), "method")) return;
  const Keys keys{r, scene.solver.method};
  checkView(keys, root, scene);
  if (isGridScene(scene) || (isGridMethod(scene.solver.method) && memberOf(solverOf(root), "grid")))
    checkGridScene(keys, root, scene);
  else
    checkParticleScene(keys, root, scene);
}

}  // namespace meniscus
