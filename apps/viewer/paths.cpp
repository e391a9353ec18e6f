#include "apps/viewer/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "apps/viewer/text.h"

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;

std::string folderOf(const char* variable, const char* belowHome) {
  const char* set = std::getenv(variable);
  const fs::path base = set && *set ? fs::path(set) : fs::path(homeFolder()) / belowHome;
  return (base / "meniscus").string();
}

// Where the program itself lies.
fs::path programFolder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : self.parent_path();
}

}  // namespace

std::string homeFolder() {
  const char* home = std::getenv("HOME");
  return home && *home ? home : ".";
}

std::string stateFolder() { return folderOf("XDG_STATE_HOME", ".local/state"); }
std::string cacheFolder() { return folderOf("XDG_CACHE_HOME", ".cache"); }

std::string scenesFolder() {
  // installed below a prefix; built in a folder of the sources; started from the sources
  const fs::path program = programFolder();
  for (const fs::path& folder : {program / "../share/meniscus/scenes", program / "../../assets/scenes",
                                 program / "../../../assets/scenes", fs::path("assets/scenes")}) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return fs::weakly_canonical(folder, error).string();
  }
  return {};
}

std::string fontFile() {
  for (const char* file : {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
                           "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf"})
    if (::access(file, R_OK) == 0) return file;
  return {};
}

std::string freeName(const std::string& folder, const std::string& stem, const std::string& extension) {
  for (int k = 1;; ++k) {
    const std::string name = (fs::path(folder) / text("%s-%04d%s", stem.c_str(), k, extension.c_str())).string();
    if (::access(name.c_str(), F_OK) != 0) return name;
  }
}

std::string absolutePath(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.string();
}

}  // namespace meniscus::viewer
