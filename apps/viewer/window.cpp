#include "apps/viewer/window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/viewer/allocations.h"
#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"
#include "engine/base/error.h"

namespace meniscus::viewer {
namespace {

// No larger than most of the screen.
void fitToScreen(GLFWwindow* window) {
  GLFWmonitor* const screen = glfwGetPrimaryMonitor();
  int x = 0, y = 0, roomX = 0, roomY = 0, width = 0, height = 0;
  if (screen) glfwGetMonitorWorkarea(screen, &x, &y, &roomX, &roomY);
  if (roomX <= 0 || roomY <= 0) return;
  glfwGetWindowSize(window, &width, &height);
  glfwSetWindowSize(window, std::min(width, roomX * 9 / 10), std::min(height, roomY * 9 / 10));
}

}  // namespace

Window::Window(int width, int height, bool debug) : debug_(debug) {
  if (!glfwInit())
    throw Error(ErrorKind::deviceNotAvailable,
                "no window can be opened: " + lastGlfwError() + " (is DISPLAY set? `meniscus render` needs no window system)");
  askForContext(debug);
  const bool chosen = width > 0 && height > 0;
  // where window systems count in pixels, points have to be made of them
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, chosen ? GLFW_FALSE : GLFW_TRUE);
  window_ = glfwCreateWindow(chosen ? width : 1280, chosen ? height : 720, "Meniscus", nullptr, nullptr);
  if (!window_) {
    const std::string reason = lastGlfwError();
    glfwTerminate();
    throw Error(ErrorKind::deviceNotAvailable,
                "no window with OpenGL 4.3 can be opened: " + reason + "; a newer graphics driver may help");
  }
  if (!chosen) fitToScreen(window_);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  if (debug) driverMessages_.collect();
  glfwSetWindowSizeLimits(window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, onKey);
  glfwSetDropCallback(window_, onDrop);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;         // the layout is the program's own
  ImGui_ImplGlfw_InitForOpenGL(window_, true);  // calls those above after its own
  ImGui_ImplOpenGL3_Init("#version 430");
  glfwGetFramebufferSize(window_, &width_, &height_);
}

std::unique_ptr<SharedContext> Window::share() {
  return std::make_unique<SharedContext>(window_, debug_ ? &driverMessages_ : nullptr);
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::onKey(GLFWwindow* window, int key, int, int action, int mods) {
  if (action != GLFW_PRESS && action != GLFW_REPEAT) return;
  auto* self = static_cast<Window*>(glfwGetWindowUserPointer(window));
  self->keys_.push_back({key, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0});
}

void Window::onDrop(GLFWwindow* window, int count, const char** paths) {
  auto* self = static_cast<Window*>(glfwGetWindowUserPointer(window));
  self->drops_.insert(self->drops_.end(), paths, paths + count);
}

bool Window::open() const { return !glfwWindowShouldClose(window_); }
void Window::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::hide() { glfwHideWindow(window_); }
void Window::setTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
std::vector<KeyPress> Window::takeKeys() { return std::exchange(keys_, {}); }
std::vector<std::string> Window::takeDrops() { return std::exchange(drops_, {}); }

void Window::makeFonts() {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  // Latin, Greek, punctuation, superscripts and arrows
  static const ImWchar ranges[] = {0x20, 0x17f, 0x370, 0x3ff, 0x2010, 0x2027, 0x2070, 0x209f, 0x2190, 0x21bf, 0x2200, 0x22ff, 0};
  const std::string file = fontFile();
  const float size = std::round(14.f * scale_);
  if (!file.empty()) {
    fonts.AddFontFromFileTTF(file.c_str(), size, nullptr, ranges);
  } else {
    ImFontConfig config;
    config.SizePixels = size;
    fonts.AddFontDefault(&config);
  }
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Window::begin(double seconds, float fontScale, bool dark) {
  if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  float contentX = 1, contentY = 1;
  glfwGetWindowContentScale(window_, &contentX, &contentY);
  // where the system's units are larger than pixels, ImGui works in those units and the scale is the system's affair
  int w = 0, h = 0;
  glfwGetWindowSize(window_, &w, &h);
  glfwGetFramebufferSize(window_, &width_, &height_);
  const float unit = w > 0 && width_ > w ? float(width_) / float(w) : 1.f;
  const float wanted = std::clamp(fontScale * contentX / unit, 0.5f, 6.f);
  if (wanted != scale_ || dark != dark_) {
    const bool fonts = wanted != scale_;
    scale_ = wanted;
    dark_ = dark;
    if (fonts) makeFonts();
    applyTheme(dark, scale_);
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (mouse.active) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {mouse.x, mouse.y};
    for (int k = 0; k < 3; ++k) io.MouseDown[k] = mouse.down[k];
  }
  ImGui::NewFrame();
}

void Window::end() {
  ImGui::Render();
  const Uncounted driver;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  shown_.clear();
  if (keepShown) readPixels();
  glfwSwapBuffers(window_);
}

// What is behind the window's front is not defined once it has been shown: pixels are read before.
void Window::readPixels() {
  const std::ptrdiff_t row = std::ptrdiff_t(width_) * 3, rows = height_;
  shown_.resize(std::size_t(row * rows));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, shown_.data());
  for (std::ptrdiff_t y = 0; y < rows / 2; ++y)  // from the top
    std::swap_ranges(shown_.begin() + y * row, shown_.begin() + (y + 1) * row, shown_.begin() + (rows - 1 - y) * row);
}

void Window::synthesizeKey(int key, bool down) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto held = [&](int a, int b) { return io.KeysDown[a] || io.KeysDown[b]; };
  const int mods = (held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL) ? GLFW_MOD_CONTROL : 0) |
                   (held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT) ? GLFW_MOD_SHIFT : 0);
  ImGui_ImplGlfw_KeyCallback(window_, key, 0, down ? GLFW_PRESS : GLFW_RELEASE, mods);
}

void Window::synthesizeButton(int button, bool down) {
  mouse.down[button] = down;
  ImGui_ImplGlfw_MouseButtonCallback(window_, button, down ? GLFW_PRESS : GLFW_RELEASE, 0);
}

void Window::synthesizeWheel(float notches) { ImGui_ImplGlfw_ScrollCallback(window_, 0, double(notches)); }

void Window::synthesizeText(const std::string& words) {
  for (char c : words) ImGui_ImplGlfw_CharCallback(window_, unsigned(static_cast<unsigned char>(c)));
}

void Window::synthesizeDrop(const std::string& path) {
  const char* one = path.c_str();
  onDrop(window_, 1, &one);
}

}  // namespace meniscus::viewer
