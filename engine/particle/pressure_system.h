// The pressure equation of a sub-step, fluid and solids in one symmetric positive definite system (operator "compatible"):
//   A p = -D u*/dt + density term,   A = V D W D^T (+ compliance, + high-pass),   u = u* + dt V W D^T p
// Rows of D: one a particle (its divergence), three an edge (kernels/solid/edge_row.h) and one for each other active constraint of
// the solids (rates, scaled by 1/dx). Columns: velocities of particles, of nodes of deformable bodies, and of rigid bodies. W:
// inverse masses. Everything is matrix-free.
#pragma once

#include <limits>

#include "engine/exec/exec.h"
#include "engine/particle/body_holds.h"
#include "engine/particle/boundary.h"
#include "engine/particle/fluid_elsewhere.h"
#include "engine/particle/node_lists.h"
#include "engine/particle/node_preconditioner.h"
#include "engine/particle/packed_link_lists.h"
#include "engine/particle/pairs.h"
#include "engine/particle/row_layout.h"
#include "engine/particle/solid_rows.h"
#include "engine/solid/solid.h"
#include "engine/world/world.h"
#include "kernels/fluid/pressure_pass.h"
#include "kernels/solid/edge_row.h"

namespace meniscus {

// Where there are constraints, their rows alone set the measure: the length of an edge, in spacings, that a step may be wrong by.
// Of the modes of an element, which are strains: what moves one of its nodes as far.
constexpr double kQuietConstraint = 8e-6;
constexpr float kHoldPressure = 1e5f;

struct SolveReport {
  int iterations = 0;
  double residual = 0;  // relative, in the norm of the diagonal's inverse
  bool converged = false;
};

class PressureSystem {
 public:
  virtual ~PressureSystem() = default;
  void configure(const World& world, const PairBuilder& builder);

  // Geometry of this sub-step: views of the lists, slots' bindings, the diagonal's fluid part. frozen: solids have infinite mass.
  void assemble(Exec& exec, const World& world, const Boundary& boundary, const PairLists& lists, bool frozen);
  // Rows of the solids for the next solve; may be empty. Values relative to the velocities the solid state starts from.
  void setRows(Exec& exec, const World& world, const RowList& rows, double dt);

  // Holds the pressures of these particles at zero in the solves to come, until the next call or assembly, by a diagonal of
  // kHoldPressure times their own.
  void holdPressure(const std::vector<Index>& particles);
  // Relative change of the density of such a particle in the step, by the last solve [1].
  double heldCompression(Index particle) const { return double(p_[particle]) * fluidDiag_[particle] * dt_ * dt_; }

  // rhs = -D u*/dt + density term; uStar: particles, nodes, rigid bodies' linear and angular velocity.
  // density: beta e / dt^2 a particle, already limited; may be empty.
  virtual void setRightHandSide(Exec& exec, View<const Vec4f> uStar, const Buffer<Vec3d>& nodeVelocity,
                                const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                View<const float> density, double dt);

  // Conjugate gradients with the diagonal as preconditioner, started from p. tolerance is relative to the right-hand side; below a
  // change of density of kQuiet a step there is nothing to solve.
  virtual SolveReport solve(Exec& exec, double tolerance, int maxIterations);

  // Accelerations by the pressures and multipliers as they are; to be called after solve(). Velocity change over dt is dt times
  // these.
  virtual void applyResult(Exec& exec);
  // Evens out the packing after a move by dt, where the operator needs that.
  virtual void shift(Exec&, double /*dt*/, View<Vec4f> /*x*/) const {}
  // Adds to uStar what explicit forces of the mode do in dt to particles of the velocities u.
  virtual void addExplicitForces(Exec&, View<const Vec4f> /*u*/, double /*dt*/, View<Vec4f> /*uStar*/) {}
  // The longest sub-step [s] that the mode is stable at.
  virtual double longestSubstep(const World&) const { return std::numeric_limits<double>::infinity(); }
  // Share of the scene's density correction that the operator takes without ringing.
  virtual double densityShare() const { return 1; }
  // Where the fluid is, if it is not the world's.
  virtual FluidElsewhere* fluidElsewhere() { return nullptr; }
  // Can a solve pull on a film that wants to leave a surface?
  virtual bool knowsSuction() const { return true; }
  // XSPH damping the operator needs, in shares of the scene's.
  virtual double dampingShare() const { return 1; }
  View<const Vec4f> fluidAcceleration() const { return b_.view(); }  // m/s^2
  const Buffer<Vec3d>& nodeAcceleration() const { return nodeB_; }   // m/s^2
  // Directions in which bodies do not give way in the solves that follow; none after assemble().
  virtual void setHolds(const BodyHolds& holds) { holds_ = holds; }
  // Can rows be of rigid bodies, too?
  virtual bool takesRigidRows() const { return true; }
  // By the pressure alone: without what holds them.
  const std::vector<Vec3d>& rigidLinearAcceleration() const { return rigidB_; }
  const std::vector<Vec3d>& rigidAngularAcceleration() const { return rigidBOmega_; }
  View<const float> slotForce() const { return phi_.view(); }  // times V n: force on the surface of the slot [1/m^3 N]
  const Buffer<SlotBinding>& slots() const { return slots_; }

  // Divergence of the velocities given, fluid rows [1/s].
  void divergence(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& nodeVelocity, const std::vector<Vec3d>& rigidLinear,
                  const std::vector<Vec3d>& rigidAngular, Buffer<float>& out);

  // Adds to the density term what straight paths for dt at these velocities will compress (kernels/fluid/straight_paths.h), at most
  // mostError a step.
  virtual void addStraightPaths(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& nodeVelocity,
                                const std::vector<Vec3d>& rigidLinear, const std::vector<Vec3d>& rigidAngular,
                                const PairLists& lists, const Buffer<float>& deficiency, float invH, double mostError, double dt,
                                Buffer<float>& densityTerm);

  Buffer<float>& pressure() { return p_; }  // fluid rows, then edges and constraint rows (scaled multipliers)
  double multiplier(Index row) const { return double(p_[layout_.rows + row]) * multiplierScale_; }  // XPBD lambda
  // The same of an edge: the part of its vector along it.
  double edgeMultiplier(Index edge) const { return dot(edgeImpulse(edge), Vec3d(edges_[edge].n.xyz())); }
  // dt times the impulse of the edge on its first node [kg m]; its second gets the opposite.
  Vec3d edgeImpulse(Index edge) const { return Vec3d(loadVec4(p_.data() + layout_.edges + 4 * edge).xyz()) * multiplierScale_; }
  Index rows() const { return layout_.total; }
  Index fluidRows() const { return fluidRows_; }
  const Buffer<float>& inverseDensity() const { return invRho_; }
  const PairView& pairView() const { return view_; }
  bool coupled() const { return coupled_; }
  virtual std::size_t bytes() const;

 protected:
  virtual void fluidDiagonal(Exec& exec, const PairLists& lists);
  // Adds the solids' columns to fluidDiag_ and, without those of nodes, to fluidDiagRigid_.
  virtual void solidsDiagonal(Exec& exec);
  // The part of the operator that holdPressure() may raise, a particle.
  virtual float* operatorDiagonal() { return dirichlet_.data(); }
  void listEdges(const SolidState& solid);
  void buildNodeLists(const World& world, bool frozen);
  // b_, node and rigid accelerations of D^T x for the x that is packed; returns x . A x but for the rows' compliance. precise: sums
  // at nodes in double
  double transposePass(Exec& exec, const Buffer<float>& x, bool precise);
  double solidPass(Exec& exec, const float* x, bool precise);
  void packVelocity(Exec& exec, View<const Vec4f> u, const Buffer<Vec3d>& node, const std::vector<Vec3d>& lin,
                    const std::vector<Vec3d>& ang);
  void surfaceVelocities(Exec& exec, const std::vector<Vec3d>& lin, const std::vector<Vec3d>& ang);  // of the nodes: nodeV_
  void packPressure(Exec& exec, const Buffer<float>& x);
  double startSolve(Exec& exec, double& quiet2);
  void preparePreconditioner(Exec& exec);
  NodeListView<EdgeEnds> edgesOfNodes() const;                                                       // of this solve
  ConstraintRates rates(const std::vector<Vec3d>& linear, const std::vector<Vec3d>& angular) const;  // of rigid bodies
  void setRigidEntries(const World& world, const RowList& rows, const RowUnits& units);
  SolidRowProducts solidRows(const Buffer<float>& x, Buffer<float>& y) const;
  bool constraintsSetMeasure() const;  // of a quiet solve

  const World* world_ = nullptr;
  const Boundary* boundary_ = nullptr;
  PairView view_{};
  PackedLinkLists packedLinks_;
  double V_ = 0, dx_ = 0, rho0_ = 1000, S0_ = 1, highPass_ = 0, multiplierScale_ = 1;
  float gamma_ = 0, diagFloor_ = 0;
  double dt_ = 0;
  Index fluidRows_ = 0, constraintRows_ = 0, near_ = 0, nodes_ = 0;
  RowLayout layout_;
  bool coupled_ = false;
  bool frozen_ = false;          // solids have infinite mass: the packing settles
  bool constraintsAct_ = false;  // in the next solve: an edge pulls, or there are rows

  Buffer<float> invRho_, kindInvRho_;  // per particle, per kind of fluid [m^3/kg]
  Buffer<SlotBinding> slots_;
  Buffer<float> phi_, nu_;            // per slot: force on the surface, its normal velocity
  Buffer<float> e_, g_;               // per slot: 2 d p, normal velocity of the particle less that of the surface
  Buffer<float> linkSum_;             // per slot: sum of k g over its links
  Buffer<Vec4f> surfaceForce_;        // per near row behind a zero: the surfaces' share in D^T p
  Buffer<float> surfaceDivergence_;   // the same in D b
  Buffer<NodeSurface> nodeSurfaces_;  // per slot
  // node -> slots and edges; node -> constraint rows: row and gradient; row -> nodes
  NodeLists<SlotEnds> nodeSlots_;
  NodeLists<EdgeEnds> nodeEdges_;
  Buffer<Index> noEdges_;  // lists of solves without edges
  Buffer<Index> nodeEntryBegin_, nodeEntryRow_, rowBegin_, rowNode_, cursor_;
  Buffer<Vec4f> nodeEntryGrad_, rowGrad_;
  Buffer<float> rowCompliance_, rowRate_;  // s^2 alpha~ V; s C_eff/dt^2 without the velocities' part
  Buffer<float> rowMeasure_;  // of kQuietConstraint, squared: 1; of modes |grad C|^2 at the node that feels it most [1/m^2]
  Buffer<float> rowD0_;       // of the preconditioner: compliance and what rigid bodies give way
  Buffer<Index> rigidEntryOf_, rigidEntryBody_, rigidEntryRow_;  // a row: its entry, or -1; an entry: its body and its row
  Buffer<RigidRate> rigidEntryGrad_;
  Buffer<EdgeRow> edges_;
  Buffer<Vec4f> edgeRate_;
  float edgeScale_ = 0;  // 1/dx [1/m]
  Buffer<Index> rigidSlotBegin_, rigidSlots_;
  std::vector<Mat3d> rigidInvInertia_;
  std::vector<double> rigidInvMass_;
  Buffer<double> nodeW_;

  Buffer<float> p_, r_, z_, d_, diag_, invDiag_, rhs_, dirichlet_;
  Buffer<float> fluidDiag_, fluidDiagRigid_;  // of the fluid's rows: with all solids' columns, without those of nodes
  struct HeldPressure {
    Index particle;
    float operatorDiagonal, fluidDiag, fluidDiagRigid;  // before
  };
  std::vector<HeldPressure> held_;
  const float* push_ = nullptr;  // per slot, see PairLists::slotPush
  NodePreconditioner preconditioner_;
  bool inNodes_ = false;  // precondition by it: there are nodes that can move
  Buffer<Vec4f> q_, b_;
  Buffer<Vec4f> nodeV_;  // velocities or accelerations of nodes for the surfaces and rows, single precision
  Buffer<Vec3d> nodeB_;
  std::vector<Vec3d> rigidB_, rigidBOmega_;        // by the pressure
  std::vector<Vec3d> rigidLeft_, rigidLeftOmega_;  // the same as far as the bodies are not held
  BodyHolds holds_;
  std::vector<RigidRate> rigidLoad_;              // a body: force and torque of the pressure
  std::vector<RigidRate> rigidFree_, rigidHeld_;  // a body: accelerations by it, without and with what holds
  std::vector<double> rigidQuadratic_;            // a body's share of the quadratic form
};

}  // namespace meniscus
