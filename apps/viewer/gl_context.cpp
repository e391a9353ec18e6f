#include "apps/viewer/gl_context.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "engine/base/error.h"

namespace meniscus::viewer {
namespace {

void GLAPIENTRY receive(GLenum, GLenum, GLuint, GLenum severity, GLsizei, const GLchar* words, const void* messages) {
  if (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM)
    static_cast<DriverMessages*>(const_cast<void*>(messages))->add(words);
}

}  // namespace

void DriverMessages::add(const char* words) {
  std::lock_guard<std::mutex> lock(mutex_);
  words_.append(words).append("\n");
}

std::string DriverMessages::take() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(words_, {});
}

void DriverMessages::collect() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(receive, this);
}

void askForContext(bool debug) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
}

std::string lastGlfwError() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "no reason given";
}

SharedContext::SharedContext(GLFWwindow* window, DriverMessages* messages) : messages_(messages) {
  askForContext(messages != nullptr);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  hidden_ = glfwCreateWindow(1, 1, "Meniscus", nullptr, window);
  if (!hidden_) throw Error(ErrorKind::deviceNotAvailable, "there is no second context of OpenGL: " + lastGlfwError());
}

SharedContext::~SharedContext() { glfwDestroyWindow(hidden_); }

void SharedContext::makeCurrent() {
  glfwMakeContextCurrent(hidden_);
  if (messages_) messages_->collect();
}

void SharedContext::release() { glfwMakeContextCurrent(nullptr); }

}  // namespace meniscus::viewer
