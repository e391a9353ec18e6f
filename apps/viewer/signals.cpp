#include "apps/viewer/signals.h"

#include <csignal>
#include <initializer_list>

namespace meniscus::viewer {
namespace {

volatile std::sig_atomic_t received = 0;

void onSignal(int signal) { received = signal; }

}  // namespace

void catchSignals() {
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool askedToEnd() { return received != 0; }

}  // namespace meniscus::viewer
