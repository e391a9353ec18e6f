// The solids' part of the joint system on a device: slots that nodes carry, edges and constraint rows as the program gives them for
// each solve, the preconditioner in the nodes.
#pragma once

#include "engine/particle/device/device_lists.h"
#include "kernels/solid/joint_preconditioner.h"

MNS_NS_BEGIN

class DeviceJointSystem {
 public:
  DeviceJointSystem(Device& device, const DeviceFluidDef& def);

  bool any() const { return nodes_ > 0; }  // solids that deform
  void setNodes(const double* inverseMass);
  void setVelocities(const double* velocity);  // three a node [m/s]
  // For the lists of this sub-step: slots, and the nodes' share of the diagonal.
  void bind(const DeviceLists& lists, float* diag);
  // Normal velocities of the slots that nodes carry.
  void slotSpeeds(float* speed) const;

  // ---- one solve ----
  void setRows(const DeviceJointRows& rows);
  // D0^-1 and B^-1. The diagonals of n rows: of the fluid with what holds films, and the same without; without nodes and films.
  void scale(Index n, const float* diag, const float* diagFree, const float* withoutNodes);
  // r = b, d = x, x = 0 of the solids' rows.
  void start(double dt, double* sums);
  // z = P r, with the sums of r . z.
  void precondition(const SolveScalars* solve, const float* r, float* z, Index n, double* sums);
  void direction(const SolveScalars* solve, double* sums);
  // From the forces on the slots to the accelerations of nodes, and back to the velocities of the slots.
  void nodesPass(const SolveScalars* solve, bool answer, const float* phi, float* g, float* nu, double* sums);
  void update(const SolveScalars* solve);
  void read(DeviceJointRows& rows) const;

  // ---- the water before nodes ----
  void wetNodes(const DeviceParticleState& particles, const float* rho, double* mass, double* normal);
  void waterInertia(const DeviceParticleState& particles, const float* rho, const double* pivot, double* inertia);
  void takeMotion(const DeviceParticleState& particles, const double* motion, Vec4f* u);

 private:
  JointView view() const;
  JointScales scales() const;
  ToNodes toNodes() const;
  NearWater water(const DeviceParticleState& particles, const float* rho) const;
  SolidVector of(const DeviceBuffer<float>& b) const { return {b.data(), edges_}; }
  void listEdges(const DeviceSurfaceDef& s);

  Device& device_;
  Index nodes_ = 0, edges_ = 0, rows_ = 0, slots_ = 0, bodies_ = 0;
  int nodeBits_ = 1;
  double V_;
  float spacing_;
  PairView pairs_{};
  SurfaceSet surfaces_{};
  const Feature* features_ = nullptr;
  const float* push_ = nullptr;
  DeviceBuffer<double> w_, mass_, inertia_;
  DeviceBuffer<Vec3d> velocity_, acceleration_, normal_, pivot_;
  DeviceBuffer<Vec4f> single_;  // velocities or accelerations of nodes for surfaces and rows
  DeviceBuffer<NodeSlot> slot_;
  DeviceBuffer<Index> key_, keyOut_, value_, slotItem_, slotBegin_;
  DeviceBuffer<EdgeRow> edge_;
  DeviceBuffer<Index> edgeBegin_, edgeItem_;
  DeviceBuffer<Vec4f> edgeRate_, rowGrad_, entryGrad_, yEdge_, u_;
  DeviceBuffer<Index> rowBegin_, rowNode_, entryBegin_, entryRow_;
  DeviceBuffer<float> compliance_, rate_, measure_, rowDiag_;
  DeviceBuffer<float> x_, r_, z_, d_, rhs_;  // four an edge, one a row
  DeviceBuffer<float> fluidScale_, rowScale_, inRow_, slotPush_, slotScale_, ySlot_, yRow_;
  DeviceBuffer<NodeBlock> inverse_;
  DeviceBuffer<Vec3f> f_;
  DeviceBuffer<Wetted> wetted_;
  DeviceBuffer<BodyMotion> motion_;
};

MNS_NS_END
