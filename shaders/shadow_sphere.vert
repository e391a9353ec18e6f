#include "sphere.glsl"

out vec2 unit;

void main() {
  int i = gl_VertexID / 3;
  unit = corner(gl_VertexID - 3 * i);
  vec3 c = centreOf(i);
  vec3 x = normalize(cross(frame.toLight.xyz, frame.side.xyz)), y = cross(frame.toLight.xyz, x);
  vec3 p = c + (x * unit.x + y * unit.y) * radius;
  gl_Position = isFinite(c) ? vec4((frame.light * vec4(p, 1)).xyz * 2. - 1., 1) : vec4(2, 2, 2, 1);
}
