#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;

out vec3 place, upward;
out float scalar, missing;

void main() {
  missing = isFinite(position) ? 0. : 1.;
  place = missing > 0. ? frame.ground.xyz : position;
  upward = normal;
  scalar = value;
  gl_Position = frame.projection * (frame.view * vec4(place, 1));
}
