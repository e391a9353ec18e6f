#include "engine/exec/exec.h"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "engine/base/error.h"

namespace meniscus {
namespace {

int processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
  const unsigned n = std::thread::hardware_concurrency();
  return n ? int(n) : 1;
}

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// How long a thread spins for the next launch before it sleeps. Launches inside a step follow each other within microseconds, so
// a short spin saves a wake-up; a longer one would take the core from others on a busy machine.
constexpr int kSpins = 2000;

}  // namespace

struct Exec::Impl {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::uint64_t> generation{0};
  std::atomic<bool> stop{false};
  // A worker that takes part counts itself into `active` and then looks whether the launch is still open; the launching thread
  // closes it and then waits for `active` to fall to zero. So it never waits for a worker that has not come by: on a busy machine
  // that could take a scheduler's time slice.
  std::atomic<bool> open{false};
  std::atomic<int> active{0};
  int sleeping = 0;

  void (*job)(void*, Index) = nullptr;
  void* context = nullptr;
  Index chunks = 0;
  std::atomic<Index> next{0};

  std::vector<LaunchStats> stats;
  std::map<const void*, std::size_t> statIndex;
  Buffer<double> scratch;

  ~Impl() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    wake.notify_all();
    for (auto& t : workers) t.join();
  }

  void drain() {
    for (Index c; (c = next.fetch_add(1, std::memory_order_relaxed)) < chunks;) job(context, c);
  }

  void work() {
    std::uint64_t seen = 0;
    for (;;) {
      int spins = 0;
      while (generation.load(std::memory_order_acquire) == seen && !stop.load(std::memory_order_relaxed)) {
        if (++spins < kSpins) {
          relax();
          continue;
        }
        std::unique_lock<std::mutex> lock(mutex);
        ++sleeping;
        wake.wait(lock, [&] { return generation.load() != seen || stop.load(); });
        --sleeping;
      }
      if (stop.load()) return;
      seen = generation.load(std::memory_order_acquire);
      active.fetch_add(1);
      if (open.load()) drain();
      active.fetch_sub(1);
    }
  }
};

Exec::Exec(int threads) : impl_(std::make_unique<Impl>()) {
  const int n = threads > 0 ? threads : processors();
  Impl* m = impl_.get();
  try {
    for (int i = 1; i < n; ++i) m->workers.emplace_back([m] { m->work(); });
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::input, "thread " + std::to_string(m->workers.size() + 1) + " of " + std::to_string(n) +
                                      " cannot be started: " + e.what() + "; ask for fewer threads");
  }
}

Exec::~Exec() = default;

int Exec::threads() const { return int(impl_->workers.size()) + 1; }

void Exec::run(const char* name, Index chunks, void (*job)(void*, Index), void* context) {
  const auto start = std::chrono::steady_clock::now();
  Impl& m = *impl_;
  if (chunks <= 1 || m.workers.empty()) {
    for (Index c = 0; c < chunks; ++c) job(context, c);
  } else {
    m.job = job;
    m.context = context;
    m.chunks = chunks;
    m.next.store(0, std::memory_order_relaxed);
    m.open.store(true);
    m.generation.fetch_add(1, std::memory_order_release);
    {
      std::lock_guard<std::mutex> lock(m.mutex);
      if (m.sleeping) m.wake.notify_all();
    }
    m.drain();
    m.open.store(false);
    // a worker may still be inside its last chunk: yield rather than spin when the machine is busy
    for (int spins = 0; m.active.load() != 0;)
      if (++spins < kSpins)
        relax();
      else
        std::this_thread::yield();
  }
  auto [it, fresh] = m.statIndex.try_emplace(name, m.stats.size());
  if (fresh) m.stats.push_back({name, 0, 0.0});
  LaunchStats& s = m.stats[it->second];
  ++s.calls;
  s.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<LaunchStats> Exec::stats() const { return impl_->stats; }

void Exec::resetStats() {
  impl_->stats.clear();
  impl_->statIndex.clear();
}

Buffer<double>& Exec::scratch(std::size_t n) {
  impl_->scratch.resizeUninitialized(n);
  return impl_->scratch;
}

Offset exclusiveScan(const Index* count, Index n, Offset* begin) {
  Offset sum = 0;
  for (Index i = 0; i < n; ++i) {
    const Index c = count[i];
    begin[i] = sum;
    sum += c;
  }
  begin[n] = sum;
  return sum;
}

}  // namespace meniscus
