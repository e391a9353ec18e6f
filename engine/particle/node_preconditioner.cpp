#include "engine/particle/node_preconditioner.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/solid/evaluate.h"

namespace meniscus {
namespace {

// Of the Jacobi steps. They leave the share prod (1 - w l) of what belongs to an eigenvalue l of B^-1 N in (0, 1], which must not
// be negative: factors above 1 come in pairs. A balloon in contact needs 51 iterations without, 20 and 12 with one and four steps
// of factor 1; these three leave less than those four.
constexpr float kRelaxation[] = {1.5f, 1.5f, 1.f};
constexpr int kJacobiSteps = 3;
constexpr float kLeastCompliance = 0.05f;  // of a row, as share of its diagonal: stiffer rows make N hard for Jacobi
constexpr Index kLargeRow = 8;             // rows of more nodes (enclosed volumes) are left to the diagonal,
constexpr float kSoftRow = 0.99f;          // and so are rows of which compliance is this share: their diagonal is all there is

// Row or part of an edge of this compliance and diagonal: is it in C, and its D0^-1.
inline bool inC(float compliance, float diag) { return compliance < kSoftRow * diag; }
inline float inverseD0(float compliance, float diag) {
  return 1.f / (inC(compliance, diag) ? std::max(compliance, kLeastCompliance * diag) : diag);
}

struct RowScale {
  ConstraintRates rates;
  RowLayout layout;
  EdgeRow* edges;
  const float *fluidD0, *compliance, *rowDiag;
  float *invD0, *rowWeight;
  std::uint8_t* inNodes;
  void operator()(Index begin, Index end) const {
    for (Index i = begin; i < layout.fluidEnd(end); ++i) invD0[i] = 1.f / fluidD0[i];
    layout.forEachSolid(
        begin, end,
        [&](Index k, Index) {
          EdgeRow& e = edges[k];
          for (int part = 0; part < EdgeRow::parts; ++part) {
            if (e.on[part] == 0) continue;
            e.inverse[part] = inverseD0(e.compliance[part], e.diag[part]);
            e.inNodes[part] = inC(e.compliance[part], e.diag[part]) ? e.inverse[part] : 0.f;
          }
        },
        [&](Index k, Index i) {
          inNodes[k] = rates.begin[k + 1] - rates.begin[k] <= kLargeRow && inC(compliance[k], rowDiag[k]);
          invD0[i] = inNodes[k] ? inverseD0(compliance[k], rowDiag[k]) : 1.f / rowDiag[k];
          rowWeight[k] = inNodes[k] ? invD0[i] : 0.f;
        });
  }
};

// Weights of the surfaces in the divergence where nodes carry them.
struct NodePush {
  NodeCouplings c;
  float* nodePush;
  void operator()(Index slot) const { nodePush[slot] = c.slots[slot].node[0] >= 0 ? c.push[slot] : 0.f; }
};

struct WeighAll {
  NodePreconditioner::Weigh weigh;
  const float* r;
  void operator()(Index begin, Index end) const {
    for (Index i = begin; i < weigh.layout.fluidEnd(end); ++i) weigh(i, r[i]);
    weigh.layout.forEachSolid(
        begin, end, [&](Index k, Index i) { weigh.edge(k, loadVec4(r + i)); }, [&](Index, Index i) { weigh(i, r[i]); });
  }
};

// z = D0^-1 (r - C u)
struct Scatter {
  NodeCouplings c;
  const std::uint8_t* inNodes;
  const float *r, *invD0, *push;
  const Vec4f* u;
  float* z;
  void operator()(Index begin, Index end, double* acc) const {
    const auto put = [&](Index i, float s) {
      z[i] = s * invD0[i];
      acc[0] += double(z[i]) * r[i];
    };
    for (Index i = begin; i < c.layout.fluidEnd(end); ++i) {
      float s = r[i];
      if (const Index row = c.near[i]; row >= 0)
        for (Index slot = c.slotBegin[row]; slot < c.slotBegin[row + 1]; ++slot) s += surface(slot);
      put(i, s);
    }
    c.layout.forEachSolid(
        begin, end,
        [&](Index k, Index i) {
          const EdgeRow& e = c.edges[k];
          const Vec4f ri = loadVec4(r + i);
          const Vec4f zi = e.scaled(ri, e.inverse) - e.scaled((u[e.a] - u[e.b]) * c.edgeScale, e.inNodes);
          storeVec4(z + i, zi);
          acc[0] += double((zi * ri).sum());
        },
        [&](Index k, Index i) { put(i, inNodes[k] ? r[i] - c.rates.rate(k, u) : r[i]); });
  }
  // What the velocities of the nodes add to the divergence.
  float surface(Index slot) const {
    const SlotBinding& b = c.slots[slot];
    if (b.node[0] < 0) return 0.f;
    const Vec4f v = u[b.node[0]] * b.b[0] + u[b.node[1]] * b.b[1] + u[b.node[2]] * b.b[2];
    return push[slot] * (v * Vec4f(b.n, 0.f)).sum();
  }
};

}  // namespace

// f = C^T D0^-1 r and the first Jacobi step, from u = 0.
struct NodePreconditioner::Gather {
  NodeCouplings c;
  const float *ySlot, *yRow;
  const Vec4f* yEdge;
  const Block* inverse;
  float relaxation;
  Vec4f *f, *u;
  void operator()(Index n) const {
    Vec4f s{}, t{};
    for (Index e = c.nodeEdgeBegin[n]; e < c.nodeEdgeBegin[n + 1]; ++e) t.addScaled(yEdge[c.nodeEdge[e].edge], c.nodeEdge[e].sign);
    for (Index e = c.nodeSlotBegin[n]; e < c.nodeSlotBegin[n + 1]; ++e) s.addScaled(c.nodeSlotNormal[e], ySlot[c.nodeSlot[e]]);
    for (Index e = c.nodeEntryBegin[n]; e < c.nodeEntryBegin[n + 1]; ++e) t.addScaled(c.nodeEntryGrad[e], yRow[c.nodeEntryRow[e]]);
    f[n] = s + t;
    u[n] = inverse[n] * f[n] * relaxation;
  }
};

struct NodePreconditioner::JacobiStep {
  const Index *begin, *end, *column;
  const Block *matrix, *inverse;
  const Vec4f *f, *u;
  float relaxation;
  Vec4f* next;
  void operator()(Index n) const {
    Vec4f s{}, t{}, w{};
    for (Index e = begin[n]; e < end[n]; ++e) {
      const Vec4f v = u[column[e]];
      s.addScaled(matrix[e].column[0], v.x);
      t.addScaled(matrix[e].column[1], v.y);
      w.addScaled(matrix[e].column[2], v.z);
    }
    next[n] = u[n] + inverse[n] * (f[n] - ((s + t) + w)) * relaxation;
  }
};

// One block row of N and B^-1. Products of several nodes are bounded by their own diagonal: for a triangle's weights b >= 0
// (sum b u)^2 <= (sum b) sum b u^2, for a row of m entries (sum g . u)^2 <= m sum (g . u)^2; a particle with several features
// counts each with the weights of all.
struct NodePreconditioner::Assemble {
  NodeCouplings c;
  const std::uint8_t* inNodes;
  const float* invD0;
  const Index *begin, *neighbour;
  Index *end, *column;
  Block *matrix, *inverse;

  void operator()(Index n) const {
    end[n] = begin[n];
    for (Index e = begin[n]; e < begin[n + 1]; ++e) matrix[e] = Block{};
    inverse[n] = Block{};
    if (!(c.nodeW[n] > 0)) return;         // held nodes stay at rest
    thread_local Buffer<Index> positions;  // of a neighbour's block; only those of n's neighbours are valid
    if (positions.size() < std::size_t(c.nodes)) positions.resize(std::size_t(c.nodes));
    for (Index e = begin[n]; e < begin[n + 1]; ++e) positions[std::size_t(neighbour[e])] = e;
    const Index* const position = positions.data();
    const float m = float(1 / (c.V * c.nodeW[n]));
    Block bound{{Vec4f(m, 0, 0, 0), Vec4f(0, m, 0, 0), Vec4f(0, 0, m, 0)}};
    Block& own = matrix[position[n]];
    for (int k = 0; k < 3; ++k) own.column[k] += bound.column[k];
    addSlots(n, position, bound);
    addEdges(n, position, bound);
    addRows(n, position, bound);
    const Mat3d inv = ::meniscus::inverse(
                          Mat3d::columns(Vec3d(bound.column[0].xyz()), Vec3d(bound.column[1].xyz()), Vec3d(bound.column[2].xyz())))
                          .transposed();
    for (int k = 0; k < 3; ++k) inverse[n].column[k] = Vec4f(Vec3f(inv.r[k]), 0.f);
    pack(n);
  }
  // Nodes joined only by constraints that are not in C, such as weak bending, have blocks of zeros.
  void pack(Index n) const {
    for (Index e = begin[n]; e < begin[n + 1]; ++e) {
      const Block& b = matrix[e];
      if (((b.column[0] * b.column[0] + b.column[1] * b.column[1]) + b.column[2] * b.column[2]).sum() == 0.f) continue;
      column[end[n]] = neighbour[e];
      matrix[end[n]++] = b;
    }
  }
  void addSlots(Index n, const Index* position, Block& bound) const {
    for (Index e = c.nodeSlotBegin[n]; e < c.nodeSlotBegin[n + 1]; ++e) {
      const Index slot = c.nodeSlot[e], particle = c.slotParticle[slot], row = c.near[particle];
      const SlotBinding& b = c.slots[slot];
      float all = 0;
      for (Index s = c.slotBegin[row]; s < c.slotBegin[row + 1]; ++s)
        if (c.slots[s].node[0] >= 0) all += std::fabs(c.push[s]);
      const Vec4f normal(b.n, 0.f);
      const Vec4f weighted = c.nodeSlotNormal[e] * (std::fabs(c.push[slot]) * all * invD0[particle]);
      bound.addOuter(weighted, normal);
      for (int q = 0; q < 3; ++q) matrix[position[b.node[q]]].addOuter(weighted, normal * b.b[q]);
    }
  }
  void addEdges(Index n, const Index* position, Block& bound) const {
    Block sum{};
    for (Index k = c.nodeEdgeBegin[n]; k < c.nodeEdgeBegin[n + 1]; ++k) {
      const EdgeRow& e = c.edges[c.nodeEdge[k].edge];
      const Index at = e.a == n ? e.b : e.a;
      Block& other = matrix[position[at]];
      const float s2 = c.edgeScale * c.edgeScale, across = s2 * e.inNodes[EdgeRow::across];
      const Vec4f n2 = e.n * (s2 * e.inNodes[EdgeRow::along] - across);
      const Block stiffness{
          {(n2 * e.n.x) + Vec4f(across, 0, 0, 0), (n2 * e.n.y) + Vec4f(0, across, 0, 0), (n2 * e.n.z) + Vec4f(0, 0, across, 0)}};
      for (int j = 0; j < 3; ++j) {
        other.column[j] = other.column[j] - stiffness.column[j];
        sum.column[j] += stiffness.column[j];
        bound.column[j].addScaled(stiffness.column[j], c.nodeW[at] > 0 ? 2.f : 1.f);  // two free ends, or one
      }
    }
    Block& own = matrix[position[n]];
    for (int j = 0; j < 3; ++j) own.column[j] += sum.column[j];
  }
  void addRows(Index n, const Index* position, Block& bound) const {
    for (Index e = c.nodeEntryBegin[n]; e < c.nodeEntryBegin[n + 1]; ++e) {
      const Index k = c.nodeEntryRow[e];
      if (!inNodes[k]) continue;
      const Vec4f g = c.nodeEntryGrad[e] * invD0[c.layout.rows + k];
      for (Index o = c.rates.begin[k]; o < c.rates.begin[k + 1]; ++o)
        matrix[position[c.rates.node[o]]].addOuter(g, c.rates.grad[o]);
      bound.addOuter(g * float(c.rates.begin[k + 1] - c.rates.begin[k]), c.nodeEntryGrad[e]);
    }
  }
};

void NodePreconditioner::configure(const SolidState& solid) {
  nodes_ = Index(solid.x.size());
  std::vector<std::pair<Index, Index>> pairs;
  const auto join = [&](const Index* node, int n) {
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) pairs.emplace_back(node[a], node[b]);
  };
  for (Index n = 0; n < nodes_; ++n) join(&n, 1);
  for (std::size_t t = 0; t + 2 < solid.tri.size(); t += 3) join(&solid.tri[t], 3);
  for (const Constraint& c : solid.constraints.items)
    dispatchKind(c.type, [&](auto tag) { join(c.node, decltype(tag)::type::nodes); });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  begin_.assign(std::size_t(nodes_) + 1, 0);
  neighbour_.clear();
  for (const auto& [a, b] : pairs) {
    ++begin_[a + 1];
    neighbour_.push_back(b);
  }
  for (Index n = 0; n < nodes_; ++n) begin_[n + 1] += begin_[n];
  column_.resizeUninitialized(neighbour_.size());
  end_.resizeUninitialized(std::size_t(nodes_));
  matrix_.resizeUninitialized(neighbour_.size());
  inverse_.resizeUninitialized(std::size_t(nodes_));
  for (auto* b : {&f_, &u_, &next_}) b->resizeUninitialized(std::size_t(nodes_));
}

void NodePreconditioner::assemble(Exec& exec, const NodeCouplings& couplings, const float* fluidD0, const float* compliance,
                                  const float* rowDiag) {
  c_ = couplings;
  const Index rows = c_.layout.total - c_.layout.rows;
  invD0_.resizeUninitialized(std::size_t(c_.layout.total));
  for (auto* b : {&ySlot_, &nodePush_}) b->resizeUninitialized(std::size_t(c_.slotBegin[c_.nearRows]));
  for (auto* b : {&yRow_, &rowWeight_}) b->resizeUninitialized(std::size_t(rows));
  inNodes_.resizeUninitialized(std::size_t(rows));
  yEdge_.resizeUninitialized(std::size_t(c_.layout.edgeCount()));
  parallelBlocks(
      exec, "precondition: scale", c_.layout.total,
      RowScale{c_.rates, c_.layout, c_.edges, fluidD0, compliance, rowDiag, invD0_.data(), rowWeight_.data(), inNodes_.data()});
  parallelFor(exec, "precondition: slots", c_.slotBegin[c_.nearRows], NodePush{c_, nodePush_.data()});
  parallelFor(exec, "precondition: assemble", nodes_,
              Assemble{c_, inNodes_.data(), invD0_.data(), begin_.data(), neighbour_.data(), end_.data(), column_.data(),
                       matrix_.data(), inverse_.data()},
              64);
}

NodePreconditioner::Weigh NodePreconditioner::weigh() {
  return {c_.near,          c_.slotBegin,      c_.layout,     c_.edges,     invD0_.data(),
          nodePush_.data(), rowWeight_.data(), ySlot_.data(), yRow_.data(), yEdge_.data()};
}

double NodePreconditioner::apply(Exec& exec, const Buffer<float>& r, Buffer<float>& z) {
  parallelBlocks(exec, "precondition: weigh", c_.layout.total, WeighAll{weigh(), r.data()});
  return applyWeighed(exec, r, z);
}

double NodePreconditioner::applyWeighed(Exec& exec, const Buffer<float>& r, Buffer<float>& z) {
  parallelFor(exec, "precondition: gather", nodes_,
              Gather{c_, ySlot_.data(), yRow_.data(), yEdge_.data(), inverse_.data(), kRelaxation[0], f_.data(), u_.data()}, 256);
  for (int k = 1; k < kJacobiSteps; ++k) {
    parallelFor(exec, "precondition: step", nodes_,
                JacobiStep{begin_.data(), end_.data(), column_.data(), matrix_.data(), inverse_.data(), f_.data(), u_.data(),
                           kRelaxation[k], next_.data()},
                256);
    u_.swap(next_);
  }
  double sum[1];
  parallelBlockSums<1>(exec, "precondition: scatter", c_.layout.total,
                       Scatter{c_, inNodes_.data(), r.data(), invD0_.data(), nodePush_.data(), u_.data(), z.data()}, sum);
  return sum[0];
}

std::size_t NodePreconditioner::bytes() const {
  std::size_t s = matrix_.capacityBytes() + inverse_.capacityBytes() + begin_.capacityBytes() + neighbour_.capacityBytes() +
                  end_.capacityBytes() + column_.capacityBytes();
  for (const auto* b : {&invD0_, &nodePush_, &rowWeight_, &ySlot_, &yRow_}) s += b->capacityBytes();
  for (const auto* b : {&yEdge_, &f_, &u_, &next_}) s += b->capacityBytes();
  return s + inNodes_.capacityBytes();
}

}  // namespace meniscus
