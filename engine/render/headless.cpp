#include "engine/render/headless.h"

// epoxy first: its EGL declarations clash with those of the system
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstring>

#include "engine/base/error.h"

namespace meniscus::render {

struct HeadlessContext::Parts {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  std::string description, errors;
};

namespace {

bool has(const char* extensions, const char* name) { return extensions && std::strstr(extensions, name); }

std::string egl(const char* what) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(eglGetError()));
  return std::string(what) + " failed (" + code + ")";
}

// Why a context could not be made on this display; "" where it is current.
std::string open(EGLDisplay display, bool debug, EGLContext& context) {
  if (display == EGL_NO_DISPLAY) return "no display";
  EGLint major = 0, minor = 0;
  if (!eglInitialize(display, &major, &minor)) return egl("eglInitialize");
  if (!eglBindAPI(EGL_OPENGL_API)) return egl("eglBindAPI");
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!has(extensions, "EGL_KHR_surfaceless_context")) return "no EGL_KHR_surfaceless_context";
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) config = nullptr;  // EGL_KHR_no_config_context
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               debug ? EGL_TRUE : EGL_FALSE,
                               EGL_NONE};
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) return egl("eglCreateContext for OpenGL 4.3 core");
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return {};
  const std::string why = egl("eglMakeCurrent");
  eglDestroyContext(display, context);
  context = EGL_NO_CONTEXT;
  return why;
}

EGLDisplay deviceDisplay(int index) {
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  if (!eglQueryDevicesEXT(16, devices, &count) || index >= count) return EGL_NO_DISPLAY;
  return eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[index], nullptr);
}

void GLAPIENTRY collect(GLenum, GLenum, GLuint, GLenum severity, GLsizei, const GLchar* text, const void* user) {
  if (severity != GL_DEBUG_SEVERITY_HIGH && severity != GL_DEBUG_SEVERITY_MEDIUM) return;
  auto* errors = static_cast<std::string*>(const_cast<void*>(user));
  *errors += text;
  *errors += '\n';
}

}  // namespace

HeadlessContext::HeadlessContext(bool debug) : parts_(new Parts) {
  if (!epoxy_has_egl()) {
    throw Error(ErrorKind::deviceNotAvailable, "no picture can be drawn: libEGL.so.1 is missing (Debian: libegl1 libegl-mesa0)");
  }
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::string said;
  const auto attempt = [&](const std::string& name, EGLDisplay display) {
    if (parts_->context != EGL_NO_CONTEXT) return;
    const std::string why = open(display, debug, parts_->context);
    if (why.empty()) {
      parts_->display = display;
    } else {
      said += (said.empty() ? "" : "; ") + name + ": " + why;
    }
  };
  if (has(client, "EGL_EXT_platform_device")) {
    for (int i = 0; i < 16 && parts_->context == EGL_NO_CONTEXT; ++i) {
      const EGLDisplay display = deviceDisplay(i);
      if (display == EGL_NO_DISPLAY) break;
      attempt("device " + std::to_string(i), display);
    }
  }
  if (has(client, "EGL_MESA_platform_surfaceless")) {
    if (parts_->context == EGL_NO_CONTEXT)
      attempt("surfaceless", eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
  }
  if (parts_->context == EGL_NO_CONTEXT) attempt("default display", eglGetDisplay(EGL_DEFAULT_DISPLAY));
  if (parts_->context == EGL_NO_CONTEXT) {
    throw Error(ErrorKind::deviceNotAvailable, "no picture can be drawn: EGL gives no OpenGL 4.3 context (" + said +
                                                   "). A software one comes with Debian's libgl1-mesa-dri.");
  }
  parts_->description = std::string(reinterpret_cast<const char*>(glGetString(GL_RENDERER))) + ", OpenGL " +
                        reinterpret_cast<const char*>(glGetString(GL_VERSION));
  if (debug) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(collect, &parts_->errors);
  }
}

HeadlessContext::~HeadlessContext() {
  eglMakeCurrent(parts_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(parts_->display, parts_->context);
}

const std::string& HeadlessContext::description() const { return parts_->description; }

std::string HeadlessContext::takeErrors() {
  std::string errors;
  errors.swap(parts_->errors);
  return errors;
}

}  // namespace meniscus::render
