// What the contact stage needs to know of the solids' motion: where the triangles end, how far the surfaces near each cell move,
// and whether the candidate lists reach far enough for the particles' paths.
#include <algorithm>

#include "engine/particle/boundary_impl.h"

namespace meniscus {
namespace {

struct ShiftOfTriangle {
  View<const Index> which;
  View<const TriangleTopology> topology;
  const TriangleGeometry *start, *end;
  View<Shift> out;
  void operator()(Index i) const {
    const Index t = which[i];
    Vec3f d[3];
    for (int k = 0; k < 3; ++k) {
      const std::size_t v = std::size_t(topology[t].node[k]);
      d[k] = (end->node[v] - start->node[v]).xyz();
    }
    const Vec3f mean = (d[0] + d[1] + d[2]) * (1.f / 3.f);
    out[t] = {mean, std::sqrt(std::max({norm2(d[0] - mean), norm2(d[1] - mean), norm2(d[2] - mean)}))};
  }
};

// A bound on the spread: the farthest mean and the largest spread need not be the same triangle's.
struct ShiftOfCell {
  const Boundary::Impl* im;
  View<const Shift> triangle;
  View<Shift> out;
  void operator()(Index cell) const {
    const CandidateSpan c = im->moving(cell);
    if (c.n == 0) return;
    Vec4f sum;
    float spread = 0, off2 = 0;
    for (Index k = 0; k < c.n; ++k) sum += load(c.data[k]);
    const Vec4f mean = (sum * (1.f / float(c.n))).withW(0.f);
    for (Index k = 0; k < c.n; ++k) {
      const Vec4f s = load(c.data[k]), off = (s - mean).withW(0.f);
      spread = std::max(spread, s.w);
      off2 = std::max(off2, (off * off).sum());
    }
    out[cell] = {mean.xyz(), std::sqrt(off2) + spread};
  }
  Vec4f load(Index t) const { return Vec4f(triangle[t].mean, triangle[t].spread); }
};

struct Way {
  View<const Vec4f> xOld, x;
  double operator()(Index i) const {
    const float d = norm((x[i] - xOld[i]).xyz());
    return std::isfinite(d) ? double(d) : 0.0;
  }
};

// Particles whose way is longer than the lists' reach allows.
struct CountFar {
  Way way;
  double limit;
  void operator()(Index i, double* sum) const { sum[0] += way(i) > limit; }
};

}  // namespace

void Boundary::Impl::prepareContacts(Exec& exec, const World& world, View<const Vec4f> xOld, View<const Vec4f> x) {
  TriangleSet& t = triangles;
  placePrimitives(world, primitives);
  stage.blocks.resize((std::size_t(x.n) + kBlock - 1) / kBlock);
  stage.largestShift = 0;
  t.place(exec, world, world.solid.x, t.end, false);
  stage.triangleShift.resizeUninitialized(std::size_t(t.count));
  if (!t.moving.empty()) stage.cellShift.resizeUninitialized(std::size_t(grid->cells()));
  parallelFor(exec, "triangle shifts", Index(t.moving.size()),
              ShiftOfTriangle{std::as_const(t.moving).view(), std::as_const(t.topology).view(), &t.start, &t.end,
                              stage.triangleShift.view()});
  for (const Index n : t.movingNodes)
    stage.largestShift = std::max(stage.largestShift, norm2((t.end.node[std::size_t(n)] - t.start.node[std::size_t(n)]).xyz()));
  stage.largestShift = std::sqrt(stage.largestShift);
  // Some particles beyond the lists' reach are compared with all triangles; where that would cost too much the lists are made
  // again.
  const float needed = stage.largestShift + 4.f * contact;
  double far[1] = {0};
  parallelSum(exec, "far particles", x.n, CountFar{{xOld, x}, t.movingLists.reach() - needed}, far);
  if (!t.moving.empty() && (needed > t.movingLists.reach() || far[0] * double(t.moving.size()) > 2e6)) {
    const float way = float(parallelMax(exec, "longest way", x.n, Way{xOld, x}));
    t.movingLists.build(exec, "list moving triangles", *grid, t.start, t.moving, needed + std::min(way, 4.f * support) * 1.01f,
                        false);
  }
  parallelFor(exec, "cell shifts", t.moving.empty() ? 0 : grid->cells(),
              ShiftOfCell{this, std::as_const(stage.triangleShift).view(), stage.cellShift.view()});
}

}  // namespace meniscus
