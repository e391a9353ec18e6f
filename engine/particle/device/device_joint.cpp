#include "engine/particle/device/device_joint.h"

#include <vector>

#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DeviceJointSystem::DeviceJointSystem(Device& d, const DeviceFluidDef& def)
    : device_(d),
      nodes_(def.surfaces.deforming ? def.surfaces.nodes : 0),
      edges_(def.surfaces.edges),
      bodies_(def.surfaces.bodies),
      V_(def.particleVolume),
      spacing_(float(def.spacing)),
      w_(d, "inverse masses of nodes"),
      mass_(d, "water at nodes"),
      inertia_(d, "water before bodies"),
      velocity_(d, "velocities of nodes"),
      acceleration_(d, "accelerations of nodes"),
      normal_(d, "normals of water at nodes"),
      pivot_(d, "pivots of bodies"),
      single_(d, "velocities of nodes"),
      slot_(d, "slots of nodes"),
      key_(d, "nodes of slots"),
      keyOut_(d, "nodes of slots"),
      value_(d, "slots of nodes"),
      slotItem_(d, "slots of nodes"),
      slotBegin_(d, "slots of nodes"),
      edge_(d, "edges"),
      edgeBegin_(d, "edges of nodes"),
      edgeItem_(d, "edges of nodes"),
      edgeRate_(d, "rates of edges"),
      rowGrad_(d, "rows"),
      entryGrad_(d, "rows of nodes"),
      yEdge_(d, "residual of edges"),
      u_(d, "velocities of the preconditioner"),
      rowBegin_(d, "rows"),
      rowNode_(d, "rows"),
      entryBegin_(d, "rows of nodes"),
      entryRow_(d, "rows of nodes"),
      compliance_(d, "compliance of rows"),
      rate_(d, "rates of rows"),
      measure_(d, "measure of rows"),
      rowDiag_(d, "diagonal of rows"),
      x_(d, "multipliers"),
      r_(d, "residual of rows"),
      z_(d, "residual of rows"),
      d_(d, "direction of rows"),
      rhs_(d, "right-hand side of rows"),
      fluidScale_(d, "scales of the preconditioner"),
      rowScale_(d, "scales of rows"),
      inRow_(d, "scales of rows"),
      slotPush_(d, "scales of slots"),
      slotScale_(d, "scales of slots"),
      ySlot_(d, "residual of slots"),
      yRow_(d, "residual of rows"),
      inverse_(d, "blocks of nodes"),
      f_(d, "forces of the preconditioner"),
      wetted_(d, "particles before bodies"),
      motion_(d, "motions of bodies") {
  if (!any()) return;
  while (nodeBits_ < 31 && (Index(1) << nodeBits_) <= nodes_) ++nodeBits_;
  for (auto* b : {&velocity_, &acceleration_, &normal_}) b->resize(std::size_t(nodes_));
  for (auto* b : {&single_, &u_}) b->resize(std::size_t(nodes_));
  mass_.resize(std::size_t(nodes_));
  inverse_.resize(std::size_t(nodes_));
  f_.resize(std::size_t(nodes_));
  slotBegin_.resize(std::size_t(nodes_) + 2);
  inertia_.resize(std::size_t(bodies_) * kInertiaValues);
  listEdges(def.surfaces);
}

// Both ends of every edge, by node.
void DeviceJointSystem::listEdges(const DeviceSurfaceDef& s) {
  std::vector<Index> begin(std::size_t(nodes_) + 1), item(2 * std::size_t(s.edges));
  for (Index k = 0; k < 2 * s.edges; ++k) ++begin[std::size_t(s.edgeNode[k]) + 1];
  for (std::size_t n = 0; n < std::size_t(nodes_); ++n) begin[n + 1] += begin[n];
  std::vector<Index> next(begin);
  for (Index k = 0; k < 2 * s.edges; ++k) item[std::size_t(next[std::size_t(s.edgeNode[k])]++)] = k;
  edgeBegin_.upload(begin.data(), begin.size());
  edgeItem_.upload(item.data(), item.size());
}

void DeviceJointSystem::setNodes(const double* inverseMass) { w_.upload(inverseMass, std::size_t(nodes_)); }

void DeviceJointSystem::setVelocities(const double* velocity) {
  velocity_.upload(reinterpret_cast<const Vec3d*>(velocity), std::size_t(nodes_));
  launch(device_, "nodes: velocities", nodes_, SingleNodes{velocity_.data(), single_.data()});
}

void DeviceJointSystem::bind(const DeviceLists& lists, float* diag) {
  pairs_ = lists.view();
  surfaces_ = lists.surfaces().view();
  features_ = lists.features();
  push_ = lists.slotPush();
  slots_ = lists.slots();
  const std::size_t corners = 3 * std::size_t(slots_);
  slot_.resize(std::size_t(slots_));
  for (auto* b : {&key_, &keyOut_, &value_, &slotItem_}) b->resize(corners);
  for (auto* b : {&slotPush_, &slotScale_, &ySlot_}) b->resize(std::size_t(slots_));
  launch(device_, "nodes: slots", slots_, BindNodeSlots{features_, surfaces_, nodes_, slot_.data(), key_.data(), value_.data()});
  device_.sortByKey("nodes: sort slots", key_.data(), keyOut_.data(), value_.data(), slotItem_.data(), Index(corners), nodeBits_);
  launch(device_, "nodes: begins", Index(corners) + 1, CellBegins{keyOut_.data(), Index(corners), nodes_, slotBegin_.data()});
  launch(device_, "system: nodes' diagonal", pairs_.nearCount, NodeDiagonal{pairs_, slot_.data(), push_, w_.data(), V_, diag});
}

void DeviceJointSystem::slotSpeeds(float* speed) const {
  launch(device_, "nodes: speeds of slots", slots_, NodeSlotSpeed{slot_.data(), pairs_.plane, single_.data(), speed});
}

JointView DeviceJointSystem::view() const {
  return {nodes_,
          slots_,
          edges_,
          rows_,
          slot_.data(),
          pairs_.plane,
          slotBegin_.data(),
          slotItem_.data(),
          edge_.data(),
          edgeBegin_.data(),
          edgeItem_.data(),
          rowBegin_.data(),
          rowNode_.data(),
          rowGrad_.data(),
          compliance_.data(),
          entryBegin_.data(),
          entryRow_.data(),
          entryGrad_.data(),
          w_.data(),
          1.f / spacing_,
          V_};
}
JointScales DeviceJointSystem::scales() const {
  return {fluidScale_.data(), rowScale_.data(), inRow_.data(), slotPush_.data(), slotScale_.data()};
}
ToNodes DeviceJointSystem::toNodes() const { return {ySlot_.data(), yRow_.data(), yEdge_.data()}; }

void DeviceJointSystem::setRows(const DeviceJointRows& r) {
  edges_ = r.edges;
  rows_ = r.rows;
  const std::size_t edges = std::size_t(r.edges), rows = std::size_t(r.rows), entries = std::size_t(r.entries);
  const auto vectors = [](const float* v) { return reinterpret_cast<const Vec4f*>(v); };
  edge_.upload(static_cast<const EdgeRow*>(r.edge), edges);
  edgeRate_.upload(vectors(r.edgeRate), edges);
  rowBegin_.upload(r.rowBegin, rows + 1);
  rowNode_.upload(r.rowNode, entries);
  rowGrad_.upload(vectors(r.rowGrad), entries);
  compliance_.upload(r.compliance, rows);
  rate_.upload(r.rate, rows);
  measure_.upload(r.measure, rows);
  rowDiag_.upload(r.diagonal, rows);
  entryBegin_.upload(r.entryBegin, std::size_t(nodes_) + 1);
  entryRow_.upload(r.entryRow, entries);
  entryGrad_.upload(vectors(r.entryGrad), entries);
  x_.upload(r.x, 4 * edges + rows);
  for (auto* b : {&r_, &z_, &d_, &rhs_}) b->resize(4 * edges + rows);
  for (auto* b : {&rowScale_, &inRow_, &yRow_}) b->resize(rows);
  yEdge_.resize(edges);
}

void DeviceJointSystem::scale(Index n, const float* diag, const float* diagFree, const float* withoutNodes) {
  fluidScale_.resize(std::size_t(n));
  launch(device_, "precondition: scale", n, ScaleFluidRow{diag, diagFree, withoutNodes, fluidScale_.data()});
  launch(device_, "precondition: rows", edges_ + rows_, ScaleSolidRow{view(), rowDiag_.data(), edge_.data(), scales()});
  launch(device_, "precondition: slots", pairs_.nearCount, ScaleSlots{pairs_, slot_.data(), push_, scales()});
  launch(device_, "precondition: bound", nodes_, BoundNode{view(), scales(), inverse_.data()});
}

void DeviceJointSystem::start(double dt, double* sums) {
  launch(device_, "rows: right-hand side", edges_ + rows_,
         SolidRightHandSide{view(), edgeRate_.data(), rate_.data(), velocity_.data(), 1 / dt, of(rhs_)});
  launchFold<1>(device_, "rows: start", edges_ + rows_,
                StartSolid{view(), rowDiag_.data(), measure_.data(), of(rhs_), of(x_), of(r_), of(d_)},
                StoreValues<1>{sums + kSolidQuiet});
}

void DeviceJointSystem::precondition(const SolveScalars* solve, const float* r, float* z, Index n, double* sums) {
  const JointView j = view();
  const Index all = slots_ + edges_ + rows_;
  launch(device_, "precondition: weigh", all, WeighResidual{j, solve, scales(), pairs_.slotParticle, r, of(r_), toNodes()});
  for (int k = 0; k < kNodeSteps; ++k) {
    if (k > 0) launch(device_, "precondition: products", all, WeighNodes{j, solve, scales(), u_.data(), toNodes()});
    launch(device_, "precondition: step", nodes_,
           StepNode{j, solve, inverse_.data(), toNodes(), k == 0, nodeRelaxation(k), f_.data(), u_.data()});
  }
  launchFold<1>(device_, "precondition: fluid", n, ScatterFluid{j, solve, scales(), pairs_, u_.data(), r, z},
                StoreValues<1>{sums + kFluidRz});
  launchFold<1>(device_, "precondition: solids", edges_ + rows_, ScatterSolid{j, solve, scales(), u_.data(), of(r_), of(z_)},
                StoreValues<1>{sums + kSolidRz});
}

void DeviceJointSystem::direction(const SolveScalars* solve, double* sums) {
  launchFold<1>(device_, "rows: direction", edges_ + rows_, SolidDirection{view(), solve, of(z_), of(d_)},
                StoreValues<1>{sums + kComplianceShare});
}

void DeviceJointSystem::nodesPass(const SolveScalars* solve, bool answer, const float* phi, float* g, float* nu, double* sums) {
  launchFold<1>(device_, "nodes: forces", nodes_,
                NodeForces{view(), solve, phi, of(answer ? x_ : d_), acceleration_.data(), single_.data()},
                StoreValues<1>{sums + kNodeShare});
  launch(device_, "nodes: surfaces", slots_, NodeSlotAcceleration{solve, slot_.data(), pairs_.plane, single_.data(), g, nu});
}

void DeviceJointSystem::update(const SolveScalars* solve) {
  launch(device_, "rows: update", edges_ + rows_, SolidUpdate{view(), solve, single_.data(), of(d_), of(x_), of(r_)});
}

void DeviceJointSystem::read(DeviceJointRows& r) const {
  x_.download(r.x);
  acceleration_.download(reinterpret_cast<Vec3d*>(r.nodeAcceleration));
}

NearWater DeviceJointSystem::water(const DeviceParticleState& p, const float* rho) const {
  return {pairs_, features_, slot_.data(), p.kind.now.data(), rho, V_, spacing_};
}

void DeviceJointSystem::wetNodes(const DeviceParticleState& p, const float* rho, double* mass, double* normal) {
  launch(device_, "nodes: water", nodes_,
         WetNodes{water(p, rho), slotBegin_.data(), slotItem_.data(), mass_.data(), normal_.data()});
  mass_.download(mass);
  normal_.download(reinterpret_cast<Vec3d*>(normal));
}

void DeviceJointSystem::waterInertia(const DeviceParticleState& p, const float* rho, const double* pivot, double* inertia) {
  wetted_.resize(std::size_t(pairs_.nearCount));
  pivot_.upload(reinterpret_cast<const Vec3d*>(pivot), std::size_t(bodies_));
  launch(device_, "bodies: water", pairs_.nearCount, FindWetted{water(p, rho), surfaces_.topology, wetted_.data()});
  launchBlocks<kInertiaValues>(device_, "bodies: inertia of water", bodies_,
                               CollectWater{water(p, rho), wetted_.data(), p.x.now.data(), pivot_.data(), kThreads},
                               StorePartials<kInertiaValues>{inertia_.data()});
  inertia_.download(inertia);
}

void DeviceJointSystem::takeMotion(const DeviceParticleState& p, const double* motion, Vec4f* u) {
  motion_.upload(reinterpret_cast<const BodyMotion*>(motion), std::size_t(bodies_));
  launch(device_, "bodies: take motion", pairs_.nearCount,
         TakeMotion{water(p, nullptr), wetted_.data(), p.x.now.data(), pivot_.data(), motion_.data(), u});
}

MNS_NS_END
