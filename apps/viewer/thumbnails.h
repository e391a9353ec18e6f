// Small pictures of scene files: made beside everything else, those that are in sight first, and kept in the cache folder.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "apps/picture/frame.h"
#include "apps/viewer/scene_view.h"
#include "engine/render/renderer.h"

namespace meniscus::viewer {

class Thumbnails {
 public:
  static constexpr int kWidth = 240, kHeight = 150;

  Thumbnails();
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  enum class Stage { waiting, making, done, failed };
  struct Answer {
    unsigned texture = 0;  // 0: there is none (yet)
    Stage stage = Stage::waiting;
  };

  // The picture of a scene that is in sight in this frame. Asks for it; what is in sight is made first, from the top.
  Answer show(const std::string& path);
  void beginFrame();     // of questions
  bool working() const;  // something is still to come
  // Draws one that has been loaded, in the context that is current. False: there was none.
  bool drawOne(render::Renderer& renderer);
  void setPaused(bool paused);  // while a scene plays
  void askToEnd();              // begins no other one
  bool making() const;

 private:
  struct Entry {
    unsigned texture = 0;
    Stage stage = Stage::waiting;
    std::uint64_t frame = 0;  // that asked last
    int place = 0;            // among those it asked for
  };
  struct Cached {  // out of the cache
    std::string path;
    render::Image image;
  };
  struct Loaded {
    std::string path;
    std::unique_ptr<picture::SceneFacts> facts;
    SceneView view;
    picture::Frame frame;
  };
  void run();
  bool load(const std::string& path, Loaded& loaded) const;
  static bool readCached(const std::string& path, Cached& cached);
  std::string nextWanted() const;
  void makeNext(std::unique_lock<std::mutex>& lock, const std::string& path);
  void showCached();
  static std::string cacheFile(const std::string& path);

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::condition_variable wake_;
  std::deque<Loaded> loaded_;
  std::deque<Cached> cached_;
  std::uint64_t frame_ = 1;
  int place_ = 0;
  bool stop_ = false, paused_ = false, making_ = false;
  std::thread thread_;
};

}  // namespace meniscus::viewer
