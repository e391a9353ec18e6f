#include "sphere.glsl"

layout(binding = 1) uniform sampler2D sceneDepth;
uniform float radius;
uniform float share;      // of a sphere's chord that is fluid, its spheres overlapping
uniform vec3 absorption;  // 1/m
flat in uvec4 particle;
in vec2 unit;
out vec4 passed;  // optical depth of red, green, blue; m of fluid

void main() {
  float rim = dot(unit, unit);
  if (rim > 1.) discard;
  float depth = depthOf(centreOf(particle));
  ivec2 last = textureSize(sceneDepth, 0) - 1;
  if (texelFetch(sceneDepth, min(ivec2(gl_FragCoord.xy) * 2, last), 0).x < depth) discard;  // behind a solid
  float chord = 2. * radius * sqrt(1. - rim) * share;
  passed = vec4(absorption * chord, chord);
}
