#include "frame.glsl"

layout(location = 0) in vec3 position;
out vec2 unit;

void main() {
  unit = isFinite(position) ? vec2(0) : vec2(9);
  gl_Position = isFinite(position) ? vec4((frame.light * vec4(position, 1)).xyz * 2. - 1., 1) : vec4(2, 2, 2, 1);
}
