// Includes point one way only: apps -> C API -> engine -> kernels, and inside the engine only along the arrows below.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Folder of the engine -> folders it may include besides itself, kernels and engine/base.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"base", {}},
    {"exec", {}},
    {"scene", {"exec"}},
    {"linear", {"exec"}},
    {"solid", {"exec", "scene", "linear"}},
    {"world", {"exec", "scene", "solid"}},
    {"particle", {"exec", "scene", "solid", "world", "linear"}},
    {"grid", {"exec", "scene", "solid", "world", "linear"}},
    {"coupling", {"exec", "scene", "solid", "world", "linear", "grid", "particle"}},
    {"output", {"exec", "scene", "solid", "world"}},
    {"offline", {"exec", "scene", "solid", "world", "linear", "grid", "particle", "coupling", "output"}},
    {"render", {}},
    {"api",
     {"exec", "scene", "solid", "world", "linear", "particle", "grid", "coupling", "output", "offline", "render", "include"}},
    {"include", {}},
};

std::vector<std::string> parts(const std::string& path) {
  std::vector<std::string> p;
  for (const auto& e : fs::path(path)) p.push_back(e.string());
  return p;
}

// Why `file` must not include `target`; empty where it may. Both are relative to the root of the sources.
std::string forbidden(const std::string& file, const std::string& target) {
  const auto from = parts(file), to = parts(target);
  if (to.size() < 2) return {};  // <vector>, "meniscus.h"
  const std::set<std::string> layers = {"kernels", "engine", "apps", "tests"};
  if (!layers.count(to[0])) return {};
  if (from[0] == "tests") return {};
  if (to[0] == "tests") return "nothing includes the tests";
  if (from[0] == "kernels") return to[0] == "kernels" ? "" : "kernels include kernels only";
  if (from[0] == "apps") return {};
  if (to[0] == "apps") return "the engine does not include the applications";
  if (to[0] == "kernels" || from.size() < 3 || to.size() < 3) return {};
  const std::string &a = from[1], &b = to[1];
  if (a == "coupling" && b == "coupling" && from.size() > 3 && to.size() > 3 && from[2] != to[2])
    return "a coupling method does not include another";
  if (a == b || b == "base") return {};
  const auto row = kAllowed.find(a);
  if (row == kAllowed.end()) return "engine/" + a + " is not in the table of folders";
  if (!row->second.count(b)) return "engine/" + a + " does not include engine/" + b;
  return {};
}

// "file:line: reason" for every include that runs against the arrows below `root`.
std::vector<std::string> scan(const fs::path& root) {
  static const std::regex include(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<std::string> bad;
  for (const char* layer : {"kernels", "engine", "apps"}) {
    if (!fs::exists(root / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      const std::string ext = entry.path().extension().string();
      if (ext != ".h" && ext != ".cpp" && ext != ".cu" && ext != ".c") continue;
      std::ifstream in(entry.path());
      std::string line;
      for (int number = 1; std::getline(in, line); ++number) {
        std::smatch m;
        if (!std::regex_search(line, m, include)) continue;
        const std::string file = fs::relative(entry.path(), root).generic_string();
        // an include relative to the file's own folder counts as what it names
        std::string target = m[1];
        const fs::path local = entry.path().parent_path() / target;
        if (fs::exists(local)) target = fs::relative(fs::weakly_canonical(local), fs::weakly_canonical(root)).generic_string();
        const std::string reason = forbidden(file, target);
        if (!reason.empty()) bad.push_back(file + ":" + std::to_string(number) + ": " + reason);
      }
    }
  }
  return bad;
}

TEST(IncludeDirection, NoArrowRunsBack) {
  for (const std::string& line : scan(MENISCUS_SOURCE_DIR)) ADD_FAILURE() << line;
}

TEST(IncludeDirection, SourcesAreFound) {
  EXPECT_TRUE(fs::exists(fs::path(MENISCUS_SOURCE_DIR) / "kernels/core/vec.h"));
  EXPECT_TRUE(fs::exists(fs::path(MENISCUS_SOURCE_DIR) / "engine/world/world.h"));
}

// The scanner finds each kind of arrow that runs back in a made-up tree, with its line, and lets the good ones pass.
TEST(IncludeDirection, ScannerFindsBadFiles) {
  const fs::path root = fs::temp_directory_path() / ("meniscus-includes-" + std::to_string(::getpid()));
  const auto write = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  write("kernels/core/a.h", "#pragma once\n#include \"engine/world/world.h\"\n");
  write("kernels/core/good.h", "#include <vector>\n#include \"kernels/core/vec.h\"\n");
  write("engine/solid/b.cpp", "#include \"engine/particle/step.h\"\n");
  write("engine/output/c.cpp", "  #  include <engine/particle/boundary.h>\n");
  write("engine/world/d.h", "#include \"apps/cli/run.h\"\n");
  write("engine/coupling/xpm/e.cpp", "#include \"engine/coupling/cutcell/f.h\"\n#include \"engine/coupling/coupling.h\"\n");
  write("engine/coupling/cutcell/f.h", "#include \"../xpm/g.h\"\n");
  write("engine/coupling/xpm/g.h", "#pragma once\n");
  write("engine/novel/h.h", "#include \"engine/world/world.h\"\n");
  write("apps/cli/good.cpp", "#include \"engine/particle/step.h\"\n");
  std::vector<std::string> bad = scan(root);
  fs::remove_all(root);
  std::sort(bad.begin(), bad.end());
  const std::vector<std::string> expected = {
      "engine/coupling/cutcell/f.h:1: a coupling method does not include another",
      "engine/coupling/xpm/e.cpp:1: a coupling method does not include another",
      "engine/novel/h.h:1: engine/novel is not in the table of folders",
      "engine/output/c.cpp:1: engine/output does not include engine/particle",
      "engine/solid/b.cpp:1: engine/solid does not include engine/particle",
      "engine/world/d.h:1: the engine does not include the applications",
      "kernels/core/a.h:2: kernels include kernels only",
  };
  EXPECT_EQ(bad, expected);
}

}  // namespace
