// The renderer's shader programs.
#pragma once

#include <epoxy/gl.h>

#include <glm/glm.hpp>
#include <string>
#include <utility>

namespace meniscus::render {

class Program {
 public:
  Program() = default;
  // Throws Error(input) with file and line where it does not compile.
  Program(const std::string& folder, const char* vertex, const char* fragment);
  Program(const std::string& folder, const char* compute);
  Program(Program&& o) noexcept : id_(o.id_) { o.id_ = 0; }
  Program& operator=(Program&& o) noexcept {
    std::swap(id_, o.id_);
    return *this;
  }
  ~Program();

  void use() const { glUseProgram(id_); }
  // Of the program in use or not; a name that the shader does not have is passed over, as the compiler drops what is not used.
  void set(const char* name, int v) const { glProgramUniform1i(id_, at(name), v); }
  void set(const char* name, float v) const { glProgramUniform1f(id_, at(name), v); }
  void set(const char* name, const glm::vec2& v) const { glProgramUniform2f(id_, at(name), v.x, v.y); }
  void set(const char* name, const glm::vec3& v) const { glProgramUniform3f(id_, at(name), v.x, v.y, v.z); }
  void set(const char* name, const glm::vec4& v) const { glProgramUniform4f(id_, at(name), v.x, v.y, v.z, v.w); }
  void set(const char* name, const glm::mat4& v) const { glProgramUniformMatrix4fv(id_, at(name), 1, GL_FALSE, &v[0][0]); }

 private:
  GLint at(const char* name) const { return glGetUniformLocation(id_, name); }
  GLuint id_ = 0;
};

struct Programs {
  explicit Programs(const std::string& folder);
  Program particle, particleNoSolids;  // NoSolids: where no solid throws a shadow
  Program sphereDisc, pointDisc, sphere, sphereTiles, mesh, groundLight, groundLightNoSolids, ground, background, line, present;
  Program shadowMesh, shadowPoint;
  Program fluidDepth, fluidSmooth, fluidThickness, fluid;
  Program outlineMask, outline;
  Program legend;
  Program slice, smokeLight, smoke, smokeOver;
  Program waterSurface, water, waterShadow;
};

}  // namespace meniscus::render
