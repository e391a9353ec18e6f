// Every scene of the assets in the window: opened, looked at, three of its sliders dragged, saved; what is saved is a scene that
// runs.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;
using testing::Outcome;
using testing::TemporaryFolder;

constexpr int kGroups = 5;              // each in one window
constexpr long kMostParticles = 25000;  // of what is run: a step of more takes long

const fs::path kAssets = fs::path(MENISCUS_SOURCE_DIR) / "assets";

std::vector<std::string> sceneNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kAssets / "scenes")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    // its mesh is fetched by hand
    if (name.find("bunny") == std::string::npos || fs::exists(kAssets / "meshes/bunny.off")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// As `meniscus check` says; none of a grid.
long particlesIn(const std::string& check) {
  const std::size_t end = check.find(" particles,"), begin = check.rfind(' ', end - 1);
  return end == std::string::npos || begin == std::string::npos ? 0 : std::stol(check.substr(begin));
}

// Beside the meshes that it names, where a changed one may be written.
void copyAssets(const TemporaryFolder& folder, const std::vector<std::string>& names) {
  fs::create_directory(folder / "scenes");
  for (const char* other : {"meshes", "schema"}) fs::create_directory_symlink(kAssets / other, folder / other);
  for (const std::string& name : names) fs::copy_file(kAssets / "scenes" / (name + ".json"), folder / ("scenes/" + name + ".json"));
}

class ViewerAssetsSlow : public ::testing::TestWithParam<int> {};

TEST_P(ViewerAssetsSlow, OpenChangeAndSave) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::vector<std::string> names;
  const std::vector<std::string> all = sceneNames();
  for (std::size_t k = std::size_t(GetParam()); k < all.size(); k += kGroups) names.push_back(all[k]);
  ASSERT_GE(names.size(), 5u);
  copyAssets(folder, names);
  std::string script;
  for (const std::string& name : names)
    script += "open " + (folder / ("scenes/" + name + ".json")) + "\nwait loaded\nwait frames 3\nexpect no error\nexpect scene " +
              name + "\nexpect view varied 20\nremember\nsliders 3 0.7\nwait idle\nexpect parameters changed 3\nkey Ctrl+S\n" +
              "wait frames 4\nkey Enter\nwait file " + (folder / ("scenes/" + name + "-changed.json")) +
              "\nwait idle\nexpect no error\n";
  const Outcome o = testing::view(folder, script, "--size 640x400");
  ASSERT_EQ(o.status, 0) << o.text;
  for (const std::string& name : names) {
    const std::string saved = "'" + (folder / ("scenes/" + name + "-changed.json")) + "'";
    const Outcome check = testing::meniscus("check " + saved);
    EXPECT_EQ(check.status, 0) << name << ": " << check.text;
    if (particlesIn(check.text) > kMostParticles) continue;
    const Outcome run = testing::meniscus("run " + saved + " --steps 1 --quiet");
    EXPECT_EQ(run.status, 0) << name << ": " << run.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ViewerAssetsSlow, ::testing::Range(0, kGroups));

}  // namespace
}  // namespace meniscus
