// What acts on the nodes of deformable bodies, eight nodes side by side (kernels/core/float8.h): the operator and the
// preconditioner sum over these lists in every iteration.
#pragma once

#include <algorithm>

#include "engine/base/buffer.h"
#include "kernels/core/float8.h"
#include "kernels/core/vec4.h"

namespace meniscus {

// One end of an edge at each of eight nodes. sign: scale of the edge's rows at its first node, minus that at its second [1/m]; 0
// where there is none.
struct EdgeEnds {
  Index edge[kLanes];
  float sign[kLanes];
};
// One slot at each of eight nodes, and the node's barycentric weight; 0 where there is none.
struct SlotEnds {
  Index slot[kLanes];
  float weight[kLanes];
};

// A slot as nodes see it.
struct alignas(32) NodeSurface {
  Vec3f n;
  float b0, b1;   // barycentric weights; the third is what they lack of one
  Index node[3];  // {-1, -1, -1} where no nodes carry it

  bool carried() const { return node[0] >= 0; }
  // Normal velocity for those of the nodes, of which w is 0.
  float speed(const Vec4f* u) const {
    const Vec4f v = u[node[0]] * b0 + u[node[1]] * b1 + u[node[2]] * (1.f - b0 - b1);
    return (v * Vec4f(n, b0)).sum();
  }
};

// The k-th item of node n is in lane n % kLanes of items[begin[n / kLanes] + k], k < count[n]. The others up to the end of the
// group are zero.
template <class Item>
struct NodeListView {
  const Index *begin, *count;
  const Item* items;
  const Item& item(Index n, Index k) const { return items[begin[n / kLanes] + k]; }
};

template <class Item>
class NodeLists {
 public:
  // Counting, then placing in the same order, then finish.
  void start(Index nodes) {
    count_.assign(std::size_t(laneGroups(nodes)) * kLanes, 0);
    begin_.resizeUninitialized(std::size_t(laneGroups(nodes)) + 1);
  }
  void expect(Index n) { ++count_[n]; }
  void layOut() {
    const Index groups = Index(begin_.size()) - 1;
    begin_[0] = 0;
    for (Index g = 0; g < groups; ++g)
      begin_[g + 1] = begin_[g] + *std::max_element(&count_[g * kLanes], &count_[g * kLanes] + kLanes);
    items_.resizeUninitialized(std::size_t(begin_[groups]));
    placed_.assign(count_.size(), 0);
  }
  Item& place(Index n) { return items_[begin_[n / kLanes] + placed_[n]++]; }
  void finish() {
    const Index groups = Index(begin_.size()) - 1;
    for (Index g = 0; g < groups; ++g)
      for (Index l = 0; l < kLanes; ++l)
        for (Index k = begin_[g] + count_[g * kLanes + l]; k < begin_[g + 1]; ++k) clear(items_[k], l);
  }
  NodeListView<Item> view() const { return {begin_.data(), count_.data(), items_.data()}; }
  std::size_t bytes() const {
    return begin_.capacityBytes() + count_.capacityBytes() + placed_.capacityBytes() + items_.capacityBytes();
  }

 private:
  static void clear(EdgeEnds& e, Index lane) {
    e.edge[lane] = 0;
    e.sign[lane] = 0.f;
  }
  static void clear(SlotEnds& s, Index lane) {
    s.slot[lane] = 0;
    s.weight[lane] = 0.f;
  }

  Buffer<Index> begin_, count_, placed_;
  Buffer<Item> items_;
};

}  // namespace meniscus
