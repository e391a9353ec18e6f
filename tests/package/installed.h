// Meniscus installed to one folder and moved to another, as a user's tree may be.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/package/shell.h"

class InstalledTest : public ::testing::Test {
 protected:
  void SetUp() override {
    firstPrefix = (folder / "first").string();
    prefix = folder / "moved" / "meniscus";
    const Output output = sh("cmake --install '" MENISCUS_BINARY_DIR "' --strip --prefix '" + firstPrefix + "'");
    ASSERT_EQ(output.status, 0) << output.text;
    std::filesystem::create_directories(prefix.parent_path());
    std::filesystem::rename(firstPrefix, prefix);
  }
  std::string quoted(const std::string& below) const { return "'" + (prefix / below).string() + "'"; }

  TemporaryFolder folder;
  std::string firstPrefix;
  std::filesystem::path prefix;
};
