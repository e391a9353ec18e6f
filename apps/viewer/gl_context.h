// Contexts of OpenGL: what is asked of them, what the driver says, and a second one for another thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>

struct GLFWwindow;

namespace meniscus::viewer {

// What OpenGL has said of high or medium severity, a line each. Any thread.
class DriverMessages {
 public:
  void add(const char* words);
  std::string take();  // what came since the last call
  // From now on what is said in the context that is current.
  void collect();

 private:
  std::mutex mutex_;
  std::string words_;
};

// For the window that is made next: OpenGL 4.3 core. debug: the driver is asked to say what it finds wrong.
void askForContext(bool debug);

std::string lastGlfwError();

// A context that shares objects with a window's. Made and ended on the thread of the windows, while it is current on none.
class SharedContext {
 public:
  // messages: gets what the driver says in it; null: nothing does. Throws Error(deviceNotAvailable) where there is no second
  // context.
  SharedContext(GLFWwindow* window, DriverMessages* messages);
  ~SharedContext();
  SharedContext(const SharedContext&) = delete;
  SharedContext& operator=(const SharedContext&) = delete;

  // On the thread that asks, until it releases it.
  void makeCurrent();
  void release();

 private:
  GLFWwindow* hidden_ = nullptr;
  DriverMessages* messages_;
};

}  // namespace meniscus::viewer
