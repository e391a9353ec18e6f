#include "engine/particle/remote_constraints.h"

#include <cstddef>
#include <cstring>

#include "engine/solid/row_append.h"

namespace meniscus {
namespace {

static_assert(sizeof(Constraint) == sizeof(StoredConstraint) && offsetof(Constraint, type) == offsetof(StoredConstraint, type) &&
              offsetof(Constraint, rest) == offsetof(StoredConstraint, rest) && int(ConstraintType::count) == kConstraintKinds);

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

}  // namespace

void RemoteConstraints::tabulate(const SolidState& s) {
  if (!itemBegin_.empty() && same(items_, s.constraints.items) && same(rest_, s.rest)) return;
  there_ = false;
  items_ = s.constraints.items;
  rest_ = s.rest;
  edge_.clear();
  general_.clear();
  element_.clear();
  row_.clear();
  std::vector<Index> partner;
  findPartners(s, partner);
  const Index count = Index(items_.size());
  for (Index i = 0; i < count; ++i) {
    const Constraint& c = items_[i];
    if (c.type == ConstraintType::distance) {
      edge_.push_back({c.node[0], c.node[1], i, c.compliance, c.stiffness, c.damping, rest_[c.rest]});
    } else if (!hasModes(c)) {
      const Index k = Index(general_.size());
      general_.push_back({{}, i});
      std::memcpy(&general_.back().item, &c, sizeof c);
      row_.push_back({{c.node[0], c.node[1], c.node[2], c.node[3]}, 4 * k, 1});
    }
  }
  entries_ = impulses_ = 4 * Index(general_.size());
  for (Index i = 0; i < count; ++i)
    if (isElement(items_[i])) add(i, partner[std::size_t(i)]);
  listByNode(Index(s.x.size()));
}

void RemoteConstraints::add(Index i, Index hydrostatic) {
  const Constraint& c = items_[i];
  const bool membrane = c.type == ConstraintType::membrane;
  const Index nodes = membrane ? 3 : 4;
  StoredElement e{};
  for (int n = 0; n < 4; ++n) e.node[n] = n < nodes ? c.node[n] : -1;
  e.constraint = i;
  e.hydrostatic = hydrostatic;
  e.rest = c.rest;
  e.row = Index(row_.size());
  e.entry = entries_;
  e.impulse = impulses_;
  e.rows = membrane ? kMembraneModes : kMostModes;
  e.kind = int(c.type);
  e.compliance = c.compliance;
  e.hydrostaticCompliance = hydrostatic >= 0 ? items_[hydrostatic].compliance : 0;
  e.damping = c.damping;
  for (Index r = 0; r < e.rows; ++r) row_.push_back({{e.node[0], e.node[1], e.node[2], e.node[3]}, entries_ + r, e.rows});
  entries_ += nodes * e.rows;
  impulses_ += nodes;
  element_.push_back(e);
}

// What of the rows acts on each node, in their order.
void RemoteConstraints::listByNode(Index nodes) {
  itemBegin_.assign(std::size_t(nodes) + 1, 0);
  const auto forEach = [&](const auto& each) {  // node, item
    for (Index k = 0; k < Index(general_.size()); ++k)
      for (Index n = 0; n < 4; ++n)
        if (const Index node = general_[std::size_t(k)].item.node[n]; node >= 0) each(node, OwnItem{k, 4 * k + n, 1, 4 * k + n});
    for (const StoredElement& e : element_)
      for (Index n = 0; n < 4; ++n)
        if (e.node[n] >= 0) each(e.node[n], OwnItem{e.row, e.entry + n * e.rows, e.rows, e.impulse + n});
  };
  forEach([&](Index node, const OwnItem&) { ++itemBegin_[std::size_t(node) + 1]; });
  for (std::size_t n = 0; n < std::size_t(nodes); ++n) itemBegin_[n + 1] += itemBegin_[n];
  item_.resize(std::size_t(itemBegin_.back()));
  std::vector<Index> next(itemBegin_);
  forEach([&](Index node, const OwnItem& item) { item_[std::size_t(next[std::size_t(node)]++)] = item; });
}

DeviceConstraintTable RemoteConstraints::table() const {
  DeviceConstraintTable t{};
  t.fresh = !there_;
  t.constraints = Index(items_.size());
  t.edges = Index(edge_.size());
  t.generals = Index(general_.size());
  t.elements = Index(element_.size());
  t.rows = Index(row_.size());
  t.entries = entries_;
  t.impulses = impulses_;
  t.items = Index(item_.size());
  t.rest = Index(rest_.size());
  if (there_) return t;
  t.edge = edge_.data();
  t.general = general_.data();
  t.element = element_.data();
  t.row = row_.data();
  t.restData = rest_.data();
  t.itemBegin = itemBegin_.data();
  t.item = item_.data();
  return t;
}

}  // namespace meniscus
