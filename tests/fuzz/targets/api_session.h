// A caller of the C interface that is driven by bytes: what it has made, what it hands in, and what it holds every call to.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "meniscus/meniscus_cuda.h"
#include "meniscus/meniscus_gl.h"
#include "tests/fuzz/targets/bytes.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/shared/fake_gl.h"

namespace meniscus::fuzz {

class ApiSession {
 public:
  explicit ApiSession(Bytes& bytes);
  ~ApiSession();
  ApiSession(const ApiSession&) = delete;
  void run();

  // Every failure has a sentence, and no input makes an internal error.
  mnsResult check(const char* function, mnsResult result);
  // A call that cannot fail, or has.
  void used(const char* function, bool succeeded = true);

  // What is handed in: mostly what a careful caller would, now and then what nobody should.
  mnsContext* context();
  mnsScene* scene();
  const mnsView* positions(int most, mnsView& view);  // host memory with room for `most` items, at most 4
  template <class Id>
  Id pick(const std::vector<Id>& ids) {
    if (ids.empty() || b.seldom()) return Id{b.byte() - 5, std::uint16_t(b.byte()), std::uint16_t(b.byte())};
    const std::size_t back = std::size_t(b.seldom() ? b.byte() : b.below(4));  // mostly one of this scene's
    return ids[ids.size() - 1 - back % ids.size()];
  }
  template <class Def>
  const Def* damaged(Def& def) {
    if (!b.seldom()) return &def;
    switch (b.below(3)) {
      case 0:
        return nullptr;
      case 1:
        def.cookie = b.byte();
        break;
      default:
        def.structSize = b.byte();
        break;
    }
    return &def;
  }
  // Where a result goes.
  template <class T>
  T* to(T& place) {
    return b.seldom() ? nullptr : &place;
  }
  template <class T>
  T* sized(T& place) {
    place.structSize = b.seldom() ? std::uint32_t(b.byte()) : std::uint32_t(sizeof place);
    return to(place);
  }
  template <class Id>
  void keep(mnsResult r, const Id& id, std::vector<Id>& ids) {
    if (r == MNS_OK) ids.push_back(id);
  }
  // Every byte that a view promises is there.
  void touch(mnsResult r, const mnsView& view);
  // A text that was handed out holds and ends.
  void touch(mnsResult r, const char* const& text);  // by reference: it is read once the call is over

  void makeContext();
  void adopt(mnsScene* scene, bool ofGrid);  // takes the place of the one there was
  void forget(mnsScene* scene);              // it was destroyed
  const std::string& folder();               // for files, empty when a session begins

  Bytes& b;
  mnsContext* context_ = nullptr;
  mnsScene* scenes[2] = {};  // the one that is used, and another
  bool onGrid[2] = {};
  int steps = 0, starts = 0, bodiesMade = 0;
  // also those of earlier scenes
  std::vector<mnsFluidId> fluids;
  std::vector<mnsBodyId> bodies;
  std::vector<mnsEmitterId> emitters;
  std::vector<mnsDrainId> drains;
  std::vector<mnsGlBufferId> buffers;
  std::vector<char> kept;      // a snapshot
  std::uint64_t keptHash = 0;  // of the state in it
  mnsScene* keptOf = nullptr;  // the scene it is of, as long as that lives
  std::unique_ptr<testing::FakeGl> gl;

 private:
  struct Look {
    mnsScene* scene;
    bool known;
    std::uint64_t hash;
  };
  Look look() const;
  void oneCall();

  mnsResult last_ = MNS_OK;
  bool hasFolder_ = false;
};

// One function of the interface, and what has to be had for it.
struct ApiCall {
  void (*run)(ApiSession& s);
  int weight;  // how often it is drawn
  bool reads;  // changes nothing of the state, even where it succeeds
};
constexpr bool kReads = true, kChanges = false;

using ApiCalls = std::vector<ApiCall>;
ApiCalls contextCalls();
ApiCalls sceneCalls();
ApiCalls objectCalls();
ApiCalls bodyCalls();
ApiCalls particleCalls();
ApiCalls lookCalls();
ApiCalls gridCalls();
ApiCalls sharingCalls();

// How often each function of the interface was called by the sessions so far, and how often with success.
struct ApiUse {
  int calls = 0, successes = 0;
};
std::map<std::string, ApiUse>& apiUse();

// Arguments of a call, made one after the other: within a call's parentheses compilers choose the order themselves, and the same
// bytes would be different calls for each.
template <class Function>
struct InOrder;
template <class Result, class... Arguments>
struct InOrder<Result (*)(Arguments...)> {
  InOrder(Arguments... a) : arguments(a...) {}
  Result call(Result (*function)(Arguments...)) const { return std::apply(function, arguments); }
  std::tuple<Arguments...> arguments;
};
#define MNS_CALL(function, ...) (InOrder<decltype(&function)>{__VA_ARGS__}.call(&function))

// s: the session. The call's name is remembered as it stands here.
#define MNS_TRY(s, function, ...) (s).check(#function, MNS_CALL(function, __VA_ARGS__))

}  // namespace meniscus::fuzz
