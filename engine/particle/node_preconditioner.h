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

#include "engine/exec/exec.h"
#include "engine/particle/constraint_rate.h"
#include "engine/particle/row_layout.h"
#include "engine/particle/slot_binding.h"
#include "engine/world/world.h"
#include "kernels/contact/feature.h"
#include "kernels/core/vec4.h"
#include "kernels/solid/edge_row.h"

namespace meniscus {

// One of the two ends of an edge, in the list of a node.
struct EdgeEnd {
  Index edge;
  float sign;  // scale of the edge's rows at its first node, minus that at its second [1/m]
};

// Lists of the pressure system that the preconditioner shares.
struct NodeCouplings {
  RowLayout layout;
  Index nodes, nearRows;
  const Index* near;       // near row of a particle, or -1
  const Index* slotBegin;  // per near row
  const Index* slotParticle;
  const SlotBinding* slots;
  const float* push;  // per slot: weight of the surface in the divergence [1/m]
  // node -> slots with normal times barycentric weight, node -> constraint rows with gradient
  const Index *nodeSlotBegin, *nodeSlot, *nodeEntryBegin, *nodeEntryRow;
  const Vec4f *nodeSlotNormal, *nodeEntryGrad;
  ConstraintRates rates;  // row -> nodes
  const Index* nodeEdgeBegin;
  const EdgeEnd* nodeEdge;
  EdgeRow* edges;  // the preconditioner sets their inverse and inNodes
  float edgeScale;
  const double* nodeW;  // inverse masses
  double V;
};

class NodePreconditioner {
 public:
  // Which nodes see each other, through a triangle or a constraint.
  void configure(const SolidState& solid);
  // fluidD0: of the fluid's rows; that of the constraints' rows follows from their compliance and diagonal.
  void assemble(Exec& exec, const NodeCouplings& couplings, const float* fluidD0, const float* compliance, const float* rowDiag);
  // z = P r; returns r . z
  double apply(Exec& exec, const Buffer<float>& r, Buffer<float>& z);

  // C^T D0^-1 r before the sum at the nodes, on slots, edges and constraint rows: for a sweep that has row i of r at hand.
  struct Weigh {
    const Index *near, *slotBegin;
    RowLayout layout;
    const EdgeRow* edges;
    const float *invD0, *nodePush, *rowWeight;
    float *ySlot, *yRow;
    Vec4f* yEdge;
    void edge(Index k, const Vec4f& r) const { yEdge[k] = edges[k].scaled(r, edges[k].inNodes); }
    void operator()(Index i, float r) const {
      if (i >= layout.fluid) {
        yRow[i - layout.rows] = r * rowWeight[i - layout.rows];
        return;
      }
      const Index row = near[i];
      if (row < 0) return;
      for (Index slot = slotBegin[row]; slot < slotBegin[row + 1]; ++slot) ySlot[slot] = -nodePush[slot] * (r * invD0[i]);
    }
  };
  Weigh weigh();
  // As apply, after weigh()(i, r[i]) for all rows.
  double applyWeighed(Exec& exec, const Buffer<float>& r, Buffer<float>& z);
  std::size_t bytes() const;

 private:
  struct Block {
    Vec4f column[3];
    void addOuter(Vec4f a, Vec4f b) {  // a b^T
      column[0].addScaled(a, b.x);
      column[1].addScaled(a, b.y);
      column[2].addScaled(a, b.z);
    }
    Vec4f operator*(Vec4f u) const {
      Vec4f s = column[0] * u.x;
      s.addScaled(column[1], u.y);
      return s.addScaled(column[2], u.z);
    }
  };
  struct Assemble;
  struct Gather;
  struct JacobiStep;

  NodeCouplings c_{};
  Index nodes_ = 0;
  Buffer<Index> begin_, neighbour_;  // pattern, each row ascending, the node itself included
  Buffer<Index> end_, column_;       // what of each row is not zero, packed at its front: end, and node of each block
  Buffer<Block> matrix_, inverse_;   // N; B^-1
  Buffer<float> invD0_;              // fluid rows and constraint rows
  Buffer<std::uint8_t> inNodes_;     // per constraint row: part of C
  Buffer<float> nodePush_;           // per slot: its weight in the divergence, 0 where no nodes carry it
  Buffer<float> rowWeight_;          // per constraint row: D0^-1, 0 where it is not part of C
  Buffer<float> ySlot_, yRow_;       // D0^-1 r where it acts on nodes
  Buffer<Vec4f> yEdge_;
  Buffer<Vec4f> f_, u_, next_;  // per node
};

}  // namespace meniscus
