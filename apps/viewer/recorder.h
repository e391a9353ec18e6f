// Writes a film: frames to PNG files, or through the program ffmpeg to an mp4, webm or gif. Encoding goes on beside the window.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "apps/film/encode.h"
#include "apps/viewer/settings.h"
#include "engine/render/renderer.h"

namespace meniscus::viewer {

class Recorder {
 public:
  Recorder() = default;
  ~Recorder() { finish(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // path: of the film, or of the folder for PNG frames, which is made. Throws Error(input) where it cannot begin.
  void begin(const std::string& path, const FilmSettings& settings);
  bool recording() const { return recording_; }
  // Takes the frame; waits while four are still to be written. False: the film has failed (see error()) and ended.
  bool add(render::Image& image);
  // Ends the film and waits for it. False where it has failed.
  bool finish();
  int frames() const { return frames_; }
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

 private:
  void run();
  void write(const render::Image& image);

  FilmSettings settings_;
  std::string path_, error_;
  bool recording_ = false;
  int frames_ = 0;                          // taken
  int written_ = 0;                         // by the thread
  std::unique_ptr<film::FilmWriter> film_;  // null: PNG frames
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<render::Image> queue_;
  bool ending_ = false;
  std::string threadError_;
};

const char* extensionOf(FilmSettings::Format format);

}  // namespace meniscus::viewer
