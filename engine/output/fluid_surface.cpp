#include "engine/output/fluid_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/output/anisotropic_kernels.h"
#include "engine/output/marching_cubes.h"
#include "kernels/core/smoothing_kernel.h"

namespace meniscus {
namespace {

constexpr double kNodeSpacing = 0.5;    // particle spacings
constexpr double kMostNodes = 1 << 30;  // 4 GiB of values
constexpr Index kSlab = 8;              // layers of nodes that one thread fills

struct Box {
  Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
};

Box boxAbout(const Buffer<Ellipsoid>& ellipsoids) {
  Box b;
  for (const Ellipsoid& e : ellipsoids)
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = std::min(b.lo[k], double(e.x[k]) - e.reach[k]);
      b.hi[k] = std::max(b.hi[k], double(e.x[k]) + e.reach[k]);
    }
  return b;
}

// Nodes over the box and one more on each side, which no ellipsoid reaches.
void shape(NodeField& field, const Box& box, double spacing) {
  Vec3d nodes;
  for (int k = 0; k < 3; ++k) nodes[k] = std::ceil((box.hi[k] - box.lo[k]) / spacing) + 3;
  const double count = nodes.x * nodes.y * nodes.z;
  if (!(count <= kMostNodes))
    throw Error(ErrorKind::input,
                fmt::format("the fluid's surface would need a grid of {:.0f} x {:.0f} x {:.0f} nodes, more than {:.2g}; "
                            "the particles are spread over {:.3g} x {:.3g} x {:.3g} m: write frames without \"surface\"",
                            nodes.x, nodes.y, nodes.z, kMostNodes, box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z));
  field.spacing = spacing;
  field.origin = box.lo - Vec3d{spacing, spacing, spacing};
  field.n = {Index(nodes.x), Index(nodes.y), Index(nodes.z)};
  field.value.assign(std::size_t(count), 0);
}

// The ellipsoids by the slab that their centre is in, in their order.
struct Slabs {
  Buffer<Index> begin, order;
  Index across = 0;  // slabs that an ellipsoid reaches beyond its own

  void sort(const Buffer<Ellipsoid>& ellipsoids, const NodeField& f) {
    const Index count = (f.n.z + kSlab - 1) / kSlab;
    const auto slabOf = [&](const Ellipsoid& e) { return std::size_t((e.x.z - f.origin.z) / (f.spacing * kSlab)); };
    double reach = 0;
    begin.assign(std::size_t(count) + 1, 0);
    for (const Ellipsoid& e : ellipsoids) {
      ++begin[slabOf(e) + 1];
      reach = std::max(reach, double(e.reach.z));
    }
    across = Index(reach / (f.spacing * kSlab)) + 1;
    for (std::size_t s = 0; s < std::size_t(count); ++s) begin[s + 1] += begin[s];
    Buffer<Index> next = begin;
    order.resizeUninitialized(ellipsoids.size());
    for (std::size_t i = 0; i < ellipsoids.size(); ++i) order[std::size_t(next[slabOf(ellipsoids[i])]++)] = Index(i);
  }
};

struct FillSlab {
  const Ellipsoid* ellipsoids;
  const Slabs* slabs;
  NodeField* field;

  void operator()(Index slab) const {
    const Index count = Index(slabs->begin.size()) - 1;
    const Index from = std::max(slab - slabs->across, Index(0)), to = std::min(slab + slabs->across + 1, count);
    for (Index k = slabs->begin[std::size_t(from)]; k < slabs->begin[std::size_t(to)]; ++k)
      add(ellipsoids[slabs->order[std::size_t(k)]], slab * kSlab, std::min((slab + 1) * kSlab, field->n.z));
  }

  // To the nodes of layers [begin, end).
  void add(const Ellipsoid& e, Index begin, Index end) const {
    const double h = field->spacing;
    const Vec3d c = (Vec3d(e.x) - field->origin) * (1 / h), reach = Vec3d(e.reach) * (1 / h);
    const auto low = [&](int axis) { return Index(std::ceil(c[axis] - reach[axis])); };
    const auto high = [&](int axis) { return Index(std::floor(c[axis] + reach[axis])) + 1; };
    for (Index k = std::max(low(2), begin); k < std::min(high(2), end); ++k)
      for (Index j = low(1); j < high(1); ++j) {
        const float z = float((k - c.z) * h), y = float((j - c.y) * h), x0 = float((low(0) - c.x) * h), step = float(h);
        const float constant = e.m11 * y * y + e.m22 * z * z + 2 * e.m12 * y * z, linear = 2 * (e.m01 * y + e.m02 * z);
        float* row = &field->value[field->at(low(0), j, k)];
        const Index n = high(0) - low(0);
        for (Index i = 0; i < n; ++i) {
          const float x = x0 + float(i) * step, q2 = (e.m00 * x + linear) * x + constant;
          const float q = std::sqrt(std::min(std::max(q2, 0.f), 1.f)), a = 1 - q, a2 = a * a;
          row[i] += e.weight * a2 * a2 * (1 + 4 * q);
        }
      }
  }
};

// Means over the particles about a point, as Queries::fluidAt has them.
struct VelocityAt {
  const ParticleGrid* grid;
  const FluidState* fluid;
  const Vec3f* x;  // from the domain's lower corner
  Vec3f* v;
  double radius;

  void operator()(Index i) const {
    const Vec3d at(x[i]), reach{radius, radius, radius};
    const auto kernel = SmoothingKernel<double>::make(radius);
    Vec3d sum{};
    double weights = 0;
    grid->forEachIn(at - reach, at + reach, [&](Index j) {
      const double r = norm(Vec3d(fluid->x[std::size_t(j)].xyz()) - at);
      if (r >= radius) return;
      sum += Vec3d(fluid->u[std::size_t(j)].xyz()) * kernel.W(r);
      weights += kernel.W(r);
    });
    v[i] = weights > 0 ? Vec3f(sum * (1 / weights)) : Vec3f{};
  }
};

}  // namespace

FluidSurface fluidSurface(Exec& exec, const World& world) {
  const FluidState& f = world.fluid;
  FluidSurface out;
  if (f.n == 0) return out;
  ParticleGrid grid;
  grid.build(f.x.data(), f.n, world.scene.domain.max - world.scene.domain.min, kernelNeighbourhood(world.dx));
  Buffer<Ellipsoid> all, one;
  anisotropicKernels(exec, grid, f.x.data(), f.n, world.dx, all);
  NodeField field;
  Slabs slabs;
  for (std::size_t kind = 0; kind < world.scene.fluids.size(); ++kind) {
    one.clear();
    for (std::size_t i = 0; i < std::size_t(f.n); ++i)
      if (f.kind[i] == kind) one.push_back(all[i]);
    if (one.empty()) continue;
    shape(field, boxAbout(one), kNodeSpacing * world.dx);
    slabs.sort(one, field);
    parallelFor(exec, "surface field", Index(slabs.begin.size()) - 1, FillSlab{one.data(), &slabs, &field}, 1);
    marchingCubes(field, float(surfaceValue()), out.x, out.n, out.tri);
    out.fluid.resize(out.x.size(), std::uint8_t(kind));
  }
  out.v.resize(out.x.size());
  parallelFor(exec, "surface velocity", Index(out.x.size()),
              VelocityAt{&grid, &f, out.x.data(), out.v.data(), kernelNeighbourhood(world.dx)});
  for (Vec3f& x : out.x) x = Vec3f(world.scene.domain.min + Vec3d(x));
  return out;
}

}  // namespace meniscus
