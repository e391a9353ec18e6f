#include "sphere.glsl"

uniform float radius;
uniform int map;
flat in uvec4 particle;
in vec3 onDisc;
in vec2 unit;
layout(location = 0) out float away;  // m along the view
layout(location = 1) out vec4 tint;   // square roots of the colour; a: 1 where it shows a value

void main() {
  float rim = dot(unit, unit);
  if (rim > 1.) discard;
  vec3 p = onSphere(centreOf(particle), radius, onDisc, rim);
  away = -p.z;
  gl_FragDepth = depthOf(p);
  tint = vec4(unpackUnorm4x8(particle.w).rgb, map >= 0 ? 1. : 0.);
}
