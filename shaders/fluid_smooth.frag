// One direction of the narrow-range filter (Truong & Yuksel 2018): depths far behind count as just behind, depths far in front do
// not count, and neither does the sample opposite, so that the mean stays centred.
#include "frame.glsl"

layout(binding = 0) uniform sampler2D depths;  // m; 1e9: no fluid
uniform vec2 direction;
uniform float radius;     // m, of a particle
uniform float smoothing;  // radii of the filter
out float away;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), step1 = ivec2(direction), last = textureSize(depths, 0) - 1;
  float z = texelFetch(depths, p, 0).x;
  away = z;
  if (z > 1e8) return;
  float sigma = min(smoothing * radius * .5 * frame.projection[1][1] * frame.size.y / z, 9.);
  if (sigma < .3) return;
  int reach = int(ceil(2. * sigma));
  float falloff = -.5 / (sigma * sigma);
  float nearer = 6. * radius, farther = 6. * radius, behind = radius;
  float sum = z, weights = 1.;
  for (int i = 1; i <= reach; ++i) {
    float a = texelFetch(depths, clamp(p + step1 * i, ivec2(0), last), 0).x;
    float b = texelFetch(depths, clamp(p - step1 * i, ivec2(0), last), 0).x;
    if (min(a, b) < z - nearer) continue;
    if (a > z + farther) a = z + behind; else { nearer = max(nearer, z - a + 6. * radius); farther = max(farther, a - z + 6. * radius); }
    if (b > z + farther) b = z + behind; else { nearer = max(nearer, z - b + 6. * radius); farther = max(farther, b - z + 6. * radius); }
    float w = exp(falloff * float(i * i));
    sum += w * (a + b);
    weights += 2. * w;
  }
  away = sum / weights;
}
