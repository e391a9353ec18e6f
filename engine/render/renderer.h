// Draws a Picture with OpenGL 4.3 core in the context that is current. One renderer a context; calls come from its thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/render/camera.h"
#include "engine/render/look.h"
#include "engine/render/picture.h"

namespace meniscus::render {

struct Image {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;  // 3 bytes a pixel, rows from the top
};

class Renderer {
 public:
  // shaderFolder: "" uses the shaders that were built in; a folder is read and can be reloaded. Throws Error(deviceNotAvailable)
  // where the context is older than 4.3, Error(input) where a shader does not compile.
  explicit Renderer(const std::string& shaderFolder = "");
  ~Renderer();

  // Into a frame buffer of the context (0: the window's) of width x height pixels. Nothing is allocated once sizes have settled.
  void draw(const Picture& picture, const Look& look, const Camera& camera, int width, int height, unsigned frameBuffer = 0);

  // The same into an image of memory.
  void drawImage(const Picture& picture, const Look& look, const Camera& camera, int width, int height, Image& image);

  // Reads the shader folder again. False, with the compiler's words in `error`, leaves the old ones in use.
  bool reloadShaders(std::string* error);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// 8 bits, whole or not at all. Throws Error(input) where it cannot be written.
void writePng(const std::string& path, const Image& image);
// Without what the file says of transparency. Throws Error(input) where it cannot be read or is no PNG.
Image readPng(const std::string& path);

}  // namespace meniscus::render
