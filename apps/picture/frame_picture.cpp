#include "apps/picture/frame_picture.h"

#include <algorithm>
#include <cstdio>

namespace meniscus::picture {

float textScaleOf(int height) { return std::max(1.f, float(height) / 720); }

std::string FramePicture::memory() const {
  if (first_) return "";
  const glm::vec3 &e = camera_.eye, &t = camera_.target;
  std::string text;
  for (const float v : {fluidRange_.low, fluidRange_.high, meshRange_.low, meshRange_.high, e.x, e.y, e.z, t.x, t.y, t.z}) {
    char number[32];
    std::snprintf(number, sizeof number, "%a ", double(v));
    text += number;
  }
  return text;
}

void FramePicture::remember(const std::string& text) {
  Range fluid, mesh;
  glm::vec3 e, t;
  if (std::sscanf(text.c_str(), "%a %a %a %a %a %a %a %a %a %a", &fluid.low, &fluid.high, &mesh.low, &mesh.high, &e.x, &e.y, &e.z,
                  &t.x, &t.y, &t.z) != 10)
    return;
  fluidRange_ = fluid;
  meshRange_ = mesh;
  camera_.eye = e;
  camera_.target = t;
  first_ = false;
}

void FramePicture::draw(const Frame& frame, const render::Camera* camera, render::Renderer& renderer, int width, int height,
                        render::Image& image) {
  fluidRange_ = first_ ? frame.fluidRange : follow(fluidRange_, frame.fluidRange);
  meshRange_ = first_ ? frame.meshRange : follow(meshRange_, frame.meshRange);
  setScales(frame, colouring_, fluidRange_, meshRange_, look_);
  look_.textScale = textScaleOf(height);
  pictureOf(frame, facts_, -1, picture_);
  if (first_) firstView(frame, facts_, float(width) / float(height), camera_.eye, camera_.target, camera_.up);
  first_ = false;
  render::Camera seen = camera ? *camera : camera_;
  seen.up = picture_.up;
  renderer.drawImage(picture_, look_, seen, width, height, image);
}

}  // namespace meniscus::picture
