// One application of the preconditioner: to the nodes, Jacobi steps there, and back.
#include <algorithm>
#include <cstring>

#include "engine/particle/node_preconditioner.h"

namespace meniscus {
namespace {

// Of the Jacobi steps. They leave the share prod (1 - w l) of what belongs to an eigenvalue l of B^-1 N in (0, 1], which must not
// be negative: factors above 1 come in pairs. A balloon in contact needs 51 iterations without, 20 and 12 with one and four steps
// of factor 1; these three leave less than those four.
constexpr float kRelaxation[] = {1.5f, 1.5f, 1.f};
constexpr int kJacobiSteps = 3;

struct WeighAll {
  NodePreconditioner::Weigh weigh;
  RowLayout layout;
  const float* r;
  void operator()(Index begin, Index end) const {
    weigh.surfaces(nearRange(weigh.view, begin, layout.fluidEnd(end)), r);
    layout.forEachSolid(
        begin, end, [&](Index k, Index i) { weigh.edge(k, loadVec4(r + i)); }, [&](Index k, Index i) { weigh.row(k, r[i]); });
  }
};

}  // namespace

inline Vec8 NodePreconditioner::Blocks::times(const Vec8& u) const {
  Vec8 s = Vec8::load(column[0]) * u.x;
  s.addScaled(Vec8::load(column[1]), u.y);
  return s.addScaled(Vec8::load(column[2]), u.z);
}

// As EdgeRow::scaled.
inline Vec8 NodePreconditioner::Edges::scaled(const Vec8& v, const Scale& f) const {
  const Vec8 direction = Vec8::load(n);
  return (v * Float8::load(f.across)).addScaled(direction, dot(v, direction) * Float8::load(f.difference));
}

// z = D0^-1 (r - C u). Blocks of fluid rows, then of edges, then of constraint rows.
struct NodePreconditioner::Scatter {
  NodeCouplings c;
  const Edges* edges;
  const std::uint8_t* inNodes;
  const float *r, *invD0, *push;
  const Vec4f* u;
  float* z;

  Index fluidBlocks() const { return (c.layout.fluid + kBlock - 1) / kBlock; }
  Index edgeBlocks() const { return (4 * c.layout.edgeCount() + kBlock - 1) / kBlock; }
  Index rows() const { return (fluidBlocks() + edgeBlocks()) * kBlock + (c.layout.total - c.layout.rows); }
  void operator()(Index begin, Index end, double* acc) const {
    const Index block = begin / kBlock, edgeEnd = fluidBlocks() + edgeBlocks();
    if (block < fluidBlocks()) return fluid(block, acc);
    if (block < edgeEnd) return edgeBlock(block - fluidBlocks(), acc);
    for (Index i = begin; i < end; ++i) {
      const Index k = i - edgeEnd * kBlock, row = c.layout.rows + k;
      z[row] = (inNodes[k] ? r[row] - c.rates.rate(k, u) : r[row]) * invD0[row];
      acc[0] += double(z[row]) * r[row];
    }
  }
  void fluid(Index block, double* acc) const {
    const Index begin = block * kBlock, end = std::min(begin + kBlock, c.layout.fluid);
    alignas(64) float s[kBlock];
    for (Index i = begin; i < end; ++i) s[i - begin] = r[i];
    const NearRange near = nearRange(c.view, begin, end);
    for (Index k = near.slotBegin; k < near.slotEnd; ++k)
      if (c.surfaces[k].carried()) s[c.view.slotParticle[k] - begin] += push[k] * c.surfaces[k].speed(u);
    double sum[4] = {};
    Index i = begin;
    for (; i + 4 <= end; i += 4)
      for (int l = 0; l < 4; ++l) {
        z[i + l] = s[i + l - begin] * invD0[i + l];
        sum[l] += double(z[i + l]) * double(r[i + l]);
      }
    for (; i < end; ++i) {
      z[i] = s[i - begin] * invD0[i];
      sum[0] += double(z[i]) * double(r[i]);
    }
    acc[0] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  void edgeBlock(Index block, double* acc) const {
    constexpr Index kEdges = kBlock / 4;
    const Index begin = block * kEdges, end = std::min(begin + kEdges, c.layout.edgeCount());
    double sum[kLanes] = {};
    for (Index k = begin; k < end; k += kLanes) {
      const Index n = std::min(kLanes, end - k);
      const Edges& e = edges[k / kLanes];
      const float* const rk = r + c.layout.edges + 4 * k;
      float* const zk = z + c.layout.edges + 4 * k;
      alignas(64) float rest[2][4 * kLanes] = {};  // where there are fewer than eight
      if (n < kLanes) std::memcpy(rest[0], rk, 4 * n * sizeof(float));
      const Vec8 ri = loadVec8(n < kLanes ? rest[0] : rk), du = gather(u, e.a) - gather(u, e.b);
      const Vec8 zi = e.scaled(ri, e.inverse) - e.scaled(du * Float8(c.edgeScale), e.inNodes);
      storeVec8(n < kLanes ? rest[1] : zk, zi);
      if (n < kLanes) std::memcpy(zk, rest[1], 4 * n * sizeof(float));
      alignas(32) float product[kLanes];
      dot(zi, ri).store(product);
      for (int l = 0; l < kLanes; ++l) sum[l] += double(product[l]);
    }
    for (const double s : sum) acc[0] += s;
  }
};

// f = C^T D0^-1 r and the first Jacobi step, from u = 0.
struct NodePreconditioner::Gather {
  NodeCouplings c;
  const float *ySlot, *yRow;
  const Vec4f* yEdge;
  const Blocks* inverse;
  float relaxation;
  float* f;
  Vec4f* u;
  void operator()(Index g) const {
    Vec8 s{}, t{};
    for (Index e = c.nodeEdges.begin[g]; e < c.nodeEdges.begin[g + 1]; ++e) {
      const EdgeEnds& ends = c.nodeEdges.items[e];
      t.addScaled(gather(yEdge, ends.edge), Float8::load(ends.sign));
    }
    for (Index e = c.nodeSlots.begin[g]; e < c.nodeSlots.begin[g + 1]; ++e) {
      const SlotEnds& ends = c.nodeSlots.items[e];
      s.addScaled(gatherVec8<8>(&c.surfaces->n.x, ends.slot) * Float8::load(ends.weight), gather(ySlot, ends.slot));
    }
    addRows(g, t);
    const Vec8 force = s + t;
    float* const out = f + 3 * kLanes * g;
    force.x.store(out);
    force.y.store(out + kLanes);
    force.z.store(out + 2 * kLanes);
    storeVec8(&u[g * kLanes].x, inverse[g].times(force) * Float8(relaxation));
  }
  void addRows(Index g, Vec8& t) const {
    const Index first = g * kLanes, end = std::min(first + kLanes, c.nodes);
    if (c.nodeEntryBegin[first] == c.nodeEntryBegin[end]) return;
    alignas(64) Vec4f sum[kLanes];
    storeVec8(&sum[0].x, t);
    for (Index n = first; n < end; ++n)
      for (Index e = c.nodeEntryBegin[n]; e < c.nodeEntryBegin[n + 1]; ++e)
        sum[n - first].addScaled(c.nodeEntryGrad[e], yRow[c.nodeEntryRow[e]]);
    t = loadVec8(&sum[0].x);
  }
};

struct NodePreconditioner::JacobiStep {
  const Index *begin, *end;
  const Entries* entries;
  const Blocks* inverse;
  const float* f;
  const Vec4f* u;
  float relaxation;
  Vec4f* next;
  void operator()(Index g) const {
    Vec8 s{}, t{}, w{};
    for (Index e = begin[g]; e < end[g]; ++e) {
      const Entries& row = entries[e];
      const Vec8 v = gather(u, row.node);
      s.addScaled(Vec8::load(row.block.column[0]), v.x);
      t.addScaled(Vec8::load(row.block.column[1]), v.y);
      w.addScaled(Vec8::load(row.block.column[2]), v.z);
    }
    const float* const in = f + 3 * kLanes * g;
    const Vec8 force{Float8::load(in), Float8::load(in + kLanes), Float8::load(in + 2 * kLanes)};
    const Vec8 step = inverse[g].times(force - ((s + t) + w)) * Float8(relaxation);
    storeVec8(&next[g * kLanes].x, loadVec8(&u[g * kLanes].x) + step);
  }
};

NodePreconditioner::Weigh NodePreconditioner::weigh() {
  return {c_.view, c_.edges, invD0_.data(), nodePush_.data(), rowWeight_.data(), ySlot_.data(), yRow_.data(), yEdge_.data()};
}
double NodePreconditioner::apply(Exec& exec, const Buffer<float>& r, Buffer<float>& z) {
  parallelBlocks(exec, "precondition: weigh", c_.layout.total, WeighAll{weigh(), c_.layout, r.data()});
  return applyWeighed(exec, r, z);
}

double NodePreconditioner::applyWeighed(Exec& exec, const Buffer<float>& r, Buffer<float>& z) {
  constexpr Index kGrain = 16;
  parallelFor(exec, "precondition: gather", laneGroups(nodes_),
              Gather{c_, ySlot_.data(), yRow_.data(), yEdge_.data(), inverse_.data(), kRelaxation[0], f_.data(), u_.data()},
              kGrain);
  for (int k = 1; k < kJacobiSteps; ++k) {
    parallelFor(exec, "precondition: step", laneGroups(nodes_),
                JacobiStep{entryBegin_.data(), entryEnd_.data(), entries_.data(), inverse_.data(), f_.data(), u_.data(),
                           kRelaxation[k], next_.data()},
                kGrain);
    u_.swap(next_);
  }
  const Scatter scatter{c_, edges_.data(), inNodes_.data(), r.data(), invD0_.data(), nodePush_.data(), u_.data(), z.data()};
  double sum[1];
  parallelBlockSums<1>(exec, "precondition: scatter", scatter.rows(), scatter, sum);
  return sum[0];
}

std::size_t NodePreconditioner::bytes() const {
  std::size_t s = entries_.capacityBytes() + inverse_.capacityBytes() + edges_.capacityBytes();
  for (const auto* b : {&begin_, &neighbour_, &entryBegin_, &entryEnd_}) s += b->capacityBytes();
  for (const auto* b : {&invD0_, &nodePush_, &slotWeight_, &rowWeight_, &ySlot_, &yRow_, &f_}) s += b->capacityBytes();
  for (const auto* b : {&yEdge_, &u_, &next_}) s += b->capacityBytes();
  for (const auto* p : {&meshPairs_, &contactPairs_, &allPairs_}) s += p->capacity() * sizeof(p->front());
  return s + inNodes_.capacityBytes();
}

}  // namespace meniscus
