#include "apps/viewer/sim_thread.h"

#include <algorithm>
#include <utility>

namespace meniscus::viewer {

SimThread::SimThread(int threads, mnsDevice device, Log& log) : simulation_(threads, device, log) {
  thread_ = std::thread([this] { run(); });
}

SimThread::~SimThread() {
  askToEnd();
  thread_.join();
}

void SimThread::askToEnd() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    const auto keep = [](const Asked& a) { return a.atEnd == AtEnd::keep; };
    commands_.erase(std::find_if(commands_.rbegin(), commands_.rend(), keep).base(), commands_.end());
    wake_.notify_all();
  }
  simulation_.cancelStep();
}

std::uint64_t SimThread::post(Command command, AtEnd atEnd) {
  std::lock_guard<std::mutex> lock(mutex_);
  commands_.push_back({std::move(command), atEnd});
  wake_.notify_all();
  return ++posted_;
}

std::uint64_t SimThread::post(Command command) { return post(std::move(command), AtEnd::ifNeeded); }
std::uint64_t SimThread::postToKeep(Command command) { return post(std::move(command), AtEnd::keep); }
std::uint64_t SimThread::postStep(Command command) { return post(std::move(command), AtEnd::leaveOut); }

std::uint64_t SimThread::postNow(Command command) {
  const std::uint64_t number = post(std::move(command));
  simulation_.cancelStep();
  return number;
}

void SimThread::setPace(const Pace& pace) {
  std::lock_guard<std::mutex> lock(mutex_);
  pace_ = pace;
  paceTime_ = -1;
  wake_.notify_all();
}

void SimThread::holdEvery(int n) {
  std::lock_guard<std::mutex> lock(mutex_);
  holdEvery_ = n;
  held_ = 0;
  wake_.notify_all();
}

void SimThread::release(std::uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (held_ <= number) held_ = 0;
  wake_.notify_all();
}

std::uint64_t SimThread::look(const Sight& sight) {
  std::lock_guard<std::mutex> lock(mutex_);
  sight_ = sight;
  wake_.notify_all();
  return ++looked_;
}

void SimThread::takeSeen(Seen& seen) const {
  std::lock_guard<std::mutex> lock(mutex_);
  seen = seen_;
}

// A scene that refuses a ray has nothing under the mouse.
void SimThread::answer(std::unique_lock<std::mutex>& lock) {
  if (seen_.number == looked_) return;
  const Sight sight = sight_;
  const std::uint64_t number = looked_;
  lock.unlock();
  Pick found;
  try {
    found = simulation_.pick(sight);
  } catch (const std::exception&) {}
  lock.lock();
  seen_ = {number, found};
}

std::shared_ptr<const State> SimThread::latest() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return latest_;
}

void SimThread::takeSamples(std::vector<Sample>& samples) {
  samples.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  samples.swap(samples_);
}

std::vector<CommandError> SimThread::takeErrors() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(errors_, {});
}

std::uint64_t SimThread::done() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return done_;
}

double SimThread::busySeconds() const {
  const std::int64_t since = busySince_;
  if (since == 0) return 0;
  return std::chrono::duration<double>(Clock::now() - Clock::time_point(Clock::duration(since))).count();
}

void SimThread::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  publish(lock, false);
  while (!stop_ || !commands_.empty()) {
    const std::uint64_t before = simulation_.steps();
    if (runCommands(lock)) {
      publish(lock, simulation_.steps() == before + 1);
      continue;
    }
    answer(lock);
    if (stop_ || !commands_.empty() || seen_.number != looked_) continue;  // came meanwhile: nobody will wake it for them
    const Clock::time_point now = Clock::now();
    if (!simulation_.playing || held_ != 0) {
      paceTime_ = -1;
      wake_.wait(lock);
    } else if (mayStep(now)) {
      stepOnce(lock);
    } else {
      const double ahead = (simulation_.time() - paceTime_) / pace_.factor;
      wake_.wait_until(lock, paceStart_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(ahead)));
    }
  }
  lock.unlock();
  simulation_.endSharing();
}

// Whether the clock has come to the time that the scene has; a scene that falls far behind does not run after it.
bool SimThread::mayStep(Clock::time_point now) const {
  if (!pace_.realTime || paceTime_ < 0) return true;
  return std::chrono::duration<double>(now - paceStart_).count() * pace_.factor >= simulation_.time() - paceTime_;
}

bool SimThread::runCommands(std::unique_lock<std::mutex>& lock) {
  bool any = false;
  while (!commands_.empty()) {
    const Asked asked = std::move(commands_.front());
    commands_.pop_front();
    if (stop_ && asked.atEnd == AtEnd::leaveOut) {
      ++done_;
      continue;
    }
    busySince_ = Clock::now().time_since_epoch().count();
    lock.unlock();
    std::string error;
    try {
      asked.command(simulation_);
    } catch (const std::exception& e) { error = e.what(); }
    lock.lock();
    busySince_ = 0;
    ++done_;
    if (!error.empty()) errors_.push_back({done_, error});
    any = true;
  }
  return any;
}

void SimThread::stepOnce(std::unique_lock<std::mutex>& lock) {
  const Clock::time_point begin = Clock::now();
  const double behind = std::chrono::duration<double>(begin - paceStart_).count() * pace_.factor - (simulation_.time() - paceTime_);
  if (paceTime_ < 0 || behind > 0.25 * pace_.factor) {
    paceStart_ = begin;
    paceTime_ = simulation_.time();
  }
  busySince_ = begin.time_since_epoch().count();
  const std::uint64_t before = simulation_.steps();
  lock.unlock();
  simulation_.step();
  lock.lock();
  busySince_ = 0;
  const bool stepped = simulation_.steps() != before;
  measureSpeed();
  publish(lock, stepped);
}

void SimThread::measureSpeed() {
  const Clock::time_point now = Clock::now();
  const double wall = std::chrono::duration<double>(now - measuredAt_).count();
  const double simulated = simulation_.time() - measuredTime_;
  if (wall < 0.5 && simulated >= 0) return;
  speed_ = wall < 3 && simulated >= 0 ? simulated / wall : 0;
  measuredAt_ = now;
  measuredTime_ = simulation_.time();
}

std::shared_ptr<State> SimThread::freeState() {
  for (const auto& state : pool_)
    if (state.use_count() == 1) return state;
  pool_.push_back(std::make_shared<State>());
  return pool_.back();
}

void SimThread::publish(std::unique_lock<std::mutex>& lock, bool stepped) {
  std::shared_ptr<State> state = freeState();
  lock.unlock();
  std::string error;
  try {
    simulation_.fill(*state);
  } catch (const std::exception& e) { error = e.what(); }
  lock.lock();
  if (!error.empty()) errors_.push_back({0, error});
  state->number = ++number_;
  state->done = done_;
  state->speed = speed_;
  if (stepped) samples_.push_back(sampleOf(*state));
  if (samples_.size() > 100000) samples_.erase(samples_.begin(), samples_.begin() + 50000);
  if (stepped && holdEvery_ > 0 && simulation_.steps() % std::uint64_t(holdEvery_) == 0) held_ = number_;
  latest_ = std::move(state);
}

}  // namespace meniscus::viewer
