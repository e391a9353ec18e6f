// Small pictures of scene files: made when they are first asked for, beside everything else, and kept in the cache folder.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "apps/picture/frame.h"
#include "engine/render/renderer.h"

namespace meniscus::viewer {

class Thumbnails {
 public:
  static constexpr int kWidth = 240, kHeight = 150;

  Thumbnails();
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  // The texture of a scene's picture; 0 as long as there is none. Asks for it.
  unsigned texture(const std::string& path);
  // Draws one that has been loaded, in the context that is current. False: there was none.
  bool drawOne(render::Renderer& renderer);
  void setPaused(bool paused);  // while a scene plays

 private:
  struct Entry {
    unsigned texture = 0;
    bool asked = false;
  };
  struct Loaded {
    std::string path;
    std::unique_ptr<picture::SceneFacts> facts;
    picture::Frame frame;
  };
  void run();
  bool load(const std::string& path, Loaded& loaded) const;
  bool readCached(const std::string& path, Entry& entry) const;
  static std::string cacheFile(const std::string& path);

  std::map<std::string, Entry> entries_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::string> wanted_;
  std::deque<Loaded> loaded_;
  bool stop_ = false, paused_ = false;
  std::thread thread_;
};

}  // namespace meniscus::viewer
