#include "sphere.glsl"

layout(std430, binding = 2) readonly buffer Drawn { uvec4 drawn[]; };
uniform float radius;
uniform vec2 shrink;  // the picture in a target with margins

flat out uvec4 particle;
out vec3 onDisc;
out vec2 unit;

// One triangle about the unit disc, the cheapest shape that covers it.
vec2 corner(int i) { return vec2(i == 0 ? -1.7320508 : i == 1 ? 1.7320508 : 0., i == 2 ? 2. : -1.); }

// The sphere's silhouette seen from the eye is a disc square to its centre c, of radius r d / sqrt(d^2 - r^2) where d = |c|.
void main() {
  int i = gl_VertexID / 3;
  unit = corner(gl_VertexID - 3 * i);
  particle = drawn[i];
  vec3 c = centreOf(particle);
  float d2 = dot(c, c);
  onDisc = vec3(0);
  gl_Position = vec4(2, 2, 2, 1);
  if (d2 <= radius * radius * 1.0001) return;  // the eye is inside
  float d = sqrt(d2);
  vec3 ahead = c / d;
  vec3 x = normalize(abs(ahead.y) < .9 ? vec3(-ahead.z, 0, ahead.x) : vec3(0, ahead.z, -ahead.y));
  vec3 y = cross(x, ahead);
  onDisc = c + (x * unit.x + y * unit.y) * (radius * d * inversesqrt(d2 - radius * radius));
  gl_Position = frame.projection * vec4(onDisc, 1);
  gl_Position.xy *= shrink;
}
