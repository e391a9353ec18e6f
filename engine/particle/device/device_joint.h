// The solids' part of the joint system on a device: slots that nodes carry, rows of constraints that are made here and others as
// the program gives them for each solve, the preconditioner in the nodes.
#pragma once

#include "engine/particle/device/device_constraints.h"
#include "engine/particle/device/device_lists.h"
#include "engine/particle/device/device_own_rows.h"
#include "engine/particle/device/packed_upload.h"
#include "kernels/fluid/viscous_bodies.h"
#include "kernels/solid/joint_preconditioner.h"

MNS_NS_BEGIN

class DeviceJointSystem {
 public:
  DeviceJointSystem(Device& device, const DeviceFluidDef& def);

  bool any() const { return nodes_ > 0; }  // solids that deform
  void setNodes(const double* inverseMass);
  void setVelocities(const double* velocity);  // three a node [m/s]
  const Vec3d* velocities() const { return velocityNow_; }
  ViscousBodies viscousNodes() const;
  // For the lists of this sub-step: slots, and the nodes' share of the diagonal.
  void bind(const DeviceLists& lists, float* diag);
  // Normal velocities of the slots that nodes carry.
  void slotSpeeds(float* speed) const;

  // ---- one solve ----
  // lambda: multipliers of the constraints to linearise with; constraints: where those of the solve go.
  void setRows(const DeviceJointRows& rows, const double* lambda, const ExplicitConstraints& constraints);
  // D0^-1 and B^-1. The diagonals of n rows: of the fluid with what holds films, and the same without; without nodes and films.
  void scale(Index n, const float* diag, const float* diagFree, const float* withoutNodes);
  // r = b, d = x, x = 0 of the solids' rows.
  void start(double dt, double* sums);
  // z = P r, and after(r . z). weighed: updateAndWeigh has been before.
  template <class After>
  void precondition(const SolveScalars* solve, const float* r, float* z, Index n, bool weighed, const After& after);
  // d = z + beta d of all rows; fluid: that of the fluid's n.
  void direction(const SolveScalars* solve, Index n, const DirectionRow& fluid, double* sums);
  // From the forces on the slots to the accelerations of nodes, with after(their share), and back to the velocities of the slots.
  // answer: by the multipliers, not by the direction of the solve.
  template <class After>
  void nodesPass(bool answer, const float* phi, const RigidSlotAcceleration& rigid, const After& after);
  void updateAndWeigh(const SolveScalars* solve, const float* r);
  const DeviceOwnRows& ownRows() const { return own_; }
  // Numbers of rows in pairs of values, see DeviceOwnRows.
  const double* rowCounts() const { return ownSums(); }
  // Multipliers of the constraints, and which edges pull, once the nodes' accelerations are there.
  void storeMultipliers();
  // What the program gets of a solve, in one copy; more: three values of films, six accelerations a rigid body.
  double* answerMore() const;  // for who writes those
  void read(DeviceJointRows& rows, double* more);

  // ---- the water before nodes ----
  void wetNodes(const DeviceParticleState& particles, const float* rho, double* mass, double* normal);
  // For the sweeps of projections: of the last solve, and the water that was found last.
  SweepNodes sweepNodes() const { return {start_.data(), w_.data(), along_.data(), unit_.data()}; }
  // nodes: begin and end of each body; internal: see DeviceJoint.
  void waterInertia(const DeviceParticleState& particles, const float* rho, const double* pivot, const Index* nodes,
                    double* inertia, double* internal);
  void takeMotion(const DeviceParticleState& particles, const double* motion, Vec4f* u);

 private:
  JointView view() const;
  JointScales scales() const;
  ToNodes toNodes() const;
  NearWater water(const DeviceParticleState& particles, const float* rho) const;
  SolidVector of(const DeviceBuffer<float>& b) const { return {b.data(), edges_}; }
  SolidVector multipliers() const { return {reinterpret_cast<float*>(answer_.data()), edges_}; }
  Vec3d* acceleration() const { return reinterpret_cast<Vec3d*>(answer_.data() + accelerationAt_); }
  RowValues values(const float* own, const float* given) const { return {own, given, own_.rows()}; }
  void layOutAnswer();
  double* ownSums() const { return answerMore() + more_; }
  void listEdges(const DeviceSurfaceDef& s);

  Device& device_;
  Index nodes_ = 0, edges_ = 0, rows_ = 0, slots_ = 0, bodies_ = 0;
  std::size_t more_;  // values of an answer behind multipliers and accelerations
  int nodeBits_ = 1;
  double V_;
  float spacing_;
  double spacingD_;
  PairView pairs_{};
  SurfaceSet surfaces_{};
  const Feature* features_ = nullptr;
  const float* push_ = nullptr;
  DeviceBuffer<double> w_, mass_, along_, inertia_;          // along: inverse masses along `unit`, with the water there
  DeviceBuffer<Vec3d> start_, unit_;                         // where nodes are at the start of the sub-step
  DeviceBuffer<Vec3d> velocity_, normal_, pushed_, byWeak_;  // byWeak: acceleration that pushed has more than what is given
  PackedUpload pivot_;                                       // with the nodes of bodies
  const Vec3d* pivots_ = nullptr;
  std::vector<double> inertiaRead_;
  DeviceBuffer<Vec4f> single_;  // velocities or accelerations of nodes for surfaces and rows
  DeviceBuffer<NodeSlot> slot_;
  DeviceBuffer<Index> key_, keyOut_, value_, slotItem_, slotBegin_;
  DeviceBuffer<Index> edgeBegin_, edgeItem_;
  DeviceBuffer<Vec4f> yEdge_, u_, uNext_;
  DeviceOwnRows own_;
  // What the program gave for a solve, and where its arrays are in there.
  PackedUpload given_;
  EdgePlaces places_{};
  const Vec4f *rowGrad_ = nullptr, *entryGrad_ = nullptr;
  const Index *rowBegin_ = nullptr, *rowNode_ = nullptr, *entryBegin_ = nullptr, *entryRow_ = nullptr;
  const float *compliance_ = nullptr, *rate_ = nullptr, *measure_ = nullptr, *rowDiag_ = nullptr, *rowGuess_ = nullptr;
  const Vec3d *velocityGiven_ = nullptr, *velocityNow_ = nullptr;
  // Multipliers: four an edge, one a row; what the program gets back begins with those of the rows given, accelerations of nodes
  // and more are behind.
  DeviceBuffer<char> answer_;
  std::vector<char> answerRead_;
  std::size_t givenAt_ = 0, accelerationAt_ = 0, moreAt_ = 0;
  DeviceBuffer<float> r_, z_, d_, rhs_;  // four an edge, one a row
  DeviceBuffer<float> fluidScale_, rowScale_, inRow_, slotPush_, slotScale_, ySlot_, yRow_;
  DeviceBuffer<NodeBlock> inverse_;
  DeviceBuffer<Vec3f> f_;
  DeviceBuffer<Wetted> wetted_;
  DeviceBuffer<BodyMotion> motion_;
};

template <class After>
void DeviceJointSystem::precondition(const SolveScalars* solve, const float* r, float* z, Index n, bool weighed,
                                     const After& after) {
  const JointView j = view();
  if (!weighed)
    launch(device_, "precondition: weigh", slots_ + edges_ + rows_,
           WeighResidual{j, solve, scales(), pairs_.slotParticle, r, of(r_), toNodes()});
  Vec4f *u = uNext_.data(), *next = u_.data();
  for (int k = 0; k < kNodeSteps; ++k) {
    launch(device_, "precondition: step", nodes_,
           StepNode{j, solve, scales(), inverse_.data(), toNodes(), k == 0, nodeRelaxation(k), f_.data(), u, next});
    std::swap(u, next);
  }
  launchFold<1>(device_, "precondition: scatter", n + edges_ + rows_,
                ScatterNodes{j, solve, scales(), n, pairs_, u, r, z, of(r_), of(z_)}, after);
}

template <class After>
void DeviceJointSystem::nodesPass(bool answer, const float* phi, const RigidSlotAcceleration& rigid, const After& after) {
  launchFold<1>(device_, "nodes: forces", nodes_,
                NodeForces{view(), rigid.solve, phi, answer ? multipliers() : of(d_), answer ? byWeak_.data() : nullptr,
                           acceleration(), single_.data()},
                after);
  launch(device_, "solve: surfaces", slots_, SlotAcceleration{rigid, slot_.data(), single_.data()});
}

MNS_NS_END
