#include "environment.glsl"
#include "smoke.glsl"

layout(binding = 5) uniform sampler2DShadow solidShadow;
layout(binding = 6) uniform sampler2DShadow fluidShadow;
layout(binding = 9) uniform sampler3D smokeLight;  // by smoke_light.comp

float covered(sampler2DShadow map, vec3 q) {
  vec2 t = .8 / vec2(textureSize(map, 0));
  return 1. - .25 * (textureLod(map, q + vec3(-t.x, -t.y * .4, 0), 0.) + textureLod(map, q + vec3(t.x * .4, -t.y, 0), 0.) +
                     textureLod(map, q + vec3(t.x, t.y * .4, 0), 0.) + textureLod(map, q + vec3(-t.x * .4, t.y, 0), 0.));
}

// How much of the key light reaches p past solids and through a clear fluid: 1 all. away: m by which p is moved towards the light,
// so that nothing shades itself.
float lightPast(vec3 p, float away, bool byFluid) {
  if (frame.toLight.w <= 0.) return 1.;
  vec3 q = (frame.light * vec4(p + frame.toLight.xyz * away, 1)).xyz;
  if (any(lessThan(q, vec3(0))) || any(greaterThan(q, vec3(1)))) return 1.;
#ifdef NO_SOLIDS
  float dark = 0.;
#else
  float dark = covered(solidShadow, q);
#endif
  if (byFluid) dark = max(dark, frame.tone.z * covered(fluidShadow, q));
  return 1. - frame.toLight.w * dark;
}

// Share of the key light that smoke leaves on its way to p: from where that comes into the box of the smoke, or from p in it.
float throughSmoke(vec3 p) {
  if (frame.smokeLow.w <= 0.) return 1.;
  vec3 a = (frame.smokeLow.xyz - p) / frame.toLight.xyz, b = (frame.smokeHigh.xyz - p) / frame.toLight.xyz;
  vec3 near3 = min(a, b), far3 = max(a, b);
  float near = max(max(near3.x, near3.y), max(near3.z, 0.));
  if (!(min(min(far3.x, far3.y), far3.z) > near)) return 1.;
  vec3 q = (p + frame.toLight.xyz * near - frame.smokeLow.xyz) / (frame.smokeHigh.xyz - frame.smokeLow.xyz);
  return textureLod(smokeLight, inLight(q, smokeLight), 0.).g;
}

float lightAt(vec3 p, float away, bool byFluid) { return lightPast(p, away, byFluid) * mix(1., throughSmoke(p), frame.toLight.w); }
