// A line around the selected bodies, also where something is before them.
#pragma once

#include "engine/render/passes.h"

namespace meniscus::render {

class OutlinePass {
 public:
  // Over `target`, which is left bound, of width x height pixels. Nothing where no mesh is selected.
  void draw(Scene& scene, SceneTarget& target, int width, int height);

 private:
  Plane mask_;
  FrameBuffer frame_;
};

}  // namespace meniscus::render
