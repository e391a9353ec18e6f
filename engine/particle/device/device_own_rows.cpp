#include "engine/particle/device/device_own_rows.h"

#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DeviceOwnRows::DeviceOwnRows(Device& d)
    : device_(d),
      edge_(d, "edges"),
      general_(d, "constraints with a row"),
      element_(d, "elements"),
      row_(d, "rows of constraints"),
      rest_(d, "rest data of rows"),
      itemBegin_(d, "rows of nodes"),
      item_(d, "rows of nodes"),
      edgeActive_(d, "edges that pull"),
      edgeRow_(d, "rows of edges"),
      edgeRate_(d, "rates of edges"),
      grad_(d, "entries of rows"),
      edgeGuess_(d, "multipliers to start from"),
      compliance_(d, "compliances of rows"),
      rate_(d, "rates of rows"),
      measure_(d, "measures of rows"),
      diag_(d, "diagonal of rows"),
      guess_(d, "multipliers to start from"),
      edgeImpulse_(d, "impulses of weak constraints"),
      impulse_(d, "impulses of weak constraints"),
      mode_(d, "modes of elements"),
      taken_(d, "stresses of elements") {}

// Constraints are seldom others than before.
void DeviceOwnRows::take(const DeviceConstraintTable& t, Index nodes) {
  edges_ = t.edges;
  generals_ = t.generals;
  elements_ = t.elements;
  rows_ = t.rows;
  if (!t.fresh) return;
  const auto size = [](std::int32_t n) { return std::size_t(n); };
  edge_.upload(static_cast<const StoredEdge*>(t.edge), size(t.edges));
  general_.upload(static_cast<const StoredGeneral*>(t.general), size(t.generals));
  element_.upload(static_cast<const StoredElement*>(t.element), size(t.elements));
  row_.upload(static_cast<const OwnRow*>(t.row), size(t.rows));
  rest_.upload(t.restData, size(t.rest));
  itemBegin_.upload(t.itemBegin, size(nodes) + 1);
  item_.upload(static_cast<const OwnItem*>(t.item), size(t.items));
  edgeActive_.resize(size(t.edges));
  edgeRow_.resize(size(t.edges));
  edgeRate_.resize(size(t.edges));
  edgeGuess_.resize(4 * size(t.edges));
  edgeImpulse_.resize(size(t.edges));
  for (auto* b : {&compliance_, &rate_, &measure_, &diag_, &guess_}) b->resize(size(t.rows));
  grad_.resize(size(t.entries));
  impulse_.resize(size(t.impulses));
  mode_.resize(size(t.rows - t.generals));
  taken_.resize(size(t.elements));
}

void DeviceOwnRows::linearise(const EdgePlaces& at, const RowUnits& units, const double* lambda,
                              const ExplicitConstraints& constraints, bool firstOfStep, double* sums) {
  units_ = units;
  constraints_ = constraints;
  sums_ = sums;
  if (firstOfStep) edgeActive_.fillZero();  // by their state
  const OwnRowsOut out{compliance_.data(), rate_.data(), measure_.data(), diag_.data(),
                       guess_.data(),      grad_.data(), impulse_.data(), constraints};
  double* count = sums;
  if (edges_ + generals_ > 0) {
    const LineariseEdges edges{
        edge_.data(),        lambda,     edgeActive_.data(), at, units, edgeRow_.data(), edgeRate_.data(), edgeGuess_.data(),
        edgeImpulse_.data(), constraints};
    const LineariseGeneral general{general_.data(), rest_.data(), lambda, at, units, out};
    launchFold<2>(device_, "rows: constraints", edges_ + generals_,
                  EdgesAndGeneral<LineariseEdges, LineariseGeneral>{edges_, edges, general}, StoreValues<2>{count});
    count += 2;
  }
  if (elements_ > 0)
    launchFold<2>(
        device_, "rows: elements", elements_,
        LineariseElements{element_.data(), rest_.data(), lambda, at, units, firstElementRow(), out, mode_.data(), taken_.data()},
        StoreValues<2>{count});
}

void DeviceOwnRows::store(const SolvedPlaces& placed, const SolidVector& x) {
  if (edges_ + generals_ > 0) {
    const SortSolvedEdges edges{edge_.data(), edgeRow_.data(), placed, units_, x.edge(), edgeActive_.data(), constraints_};
    const StoreGeneral general{general_.data(), x.row(), units_.multiplierScale, constraints_};
    launchFold<2>(device_, "rows: multipliers", edges_ + generals_,
                  EdgesAndGeneral<SortSolvedEdges, StoreGeneral>{edges_, edges, general}, StoreValues<2>{sums_ + edgePush2});
  }
  launch(device_, "rows: stresses", elements_,
         StoreElements{element_.data(), rest_.data(), placed, x.row(), units_.multiplierScale, firstElementRow(), mode_.data(),
                       taken_.data(), constraints_.lambda});
}

void DeviceOwnRows::addTo(JointView& v) const {
  v.edges = edges_;
  v.owned = rows_;
  v.edge = edgeRow_.data();
  v.own = row_.data();
  v.ownGrad = grad_.data();
  v.ownBegin = itemBegin_.data();
  v.ownItem = item_.data();
  v.compliance.own = compliance_.data();
  v.compliance.owned = rows_;
}

MNS_NS_END
