// Contact after the move: no particle's path may cross a surface, none may end nearer to one than the contact distance.
//
// The solids' positions are settled before, so every particle is moved on its own (boundary_mover.cpp). What that owes to the
// bodies comes after: impulses (boundary_impulses.cpp), and the bodies' way back (boundary_reaction.cpp).
#include "engine/particle/boundary_mover.h"

namespace meniscus {
namespace {

// Way back of a body, in contact distances: what it does not hold is a whole one away.
constexpr float kMostShift = 0.1f;

bool finite(const Vec3f& x) { return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z); }

struct MoveBlock {
  const Boundary::Impl* im;
  ContactStage* stage;
  const World* world;
  View<const Vec4f> xOld;
  View<Vec4f> x;
  View<std::uint8_t> leaked;

  void operator()(Index begin, Index end) const {
    ContactStage::Block& block = stage->blocks[std::size_t(begin / kBlock)];
    block.contacts.clear();
    block.corrected = block.leaked = 0;
    const FeatureTable& t = im->table;
    thread_local HitList hits;
    HeldBy held[kMaxContacts];
    Mover m(*im, *world, hits, held);
    for (Index i = begin; i < end; ++i) {
      const Vec3f from = xOld[i].xyz(), to = x[i].xyz();
      if (!finite(from) || !finite(to)) continue;  // reported by the step's own check
      const bool known = std::size_t(x.n) == t.x.size() && t.x[std::size_t(i)].xyz() == from;
      m.run(from, to, known, known ? t.triangleDistance[std::size_t(i)] : 0.f);
      if (!(m.position() == to)) x[i] = Vec4f(m.position(), 0.f);
      block.corrected += m.corrected();
      if (m.leaks()) {
        leaked[i] = 1;
        ++block.leaked;
      }
      for (int k = 0; k < m.contacts(); ++k) {
        const Hit& h = m.contact(k).hit;
        block.contacts.push_back({i, h.surface, h.n, h.b0, h.b1, m.contact(k).moved, m.isSqueezed()});
      }
    }
  }
};

}  // namespace

Index Boundary::resolveContacts(Exec& exec, World& world, const CellGrid& grid, View<const Vec4f> xOld, View<Vec4f> x,
                                View<Vec4f> u, View<std::uint8_t> leaked, View<const std::uint8_t> resting) {
  Impl& im = *impl_;
  im.grid = &grid;
  im.prepareContacts(exec, world, xOld, x);
  parallelBlocks(exec, "contacts", x.n, MoveBlock{&im, &im.stage, &world, xOld, x, leaked});
  im.stage.reaction.begin(world, resting);
  for (const ContactStage::Block& b : im.stage.blocks)
    for (const Contact& c : b.contacts)
      im.stage.reaction.moved(surface(c.surface), c, particleMass(world, c.particle), u[c.particle]);
  im.stage.reaction.shiftBack(world, x, u, double(kMostShift * im.contact));
  im.stage.given.assign(world.solid.rigid.size(), {});
  applyContactImpulses(world, *this, im.stage, x, u);
  im.stage.reaction.restoreSpin(world, x, u);
  im.readMotion(world);
  Index corrected = 0;
  im.leaked = 0;
  for (const ContactStage::Block& b : im.stage.blocks) {
    corrected += b.corrected;
    im.leaked += b.leaked;
  }
  return corrected;
}

}  // namespace meniscus
