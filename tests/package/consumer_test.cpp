// A project outside the tree is built against the installed package and steps the same scene to the same bits as here.
#include <cinttypes>

#include "tests/package/consumer/tank.h"
#include "tests/package/installed.h"

namespace {

class Consumer : public InstalledTest {
 protected:
  static std::string expected() {
    int64_t particles = 0;
    uint64_t hash = 0;
    EXPECT_EQ(stepTank(&particles, &hash), MNS_OK) << mnsGetLastError();
    EXPECT_EQ(particles, 20 * 10 * 6);
    char line[80];
    std::snprintf(line, sizeof line, "%" PRId64 " particles, %016" PRIx64 "\n", particles, hash);
    return line;
  }
  // The project is copied away, so that nothing beside it helps it.
  void SetUp() override {
    InstalledTest::SetUp();
    std::filesystem::copy(MENISCUS_SOURCE_DIR "/tests/package/consumer", folder / "consumer");
  }
  std::string configure(const std::string& options) const {
    return "cmake -S '" + (folder / "consumer").string() + "' -B '" + (folder / "build").string() +
           "' -DCMAKE_PREFIX_PATH=" + quoted("") + " " + options;
  }
  // Compiles `source` with what pkg-config says and runs it.
  void buildAndRunByPkgConfig(const std::string& compiler, const std::string& source) const {
    const std::string program = (folder / "program").string();
    const std::string flags = "$(PKG_CONFIG_PATH=" + quoted("lib/pkgconfig") + " pkg-config --cflags --libs 'meniscus >= 0.1')";
    const Output built = sh(compiler + " -Wall -Wextra -pedantic -Werror -o " + program + " " + (folder / "consumer").string() +
                            "/" + source + " " + flags);
    ASSERT_EQ(built.status, 0) << built.text;
    const Output run = sh("LD_LIBRARY_PATH=" + quoted("lib") + " " + program);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.text, expected());
  }
};

TEST_F(Consumer, FindsThePackageInCAndCpp) {
  const Output configured = sh(configure("-DCMAKE_BUILD_TYPE=Release"));
  ASSERT_EQ(configured.status, 0) << configured.text;
  const Output built = sh("cmake --build '" + (folder / "build").string() + "'");
  ASSERT_EQ(built.status, 0) << built.text;
  for (const char* program : {"consumer_c", "consumer_cpp"}) {
    const Output run = sh((folder / "build").string() + "/" + program);
    EXPECT_EQ(run.status, 0) << program;
    EXPECT_EQ(run.text, expected()) << program;
  }
  const std::filesystem::path gl = folder / "build/consumer_gl";
  if (!std::filesystem::exists(gl)) GTEST_SKIP() << "OpenGL's or EGL's headers are not on this machine: gl.c was not built";
  const Output run = sh(gl.string());
  if (run.status == 77) GTEST_SKIP() << run.text;
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_EQ(run.text.rfind("1200 positions in the buffer object, as on the host\nthe scene runs on the CPU, because ", 0), 0u)
      << run.text;
}

// As the package has them, copied away from it.
TEST_F(Consumer, BuildsTheExamples) {
  const std::filesystem::path examples = folder / "examples", build = examples / "build";
  std::filesystem::copy(prefix / "share/doc/meniscus/examples", examples, std::filesystem::copy_options::recursive);
  const Output built = sh("cmake -S '" + examples.string() + "' -B '" + build.string() + "' -DCMAKE_PREFIX_PATH=" + quoted("") +
                          " && cmake --build '" + build.string() + "'");
  ASSERT_EQ(built.status, 0) << built.text;
  const Output hello = sh((build / "hello").string());
  EXPECT_EQ(hello.status, 0) << hello.text;
  EXPECT_EQ(hello.text.rfind("1000 particles, the first at x = ", 0), 0u) << hello.text;
  const bool game = built.text.find("the game is not built") == std::string::npos;
  EXPECT_EQ(game, std::filesystem::exists(build / "game")) << built.text;
  if (!game) return;
  const Output played = sh("SDL_VIDEODRIVER=dummy " + (build / "game").string() + " --demo --frames 3");
  EXPECT_EQ(played.status, 0) << played.text;
}

TEST_F(Consumer, OfAnotherMajorVersionFindsNone) {
  const Output configured = sh(configure("-DWANTED_VERSION=1.0"));
  EXPECT_NE(configured.status, 0);
  EXPECT_NE(configured.text.find("compatible"), std::string::npos) << configured.text;
}

TEST_F(Consumer, ByPkgConfigInC) {
  if (!programExists("pkg-config")) GTEST_SKIP() << "pkg-config is not on this machine";
  buildAndRunByPkgConfig("cc -std=c99", "consumer.c");
}

TEST_F(Consumer, ByPkgConfigInCpp) {
  if (!programExists("pkg-config")) GTEST_SKIP() << "pkg-config is not on this machine";
  buildAndRunByPkgConfig("c++ -std=c++17", "consumer.cpp");
}

}  // namespace
