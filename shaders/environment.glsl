#include "frame.glsl"

// Light that comes from afar along `d` (unit, away from the eye). Without lamps: what is seen behind the scene.
vec3 backdrop(vec3 d) {
  float h = dot(d, frame.up.xyz);
  if (frame.up.w > .5) {
    vec3 below = vec3(.34, .33, .31);
    float t = max(h, 0.);
    vec3 sky = mix(vec3(.72, .82, .92), vec3(.13, .30, .66), 1. - (1. - t) * (1. - t));
    return mix(sky, below, smoothstep(0., -.12, h));
  }
  float t = .5 + .5 * h;
  vec3 bright = mix(vec3(.50, .51, .53), vec3(.80, .82, .85), t);
  vec3 dark = mix(vec3(.020, .021, .024), vec3(.055, .058, .066), t);
  return mix(bright, dark, frame.side.w);
}

// With the sun, or the studio's soft boxes: what a shining surface reflects.
vec3 environment(vec3 d) {
  vec3 c = backdrop(d);
  float key = dot(d, frame.toLight.xyz);
  if (frame.up.w > .5) return c + vec3(4., 3.7, 3.2) * smoothstep(.995, .9985, key);
  vec3 across = normalize(cross(frame.up.xyz, frame.toLight.xyz));
  vec3 above = cross(frame.toLight.xyz, across);
  vec2 q = vec2(dot(d, across), dot(d, above));
  float box = key > 0. ? smoothstep(.36, .28, abs(q.x)) * smoothstep(.28, .20, abs(q.y)) : 0.;
  float strip = smoothstep(.16, .08, abs(dot(d, frame.side.xyz) + .75)) * smoothstep(.05, .2, dot(d, frame.up.xyz));
  return c + vec3(12.) * box + vec3(3., 3.2, 3.5) * strip;
}

// Light that falls on a surface turned towards n from all around.
vec3 ambient(vec3 n) {
  float h = .5 + .5 * dot(n, frame.up.xyz);
  if (frame.up.w > .5) return mix(vec3(.20, .19, .17), vec3(.42, .50, .62), h);
  return mix(mix(vec3(.22, .22, .23), vec3(.52, .53, .55), h), mix(vec3(.09), vec3(.26, .27, .29), h), frame.side.w);
}

vec3 keyLight() { return frame.up.w > .5 ? vec3(.92, .86, .76) : vec3(.70, .69, .67); }

// A matt surface with some gloss. seen: unit, from the surface to the eye; lit: 0 in shadow, 1 not.
vec3 shaded(vec3 albedo, vec3 n, vec3 seen, float lit, float gloss) {
  float front = max(dot(n, frame.toLight.xyz), 0.);
  vec3 halfway = normalize(frame.toLight.xyz + seen);
  float s = max(dot(n, halfway), 0.);
  s *= s; s *= s; s *= s; s *= s; s *= s;  // to the 32nd power
  float rim = 1. - max(dot(n, seen), 0.);
  return albedo * (ambient(n) + keyLight() * (front * lit)) + keyLight() * (gloss * s * lit) + ambient(n) * (gloss * .35 * rim * rim * rim);
}
