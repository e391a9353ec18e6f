// The picture that the view shows: a texture the renderer draws into, again only when something has changed, at a resolution that
// keeps the window fluent.
#pragma once

#include <cstdint>

namespace meniscus::viewer {

class ViewTarget {
 public:
  ViewTarget() = default;
  ~ViewTarget();
  ViewTarget(const ViewTarget&) = delete;
  ViewTarget& operator=(const ViewTarget&) = delete;

  // Makes room for a view of this size [pixels] at `share` of it.
  void resize(int width, int height, float share);
  int width() const { return width_; }
  int height() const { return height_; }
  unsigned frameBuffer() const { return frameBuffer_; }
  unsigned texture() const { return colour_; }

  // The share that brings a picture which took `seconds` at the present one to about a thirtieth of a second.
  float adapt(double seconds);

 private:
  void make();

  int width_ = 0, height_ = 0;
  unsigned frameBuffer_ = 0, colour_ = 0, depth_ = 0;
  float share_ = 1;
  int slow_ = 0, fast_ = 0;  // pictures in turn that were
};

}  // namespace meniscus::viewer
