#include "frame.glsl"

layout(binding = 1) uniform sampler2D sceneDepth;
uniform float radius;
uniform float share;      // of a sphere's chord that is fluid, its spheres overlapping
uniform vec3 absorption;  // 1/m
flat in vec3 centre;
flat in vec3 albedo;
in vec3 onDisc;
in vec2 unit;
out vec4 passed;  // optical depth of red, green, blue; m of fluid

void main() {
  float rim = dot(unit, unit);
  if (rim > 1.) discard;
  float depth = .5 - .5 * (frame.projection[2][2] * centre.z + frame.projection[3][2]) / centre.z;
  ivec2 last = textureSize(sceneDepth, 0) - 1;
  if (texelFetch(sceneDepth, min(ivec2(gl_FragCoord.xy) * 2, last), 0).x < depth) discard;  // behind a solid
  float chord = 2. * radius * sqrt(1. - rim) * share;
  passed = vec4(absorption * chord, chord);
}
