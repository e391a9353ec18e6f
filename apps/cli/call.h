// Results of the C interface as exceptions.
#pragma once

#include "meniscus/meniscus.h"

namespace meniscus::cli {

// Throws Error of the kind that is the exit status, with the interface's own sentence, or std::bad_alloc.
void need(mnsResult result);

}  // namespace meniscus::cli
