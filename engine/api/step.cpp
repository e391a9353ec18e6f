// Steps: blocking ones, and those on a thread of the scene's.
#include <chrono>
#include <cmath>

#include "engine/api/grid_scene.h"
#include "engine/api/objects.h"
#include "engine/base/error.h"
#include "engine/world/fields.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

constexpr std::uint64_t kFiniteEvery = 16;  // steps between searches of all fields for values that are not finite

thread_local const std::atomic<bool>* cancelOfThisThread = nullptr;
bool cancelled() { return cancelOfThisThread && cancelOfThisThread->load(std::memory_order_relaxed); }

void needStep(mnsScene& s, double dt) {
  needPositive(dt, "dt");
  const double longest = s.current().solver.dt;
  if (dt > longest * (1 + 1e-9))
    fail(MNS_ERROR_INVALID_ARGUMENT, "dt is {} s, but the longest step of this scene is {} s (maxStep)", dt, longest);
  constexpr double kShortest = 1e-6;  // of the longest; far below it, velocities by differences of positions mean nothing
  if (dt < kShortest * longest)
    fail(MNS_ERROR_INVALID_ARGUMENT, "dt is {} s, but the shortest step of this scene is {} s (a millionth of maxStep)", dt,
         kShortest * longest);
}

void needFiniteState(const World& w) {
  const bool suspect = !std::isfinite(w.report.maxSpeed) || !std::isfinite(w.report.densityErrorMean);
  if (!suspect && w.steps % kFiniteEvery != 0) return;
  const std::string field = findNotFinite(w);
  if (field.empty() && !suspect) return;
  fail(MNS_ERROR_SIMULATION, "step {}, t = {:.6g} s: {} is not finite; a smaller dt may help", w.steps, w.time,
       field.empty() ? "the step's report" : field);
}

// Puts the scene back to where it was before the step. Does not allocate.
void undo(mnsScene& s) {
  Running& r = *s.running;
  r.before.restore(r.world);
  std::swap(r.world.report, r.reportBefore);
  r.dropSolver();
  s.published.forget();  // arrays may be of the step that is undone
}

void noteFailure(mnsScene& s) noexcept {
  try {
    s.events.clear();
    mnsEvent e{};
    e.kind = MNS_EVENT_NOT_FINITE;
    s.events.push_back(e);
  } catch (...) {}
}

}  // namespace

namespace meniscus::api {

mnsResult step(mnsScene& s, double dt) {
  needStep(s, dt);
  if (onGrid(s)) {
    cancelOfThisThread = &s.cancel;
    return stepGrid(s, dt, cancelled);
  }
  if (!s.running) start(s);
  Running& r = *s.running;
  const auto begin = std::chrono::steady_clock::now();
  r.before.take(r.world);
  r.reportBefore = r.world.report;
  prepareEvents(s);
  bool done = false;
  try {
    applyForces(s, dt);
    cancelOfThisThread = &s.cancel;
    done = advance(s, dt, cancelled);
    cancelOfThisThread = nullptr;
    if (done) {
      needFiniteState(r.world);
      s.status = r.world.report.converged ? "" : r.world.report.reason;
      s.published.renew(r.world);
      r.stateOnDevice = r.deviceStepped ? s.published.state() : 0;
      collectEvents(s);
    }
  } catch (const Failure&) {
    undo(s);
    noteFailure(s);
    s.forces.clear();  // they may be why: kept, they would spoil every further step
    throw;
  } catch (const Error& e) {
    undo(s);
    s.forces.clear();
    if (e.kind != ErrorKind::simulation) throw;
    noteFailure(s);
    fail(MNS_ERROR_SIMULATION, "step {}, t = {:.6g} s: {}; a smaller dt may help", r.world.steps + 1, r.world.time + dt, e.what());
  } catch (...) {
    undo(s);
    throw;
  }
  if (!done) {
    r.before.restore(r.world);
    r.world.report = r.reportBefore;
    return MNS_INTERRUPTED;
  }
  s.forces.clear();
  s.milliseconds = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  s.peakParticles = std::max(s.peakParticles, std::int64_t(r.world.fluid.n));
  return MNS_OK;
}

}  // namespace meniscus::api

namespace {

// The scene's own thread: waits for a step, makes it, opens the gate.
void work(mnsScene* s) {
  std::unique_lock<std::mutex> lock(s->mutex);
  for (;;) {
    s->wake.wait(lock, [&] { return s->asyncAsked || s->asyncStop; });
    if (s->asyncStop) return;
    s->asyncAsked = false;
    lock.unlock();
    const mnsResult result = call([&] { return step(*s, s->asyncDt); });
    lock.lock();
    s->asyncResult = result;
    s->asyncText[0] = 0;
    if (result < 0) std::snprintf(s->asyncText, sizeof s->asyncText, "%s", lastError());
    s->asyncRunning = false;
    s->gate.endWrite();
    s->wake.notify_all();
  }
}

// A result that nobody has waited for is lost to a caller that goes on; a failure is at least said. In the gate.
void sayUntaken(mnsScene& s) {
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.asyncTaken && s.asyncResult < 0)
    MNS_LOG(*s.context, MNS_LOG_WARNING, "step", fmt::format("step {} was not waited for; it failed: {}", s.ticket, s.asyncText));
  s.asyncTaken = true;
}

mnsResult take(mnsScene& s) {
  s.asyncTaken = true;
  if (s.asyncResult < 0) setError(s.asyncText);
  return s.asyncResult;
}

}  // namespace

mnsScene::~mnsScene() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    asyncStop = true;
  }
  wake.notify_all();
  if (thread.joinable()) thread.join();
}

extern "C" {

mnsResult mnsScene_Step(mnsScene* scene, double dt) {
  return write(scene, [&](mnsScene& s) {
    sayUntaken(s);
    s.cancel.store(false);
    return step(s, dt);
  });
}

mnsResult mnsScene_StepAsync(mnsScene* scene, double dt, mnsTicket* ticket) {
  return call([&] {
    needPointer(ticket, "ticket");
    Writing hold(scene);
    needStep(*scene, dt);
    sayUntaken(*scene);
    std::unique_lock<std::mutex> lock(scene->mutex);
    if (!scene->thread.joinable()) scene->thread = std::thread(work, scene);
    scene->cancel.store(false);
    scene->asyncDt = dt;
    scene->asyncAsked = scene->asyncRunning = true;
    scene->asyncTaken = false;
    ticket->value = ++scene->ticket;
    hold.keep();
    scene->wake.notify_all();
    return MNS_OK;
  });
}

mnsResult mnsScene_Wait(mnsScene* scene, mnsTicket ticket, double timeout) {
  return call([&] {
    const Looking hold(scene);
    if (std::isnan(timeout)) fail(MNS_ERROR_INVALID_ARGUMENT, "timeout is not a number");
    mnsScene& s = *scene;
    std::unique_lock<std::mutex> lock(s.mutex);
    if (ticket.value == 0 || ticket.value != s.ticket || s.asyncTaken)
      fail(MNS_ERROR_INVALID_HANDLE, "this ticket was waited for already, or a later step has begun");
    const auto done = [&] { return !s.asyncRunning || s.ticket != ticket.value; };
    constexpr double kLongest = 1e6;  // s; longer waits are without end
    if (timeout < 0 || timeout > kLongest)
      s.wake.wait(lock, done);
    else if (!s.wake.wait_for(lock, std::chrono::duration<double>(timeout), done))
      return MNS_PENDING;
    if (s.ticket != ticket.value || s.asyncTaken) fail(MNS_ERROR_INVALID_HANDLE, "another thread has waited for this ticket");
    return take(s);
  });
}

mnsResult mnsScene_Cancel(mnsScene* scene) {
  return call([&] {
    const Looking hold(scene);
    scene->cancel.store(true);
    return MNS_OK;
  });
}

}  // extern "C"
