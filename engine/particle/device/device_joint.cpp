#include "engine/particle/device/device_joint.h"

#include <vector>

#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DeviceJointSystem::DeviceJointSystem(Device& d, const DeviceFluidDef& def)
    : device_(d),
      nodes_(def.surfaces.deforming ? def.surfaces.nodes : 0),
      edges_(def.surfaces.edges),
      bodies_(def.surfaces.bodies),
      more_(3 + 6 * std::size_t(def.surfaces.rigids)),
      V_(def.particleVolume),
      spacing_(float(def.spacing)),
      spacingD_(def.spacing),
      w_(d, "inverse masses of nodes"),
      mass_(d, "water at nodes"),
      inertia_(d, "water before bodies"),
      velocity_(d, "velocities of nodes"),
      normal_(d, "normals of water at nodes"),
      pivot_(d, "pivots of bodies"),
      single_(d, "velocities of nodes"),
      slot_(d, "slots of nodes"),
      key_(d, "nodes of slots"),
      keyOut_(d, "nodes of slots"),
      value_(d, "slots of nodes"),
      slotItem_(d, "slots of nodes"),
      slotBegin_(d, "slots of nodes"),
      edgeBegin_(d, "edges of nodes"),
      edgeItem_(d, "edges of nodes"),
      yEdge_(d, "residual of edges"),
      u_(d, "velocities of the preconditioner"),
      uNext_(d, "velocities of the preconditioner"),
      given_(d, "rows of a joint solve"),
      answer_(d, "answer of a joint solve"),
      r_(d, "residual of rows"),
      z_(d, "residual of rows"),
      d_(d, "direction of rows"),
      rhs_(d, "right-hand side of rows"),
      storedEdge_(d, "edges"),
      edgeActive_(d, "edges that pull"),
      edgeRow_(d, "rows of edges"),
      ownRate_(d, "rates of edges"),
      ownGuess_(d, "multipliers to start from"),
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
  for (auto* b : {&velocity_, &normal_}) b->resize(std::size_t(nodes_));
  for (auto* b : {&single_, &u_, &uNext_}) b->resize(std::size_t(nodes_));
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
  velocityNow_ = velocity_.data();
  launch(device_, "nodes: velocities", nodes_, SingleNodes{velocityNow_, single_.data()});
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

ViscousBodies DeviceJointSystem::viscousNodes() const {
  ViscousBodies b;
  b.nodes = nodes_;
  b.nodeSlot = slot_.data();
  b.slotBegin = slotBegin_.data();
  b.slotItem = slotItem_.data();
  b.w = w_.data();
  return b;
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
          edge_,
          edgeBegin_.data(),
          edgeItem_.data(),
          rowBegin_,
          rowNode_,
          rowGrad_,
          compliance_,
          entryBegin_,
          entryRow_,
          entryGrad_,
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
  const auto points = [](const double* v) { return reinterpret_cast<const Vec3d*>(v); };
  ownEdges_ = edges > 0 && !r.edge;
  const std::size_t sentEdges = ownEdges_ ? 0 : edges, places = ownEdges_ ? std::size_t(nodes_) : 0;
  given_.clear();
  const std::size_t velocityAt = given_.add(reinterpret_cast<const Vec3d*>(r.nodeVelocity), std::size_t(nodes_)),
                    edgeAt = given_.add(static_cast<const EdgeRow*>(r.edge), sentEdges),
                    edgeRateAt = given_.add(vectors(r.edgeRate), sentEdges), rowBeginAt = given_.add(r.rowBegin, rows + 1),
                    rowNodeAt = given_.add(r.rowNode, entries), rowGradAt = given_.add(vectors(r.rowGrad), entries),
                    complianceAt = given_.add(r.compliance, rows), rateAt = given_.add(r.rate, rows),
                    measureAt = given_.add(r.measure, rows), diagonalAt = given_.add(r.diagonal, rows),
                    entryBeginAt = given_.add(r.entryBegin, std::size_t(nodes_) + 1), entryRowAt = given_.add(r.entryRow, entries),
                    entryGradAt = given_.add(vectors(r.entryGrad), entries),
                    guessAt = given_.add(r.x + 4 * (edges - sentEdges), 4 * sentEdges + rows),
                    xAt = given_.add(points(r.nodeX), places), xStartAt = given_.add(points(r.nodeStart), places),
                    lambdaAt = given_.add(r.edgeLambda, ownEdges_ ? std::size_t(r.constraints) : 0);
  given_.send();
  velocityNow_ = given_.at<Vec3d>(velocityAt);
  edge_ = given_.at<EdgeRow>(edgeAt);
  edgeRate_ = given_.at<Vec4f>(edgeRateAt);
  rowBegin_ = given_.at<Index>(rowBeginAt);
  rowNode_ = given_.at<Index>(rowNodeAt);
  rowGrad_ = given_.at<Vec4f>(rowGradAt);
  compliance_ = given_.at<float>(complianceAt);
  rate_ = given_.at<float>(rateAt);
  measure_ = given_.at<float>(measureAt);
  rowDiag_ = given_.at<float>(diagonalAt);
  entryBegin_ = given_.at<Index>(entryBeginAt);
  entryRow_ = given_.at<Index>(entryRowAt);
  entryGrad_ = given_.at<Vec4f>(entryGradAt);
  guess_ = given_.at<float>(guessAt);
  rowGuess_ = guess_ + 4 * sentEdges;
  places_ = {given_.at<Vec3d>(xAt), given_.at<Vec3d>(xStartAt), w_.data(), r.dt, r.solvable};
  units_ = {1.0 / spacingD_, V_, r.dt, r.multiplierScale, r.diagFloor};
  lambda_ = given_.at<double>(lambdaAt);
  for (auto* b : {&r_, &z_, &d_, &rhs_}) b->resize(4 * edges + rows);
  for (auto* b : {&rowScale_, &inRow_, &yRow_}) b->resize(rows);
  yEdge_.resize(edges);
  layOutAnswer();
  if (ownEdges_) lineariseEdges(r);
  launch(device_, "nodes: velocities", nodes_, SingleNodes{velocityNow_, single_.data()});
}

// The rows of edges at the places given.
void DeviceJointSystem::lineariseEdges(const DeviceJointRows& r) {
  const std::size_t edges = std::size_t(edges_);
  if (r.storedEdge) storedEdge_.upload(static_cast<const StoredEdge*>(r.storedEdge), edges);
  edgeActive_.resize(edges);
  edgeRow_.resize(edges);
  ownRate_.resize(edges);
  ownGuess_.resize(4 * edges);
  if (r.firstOfStep) edgeActive_.fillZero();  // by their state
  launchFold<1>(device_, "edges: rows", edges_,
                LineariseEdges{storedEdge_.data(), lambda_, edgeActive_.data(), places_, units_, edgeRow_.data(), ownRate_.data(),
                               ownGuess_.data()},
                StoreValues<1>{edgeSums()});
  edge_ = edgeRow_.data();
  edgeRate_ = ownRate_.data();
  guess_ = ownGuess_.data();
}

void DeviceJointSystem::sortEdges() {
  if (!ownEdges_) return;
  launchFold<2>(device_, "edges: sort", edges_,
                SortSolvedEdges{storedEdge_.data(), edge_, places_, velocityNow_, acceleration(), units_, multipliers().edge(),
                                edgeActive_.data(), edgeMultipliers()},
                StoreValues<2>{edgeSums() + 1});
}

void DeviceJointSystem::layOutAnswer() {
  const auto behind = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  accelerationAt_ = behind((4 * std::size_t(edges_) + std::size_t(rows_)) * sizeof(float));
  moreAt_ = accelerationAt_ + behind(std::size_t(nodes_) * sizeof(Vec3d));
  const std::size_t ofEdges = ownEdges_ ? edgeSumCount + std::size_t(edges_) : 0;
  answer_.resize(moreAt_ + (more_ + ofEdges) * sizeof(double));
}

void DeviceJointSystem::scale(Index n, const float* diag, const float* diagFree, const float* withoutNodes) {
  fluidScale_.resize(std::size_t(n));
  launch(device_, "precondition: scale", n, ScaleFluidRow{diag, diagFree, withoutNodes, fluidScale_.data()});
  launch(device_, "precondition: rows", edges_ + rows_, ScaleSolidRow{view(), rowDiag_, edge_, scales()});
  launch(device_, "precondition: slots", pairs_.nearCount, ScaleSlots{pairs_, slot_.data(), push_, scales()});
  launch(device_, "precondition: bound", nodes_, BoundNode{view(), scales(), inverse_.data()});
}

void DeviceJointSystem::start(double dt, double* sums) {
  launch(device_, "rows: right-hand side", edges_ + rows_,
         SolidRightHandSide{view(), edgeRate_, rate_, velocityNow_, 1 / dt, of(rhs_)});
  launchFold<1>(device_, "rows: start", edges_ + rows_,
                StartSolid{view(), rowDiag_, measure_, guess_, rowGuess_, of(rhs_), multipliers(), of(r_), of(d_)},
                StoreValues<1>{sums + kSolidQuiet});
}

void DeviceJointSystem::direction(const SolveScalars* solve, Index n, const DirectionRow& fluid, double* sums) {
  launchFold<1>(device_, "solve: direction", n + edges_ + rows_, JointDirection{n, fluid, {view(), solve, of(z_), of(d_)}},
                StoreValues<1>{sums + kComplianceShare});
}

void DeviceJointSystem::updateAndWeigh(const SolveScalars* solve, const float* r) {
  const JointView j = view();
  launch(device_, "rows: update", slots_ + edges_ + rows_,
         UpdateAndWeigh{{j, solve, single_.data(), of(d_), multipliers(), of(r_)},
                        {j, solve, scales(), pairs_.slotParticle, r, of(r_), toNodes()}});
}

double* DeviceJointSystem::answerMore() const { return reinterpret_cast<double*>(answer_.data() + moreAt_); }

void DeviceJointSystem::read(DeviceJointRows& r, double* more) {
  answerRead_.resize(answer_.size());
  answer_.download(answerRead_.data());
  std::memcpy(r.x, answerRead_.data(), (4 * std::size_t(edges_) + std::size_t(rows_)) * sizeof(float));
  std::memcpy(r.nodeAcceleration, answerRead_.data() + accelerationAt_, std::size_t(nodes_) * sizeof(Vec3d));
  std::memcpy(more, answerRead_.data() + moreAt_, more_ * sizeof(double));
  if (!ownEdges_) return;
  const double* const ofEdges = reinterpret_cast<const double*>(answerRead_.data() + moreAt_) + more_;
  r.edgeRowCount = ofEdges[0];
  r.edgePush2 = ofEdges[1];
  r.edgeAll2 = ofEdges[2];
  std::memcpy(r.edgeMultiplier, ofEdges + edgeSumCount, std::size_t(edges_) * sizeof(double));
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
