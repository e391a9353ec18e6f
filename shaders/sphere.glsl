#include "shadow.glsl"

// Particles, pulled from the caller's arrays of floats.
layout(std430, binding = 0) readonly buffer Positions { float position[]; };
layout(std430, binding = 1) readonly buffer Values { float value[]; };
uniform int positionStride, valueStride;  // floats
uniform float radius;

// One triangle about the unit disc, the cheapest shape that covers it.
vec2 corner(int i) { return vec2(i == 0 ? -1.7320508 : i == 1 ? 1.7320508 : 0., i == 2 ? 2. : -1.); }

vec3 centreOf(int i) { return vec3(position[i * positionStride], position[i * positionStride + 1], position[i * positionStride + 2]); }

// The sphere (c, r) seen from the origin: its silhouette is a disc square to c, and `onDisc` is a point of it, 1 at the rim.
// False where the eye is inside or the centre is not finite.
bool billboard(vec3 c, float r, vec2 onDisc, out vec3 p) {
  float d2 = dot(c, c);
  p = vec3(0);
  if (!isFinite(c) || d2 <= r * r * 1.0001) return false;
  float d = sqrt(d2);
  vec3 ahead = c / d;
  vec3 x = normalize(abs(ahead.y) < .9 ? vec3(-ahead.z, 0, ahead.x) : vec3(0, ahead.z, -ahead.y));
  vec3 y = cross(x, ahead);
  float rim = r * d * inversesqrt(d2 - r * r);
  p = c + (x * onDisc.x + y * onDisc.y) * rim;
  return true;
}
