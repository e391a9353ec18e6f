// Assembly of the preconditioner: D0^-1 of all rows, and N with its bound.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/particle/node_preconditioner.h"
#include "engine/solid/evaluate.h"

namespace meniscus {
namespace {

constexpr float kLeastCompliance = 0.05f;  // of a row, as share of its diagonal: stiffer rows make N hard for Jacobi
constexpr Index kLargeRow = 8;             // rows of more nodes (enclosed volumes) are left to the diagonal,
constexpr float kSoftRow = 0.99f;          // and so are rows of which compliance is this share: their diagonal is all there is

// Row or part of an edge of this compliance and diagonal: is it in C, and its D0^-1.
inline bool inC(float compliance, float diag) { return compliance < kSoftRow * diag; }
inline float inverseD0(float compliance, float diag) {
  return 1.f / (inC(compliance, diag) ? std::max(compliance, kLeastCompliance * diag) : diag);
}

}  // namespace

void NodePreconditioner::Blocks::set(Index lane, const Block& b) {
  for (int j = 0; j < 3; ++j) {
    column[j][0][lane] = b.column[j].x;
    column[j][1][lane] = b.column[j].y;
    column[j][2][lane] = b.column[j].z;
  }
}

void NodePreconditioner::Edges::set(Index lane, const EdgeRow& e) {
  const auto scale = [&](Scale& s, const float(&f)[EdgeRow::parts]) {
    s.across[lane] = f[EdgeRow::across];
    s.difference[lane] = f[EdgeRow::along] - f[EdgeRow::across];
  };
  n[0][lane] = e.n.x;
  n[1][lane] = e.n.y;
  n[2][lane] = e.n.z;
  scale(inverse, e.inverse);
  scale(inNodes, e.inNodes);
  a[lane] = e.a;
  b[lane] = e.b;
}

// D0^-1 of rows.
struct NodePreconditioner::ScaleRows {
  ConstraintRates rates;
  RowLayout layout;
  const float *fluidD0, *compliance, *rowDiag;
  float *invD0, *rowWeight;
  std::uint8_t* inNodes;
  void operator()(Index i) const {
    if (i < layout.fluid) {
      invD0[i] = 1.f / fluidD0[i];
      return;
    }
    const Index k = i - layout.fluid, row = layout.rows + k;
    inNodes[k] = rates.begin[k + 1] - rates.begin[k] <= kLargeRow && inC(compliance[k], rowDiag[k]);
    invD0[row] = inNodes[k] ? inverseD0(compliance[k], rowDiag[k]) : 1.f / rowDiag[k];
    rowWeight[k] = inNodes[k] ? invD0[row] : 0.f;
  }
};

// And of eight edges.
struct NodePreconditioner::ScaleEdges {
  EdgeRow* edges;
  Edges* lanes;
  Index count;
  void operator()(Index g) const {
    Edges& out = lanes[g];
    out = Edges{};
    const Index first = g * kLanes, n = std::min(kLanes, count - first);
    for (Index l = 0; l < n; ++l) {
      EdgeRow& e = edges[first + l];
      for (int part = 0; part < EdgeRow::parts; ++part) {
        if (e.on[part] == 0) continue;
        e.inverse[part] = inverseD0(e.compliance[part], e.diag[part]);
        e.inNodes[part] = inC(e.compliance[part], e.diag[part]) ? e.inverse[part] : 0.f;
      }
      out.set(l, e);
    }
  }
};
namespace {

// Weights of the surfaces of near row k where nodes carry them. A particle with several features counts each with the weights of
// all.
struct WeighSlots {
  NodeCouplings c;
  const float* invD0;
  float *nodePush, *weight;
  void operator()(Index k) const {
    float all = 0;
    for (Index s = c.view.slotBegin[k]; s < c.view.slotBegin[k + 1]; ++s)
      if (c.slots[s].node[0] >= 0) all += std::fabs(c.push[s]);
    for (Index s = c.view.slotBegin[k]; s < c.view.slotBegin[k + 1]; ++s) {
      nodePush[s] = c.slots[s].node[0] >= 0 ? c.push[s] : 0.f;
      weight[s] = std::fabs(c.push[s]) * all * invD0[c.view.nearParticle[k]];
    }
  }
};

}  // namespace

// Eight block rows of N and B^-1. Products of several nodes are bounded by their own diagonal: for a triangle's weights b >= 0
// (sum b u)^2 <= (sum b) sum b u^2, for a row of m entries (sum g . u)^2 <= m sum (g . u)^2.
struct NodePreconditioner::Assemble {
  NodeCouplings c;
  const std::uint8_t* inNodes;
  const float *invD0, *slotWeight;
  const Index *begin, *neighbour, *entryBegin;
  Index* entryEnd;
  Entries* entries;
  Blocks* inverse;
  struct Memory {
    Buffer<Index> positions;
    Buffer<Block> blocks;
  };
  PerThread<Memory> perThread;

  // Blocks of one row by its pattern; position: of a node's, valid for those of the pattern.
  struct Row {
    Block* blocks;
    const Index* position;
    Block& at(Index node) const { return blocks[position[node]]; }
  };

  void operator()(Index g) const {
    Index used[kLanes] = {}, most = 0;
    for (Index l = 0; l < kLanes; ++l) {
      const Index n = g * kLanes + l;
      Block inv{};
      if (n < c.nodes && c.nodeW[n] > 0) used[l] = row(n, inv);  // held nodes stay at rest
      inverse[g].set(l, inv);
      most = std::max(most, used[l]);
    }
    entryEnd[g] = entryBegin[g] + most;
    for (Index l = 0; l < kLanes; ++l)
      for (Index e = entryBegin[g] + used[l]; e < entryEnd[g]; ++e) put(entries[e], l, 0, Block{});
  }
  static void put(Entries& e, Index lane, Index at, const Block& b) {
    e.node[lane] = at;
    e.block.set(lane, b);
  }
  // Number of blocks of row n.
  Index row(Index n, Block& inv) const {
    auto& [positions, blocks] = perThread[Exec::thread()];
    const Index length = begin[n + 1] - begin[n];
    blocks.assign(std::size_t(length), Block{});
    for (Index e = 0; e < length; ++e) positions[std::size_t(neighbour[begin[n] + e])] = e;
    const Row r{blocks.data(), positions.data()};
    const float m = float(1 / (c.V * c.nodeW[n]));
    Block bound{{Vec4f(m, 0, 0, 0), Vec4f(0, m, 0, 0), Vec4f(0, 0, m, 0)}};
    Block& own = r.at(n);
    for (int k = 0; k < 3; ++k) own.column[k] += bound.column[k];
    addSlots(n, r, bound);
    addEdges(n, r, bound);
    addRows(n, r, bound);
    const Mat3d inverted = ::meniscus::inverse(Mat3d::columns(Vec3d(bound.column[0].xyz()), Vec3d(bound.column[1].xyz()),
                                                              Vec3d(bound.column[2].xyz())))
                               .transposed();
    for (int k = 0; k < 3; ++k) inv.column[k] = Vec4f(Vec3f(inverted.r[k]), 0.f);
    return pack(n, length, r);
  }
  // Nodes joined only by constraints that are not in C, such as weak bending, have blocks of zeros.
  Index pack(Index n, Index length, const Row& r) const {
    Entries* const out = entries + entryBegin[n / kLanes];
    Index used = 0;
    for (Index e = 0; e < length; ++e) {
      const Block& b = r.blocks[e];
      if (((b.column[0] * b.column[0] + b.column[1] * b.column[1]) + b.column[2] * b.column[2]).sum() == 0.f) continue;
      put(out[used++], n % kLanes, neighbour[begin[n] + e], b);
    }
    return used;
  }
  void addSlots(Index n, const Row& r, Block& bound) const {
    for (Index k = 0; k < c.nodeSlots.count[n]; ++k) {
      const SlotEnds& ends = c.nodeSlots.item(n, k);
      const Index slot = ends.slot[n % kLanes];
      const SlotBinding& b = c.slots[slot];
      const Vec4f normal(b.n, 0.f), weighted = normal * ends.weight[n % kLanes] * slotWeight[slot];
      bound.addOuter(weighted, normal);
      for (int q = 0; q < 3; ++q) r.at(b.node[q]).addOuter(weighted, normal * b.b[q]);
    }
  }
  void addEdges(Index n, const Row& r, Block& bound) const {
    Block sum{};
    for (Index k = 0; k < c.nodeEdges.count[n]; ++k) {
      const EdgeRow& e = c.edges[c.nodeEdges.item(n, k).edge[n % kLanes]];
      const Index at = e.a == n ? e.b : e.a;
      Block& other = r.at(at);
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
    Block& own = r.at(n);
    for (int j = 0; j < 3; ++j) own.column[j] += sum.column[j];
  }
  void addRows(Index n, const Row& r, Block& bound) const {
    for (Index e = c.nodeEntryBegin[n]; e < c.nodeEntryBegin[n + 1]; ++e) {
      const Index k = c.nodeEntryRow[e];
      if (!inNodes[k]) continue;
      const Vec4f g = c.nodeEntryGrad[e] * invD0[c.layout.rows + k];
      for (Index o = c.rates.begin[k]; o < c.rates.begin[k + 1]; ++o) r.at(c.rates.node[o]).addOuter(g, c.rates.grad[o]);
      bound.addOuter(g * float(c.rates.begin[k + 1] - c.rates.begin[k]), c.nodeEntryGrad[e]);
    }
  }
};

void NodePreconditioner::configure(const SolidState& solid) {
  nodes_ = Index(solid.x.size());
  std::vector<std::pair<Index, Index>>& pairs = meshPairs_;
  pairs.clear();
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
  joined_ = false;
  setPattern(pairs);
}

void NodePreconditioner::join(const std::vector<BodyContact>& contacts) {
  if (contacts.empty() && !joined_) return;
  joined_ = !contacts.empty();
  if (!joined_) return setPattern(meshPairs_);
  contactPairs_.clear();
  for (const BodyContact& c : contacts)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)  // nodes of one body see each other through it
        if ((c.weight[a] > 0) != (c.weight[b] > 0)) contactPairs_.emplace_back(c.node[a], c.node[b]);
  std::sort(contactPairs_.begin(), contactPairs_.end());
  contactPairs_.erase(std::unique(contactPairs_.begin(), contactPairs_.end()), contactPairs_.end());
  allPairs_.clear();
  std::set_union(meshPairs_.begin(), meshPairs_.end(), contactPairs_.begin(), contactPairs_.end(), std::back_inserter(allPairs_));
  setPattern(allPairs_);
}

void NodePreconditioner::setPattern(const std::vector<std::pair<Index, Index>>& pairs) {
  begin_.assign(std::size_t(nodes_) + 1, 0);
  neighbour_.clear();
  for (const auto& [a, b] : pairs) {
    ++begin_[a + 1];
    neighbour_.push_back(b);
  }
  longestRow_ = 0;
  for (Index n = 0; n < nodes_; ++n) {
    longestRow_ = std::max(longestRow_, begin_[n + 1]);
    begin_[n + 1] += begin_[n];
  }
  const std::size_t groups = std::size_t(laneGroups(nodes_));
  entryBegin_.assign(groups + 1, 0);
  entryEnd_.assign(groups, 0);
  for (Index n = 0; n < nodes_; ++n) {
    Index& room = entryBegin_[n / kLanes + 1];
    room = std::max(room, begin_[n + 1] - begin_[n]);
  }
  for (std::size_t g = 0; g < groups; ++g) entryBegin_[g + 1] += entryBegin_[g];
  entries_.resizeUninitialized(std::size_t(entryBegin_[groups]));
  inverse_.resizeUninitialized(groups);
  f_.resizeUninitialized(groups * 3 * kLanes);
  for (auto* b : {&u_, &next_}) b->assign(groups * kLanes, Vec4f{});
}
void NodePreconditioner::assemble(Exec& exec, const NodeCouplings& couplings, const float* fluidD0, const float* compliance,
                                  const float* rowDiag) {
  c_ = couplings;
  const Index rows = c_.layout.total - c_.layout.rows, edges = c_.layout.edgeCount();
  invD0_.resizeUninitialized(std::size_t(c_.layout.total));
  for (auto* b : {&ySlot_, &nodePush_, &slotWeight_}) b->resizeUninitialized(std::size_t(c_.view.slotBegin[c_.view.nearCount]));
  for (auto* b : {&yRow_, &rowWeight_}) b->resizeUninitialized(std::size_t(rows));
  inNodes_.resizeUninitialized(std::size_t(rows));
  yEdge_.resizeUninitialized(std::size_t(edges));
  edges_.resizeUninitialized(std::size_t(laneGroups(edges)));
  parallelFor(exec, "precondition: scale", c_.layout.fluid + rows,
              ScaleRows{c_.rates, c_.layout, fluidD0, compliance, rowDiag, invD0_.data(), rowWeight_.data(), inNodes_.data()});
  parallelFor(exec, "precondition: edges", laneGroups(edges), ScaleEdges{c_.edges, edges_.data(), edges}, 64);
  parallelFor(exec, "precondition: slots", c_.view.nearCount, WeighSlots{c_, invD0_.data(), nodePush_.data(), slotWeight_.data()});
  const PerThread<Assemble::Memory> memory = exec.perThread<Assemble::Memory>();
  for (int k = 0; k < exec.threads(); ++k) {
    memory[k].positions.resize(std::size_t(nodes_));
    memory[k].blocks.reserve(std::size_t(longestRow_));
  }
  parallelFor(exec, "precondition: assemble", laneGroups(nodes_),
              Assemble{c_, inNodes_.data(), invD0_.data(), slotWeight_.data(), begin_.data(), neighbour_.data(), entryBegin_.data(),
                       entryEnd_.data(), entries_.data(), inverse_.data(), memory},
              8);
}

}  // namespace meniscus
