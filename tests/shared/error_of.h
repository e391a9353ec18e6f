// The mistake that something is refused with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/base/error.h"

namespace meniscus::testing {

// The message of the Error(input) that the action throws, or "" where it succeeds.
template <class Action>
std::string errorOf(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    return e.what();
  }
  return {};
}

}  // namespace meniscus::testing
