#include "engine/particle/device/device_joint.h"

#include <algorithm>
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
      along_(d, "inverse masses with water"),
      inertia_(d, "water before bodies"),
      start_(d, "nodes at the start"),
      unit_(d, "directions of water at nodes"),
      velocity_(d, "velocities of nodes"),
      normal_(d, "normals of water at nodes"),
      pushed_(d, "velocities of nodes"),
      byWeak_(d, "accelerations of nodes by weak constraints"),
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
      own_(d),
      given_(d, "rows of a joint solve"),
      answer_(d, "answer of a joint solve"),
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
  for (auto* b : {&velocity_, &normal_, &pushed_, &byWeak_, &start_, &unit_}) b->resize(std::size_t(nodes_));
  for (auto* b : {&single_, &u_, &uNext_}) b->resize(std::size_t(nodes_));
  for (auto* b : {&mass_, &along_}) b->resize(std::size_t(nodes_));
  inverse_.resize(std::size_t(nodes_));
  f_.resize(std::size_t(nodes_));
  slotBegin_.resize(std::size_t(nodes_) + 2);
  inertia_.resize(std::size_t(bodies_) * (kInertiaValues + 6));
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
  JointView v{};
  v.nodes = nodes_;
  v.slots = slots_;
  v.rows = rows_;
  v.slot = slot_.data();
  v.plane = pairs_.plane;
  v.slotBegin = slotBegin_.data();
  v.slotItem = slotItem_.data();
  v.edgeBegin = edgeBegin_.data();
  v.edgeItem = edgeItem_.data();
  v.rowBegin = rowBegin_;
  v.rowNode = rowNode_;
  v.rowGrad = rowGrad_;
  v.compliance.given = compliance_;
  v.entryBegin = entryBegin_;
  v.entryRow = entryRow_;
  v.entryGrad = entryGrad_;
  v.w = w_.data();
  v.edgeScale = 1.f / spacing_;
  v.V = V_;
  own_.addTo(v);
  return v;
}
JointScales DeviceJointSystem::scales() const {
  return {fluidScale_.data(), rowScale_.data(), inRow_.data(), slotPush_.data(), slotScale_.data()};
}
ToNodes DeviceJointSystem::toNodes() const { return {ySlot_.data(), yRow_.data(), yEdge_.data()}; }

void DeviceJointSystem::setRows(const DeviceJointRows& r, const double* lambda, const ExplicitConstraints& constraints) {
  own_.take(r.table, nodes_);
  edges_ = own_.edges();
  rows_ = own_.rows() + r.rows;
  const std::size_t edges = std::size_t(edges_), rows = std::size_t(rows_), given = std::size_t(r.rows),
                    entries = std::size_t(r.entries), nodes = std::size_t(nodes_);
  const auto vectors = [](const float* v) { return reinterpret_cast<const Vec4f*>(v); };
  const auto points = [](const double* v) { return reinterpret_cast<const Vec3d*>(v); };
  given_.clear();
  const std::size_t velocityAt = given_.add(points(r.nodeVelocity), nodes), rowBeginAt = given_.add(r.rowBegin, given + 1),
                    rowNodeAt = given_.add(r.rowNode, entries), rowGradAt = given_.add(vectors(r.rowGrad), entries),
                    complianceAt = given_.add(r.compliance, given), rateAt = given_.add(r.rate, given),
                    measureAt = given_.add(r.measure, given), diagonalAt = given_.add(r.diagonal, given),
                    entryBeginAt = given_.add(r.entryBegin, nodes + 1), entryRowAt = given_.add(r.entryRow, entries),
                    entryGradAt = given_.add(vectors(r.entryGrad), entries), guessAt = given_.add(r.x, given),
                    xAt = given_.add(points(r.nodeX), nodes);
  given_.send();
  if (r.nodeStart) start_.upload(points(r.nodeStart), nodes);
  velocityGiven_ = given_.at<Vec3d>(velocityAt);
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
  rowGuess_ = given_.at<float>(guessAt);
  places_ = {given_.at<Vec3d>(xAt), start_.data(), w_.data(), r.dt, r.solvable};
  for (auto* b : {&r_, &z_, &d_, &rhs_}) b->resize(4 * edges + rows);
  for (auto* b : {&rowScale_, &inRow_, &yRow_}) b->resize(rows);
  yEdge_.resize(edges);
  layOutAnswer();
  const RowUnits units{1.0 / spacingD_, V_, r.dt, r.multiplierScale, r.diagFloor};
  own_.linearise(places_, units, lambda, constraints, r.firstOfStep != 0, ownSums());
  velocityNow_ = pushed_.data();
  launch(device_, "nodes: velocities", nodes_,
         PushNodes{view(), own_.explicitImpulses(), velocityGiven_, r.dt, pushed_.data(), byWeak_.data(), single_.data()});
}

void DeviceJointSystem::storeMultipliers() { own_.store({places_, velocityGiven_, acceleration()}, multipliers()); }

void DeviceJointSystem::layOutAnswer() {
  const auto behind = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  givenAt_ = (4 * std::size_t(edges_) + std::size_t(own_.rows())) * sizeof(float);
  accelerationAt_ = behind((4 * std::size_t(edges_) + std::size_t(rows_)) * sizeof(float));
  moreAt_ = accelerationAt_ + behind(std::size_t(nodes_) * sizeof(Vec3d));
  answer_.resize(moreAt_ + (more_ + std::size_t(DeviceOwnRows::kSums)) * sizeof(double));
}

void DeviceJointSystem::scale(Index n, const float* diag, const float* diagFree, const float* withoutNodes) {
  fluidScale_.resize(std::size_t(n));
  launch(device_, "precondition: scale", n, ScaleFluidRow{diag, diagFree, withoutNodes, fluidScale_.data()});
  launch(device_, "precondition: rows", edges_ + rows_,
         ScaleSolidRow{view(), values(own_.diagonal(), rowDiag_), own_.edgeRows(), scales()});
  launch(device_, "precondition: slots", pairs_.nearCount, ScaleSlots{pairs_, slot_.data(), push_, scales()});
  launch(device_, "precondition: bound", nodes_, BoundNode{view(), scales(), inverse_.data()});
}

void DeviceJointSystem::start(double dt, double* sums) {
  launch(device_, "rows: right-hand side", edges_ + rows_,
         SolidRightHandSide{view(), own_.edgeRates(), values(own_.rates(), rate_), velocityNow_, 1 / dt, of(rhs_)});
  launchFold<1>(device_, "rows: start", edges_ + rows_,
                StartSolid{view(), values(own_.diagonal(), rowDiag_), values(own_.measures(), measure_), own_.edgeGuess(),
                           values(own_.guess(), rowGuess_), of(rhs_), multipliers(), of(r_), of(d_)},
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
  answerRead_.resize(answer_.size() - givenAt_);
  device_.toHost(answerRead_.data(), answer_.data() + givenAt_, answerRead_.size(), "answer of a joint solve");
  const auto take = [&](void* to, std::size_t place, std::size_t bytes) {  // of nothing, there may be no array
    if (bytes) std::memcpy(to, answerRead_.data() + (place - givenAt_), bytes);
  };
  take(r.x, givenAt_, std::size_t(r.rows) * sizeof(float));
  take(r.nodeAcceleration, accelerationAt_, std::size_t(nodes_) * sizeof(Vec3d));
  take(more, moreAt_, more_ * sizeof(double));
  double sums[DeviceOwnRows::kSums];
  take(sums, moreAt_ + more_ * sizeof(double), sizeof sums);
  r.constraintRows = 0;
  for (int k = 0; k < own_.launches(); ++k) r.constraintRows += sums[2 * k];
  r.edgePush2 = edges_ > 0 ? sums[DeviceOwnRows::edgePush2] : 0;
  r.edgeAll2 = edges_ > 0 ? sums[DeviceOwnRows::edgeAll2] : 0;
}

NearWater DeviceJointSystem::water(const DeviceParticleState& p, const float* rho) const {
  return {pairs_, features_, slot_.data(), p.kind.now.data(), rho, V_, spacing_};
}

void DeviceJointSystem::wetNodes(const DeviceParticleState& p, const float* rho, double* mass, double* normal) {
  launch(device_, "nodes: water", nodes_,
         WetNodes{water(p, rho), slotBegin_.data(), slotItem_.data(), w_.data(), mass_.data(), along_.data(), normal_.data(),
                  unit_.data()});
  if (mass) mass_.download(mass);
  if (normal) normal_.download(reinterpret_cast<Vec3d*>(normal));
}

void DeviceJointSystem::waterInertia(const DeviceParticleState& p, const float* rho, const double* pivot, const Index* nodes,
                                     double* inertia, double* internal) {
  const std::size_t bodies = std::size_t(bodies_), values = bodies * kInertiaValues;
  wetted_.resize(std::size_t(pairs_.nearCount));
  pivot_.clear();
  const std::size_t pivotAt = pivot_.add(reinterpret_cast<const Vec3d*>(pivot), bodies), nodesAt = pivot_.add(nodes, 2 * bodies);
  pivot_.send();
  pivots_ = pivot_.at<Vec3d>(pivotAt);
  launch(device_, "bodies: water", pairs_.nearCount, FindWetted{water(p, rho), surfaces_.topology, wetted_.data()});
  launchBlocks<kInertiaValues>(device_, "bodies: inertia of water", bodies_,
                               CollectWater{water(p, rho), wetted_.data(), p.x.now.data(), pivots_, kThreads},
                               StorePartials<kInertiaValues>{inertia_.data()});
  const OfArrays ofSolve{nullptr, multipliers().edge(), multipliers().row()};
  launchBlocks<6>(
      device_, "bodies: momentum of constraints", bodies_,
      CollectInternal{view(), ofSolve, own_.explicitImpulses(), places_.xPrev, pivot_.at<Index>(nodesAt), places_.dt, kThreads},
      StorePartials<6>{inertia_.data() + values});
  inertiaRead_.resize(inertia_.size());
  inertia_.download(inertiaRead_.data());
  std::copy_n(inertiaRead_.begin(), values, inertia);
  std::copy_n(inertiaRead_.begin() + std::ptrdiff_t(values), 6 * bodies, internal);
}

void DeviceJointSystem::takeMotion(const DeviceParticleState& p, const double* motion, Vec4f* u) {
  motion_.upload(reinterpret_cast<const BodyMotion*>(motion), std::size_t(bodies_));
  launch(device_, "bodies: take motion", pairs_.nearCount,
         TakeMotion{water(p, nullptr), wetted_.data(), p.x.now.data(), pivots_, motion_.data(), u});
}

MNS_NS_END
