// What every shader of a frame knows. World lengths in m; colours linear.
layout(std140, binding = 0) uniform Frame {
  mat4 view, projection;
  mat4 light;    // world to the shadow map, 0..1
  vec4 eye;      // xyz
  vec4 toLight;  // xyz unit; w: how dark shadows are
  vec4 up;       // xyz unit; w: 1 sky, 0 studio
  vec4 side;     // xyz unit, level; w: 1 dark studio
  vec4 size;     // picture's width, height [pixels] and their inverses
  vec4 tone;     // exposure, refraction index, share of light that a fluid's shadow takes, pixels of a line
  vec4 ground;   // xyz: below the domain's centre; w: radius [m] of the domain
  vec4 smokeLow, smokeHigh;  // xyz: the box of smoke; w of the first: 1 there is some
} frame;

// Colours of values: one row a map.
layout(binding = 7) uniform sampler2D colourMaps;

bool isFinite(vec3 p) { return all(lessThan(abs(p), vec3(1e30))); }  // false of not-a-number too

vec3 toLinear(vec3 c) { return c * (c * (c * .305306011 + .682171111) + .012522878); }

// As it is displayed, not linear.
vec3 displayedColour(float value, vec2 range, int map) {
  if (!(abs(value) < 1e30)) return vec3(1, 0, 1);
  float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0., 1.);
  return texture(colourMaps, vec2((t * 255. + .5) / 256., (float(map) + .5) / 4.)).rgb;
}

vec3 valueColour(float value, vec2 range, int map) { return toLinear(displayedColour(value, range, map)); }

// Light beyond white bends towards it instead of being cut off.
vec3 toned(vec3 c) {
  c *= frame.tone.x;
  vec3 over = max(c - .8, vec3(0));
  return min(c, vec3(.8)) + .2 * over / (.2 + over);
}
