// An OpenGL 4.3 core context without a window, by EGL: a device, then surfaceless, then the default display.
#pragma once

#include <memory>
#include <string>

namespace meniscus::render {

class HeadlessContext {
 public:
  // Makes it current on this thread. debug: errors of the driver are collected. Throws Error(deviceNotAvailable) with what each way
  // said.
  explicit HeadlessContext(bool debug = false);
  ~HeadlessContext();

  const std::string& description() const;  // renderer and version
  std::string takeErrors();                // what the debug context has said since, of high or medium severity; "" mostly

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace meniscus::render
