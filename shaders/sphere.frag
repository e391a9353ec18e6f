// The spheres that are seen, each pixel once.
#include "environment.glsl"
#include "sphere.glsl"

layout(binding = 0) uniform usampler2D nearest;  // particles by sphere_disc.frag
layout(binding = 1) uniform sampler2D discDepth;
uniform float radius;
uniform float margin;  // pixels of those about the picture
out vec4 result;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy + margin);
  if (texelFetch(discDepth, pixel, 0).x >= 1.) discard;
  uvec4 particle = texelFetch(nearest, pixel, 0);
  vec3 c = centreOf(particle);
  float rim;
  vec3 q = onDiscAt(gl_FragCoord.xy, c, radius, rim);
  vec3 p = onSphere(c, radius, q, min(rim, 1.));
  gl_FragDepth = depthOf(p);
  mat3 turn = transpose(mat3(frame.view));
  vec3 n = turn * ((p - c) / radius);
  vec3 seen = turn * -normalize(p);
  result = vec4(toned(shaded(albedoOf(particle), n, seen, lightOf(particle), .25)), 1);
}
