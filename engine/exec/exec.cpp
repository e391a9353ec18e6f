#include "engine/exec/exec.h"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/floating_point.h"

namespace meniscus {
namespace {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// How long a thread spins for the next launch before it sleeps. Launches inside a step follow each other within microseconds, so
// a short spin saves a wake-up; a longer one would take the core from others on a busy machine.
constexpr int kSpins = 2000;

thread_local int threadOfLaunch = 0;

// A host's thread that waits for one launch may help in another.
struct AsThread {
  explicit AsThread(int self) : before(threadOfLaunch) { threadOfLaunch = self; }
  ~AsThread() { threadOfLaunch = before; }
  AsThread(const AsThread&) = delete;
  const int before;
};

// The chunks of one thread that nobody has begun: [begin, end) in one word. Its owner takes from the front, others from the back.
struct alignas(64) ChunkRange {
  std::atomic<std::uint64_t> word{0};
  std::atomic<bool> held{false};  // by the thread that is at work as this one

  void set(Index begin, Index end) { word.store(pack(begin, end), std::memory_order_relaxed); }
  Index take(bool front) {
    std::uint64_t seen = word.load(std::memory_order_relaxed);
    for (;;) {
      const Index begin = Index(seen >> 32), end = Index(seen & 0xffffffffu);
      if (begin >= end) return -1;
      if (word.compare_exchange_weak(seen, front ? pack(begin + 1, end) : pack(begin, end - 1), std::memory_order_relaxed))
        return front ? begin : end - 1;
    }
  }
  static std::uint64_t pack(Index begin, Index end) { return std::uint64_t(begin) << 32 | std::uint64_t(end); }
};

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
  // Every thread begins with the same share of the rows in every launch, so that what it wrote in one is in its cache in the next.
  std::vector<ChunkRange> ranges;  // per thread, the launching one first

  HostTasks host;
  std::mutex failureMutex;
  std::exception_ptr failure;  // of the launch in progress
  std::vector<LaunchStats> stats;
  std::map<const void*, std::size_t> statIndex;
  Buffer<double> scratch;
  std::vector<std::pair<const void*, std::shared_ptr<void>>> kept;  // by type

  ~Impl() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    wake.notify_all();
    for (auto& t : workers) t.join();
  }

  void share(Index chunks) {
    const std::int64_t n = std::int64_t(ranges.size());
    for (std::int64_t t = 0; t < n; ++t) ranges[std::size_t(t)].set(Index(chunks * t / n), Index(chunks * (t + 1) / n));
  }
  // Own chunks, then those of the threads behind. What a job throws is thrown again by the launch, once all threads are done.
  // A host that begins one task twice at a time has the second one find nothing to do: the two would share working memory.
  void drain(std::size_t self) {
    if (ranges[self].held.exchange(true, std::memory_order_acquire)) return;
    const AsThread own{int(self)};
    try {
      for (std::size_t k = 0; k < ranges.size(); ++k) {
        ChunkRange& range = ranges[(self + k) % ranges.size()];
        for (Index c; (c = range.take(k == 0)) >= 0;) job(context, c);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failureMutex);
      if (!failure) failure = std::current_exception();
    }
    ranges[self].held.store(false, std::memory_order_release);
  }
  void throwFailure() {
    if (!failure) return;
    std::exception_ptr thrown;
    std::swap(thrown, failure);
    std::rethrow_exception(thrown);
  }

  void work(std::size_t self) {
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
      if (open.load()) drain(self);
      active.fetch_sub(1);
    }
  }
};

int Exec::processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
  const unsigned n = std::thread::hardware_concurrency();
  return n ? int(n) : 1;
}

Exec::Exec(int threads) : impl_(std::make_unique<Impl>()) {
  const int n = threads > 0 ? threads : processors();
  Impl* m = impl_.get();
  m->ranges = std::vector<ChunkRange>(std::size_t(n));
  try {
    for (int i = 1; i < n; ++i) m->workers.emplace_back([m, i] { m->work(std::size_t(i)); });
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::input, "thread " + std::to_string(m->workers.size() + 1) + " of " + std::to_string(n) +
                                      " cannot be started: " + e.what() + "; ask for fewer threads");
  }
}

Exec::Exec(int tasks, const HostTasks& host) : impl_(std::make_unique<Impl>()) {
  impl_->ranges = std::vector<ChunkRange>(std::size_t(tasks > 0 ? tasks : 1));
  impl_->host = host;
}

Exec::~Exec() = default;

int Exec::threads() const { return int(impl_->ranges.size()); }

void Exec::run(const char* name, Index chunks, void (*job)(void*, Index), void* context) {
  const auto start = std::chrono::steady_clock::now();
  Impl& m = *impl_;
  if (chunks <= 1 || m.ranges.size() == 1) {
    const AsThread first{0};
    for (Index c = 0; c < chunks; ++c) job(context, c);
  } else if (m.host.run) {
    m.job = job;
    m.context = context;
    m.share(chunks);
    m.host.run(
        m.host.user, std::int32_t(m.ranges.size()),
        [](void* impl, std::int32_t k) {
          const UsualArithmetic usual;  // whatever the host's thread has
          Impl& mine = *static_cast<Impl*>(impl);
          if (k >= 0 && std::size_t(k) < mine.ranges.size()) mine.drain(std::size_t(k));
        },
        &m);
    m.drain(0);  // whatever the host did: nothing is left undone
    m.throwFailure();
  } else {
    m.job = job;
    m.context = context;
    m.share(chunks);
    m.open.store(true);
    m.generation.fetch_add(1, std::memory_order_release);
    {
      std::lock_guard<std::mutex> lock(m.mutex);
      if (m.sleeping) m.wake.notify_all();
    }
    m.drain(0);
    m.open.store(false);
    // a worker may still be inside its last chunk: yield rather than spin when the machine is busy
    for (int spins = 0; m.active.load() != 0;)
      if (++spins < kSpins)
        relax();
      else
        std::this_thread::yield();
    m.throwFailure();
  }
  if (m.stats.size() == m.stats.capacity())
    m.stats.reserve(2 * m.stats.size() + 16);  // first: an entry of the index needs its place
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

int Exec::thread() { return threadOfLaunch; }

void* Exec::keptFor(const void* key, std::shared_ptr<void> (*make)(int n)) {
  for (const auto& [k, memory] : impl_->kept)
    if (k == key) return memory.get();
  return impl_->kept.emplace_back(key, make(threads())).second.get();
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
