// Bytes as a sequence of calls of the C interface, right and wrong ones mixed: ids of other scenes and of destroyed objects, null
// pointers, numbers that are none, definitions with damaged heads, scenes of particles and on grids, on the CPU and on the serial
// device. No call may crash, every failing one has a sentence and changes nothing, and one that reads changes nothing either.
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "engine/api/inside.h"
#include "engine/particle/device_solver.h"
#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

constexpr int kMostCalls = 200;

const std::vector<const ApiCall*>& drawn() {
  static const auto* const list = [] {
    static std::vector<ApiCalls> groups = {contextCalls(),  sceneCalls(), objectCalls(), bodyCalls(),
                                           particleCalls(), lookCalls(),  gridCalls(),   sharingCalls()};
    auto* all = new std::vector<const ApiCall*>;
    for (const ApiCalls& group : groups)
      for (const ApiCall& call : group) all->insert(all->end(), std::size_t(call.weight), &call);
    if (all->size() > 256) broken("a byte draws every call");
    return all;
  }();
  return *list;
}

// The library's log has texts that can be read.
void readLog(void* user, mnsLogLevel, const char* topic, const char* message, const char* file, std::int32_t) {
  *static_cast<std::size_t*>(user) += std::strlen(topic) + std::strlen(message) + std::strlen(file);
}

std::size_t logged = 0;

// The host's threads, of which there is one.
void runTasks(void*, std::int32_t count, mnsTask* task, void* taskContext) {
  for (std::int32_t k = count; k-- > 0;) task(taskContext, k);
}

}  // namespace

std::map<std::string, ApiUse>& apiUse() {
  static auto* const use = new std::map<std::string, ApiUse>;
  return *use;
}

ApiSession::ApiSession(Bytes& bytes) : b(bytes), gl(std::make_unique<testing::FakeGl>()) { makeContext(); }

ApiSession::~ApiSession() {
  if (mnsDestroyContext(context_) != MNS_OK) broken("a context can be destroyed");
}

void ApiSession::makeContext() {
  mnsContextDef def = mnsDefaultContextDef();
  const int kind = b.byte();
  def.device = MNS_DEVICE_CPU;
  def.threads = 1;
  if (kind & 1) {
    def.log = readLog;
    def.logUser = &logged;
    def.logLevel = MNS_LOG_DEBUG;
  }
  if (kind & 2) {
    def.runTasks = runTasks;
    def.threads = 3;
  }
  context_ = nullptr;
  check("mnsCreateContext", mnsCreateContext(MNS_VERSION, &def, &context_));
  if (kind > 200) api::useDevice(context_, &serialFluidCalls(), false);
}

mnsResult ApiSession::check(const char* function, mnsResult r) {
  if (r < 0 && !*mnsGetLastError()) broken("a failing call has a sentence");
  if (r == MNS_ERROR_INTERNAL) broken("no input makes an internal error");
  if (!std::strcmp(mnsResult_ToString(r), "MNS_UNKNOWN")) broken("results are those of the header");
  used(function, r >= 0);
  return last_ = r;
}

void ApiSession::used(const char* function, bool succeeded) {
  ApiUse& use = apiUse()[function];
  ++use.calls;
  use.successes += succeeded;
}

mnsContext* ApiSession::context() {
  if (b.seldom()) return b.byte() < 128 ? nullptr : reinterpret_cast<mnsContext*>(std::uintptr_t(64));
  return context_;
}

mnsScene* ApiSession::scene() {
  if (b.seldom()) return b.byte() < 128 ? nullptr : reinterpret_cast<mnsScene*>(std::uintptr_t(64));
  return scenes[0];
}

const mnsView* ApiSession::positions(int most, mnsView& view) {
  static float x[4 * 4];
  for (float& v : x) v = float(b.number(0.01, 0.19));
  const int count = 1 + b.below(most < 4 ? most : 4);
  view = mnsHostView(x, b.below(2) ? MNS_FORMAT_FLOAT3 : MNS_FORMAT_FLOAT4, count);
  if (b.seldom()) view.format = mnsFormat(b.below(9));
  if (b.seldom()) view.memory = mnsMemory(b.below(5));
  if (b.seldom()) view.stride = b.below(17) - 8;
  if (b.seldom()) view.count = -b.byte();
  if (b.seldom()) {
    view.data = nullptr;
    view.count = std::int64_t(b.byte()) << b.below(55);
  }
  return to(view);
}

void ApiSession::touch(mnsResult r, const mnsView& view) {
  if (r != MNS_OK || view.memory != MNS_MEMORY_HOST || view.count == 0) return;
  if (view.count < 0 || view.stride <= 0 || !view.data) broken("a view that is handed out has its items");
  static unsigned char sum;
  const auto* bytes = static_cast<const unsigned char*>(view.data);
  for (std::int64_t k = 0; k < view.count * view.stride; ++k) sum = static_cast<unsigned char>(sum + bytes[k]);
}

void ApiSession::touch(mnsResult r, const char* const& text) {
  if (r != MNS_OK) return;
  if (!text) broken("a text that is handed out is there");
  logged += std::strlen(text);
}

void ApiSession::adopt(mnsScene* scene, bool ofGrid) {
  if (scenes[1] && mnsDestroyScene(scenes[1]) != MNS_OK) broken("a scene can be destroyed");
  if (scenes[1] == keptOf) keptOf = nullptr;
  scenes[1] = scenes[0];
  onGrid[1] = onGrid[0];
  scenes[0] = scene;
  onGrid[0] = ofGrid;
  bodiesMade = 0;
}

void ApiSession::forget(mnsScene* scene) {
  for (mnsScene*& s : scenes)
    if (s == scene) s = nullptr;
  if (keptOf == scene) keptOf = nullptr;
}

// This process's, begun anew by each session that asks for it: what a session does must not depend on those before it.
const std::string& ApiSession::folder() {
  static const struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / ("meniscus_fuzz_" + std::to_string(getpid()))).string();
    ~Folder() { remove(); }
    void remove() const {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } own;
  if (!hasFolder_) {
    own.remove();
    std::filesystem::create_directories(own.path);
    hasFolder_ = true;
  }
  return own.path;
}

ApiSession::Look ApiSession::look() const {
  Look l{scenes[0], false, 0};
  l.known = scenes[0] && mnsScene_GetHash(scenes[0], &l.hash) == MNS_OK;
  return l;
}

void ApiSession::oneCall() {
  const ApiCall& call = *drawn()[std::size_t(b.below(int(drawn().size())))];
  const Look before = look();
  last_ = MNS_OK;
  call.run(*this);
  const mnsResult result = last_;
  const Look after = look();
  if (!before.known || !after.known || before.scene != after.scene || before.hash == after.hash) return;
  if (result != MNS_OK && result != MNS_PENDING) broken("a call that fails, or is interrupted, changes nothing");
  if (call.reads) broken("a call that reads changes nothing");
}

void ApiSession::run() {
  for (int k = 0; k < kMostCalls && !b.empty(); ++k) oneCall();
}

void apiCalls(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  ApiSession(bytes).run();
}

}  // namespace meniscus::fuzz
