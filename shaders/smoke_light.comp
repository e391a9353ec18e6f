// How much of the key light reaches each place in the smoke, through the rest of it and past the solids.
#include "shadow.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 1) uniform sampler3D density;
layout(binding = 0, rg16f) writeonly uniform image3D light;  // what reaches a place; what the smoke on the way leaves of it
uniform vec3 low, high;    // of the box
uniform float cell;        // m
uniform float extinction;  // 1/m, of density 1

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(light);
  if (any(greaterThanEqual(at, size))) return;
  vec3 q = vec3(at) / vec3(size - 1), d = frame.toLight.xyz / (high - low);
  // the way out of the box, in steps of a cell and a half
  vec3 far = max((vec3(0) - q) / d, (vec3(1) - q) / d);
  float way = min(min(far.x, far.y), far.z), depth = 0.;
  int steps = clamp(int(way / (1.5 * cell)), 1, 96);
  float dt = way / float(steps);
  for (int k = 0; k < steps; ++k) depth += max(texture(density, q + d * (float(k) + .5) * dt).r, 0.) * dt;
  float left = exp(-extinction * depth), lit = frame.toLight.w > 0. ? left : 1.;
  imageStore(light, at, vec4(lit * lightPast(mix(low, high, q), cell, false), left, 0, 0));
}
