// Runs the simulation beside the window: takes commands in a queue, steps while it plays, publishes copies of what it has come to.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "apps/viewer/picking.h"
#include "apps/viewer/simulation.h"
#include "apps/viewer/state.h"

namespace meniscus::viewer {

// How fast it plays.
struct Pace {
  bool realTime = true;  // as fast as the clock at most, else as fast as it can
  double factor = 1;     // of the clock's
};

// What a command threw; 0: it was not a command.
struct CommandError {
  std::uint64_t command;
  std::string words;
};

class SimThread {
 public:
  using Command = std::function<void(Simulation&)>;

  SimThread(int threads, mnsDevice device, Log& log);
  ~SimThread();
  // Gives up the step in progress and takes no further one. Of what has been asked for it carries out what is to be kept, with all
  // that came before, and nothing more. May be asked again: a step that was just about to begin is given up then.
  void askToEnd();

  // Carried out between steps, in this order. Returns its number, which State::done reaches. What it throws is kept for takeErrors.
  std::uint64_t post(Command command);
  // The same for what must not wait for the end of a step: the one in progress stops after its sub-step.
  std::uint64_t postNow(Command command);
  // The same for what must not be lost at the end, as a file to be saved.
  std::uint64_t postToKeep(Command command);
  // The same for a step: it is left out at the end.
  std::uint64_t postStep(Command command);
  void setPace(const Pace& pace);
  // Every n-th step waits until release() has been called for it: nothing that a film needs is lost. 0: no waiting.
  void holdEvery(int n);
  void release(std::uint64_t number);

  // Asks what is seen along a line, to be found between two steps; returns the question's number. Only the latest is answered.
  std::uint64_t look(const Sight& sight);
  struct Seen {
    std::uint64_t number = 0;  // of the question; 0: none has been answered
    Pick pick;
  };
  void takeSeen(Seen& seen) const;  // the answer to the last one; memory of `seen` is used again

  std::shared_ptr<const State> latest() const;     // null until the first
  void takeSamples(std::vector<Sample>& samples);  // of the steps since the last call; memory of `samples` is used again
  std::vector<CommandError> takeErrors();
  std::uint64_t done() const;  // number of the last command that was carried out or left out
  // Seconds since what is going on now began (a step, a scene being loaded); 0: nothing is.
  double busySeconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class AtEnd { ifNeeded, keep, leaveOut };  // ifNeeded: where something to be kept comes after it
  struct Asked {
    Command command;
    AtEnd atEnd;
  };
  std::uint64_t post(Command command, AtEnd atEnd);
  void run();
  bool runCommands(std::unique_lock<std::mutex>& lock);
  void answer(std::unique_lock<std::mutex>& lock);
  void stepOnce(std::unique_lock<std::mutex>& lock);
  void publish(std::unique_lock<std::mutex>& lock, bool stepped);
  bool mayStep(Clock::time_point now) const;
  void measureSpeed();
  std::shared_ptr<State> freeState();

  Simulation simulation_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Asked> commands_;
  std::vector<Sample> samples_;
  std::vector<CommandError> errors_;
  std::vector<std::shared_ptr<State>> pool_;
  std::shared_ptr<const State> latest_;
  Sight sight_;
  std::uint64_t looked_ = 0;  // questions
  Seen seen_;
  std::uint64_t posted_ = 0, done_ = 0, number_ = 0;
  std::uint64_t held_ = 0;  // number of the state that waits to be released; 0: none
  int holdEvery_ = 0;
  Pace pace_;
  Clock::time_point paceStart_{};
  double paceTime_ = -1;  // s simulated at paceStart_; -1: begins anew
  Clock::time_point measuredAt_{};
  double measuredTime_ = 0, speed_ = 0;
  std::atomic<std::int64_t> busySince_{0};  // Clock's ticks
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace meniscus::viewer
