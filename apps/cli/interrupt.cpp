#include "apps/cli/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace meniscus::cli {
namespace {

volatile std::sig_atomic_t received = 0;
const char* text = "\nstopping after a checkpoint; press Ctrl-C again to end at once without a checkpoint\n";

// A signal handler may call little more than write().
void onSignal(int signal) {
  received = signal;
  if (signal != SIGINT) return;
  const int error = errno;
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) errno = 0;  // nobody there to read it
  errno = error;
}

}  // namespace

void catchInterrupts(const char* said) {
  if (said) text = said;
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return received; }

}  // namespace meniscus::cli
