// Numbers in sentences.
#pragma once

#include <string>

namespace meniscus::viewer {

// As printf.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The file's name without its folders and without the last extension.
std::string stemOf(const std::string& path);

}  // namespace meniscus::viewer
