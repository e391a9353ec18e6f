#include "environment.glsl"

layout(binding = 5) uniform sampler2DShadow solidShadow;
layout(binding = 6) uniform sampler2DShadow fluidShadow;

float covered(sampler2DShadow map, vec3 q) {
  vec2 t = .8 / vec2(textureSize(map, 0));
  return 1. - .25 * (textureLod(map, q + vec3(-t.x, -t.y * .4, 0), 0.) + textureLod(map, q + vec3(t.x * .4, -t.y, 0), 0.) +
                     textureLod(map, q + vec3(t.x, t.y * .4, 0), 0.) + textureLod(map, q + vec3(-t.x * .4, t.y, 0), 0.));
}

// How much of the key light reaches p: 1 all. away: m by which p is moved towards the light, so that nothing shades itself.
float lightAt(vec3 p, float away, bool byFluid) {
  if (frame.toLight.w <= 0.) return 1.;
  vec3 q = (frame.light * vec4(p + frame.toLight.xyz * away, 1)).xyz;
  if (any(lessThan(q, vec3(0))) || any(greaterThan(q, vec3(1)))) return 1.;
  float dark = covered(solidShadow, q);
  if (byFluid) dark = max(dark, frame.tone.z * covered(fluidShadow, q));
  return 1. - frame.toLight.w * dark;
}
