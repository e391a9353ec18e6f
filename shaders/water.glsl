// Water on a grid: where a ray meets its surface, and how much of it the ray passes.
#include "fluid_light.glsl"

layout(binding = 1) uniform sampler3D water;  // m to the surface, negative in water
uniform vec3 low, high;          // of the grid's box
uniform vec3 wetLow, wetHigh;    // of the part of it that has water
uniform float cell;              // m

float distanceAt(vec3 x) { return texture(water, (x - low) / (high - low)).r; }

// Out of the water; unit. From the differences over a cell, so that cells are not seen.
vec3 outward(vec3 x) {
  vec2 h = vec2(.5 * cell, 0);
  vec3 g = vec3(distanceAt(x + h.xyy) - distanceAt(x - h.xyy), distanceAt(x + h.yxy) - distanceAt(x - h.yxy),
                distanceAt(x + h.yyx) - distanceAt(x - h.yyx));
  return dot(g, g) > 0. ? normalize(g) : vec3(0);
}

struct WaterPath {
  bool wet;       // whether it meets water
  bool inWater;   // whether it begins in it: where it enters the box, or at the eye
  float begin;    // m, where water begins
  float surface;  // m, the first crossing of the surface; -1: none
  float depth;    // m of water
};

// Where the surface is between two places on the ray, on either side of it: regula falsi, then halves.
float crossing(vec3 from, vec3 d, float a, float fa, float b, float fb) {
  for (int k = 0; k < 3; ++k) {
    float t = k == 1 ? .5 * (a + b) : a + (b - a) * clamp(fa / (fa - fb), .05, .95), f = distanceAt(from + d * t);
    if ((f < 0.) == (fa < 0.)) a = t, fa = f; else b = t, fb = f;
  }
  return a + (b - a) * clamp(fa / (fa - fb), 0., 1.);
}

// Where the ray is within the box; x > y: nowhere.
vec2 spanOf(vec3 from, vec3 d, vec3 boxLow, vec3 boxHigh, float far) {
  vec3 a = (boxLow - from) / d, b = (boxHigh - from) / d, near3 = min(a, b), far3 = max(a, b);
  return vec2(max(max(near3.x, near3.y), max(near3.z, 0.)), min(min(far3.x, far3.y), min(far3.z, far)));
}

// As far as `far`. Steps are as long as the surface is away, a cell at most: behind a shell it may be nearer than it says.
WaterPath alongWater(vec3 from, vec3 d, float far, bool firstOnly) {
  WaterPath path = WaterPath(false, false, 0., -1., 0.);
  vec2 span = spanOf(from, d, wetLow, wetHigh, far);
  if (!(span.y > span.x)) return path;
  float t = span.x, f = distanceAt(from + d * t);
  path.wet = path.inWater = f < 0.;
  path.begin = t;
  for (int k = 0; k < 400 && t < span.y; ++k) {
    float next = min(t + clamp(abs(f), .3 * cell, cell), span.y), g = distanceAt(from + d * next);
    if ((f < 0.) != (g < 0.)) {
      float root = crossing(from, d, t, f, next, g);
      path.depth += f < 0. ? root - t : next - root;
      if (path.surface < 0.) path.surface = root;
      if (!path.wet) path.begin = root;
      path.wet = true;
      if (firstOnly) return path;
    } else if (f < 0.) {
      path.depth += next - t;
    }
    t = next;
    f = g;
  }
  return path;
}
