#include "engine/base/beside.h"

#include <dlfcn.h>

#include <filesystem>

namespace meniscus {

std::string besideThisCode(const std::string& name) {
  namespace fs = std::filesystem;
  Dl_info here;
  std::error_code error;
  fs::path self;
  if (dladdr(reinterpret_cast<const void*>(&besideThisCode), &here) && here.dli_fname) self = fs::canonical(here.dli_fname, error);
  if (self.empty() || error) self = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = error ? fs::path(".") : self.parent_path();
  const fs::path beside = folder / name, installed = folder / MENISCUS_LIB_FROM_BIN / name;
  return !fs::exists(beside, error) && fs::exists(installed, error) ? installed : beside;
}

}  // namespace meniscus
