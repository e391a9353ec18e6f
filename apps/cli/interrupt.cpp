#include "apps/cli/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace meniscus::cli {
namespace {

volatile std::sig_atomic_t received = 0;

// A signal handler may call little more than write().
void onSignal(int signal) {
  received = signal;
  if (signal != SIGINT) return;
  const int error = errno;
  constexpr char kText[] = "\nstopping after a checkpoint; press Ctrl-C again to end at once without a checkpoint\n";
  if (::write(STDERR_FILENO, kText, sizeof kText - 1) < 0) errno = 0;  // nobody there to read it
  errno = error;
}

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
