// What this build of Meniscus is: for `meniscus info`, summaries and snapshots.
#pragma once

namespace meniscus {

const char* version();           // "0.1.0"
const char* buildDescription();  // compiler, build type, processor
const char* sanitizers();        // "" or the list given to the compiler

}  // namespace meniscus
