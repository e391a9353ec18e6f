// Ctrl-C (SIGINT) and SIGTERM end a run after the sub-step in progress; what it has done of the step is undone. A second one ends
// the process at once; Ctrl-C says so on standard error.
#pragma once

namespace meniscus::cli {

void catchInterrupts();
int interrupted();  // the signal that came, or 0

}  // namespace meniscus::cli
