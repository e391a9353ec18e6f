// Films of scenes and of runs' folders, and what is in them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#ifdef MENISCUS_HAVE_RENDERER
#include "engine/render/renderer.h"
#endif
#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {

namespace fs = std::filesystem;
using testing::Outcome;
using testing::readText;
using testing::shell;
using testing::TemporaryFolder;
using testing::writeText;

inline const char* const kSize = " --size 160x90 --quiet --out ";

class CliReplay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::meniscus("render --help").status != 0) GTEST_SKIP() << "built without the renderer";
    writeText(folder / "scene.json", testing::tankScene());
    const Outcome first =
        testing::meniscus("render " + scene() + " --duration 0.001 --size 32x32 --quiet --out " + (folder / "probe"));
    if (first.status == 4) GTEST_SKIP() << first.text;  // no OpenGL here
    ASSERT_EQ(first.status, 0) << first.text;
  }
  std::string scene() const { return folder / "scene.json"; }
  // Leaves frames at the multiples of `every` in the folder "run".
  void run(const std::string& every, const std::string& more = "") {
    const Outcome o = testing::meniscus("run " + scene() + " --quiet --every " + every + " --out " + (folder / "run") + more);
    ASSERT_EQ(o.status, 0) << o.text;
  }
  Outcome render(const std::string& what, const std::string& options) {
    return testing::meniscus("render " + (folder / what) + kSize + options);
  }
  // The pictures of a folder, by name.
  std::vector<std::string> picturesOf(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& e : fs::directory_iterator(folder / name))
      if (e.path().extension() == ".png") names.push_back(e.path().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<std::string> bytesOf(const std::string& name) const {
    std::vector<std::string> bytes;
    for (const std::string& p : picturesOf(name)) bytes.push_back(readText(p));
    return bytes;
  }
  // That the folder is refused, with these words.
  void expectRefused(const std::string& options, const std::vector<std::string>& words) {
    const Outcome o = render("run", (folder / "none") + options);
    EXPECT_EQ(o.status, 2) << o.text;
    for (const std::string& w : words) EXPECT_NE(o.text.find(w), std::string::npos) << w << " is not in: " << o.text;
    EXPECT_TRUE(!fs::exists(folder / "none") || picturesOf("none").empty());
  }
  void expectSamePictures(const std::string& a, const std::string& b, std::size_t count);

  TemporaryFolder folder;
};

#ifdef MENISCUS_HAVE_RENDERER
// By no more than the rounding of positions to single precision shows: no pixel in a thousand is far off.
inline void CliReplay::expectSamePictures(const std::string& a, const std::string& b, std::size_t count) {
  const std::vector<std::string> left = picturesOf(a), right = picturesOf(b);
  ASSERT_EQ(left.size(), count);
  ASSERT_EQ(right.size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    const render::Image p = render::readPng(left[k]), q = render::readPng(right[k]);
    ASSERT_TRUE(p.width == q.width && p.height == q.height) << left[k];
    std::size_t far = 0;
    for (std::size_t i = 0; i < p.rgb.size(); ++i) far += std::abs(int(p.rgb[i]) - int(q.rgb[i])) > 8;
    EXPECT_LE(far, p.rgb.size() / 1000) << left[k];
  }
}
#endif

}  // namespace meniscus
