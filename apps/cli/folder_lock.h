// One run at a time writes to a folder.
#pragma once

#include <string>

namespace meniscus::cli {

class FolderLock {
 public:
  // Makes the folder where it is missing, and clears it and its frames of what killed runs left half-written. Throws Error(input)
  // where another process holds the lock, naming it.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  void take(const std::string& folder);

  std::string path_;
  int fd_ = -1;
};

}  // namespace meniscus::cli
