// Text for a person.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace meniscus::cli {

// Prints. A reader that has gone or a full disk behind the output is no reason to lose a run: what cannot be written is dropped.
void write(std::FILE* to, const std::string& text);

template <class... T>
void say(std::FILE* to, fmt::format_string<T...> format, T&&... arguments) {
  write(to, fmt::format(format, std::forward<T>(arguments)...));
}

// "1 particle", "2 particles".
template <class N>
std::string counted(N n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// Why text to standard output was lost, in words; "" where it was not, or where its reader wanted no more.
std::string lostOutput();

}  // namespace meniscus::cli
