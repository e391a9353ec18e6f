// A plane across the box of a grid, as a strip of two triangles.
#include "frame.glsl"

uniform vec3 low, high;  // of the box
uniform int axis;
uniform float share;     // of the way along the axis
out vec3 inBox;          // 0..1 along each axis

void main() {
  vec2 q = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  inBox = axis == 0 ? vec3(share, q) : axis == 1 ? vec3(q.x, share, q.y) : vec3(q, share);
  gl_Position = frame.projection * (frame.view * vec4(mix(low, high, inBox), 1));
}
