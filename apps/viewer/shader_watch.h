// Tells when a file in the folder of shaders has changed.
#pragma once

#include <filesystem>
#include <string>

namespace meniscus::viewer {

class ShaderWatch {
 public:
  explicit ShaderWatch(const std::string& folder) : folder_(folder) { changed(); }
  // True once after a file was written, added or taken away.
  bool changed();
  bool watching() const { return !folder_.empty(); }

 private:
  std::string folder_;
  std::filesystem::file_time_type newest_{};
  std::size_t files_ = 0;
};

}  // namespace meniscus::viewer
