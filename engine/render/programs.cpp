#include "engine/render/programs.h"

#include <vector>

#include "engine/base/error.h"
#include "engine/render/shader_source.h"

namespace meniscus::render {

namespace {

// A shader object that is freed when the program has it, or when the next one fails.
struct Stage {
  GLuint id;
  Stage(const std::string& folder, const char* name, GLenum kind) : id(glCreateShader(kind)) {
    try {
      compile(folder, name);
    } catch (...) {
      glDeleteShader(id);
      throw;
    }
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { glDeleteShader(id); }

  void compile(const std::string& folder, const char* name) const {
    const ShaderSource source = loadShader(folder, name);
    const char* text = source.text.c_str();
    glShaderSource(id, 1, &text, nullptr);
    glCompileShader(id);
    GLint done = 0, length = 0;
    glGetShaderiv(id, GL_COMPILE_STATUS, &done);
    if (done) return;
    glGetShaderiv(id, GL_INFO_LOG_LENGTH, &length);
    std::vector<char> log(static_cast<std::size_t>(length) + 1);
    glGetShaderInfoLog(id, length, nullptr, log.data());
    const std::string placed = placedLog(source, log.data());
    throw Error(ErrorKind::input, placed.empty() ? source.files[0] + ":1: the shader does not compile" : placed);
  }
};

void link(GLuint id, const char* vertex, const char* fragment) {
  glLinkProgram(id);
  GLint done = 0, length = 0;
  glGetProgramiv(id, GL_LINK_STATUS, &done);
  if (done) return;
  glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
  std::vector<char> log(static_cast<std::size_t>(length) + 1);
  glGetProgramInfoLog(id, length, nullptr, log.data());
  throw Error(ErrorKind::input, std::string(vertex) + " and " + fragment + " do not fit together: " + log.data());
}

}  // namespace

Program::Program(const std::string& folder, const char* vertex, const char* fragment) {
  const Stage v(folder, vertex, GL_VERTEX_SHADER), f(folder, fragment, GL_FRAGMENT_SHADER);
  const GLuint id = glCreateProgram();
  glAttachShader(id, v.id);
  glAttachShader(id, f.id);
  try {
    link(id, vertex, fragment);
  } catch (...) {
    glDeleteProgram(id);
    throw;
  }
  glDetachShader(id, v.id);
  glDetachShader(id, f.id);
  id_ = id;
}

Program::~Program() {
  if (id_) glDeleteProgram(id_);
}

Programs::Programs(const std::string& folder)
    : sphere(folder, "sphere.vert", "sphere.frag"),
      mesh(folder, "mesh.vert", "mesh.frag"),
      ground(folder, "ground.vert", "ground.frag"),
      background(folder, "screen.vert", "background.frag"),
      line(folder, "line.vert", "line.frag"),
      present(folder, "screen.vert", "present.frag"),
      shadowMesh(folder, "shadow_mesh.vert", "shadow.frag"),
      shadowSphere(folder, "shadow_sphere.vert", "shadow.frag"),
      fluidDepth(folder, "sphere.vert", "fluid_depth.frag"),
      fluidSmooth(folder, "screen.vert", "fluid_smooth.frag"),
      fluidThickness(folder, "sphere.vert", "fluid_thickness.frag"),
      fluid(folder, "screen.vert", "fluid.frag"),
      legend(folder, "legend.vert", "legend.frag") {}

}  // namespace meniscus::render
