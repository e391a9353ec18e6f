// Ctrl-C in the terminal and the end of the session: the program ends as if its window had been closed, so that a film that is
// recorded becomes whole and the settings are kept.
#pragma once

namespace meniscus::viewer {

// From now on; the second signal ends the program at once.
void catchSignals();
bool askedToEnd();

}  // namespace meniscus::viewer
