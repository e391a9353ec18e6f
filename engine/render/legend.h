// What the colours mean: a bar with ticks, a name and a unit, for each scale that is in use.
#pragma once

#include "engine/render/gl_object.h"
#include "engine/render/passes.h"

namespace meniscus::render {

class LegendPass {
 public:
  // Over the picture, in the frame buffer that is bound.
  void draw(Scene& scene, int width, int height);

 private:
  struct Vertex {
    float x, y;     // pixels, from the upper left corner
    float rgba[4];  // as shown
  };
  // What is written is in ink with a rim of another lightness, so that it is read on any ground.
  struct Pen {
    glm::vec4 ink, rim;
    float rimWidth;  // pixels
  };
  void rectangle(float x, float y, float w, float h, const glm::vec4& colour);
  void rectangle(float x, float y, float w, float h, const Pen& pen);
  void text(float x, float y, float size, std::string& words, const Pen& pen);
  void bar(const ColourScale& scale, float left, float top, float size, const Pen& pen);
  void legend(const ColourScale& scale, float right, float top, float size, const Pen& pen);

  std::vector<Vertex> vertices_;
  std::vector<char> glyphs_;
  std::vector<float> ticks_;
  std::string words_;
  Buffer buffer_;
  VertexArray array_;
};

// A range cut at round numbers: 1, 2 or 5 times a power of ten apart, three to eleven of them.
void findTicks(float low, float high, std::vector<float>& ticks);

// Every how many ticks, which are `spacing` apart, there is room for a number that is `height` high.
int labelEvery(float spacing, float height);

}  // namespace meniscus::render
