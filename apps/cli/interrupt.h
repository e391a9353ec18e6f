// Ctrl-C (SIGINT) and SIGTERM end a run after the sub-step in progress; what it has done of the step is undone. A second one ends
// the process at once; Ctrl-C says so on standard error, with what is kept of the work.
#pragma once

namespace meniscus::cli {

// said: what Ctrl-C prints, of static life. Null: that a checkpoint is written.
void catchInterrupts(const char* said = nullptr);
int interrupted();  // the signal that came, or 0

}  // namespace meniscus::cli
