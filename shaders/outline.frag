#include "frame.glsl"

layout(binding = 0) uniform sampler2D mask;  // 1: covered by what is selected

out vec4 result;

// Pixels outside of the silhouette and within a line's width of it, fading over the last pixel.
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy), last = ivec2(frame.size.xy) - 1;
  if (texelFetch(mask, here, 0).x > .5) discard;
  float width = max(2., 1.6 * frame.tone.w);
  int reach = int(ceil(width));
  float nearest = 1e9;
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      if (texelFetch(mask, clamp(here + ivec2(x, y), ivec2(0), last), 0).x > .5) nearest = min(nearest, length(vec2(x, y)));
    }
  }
  float cover = clamp(width + .5 - nearest, 0., 1.);
  if (cover <= 0.) discard;
  result = vec4(toLinear(vec3(1., .62, .15)), cover);
}
