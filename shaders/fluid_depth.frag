#include "frame.glsl"

uniform float radius;
uniform int map;
flat in vec3 centre;
flat in vec3 albedo;
in vec3 onDisc;
in vec2 unit;
layout(location = 0) out float away;  // m along the view
layout(location = 1) out vec4 tint;   // square roots of the colour; a: 1 where it shows a value

void main() {
  float rim = dot(unit, unit);
  if (rim > 1.) discard;
  float d2 = dot(centre, centre);
  vec3 off = onDisc - centre;
  vec3 p = onDisc * ((d2 - radius * sqrt(d2 * (1. - rim))) / (d2 + dot(off, off)));
  away = -p.z;
  gl_FragDepth = .5 - .5 * (frame.projection[2][2] * p.z + frame.projection[3][2]) / p.z;
  tint = vec4(sqrt(albedo), map >= 0 ? 1. : 0.);
}
