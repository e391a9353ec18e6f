// How a clear fluid's surface takes up what is behind it and mirrors what is before it, whatever the surface was found by.
#include "shadow.glsl"

// Light that the fluid scatters back, of its colour. wn: the surface's normal; lit: share of the key light.
vec3 scatteredBy(vec3 albedo, vec3 wn, float lit) { return albedo * (ambient(wn) + keyLight() * lit * (.3 + .3 * dot(wn, frame.toLight.xyz))); }

// What comes through the fluid, as displayed. kept: share of what is behind that is left.
vec3 through(vec3 behind, vec3 kept, vec3 scattered) { return behind * kept + toned(scattered) * (1. - kept) * .7; }

// Share that a surface mirrors (Schlick 1994). facing: cosine to the eye.
float fresnelOf(float index, float facing) {
  float f0 = (index - 1.) / (index + 1.), c = 1. - max(facing, 0.);
  f0 *= f0;
  return f0 + (1. - f0) * c * c * c * c * c;
}

// The surface over `body`. wn, ws: unit, its normal and the way to the eye. A lamp is much brighter than white: what is mirrored of
// it is toned after that.
vec3 mirroring(vec3 body, vec3 wn, vec3 ws, float fresnel, float lit) {
  vec3 mirrored = environment(reflect(-ws, wn)) * mix(.6, 1., lit);
  return min(body * (1. - fresnel) + toned(mirrored * fresnel), vec3(1));
}
