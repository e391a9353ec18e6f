#include "apps/cli/interrupt.h"

#include <csignal>

namespace meniscus::cli {
namespace {

volatile std::sig_atomic_t received = 0;

void onSignal(int signal) { received = signal; }

}  // namespace

void catchInterrupts() {
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return received; }

}  // namespace meniscus::cli
