// Soft solids that stand within one another at the start: their contacts know no way out of what both fill.
#include <fmt/format.h>

#include <algorithm>

#include "engine/solid/implicit/contact_overlaps.h"
#include "engine/world/build_parts.h"

namespace meniscus {
namespace {

constexpr double kLeast = 0.05;  // spacings: faces that touch are not within one another

// Of a soft body; its nodes have the numbers of the list.
implicit::ContactSurface surfaceOf(const SolidState& s, const Body& body, int begin) {
  implicit::ContactSurface c;
  c.begin = begin;
  c.end = begin + int(body.nodeEnd - body.nodeBegin);
  c.filled = true;
  for (Index t = body.triBegin; t < body.triEnd; ++t) {
    std::array<int, 3> e;
    for (std::size_t k = 0; k < 3; ++k) e[k] = begin + int(s.tri[3 * std::size_t(t) + k] - body.nodeBegin);
    c.elements.push_back(e);
  }
  return c;
}

}  // namespace

void checkSoftOverlaps(Builder& b) {
  const SolidState& s = b.world.solid;
  implicit::ContactScene all;
  std::vector<const Body*> soft;
  std::vector<double> x;
  for (const Body& body : s.bodies) {
    if (body.kind != SolidKind::soft || body.triEnd == body.triBegin) continue;
    soft.push_back(&body);
    all.surfaces.push_back(surfaceOf(s, body, int(x.size() / 3)));
    for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) {
      all.given.push_back(s.w[std::size_t(i)] == 0);
      for (int a = 0; a < 3; ++a) x.push_back(s.x[std::size_t(i)][a]);
    }
  }
  if (soft.size() < 2) return;
  const implicit::ContactMesh mesh(std::move(all), Eigen::Map<const implicit::Vector>(x.data(), Eigen::Index(x.size())));
  for (const implicit::SolidOverlap& o : implicit::overlapsOf(mesh, kLeast * b.world.dx)) {
    if (o.solid == o.other) continue;
    const std::string &first = soft[std::size_t(std::min(o.solid, o.other))]->name,
                      &second = soft[std::size_t(std::max(o.solid, o.other))]->name;
    const auto& solids = b.world.scene.solids;
    const auto def = std::find_if(solids.begin(), solids.end(), [&](const SolidDef& d) { return d.name == second; });
    b.mistake(def == solids.end() ? b.world.scene.where : def->where,
              fmt::format("solid \"{}\": overlaps solid \"{}\" at the start, by {:.3g} m at [{:.4g}, {:.4g}, {:.4g}]; move one of "
                          "them, make it smaller, or make both one mesh",
                          second, first, o.depth, o.at.x, o.at.y, o.at.z));
  }
}

}  // namespace meniscus
