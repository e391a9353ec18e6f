#include "engine/base/build_info.h"

namespace meniscus {

const char* version() { return MENISCUS_VERSION; }
const char* buildDescription() { return MENISCUS_BUILD; }
const char* sanitizers() { return MENISCUS_SANITIZERS; }

}  // namespace meniscus
