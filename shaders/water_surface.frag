// The water's surface in each pixel, before it is shaded.
#include "view.glsl"
#include "water.glsl"

layout(binding = 0) uniform sampler2D sceneDepth;
in vec2 at;
layout(location = 0) out float away;   // m along the view, of where water begins; 1e9: there is none
layout(location = 1) out vec4 surface; // normal to the eye's side, zero: none is seen; m of water, negative: seen from in it

void main() {
  away = 1e9;
  surface = vec4(0);
  vec3 ray = rayOf(at);
  float stretch = length(ray);
  vec3 d = transpose(mat3(frame.view)) * (ray / stretch);
  float z = texelFetch(sceneDepth, ivec2(gl_FragCoord.xy), 0).x, far = 1e9;
  if (z < 1.) far = awayAt(z) * stretch;
  WaterPath path = alongWater(frame.eye.xyz, d, far, false);
  if (!path.wet || path.depth <= 0.) return;
  vec3 n = path.surface >= 0. ? outward(frame.eye.xyz + d * path.surface) : vec3(0);
  // a film on a solid that is thinner than cells tell is the water on its other side, smoothed
  if (!path.inWater && z < 1. && path.depth * clamp(-dot(n, d), .15, 1.) < .6 * cell) return;
  away = path.begin / stretch;
  // what ends within a cell of a solid ends at it: cells beside solids are not all filled
  if (path.inWater && z < 1. && (far - path.surface) * clamp(dot(n, d), .15, 1.) < 1.2 * cell) n = vec3(0);
  surface = vec4(path.inWater ? -n : n, path.inWater ? -path.depth : path.depth);
}
