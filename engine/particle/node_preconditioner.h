// Preconditioner of the joint system of pressures and multipliers, in the space of the nodes of deformable bodies.
//
// With C the columns of D that belong to nodes, M their masses and D0 the rest of the diagonal (fluid and rigid bodies,
// compliances),
//   A ~ D0 + C (V M^-1) C^T,   so   A^-1 ~ D0^-1 - D0^-1 C N^-1 C^T D0^-1,   N = M / V + C^T D0^-1 C     (Woodbury)
// N is the mass of the nodes, the added mass of the water beside them and the stiffness of their constraints times dt^2. A light,
// stiff skin makes the diagonal of A useless (its inverse mass hides the water's, and every particle beside it sees the same
// nodes); solved in the nodes, it leaves a system that converges like that of the fluid alone.
//
// Rows that join many nodes, and rows so soft that they are their compliance, are not in C.
// C is taken without the neighbours' share: a particle acts through its own features with its whole weight. N is a sparse matrix of
// 3x3 blocks on the mesh, applied with a few Jacobi steps u += w B^-1 (f - N u). B bounds N from above, block by block, which keeps
// the steps' approximation of N^-1 below N^-1 and so the preconditioner positive definite.
#pragma once

#include <utility>
#include <vector>

#include "engine/exec/exec.h"
#include "engine/particle/constraint_rate.h"
#include "engine/particle/node_lists.h"
#include "engine/particle/row_layout.h"
#include "engine/particle/slot_binding.h"
#include "engine/world/world.h"
#include "kernels/core/vec4.h"
#include "kernels/fluid/mirror_pass.h"
#include "kernels/solid/edge_row.h"

namespace meniscus {

// Lists of the pressure system that the preconditioner shares.
struct NodeCouplings {
  RowLayout layout;
  PairView view;
  Index nodes;
  const SlotBinding* slots;
  const float* push;            // per slot: weight of the surface in the divergence [1/m]
  const NodeSurface* surfaces;  // per slot
  NodeListView<SlotEnds> nodeSlots;
  NodeListView<EdgeEnds> nodeEdges;
  // node -> constraint rows with gradient
  const Index *nodeEntryBegin, *nodeEntryRow;
  const Vec4f* nodeEntryGrad;
  ConstraintRates rates;  // row -> nodes
  EdgeRow* edges;         // the preconditioner sets their inverse and inNodes
  float edgeScale;
  const double* nodeW;  // inverse masses
  double V;
};

class NodePreconditioner {
 public:
  // Which nodes see each other, through a triangle or a constraint.
  void configure(const SolidState& solid);
  // And, in this sub-step, through these contacts.
  void join(const std::vector<BodyContact>& contacts);
  // fluidD0: of the fluid's rows; that of the constraints' rows follows from their compliance and diagonal.
  void assemble(Exec& exec, const NodeCouplings& couplings, const float* fluidD0, const float* compliance, const float* rowDiag);
  // z = P r; returns r . z
  double apply(Exec& exec, const Buffer<float>& r, Buffer<float>& z);

  // C^T D0^-1 r before the sum at the nodes, on slots, edges and constraint rows: for a sweep that has r at hand.
  struct Weigh {
    PairView view;
    const EdgeRow* edges;
    const float *invD0, *nodePush, *rowWeight;
    float *ySlot, *yRow;
    Vec4f* yEdge;
    void surfaces(const NearRange& near, const float* r) const {
      for (Index s = near.slotBegin; s < near.slotEnd; ++s) {
        const Index i = view.slotParticle[s];
        ySlot[s] = -nodePush[s] * (r[i] * invD0[i]);
      }
    }
    void edge(Index k, const Vec4f& r) const { yEdge[k] = edges[k].scaled(r, edges[k].inNodes); }
    void row(Index k, float r) const { yRow[k] = r * rowWeight[k]; }
  };
  Weigh weigh();
  // As apply, after what weigh() says for all of r.
  double applyWeighed(Exec& exec, const Buffer<float>& r, Buffer<float>& z);
  std::size_t bytes() const;

 private:
  // A 3x3 block, and eight of them side by side.
  struct Block {
    Vec4f column[3];
    void addOuter(Vec4f a, Vec4f b) {  // a b^T
      column[0].addScaled(a, b.x);
      column[1].addScaled(a, b.y);
      column[2].addScaled(a, b.z);
    }
  };
  struct Blocks {
    float column[3][3][kLanes];
    void set(Index lane, const Block& b);
    Vec8 times(const Vec8& u) const;
  };
  // In single precision: with eight bits, a skin that does not stretch, 100 times as stiff as its mass, took more iterations.
  struct Entries {  // of eight rows of N
    Index node[kLanes];
    Blocks block;
  };
  // Eight edges: their directions and what scales along and across them.
  struct Edges {
    struct Scale {
      float across[kLanes], difference[kLanes];  // along less across
    };
    float n[3][kLanes];
    Scale inverse, inNodes;
    Index a[kLanes], b[kLanes];
    Vec8 scaled(const Vec8& v, const Scale& f) const;
    void set(Index lane, const EdgeRow& e);
  };
  struct ScaleRows;
  struct ScaleEdges;
  struct Assemble;
  struct Gather;
  struct JacobiStep;
  struct Scatter;

  // Sorted pairs of nodes that see each other; each with itself and both ways.
  void setPattern(const std::vector<std::pair<Index, Index>>& pairs);

  std::vector<std::pair<Index, Index>> meshPairs_, contactPairs_, allPairs_;
  bool joined_ = false;  // contacts are in the pattern
  NodeCouplings c_{};
  Index nodes_ = 0;
  Buffer<Index> begin_, neighbour_;  // pattern, each row ascending, the node itself included
  Index longestRow_ = 0;
  Buffer<Index> entryBegin_, entryEnd_;  // per eight nodes: room for their rows, and what of it is used
  Buffer<Entries> entries_;              // N without its blocks of zeros
  Buffer<Blocks> inverse_;               // B^-1
  Buffer<Edges> edges_;
  Buffer<float> invD0_;                  // fluid rows and constraint rows
  Buffer<std::uint8_t> inNodes_;         // per constraint row: part of C
  Buffer<float> nodePush_, slotWeight_;  // per slot: its weight in the divergence, 0 where no nodes carry it; that in N
  Buffer<float> rowWeight_;              // per constraint row: D0^-1, 0 where it is not part of C
  Buffer<float> ySlot_, yRow_;           // D0^-1 r where it acts on nodes
  Buffer<Vec4f> yEdge_;
  Buffer<float> f_;         // per eight nodes: coordinate after coordinate
  Buffer<Vec4f> u_, next_;  // per node
};

}  // namespace meniscus
