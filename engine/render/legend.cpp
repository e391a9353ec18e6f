#include "engine/render/legend.h"

#include <stb/stb_easy_font.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/render/colour_map.h"
#include "engine/render/grid_pass.h"

namespace meniscus::render {
namespace {

constexpr float kBar = 14, kHeight = 160, kStep = 2;  // points: width, height and height of a piece of one colour
constexpr float kGlyph = 1.6f;                        // points to a pixel of the font, rounded to whole pixels

// Pixels to a pixel of the font, and from a bar's upper end to the foot of its name, past the topmost number.
float glyphOf(float size) { return std::max(1.f, std::round(kGlyph * size)); }
float liftOf(float size) { return std::max(10 * size, 5 * glyphOf(size)); }

void writeNumber(float v, float step, std::string& words) {
  char text[32];
  if (std::fabs(v) < 1e-3f * step) v = 0;
  std::snprintf(text, sizeof text, "%.4g", double(v));
  words = text;
}

}  // namespace

void findTicks(float low, float high, std::vector<float>& ticks) {
  ticks.clear();
  const double span = double(high) - double(low);
  if (!(span > 0) || !std::isfinite(span)) return;
  double step = std::pow(10.0, std::floor(std::log10(span / 4)));
  if (span / step > 7) step *= span / step > 20 ? 5 : 2;
  for (double k = std::ceil(low / step - 1e-6); k * step <= high + 1e-6 * span; ++k) ticks.push_back(float(k * step));
}

int labelEvery(float spacing, float height) {
  for (const int n : {1, 2, 5, 10})
    if (float(n) * spacing >= height) return n;
  return 20;
}

void LegendPass::rectangle(float x, float y, float w, float h, const glm::vec4& c) {
  const Vertex v[4] = {{x, y, {c.r, c.g, c.b, c.a}},
                       {x + w, y, {c.r, c.g, c.b, c.a}},
                       {x + w, y + h, {c.r, c.g, c.b, c.a}},
                       {x, y + h, {c.r, c.g, c.b, c.a}}};
  for (const int k : {0, 1, 2, 0, 2, 3}) vertices_.push_back(v[k]);
}

void LegendPass::rectangle(float x, float y, float w, float h, const Pen& pen) {
  const float r = pen.rimWidth;
  rectangle(x - r, y - r, w + 2 * r, h + 2 * r, pen.rim);
  rectangle(x, y, w, h, pen.ink);
}

// The font is of rectangles, so it needs no texture and is sharp at any size. Its functions want to be able to write to the words.
void LegendPass::text(float x, float y, float size, std::string& words, const Pen& pen) {
  glyphs_.resize(words.size() * 300 + 300);
  const int quads = stb_easy_font_print(0, 0, words.data(), nullptr, glyphs_.data(), int(glyphs_.size()));
  struct Corner {
    float x, y, z;
    unsigned char colour[4];
  };
  const auto* corners = reinterpret_cast<const Corner*>(glyphs_.data());
  for (const bool inked : {false, true}) {  // no rim over a letter before
    const float r = inked ? 0 : pen.rimWidth;
    for (int q = 0; q < quads; ++q) {
      const Corner &a = corners[4 * q], &b = corners[4 * q + 2];
      rectangle(x + a.x * size - r, y + a.y * size - r, (b.x - a.x) * size + 2 * r, (b.y - a.y) * size + 2 * r,
                inked ? pen.ink : pen.rim);
    }
  }
}

// The colours in a frame, from the top down.
void LegendPass::bar(const ColourScale& s, float left, float top, float size, const Pen& pen) {
  const float width = kBar * size, height = kHeight * size, frame = std::max(1.f, std::round(.5f * size));
  rectangle(left - frame, top - frame, width + 2 * frame, height + 2 * frame, pen);
  const int pieces = int(kHeight / kStep);
  for (int k = 0; k < pieces; ++k) {
    const float from = float(k) / float(pieces) * height;
    rectangle(left, top + from, width, std::min(height / float(pieces) + 1, height - from),
              glm::vec4(mapColour(s.map, 1 - (float(k) + .5f) / float(pieces)), 1));
  }
}

void LegendPass::legend(const ColourScale& s, float right, float top, float size, const Pen& pen) {
  const float height = kHeight * size, glyph = glyphOf(size), left = right - kBar * size;
  bar(s, left, top, size, pen);
  findTicks(s.low, s.high, ticks_);
  const float step = ticks_.size() > 1 ? ticks_[1] - ticks_[0] : 1;
  const long every = labelEvery(step / (s.high - s.low) * height, 8 * glyph);  // a glyph is seven high
  for (const float v : ticks_) {
    const float y = top + (1 - (v - s.low) / (s.high - s.low)) * height;
    rectangle(left - 4 * size, y - .5f * size, 4 * size, size, pen);
    if (std::lround(v / step) % every != 0) continue;
    writeNumber(v, step, words_);
    const float w = float(stb_easy_font_width(words_.data())) * glyph;
    text(left - 7 * size - w, y - 3.5f * glyph, glyph, words_, pen);
  }
  words_ = s.label;
  if (!s.unit.empty()) words_.append(" [").append(s.unit).append("]");
  const float w = float(stb_easy_font_width(words_.data())) * glyph;
  text(right - w, top - liftOf(size) - 8 * glyph, glyph, words_, pen);
}

void LegendPass::draw(Scene& scene, int width, int height) {
  const Look& look = scene.look;
  const auto hasValues = [](const auto& list) {
    for (const auto& item : list)
      if (given(item.value)) return true;
    return false;
  };
  const bool particles = look.fluid != FluidLook::hidden && hasValues(scene.picture.fluids);
  const bool fluid = !look.fluidScale.label.empty() && (particles || hasSlice(scene.picture, look));
  const bool meshes = look.meshes && !look.meshScale.label.empty() && hasValues(scene.picture.meshes);
  if (!fluid && !meshes) return;
  vertices_.clear();
  // at least the bars must fit
  const float size = std::min(look.textScale, float(height) / 480);
  Pen pen{glm::vec4(.08, .08, .08, 1), glm::vec4(.92, .92, .92, 1), std::max(1.f, std::round(size))};
  if (look.dark && look.environment == Environment::studio) pen.ink = {.92, .92, .92, 1}, pen.rim = {.08, .08, .08, 1};
  const float name = liftOf(size) + 8 * glyphOf(size);
  float top = std::max(36 * size, name + 2);
  const float right = float(width) - 16 * size;
  if (fluid) {
    legend(look.fluidScale, right, top, size, pen);
    top += kHeight * size + std::max(40 * size, name + 5 * glyphOf(size));
  }
  if (meshes) legend(look.meshScale, right, top, size, pen);

  buffer_.put(vertices_.data(), vertices_.size() * sizeof(Vertex));
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), nullptr);
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex), reinterpret_cast<const void*>(2 * sizeof(float)));
  const Program& program = scene.programs.legend;
  program.use();
  program.set("size", glm::vec2(float(width), float(height)));
  glDrawArrays(GL_TRIANGLES, 0, GLsizei(vertices_.size()));
  glBindVertexArray(0);
}

}  // namespace meniscus::render
