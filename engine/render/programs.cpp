#include "engine/render/programs.h"

#include <initializer_list>
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

void link(GLuint id, const std::string& stages) {
  glLinkProgram(id);
  GLint done = 0, length = 0;
  glGetProgramiv(id, GL_LINK_STATUS, &done);
  if (done) return;
  glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
  std::vector<char> log(static_cast<std::size_t>(length) + 1);
  glGetProgramInfoLog(id, length, nullptr, log.data());
  throw Error(ErrorKind::input, stages + " do not fit together: " + log.data());
}

GLuint linked(std::initializer_list<const Stage*> stages, const std::string& names) {
  const GLuint id = glCreateProgram();
  for (const Stage* s : stages) glAttachShader(id, s->id);
  try {
    link(id, names);
  } catch (...) {
    glDeleteProgram(id);
    throw;
  }
  for (const Stage* s : stages) glDetachShader(id, s->id);
  return id;
}

}  // namespace

Program::Program(const std::string& folder, const char* vertex, const char* fragment) {
  const Stage v(folder, vertex, GL_VERTEX_SHADER), f(folder, fragment, GL_FRAGMENT_SHADER);
  id_ = linked({&v, &f}, std::string(vertex) + " and " + fragment);
}

Program::Program(const std::string& folder, const char* compute) {
  const Stage c(folder, compute, GL_COMPUTE_SHADER);
  id_ = linked({&c}, std::string("the parts of ") + compute);
}

Program::~Program() {
  if (id_) glDeleteProgram(id_);
}

Programs::Programs(const std::string& folder)
    : particle(folder, "particle.comp"),
      particleNoSolids(folder, "particle_no_solids.comp"),
      sphereDisc(folder, "sphere.vert", "sphere_disc.frag"),
      pointDisc(folder, "point.vert", "sphere_disc.frag"),
      sphere(folder, "screen.vert", "sphere.frag"),
      sphereTiles(folder, "tiles.vert", "sphere.frag"),
      mesh(folder, "mesh.vert", "mesh.frag"),
      groundLight(folder, "screen.vert", "ground_light.frag"),
      groundLightNoSolids(folder, "screen.vert", "ground_light_no_solids.frag"),
      ground(folder, "ground.vert", "ground.frag"),
      background(folder, "screen.vert", "background.frag"),
      line(folder, "line.vert", "line.frag"),
      present(folder, "screen.vert", "present.frag"),
      shadowMesh(folder, "shadow_mesh.vert", "shadow.frag"),
      shadowPoint(folder, "shadow_point.vert", "shadow_point.frag"),
      fluidDepth(folder, "sphere.vert", "fluid_depth.frag"),
      fluidSmooth(folder, "screen.vert", "fluid_smooth.frag"),
      fluidThickness(folder, "sphere.vert", "fluid_thickness.frag"),
      fluid(folder, "screen.vert", "fluid.frag"),
      outlineMask(folder, "mesh.vert", "outline_mask.frag"),
      outline(folder, "screen.vert", "outline.frag"),
      legend(folder, "legend.vert", "legend.frag"),
      slice(folder, "slice.vert", "slice.frag"),
      smokeLight(folder, "smoke_light.comp"),
      smoke(folder, "screen.vert", "smoke.frag"),
      smokeOver(folder, "screen.vert", "smoke_over.frag"),
      waterSurface(folder, "screen.vert", "water_surface.frag"),
      water(folder, "screen.vert", "water.frag"),
      waterShadow(folder, "screen.vert", "water_shadow.frag") {}

}  // namespace meniscus::render
