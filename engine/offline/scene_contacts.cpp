#include "engine/offline/scene_contacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/offline/grid_axes.h"
#include "engine/scene/diagnostic.h"
#include "engine/solid/implicit/contact_overlaps.h"

namespace meniscus::offline {
namespace {

using implicit::ContactSurface;

template <int D>
ContactSurface surfaceOf(const SceneSolid<D>& s, const MaterialDef& material, int begin) {
  ContactSurface c;
  c.begin = begin;
  c.end = begin + int(s.start.size());
  c.filled = s.displacesFluid();
  c.rigid = s.isRigid();
  c.friction = material.friction;
  c.restitution = material.restitution;
  for (const auto& e : s.elements) {
    std::array<int, 3> all{};
    for (std::size_t k = 0; k < 3; ++k) all[k] = begin + int(e[std::min(k, std::size_t(D - 1))]);
    c.elements.push_back(all);
  }
  return c;
}

template <int D>
void addWalls(const DomainDef& domain, implicit::ContactScene& out) {
  for (int a = 0; a < D; ++a) {
    const int k = sceneAxis<D>(a);
    if (domain.walls[2 * k]) out.walls.push_back({a, domain.min[k], 1});
    if (domain.walls[2 * k + 1]) out.walls.push_back({a, domain.max[k], -1});
  }
  out.wallFriction = domain.friction;
}

// The fluid has no cells that tell two solids apart which are within one another: its steps would not end.
template <int D>
void checkOverlaps(const SceneDef& scene, const implicit::ContactMesh& mesh, double cell) {
  const ContactLengths in;
  Diagnostics mistakes;
  for (const implicit::SolidOverlap& o : implicit::overlapsOf(mesh, in.accepted * cell)) {
    const SolidDef &first = scene.solids[std::size_t(std::min(o.solid, o.other))],
                   &second = scene.solids[std::size_t(std::max(o.solid, o.other))];
    Vec3d at{};
    for (int a = 0; a < D; ++a) at[sceneAxis<D>(a)] = o.at[a];
    const std::string whom = o.solid == o.other ? "itself" : fmt::format("solid \"{}\"", first.name);
    const std::string where = fmt::format("at the start at [{:.4g}, {:.4g}, {:.4g}]", at.x, at.y, at.z);
    const std::string what = o.lies
                                 ? fmt::format("lies in one place with {} {}", whom, where)
                                 : fmt::format("{} {} at the start, by {:.3g} m ({:.3g} cells) at [{:.4g}, {:.4g}, {:.4g}]",
                                               o.crosses ? "crosses" : "overlaps", whom, o.depth, o.depth / cell, at.x, at.y, at.z);
    const char* help = o.solid == o.other ? "lay it without folds that cross or lie on one another"
                       : o.crosses        ? "move one of them, or make it smaller"
                                          : "move one of them, make it smaller, or make both one mesh";
    mistakes.push_back(
        {scene.file, second.where.line, second.where.column, fmt::format("solid \"{}\": {}; {}", second.name, what, help)});
  }
  throwIfAny(mistakes);
}

template <int D>
implicit::ContactScene contactScene(const SceneDef& scene, const std::vector<SceneSolid<D>>& solids, double cell) {
  const ContactLengths in;
  implicit::ContactScene all;
  all.dimension = D;
  all.thickness = in.thickness * cell;
  all.reach = in.reach * cell;
  for (std::size_t b = 0; b < solids.size(); ++b) {
    const SceneSolid<D>& s = solids[b];
    all.surfaces.push_back(surfaceOf(s, scene.solids[b].material, int(all.given.size())));
    for (const char held : s.held) all.given.push_back(held || s.isGiven());
  }
  addWalls<D>(scene.domain, all);
  return all;
}

}  // namespace

template <int D>
std::vector<std::size_t> grownThatOverlap(const SceneDef& scene, const std::vector<SceneSolid<D>>& solids, double cell) {
  std::vector<std::size_t> found;
  if (std::none_of(solids.begin(), solids.end(), [](const SceneSolid<D>& s) { return s.grown; })) return found;
  std::vector<double> start;
  for (const SceneSolid<D>& s : solids)
    for (const Vec3d& x : s.start)
      for (int a = 0; a < D; ++a) start.push_back(x[sceneAxis<D>(a)]);
  const implicit::ContactMesh mesh(contactScene<D>(scene, solids, cell),
                                   Eigen::Map<const implicit::Vector>(start.data(), Eigen::Index(start.size())));
  for (const implicit::SolidOverlap& o : implicit::overlapsOf(mesh, ContactLengths{}.accepted * cell))
    for (const int k : {o.solid, o.other})
      if (solids[std::size_t(k)].grown) found.push_back(std::size_t(k));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

template <int D>
std::unique_ptr<implicit::SolidContacts> sceneContacts(const SceneDef& scene, const std::vector<SceneSolid<D>>& solids,
                                                       const std::vector<double>& start, double cell) {
  const ContactLengths in;
  implicit::ContactOptions o;
  o.tolerance = in.tolerance * cell;
  o.accepted = in.accepted * cell;
  o.recovery = in.recovery * cell;
  o.recoverySpeed = in.recoverySpeed * cell;
  o.restingSpeed = 2 * norm(scene.gravity) * scene.solver.dt;
  const implicit::Vector x = Eigen::Map<const implicit::Vector>(start.data(), Eigen::Index(start.size()));
  auto contacts = std::make_unique<implicit::SolidContacts>(contactScene<D>(scene, solids, cell), x, o);
  checkOverlaps<D>(scene, contacts->mesh(), cell);
  return contacts;
}

template std::vector<std::size_t> grownThatOverlap<2>(const SceneDef&, const std::vector<SceneSolid<2>>&, double);
template std::vector<std::size_t> grownThatOverlap<3>(const SceneDef&, const std::vector<SceneSolid<3>>&, double);
template std::unique_ptr<implicit::SolidContacts> sceneContacts<2>(const SceneDef&, const std::vector<SceneSolid<2>>&,
                                                                   const std::vector<double>&, double);
template std::unique_ptr<implicit::SolidContacts> sceneContacts<3>(const SceneDef&, const std::vector<SceneSolid<3>>&,
                                                                   const std::vector<double>&, double);

}  // namespace meniscus::offline
