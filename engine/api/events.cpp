// What happened in a step, as a list.
#include <algorithm>
#include <cstring>

#include "engine/api/convert.h"
#include "engine/api/objects.h"
#include "engine/world/ledger.h"
#include "engine/world/touches.h"

using namespace meniscus;
using namespace meniscus::api;

namespace meniscus::api {

struct EventMemory {
  using Pair = std::pair<mnsBodyId, mnsBodyId>;
  TouchFinder finder;
  std::vector<mnsBodyId> idOfNumber;   // by the numbers of the finder
  std::vector<mnsBodyId> wet, wetNow;  // bodies that fluid touches
  std::vector<Pair> pairs, pairsNow;   // bodies that touch, with their obstacles
  ParticleLedger ledger;
  std::vector<ParticleLedger::Entry> entries;
};

namespace {

mnsEvent& add(mnsScene& s, mnsEventKind kind) {
  s.events.push_back(mnsEvent{});
  s.events.back().kind = kind;
  return s.events.back();
}

bool same(const mnsBodyId& a, const mnsBodyId& b) { return MNS_SAME_ID(a, b); }
bool same(const EventMemory::Pair& a, const EventMemory::Pair& b) { return same(a.first, b.first) && same(a.second, b.second); }
template <class T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::any_of(list.begin(), list.end(), [&](const T& other) { return same(item, other); });
}

// The ids of bodies by their numbers, found anew where bodies have come or gone.
void updateIds(mnsScene& s) {
  const World& w = s.running->world;
  std::vector<mnsBodyId>& ids = s.eventMemory->idOfNumber;
  const std::size_t count = TouchFinder::count(w.solid);
  bool known = ids.size() == count;
  for (std::size_t k = 0; known && k < count; ++k) {
    const Slot* slot = s.bodies.find(ids[k], s.serial);
    known = slot && w.scene.solids[std::size_t(slot->order)].name == TouchFinder::name(w.solid, k);
  }
  if (known) return;
  s.eventMemory->finder.bodiesChanged();
  ids.assign(count, mnsBodyId{});
  for (std::size_t order = 0; order < w.scene.solids.size(); ++order) {
    const mnsBodyId id = s.bodies.idOfOrder<mnsBodyId>(std::int32_t(order), s.serial);
    for (std::size_t k = 0; k < count; ++k)
      if (TouchFinder::name(w.solid, k) == w.scene.solids[order].name) ids[k] = id;
  }
}

void collectWetting(mnsScene& s) {
  EventMemory& m = *s.eventMemory;
  const World& w = s.running->world;
  m.wetNow.clear();
  for (std::size_t k = 0; k < m.idOfNumber.size(); ++k) {
    const mnsBodyId id = m.idOfNumber[k];
    const bool before = contains(m.wet, id);
    Vec3d x;
    if (!m.finder.wetted(w, k, before, x)) continue;
    m.wetNow.push_back(id);
    if (before) continue;
    mnsEvent& e = add(s, MNS_EVENT_TOUCH_BEGIN);
    e.body = id;
    e.position = fromVec(x);
  }
  for (const mnsBodyId& id : m.wet)
    if (!contains(m.wetNow, id) && s.bodies.find(id, s.serial)) add(s, MNS_EVENT_TOUCH_END).body = id;
  m.wet.swap(m.wetNow);
}

void collectPairs(mnsScene& s) {
  EventMemory& m = *s.eventMemory;
  m.pairsNow.clear();
  for (const TouchFinder::Pair& p : m.finder.pairs(s.running->world)) {
    const EventMemory::Pair pair{m.idOfNumber[std::size_t(p.body)], m.idOfNumber[std::size_t(p.obstacle)]};
    m.pairsNow.push_back(pair);
    if (contains(m.pairs, pair)) continue;
    mnsEvent& e = add(s, MNS_EVENT_TOUCH_BEGIN);
    e.body = pair.first;
    e.other = pair.second;
    e.position = fromVec(p.x);
  }
  for (const EventMemory::Pair& pair : m.pairs) {
    if (contains(m.pairsNow, pair) || !s.bodies.find(pair.first, s.serial) || !s.bodies.find(pair.second, s.serial)) continue;
    mnsEvent& e = add(s, MNS_EVENT_TOUCH_END);
    e.body = pair.first;
    e.other = pair.second;
  }
  m.pairs.swap(m.pairsNow);
}

void collectParticles(mnsScene& s) {
  EventMemory& m = *s.eventMemory;
  m.ledger.compare(s.running->world, s.running->before, m.entries);
  for (const ParticleLedger::Entry& p : m.entries) {
    constexpr mnsEventKind kKinds[] = {MNS_EVENT_LEAK, MNS_EVENT_DRAIN, MNS_EVENT_ESCAPE};
    mnsEvent& e = add(s, kKinds[int(p.what)]);
    e.particle = p.id;
    e.position = fromVec(p.x);
    if (p.what == ParticleLedger::What::drained) e.drain = s.drains.idOfOrder<mnsDrainId>(p.drain, s.serial);
  }
}

}  // namespace

void prepareEvents(mnsScene& s) {
  if (!s.eventMemory) s.eventMemory = std::make_shared<EventMemory>();
  s.eventMemory->ledger.take(s.running->world);
}

void collectEvents(mnsScene& s) {
  s.events.clear();
  const StepReport& r = s.running->world.report;
  updateIds(s);
  s.eventMemory->finder.update(s.running->world);
  collectWetting(s);
  collectPairs(s);
  collectParticles(s);
  if (r.overflow) add(s, MNS_EVENT_OVERFLOW);
  if (!r.converged) add(s, MNS_EVENT_UNCONVERGED).value = r.couplingResidual;
}

void forgetEvents(mnsScene& s) noexcept {
  s.events.clear();
  if (!s.eventMemory) return;
  s.eventMemory->wet.clear();
  s.eventMemory->pairs.clear();
}

}  // namespace meniscus::api

extern "C" {

mnsResult mnsScene_GetEvents(mnsScene* scene, mnsEvent* events, size_t stride, int32_t capacity, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    if (capacity < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "capacity is {}", capacity);
    if (events) needArrayOf<mnsEvent>(stride, capacity, "events");
    *count = std::int32_t(s.events.size());
    for (std::int32_t k = 0; events && k < *count && k < capacity; ++k)
      std::memcpy(reinterpret_cast<char*>(events) + std::size_t(k) * stride, &s.events[std::size_t(k)],
                  std::min(stride, sizeof(mnsEvent)));
    return MNS_OK;
  });
}

}  // extern "C"
