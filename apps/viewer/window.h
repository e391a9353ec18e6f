// The window of the system, with the input and the fonts of Dear ImGui.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/viewer/gl_context.h"

namespace meniscus::viewer {

struct KeyPress {
  int key = 0;  // GLFW_KEY_...
  bool ctrl = false, shift = false;
};

// Input that a script plays instead of the devices.
struct SyntheticMouse {
  bool active = false;
  float x = 0, y = 0;
  bool down[3] = {};  // left, right, middle
};

class Window {
 public:
  // Throws Error(deviceNotAvailable) where there is no display or no OpenGL 4.3.
  // width, height: 0: 1280 x 720 points of the screen, as far as that has room.
  // debug: the driver is asked to say what it finds wrong, see takeDriverMessages.
  Window(int width, int height, bool debug);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // For another thread. Throws Error(deviceNotAvailable) where the driver has no second context.
  std::unique_ptr<SharedContext> share();

  bool open() const;
  void close();
  void resize(int width, int height);
  void hide();  // at once, whatever is still to be ended
  void setTitle(const std::string& title);
  // Waits for input for at most `seconds`, then begins a frame of ImGui's; fonts and style follow the scale and the theme.
  void begin(double seconds, float fontScale, bool dark);
  void end();  // draws what ImGui has been given, and shows it

  float scale() const { return scale_; }  // pixels a point: of the screen times the font's
  int width() const { return width_; }    // pixels
  int height() const { return height_; }
  std::vector<KeyPress> takeKeys();
  std::vector<std::string> takeDrops();
  // What OpenGL has said of high or medium severity since the last call, a line each.
  std::string takeDriverMessages() { return driverMessages_.take(); }
  // RGB of the last frame, rows from the top; empty where it was not to be kept.
  const std::vector<unsigned char>& shown() const { return shown_; }
  bool keepShown = false;

  SyntheticMouse mouse;
  void synthesizeKey(int key, bool down);
  void synthesizeButton(int button, bool down);
  void synthesizeWheel(float notches);
  void synthesizeText(const std::string& words);
  void synthesizeDrop(const std::string& path);

 private:
  static void onKey(GLFWwindow* window, int key, int code, int action, int mods);
  static void onDrop(GLFWwindow* window, int count, const char** paths);
  void makeFonts();
  void readPixels();

  GLFWwindow* window_ = nullptr;
  std::vector<KeyPress> keys_;
  std::vector<std::string> drops_;
  DriverMessages driverMessages_;
  bool debug_;
  float scale_ = 0, fontScale_ = 1;
  std::vector<unsigned char> shown_;
  bool dark_ = true;
  int width_ = 0, height_ = 0;
};

}  // namespace meniscus::viewer
