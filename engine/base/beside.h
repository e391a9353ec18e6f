// Plug-ins: files that a build may have or not, opened where they are first needed.
#pragma once

#include <string>

namespace meniscus {

// The path of a file of this name beside the library or program that this code is in, or, where that is an installed program, in
// the folder of libraries. The file need not be there.
std::string besideThisCode(const std::string& name);

}  // namespace meniscus
