// The fluid's surface over the picture of the solids: refracted and absorbed from behind it, reflected from before it.
#include "fluid_light.glsl"
#include "view.glsl"

layout(binding = 0) uniform sampler2D depths;  // m, smoothed; 1e9: no fluid
layout(binding = 1) uniform sampler2D sceneDepth;
layout(binding = 2) uniform sampler2D scene;
layout(binding = 3) uniform sampler2D passed;
layout(binding = 4) uniform sampler2D tints;
uniform float radius;
in vec2 at;
out vec4 result;

vec3 neighbour(ivec2 step1) {
  ivec2 p = clamp(ivec2(gl_FragCoord.xy) + step1, ivec2(0), textureSize(depths, 0) - 1);
  return rayOf((vec2(p) + .5) * frame.size.zw) * texelFetch(depths, p, 0).x;
}

// The difference to the neighbour whose depth is more alike: no normal spans an edge.
vec3 slope(vec3 p, ivec2 step1) {
  vec3 ahead = neighbour(step1) - p, back = p - neighbour(-step1);
  return abs(ahead.z) < abs(back.z) ? ahead : back;
}

void main() {
  float z = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).x;
  if (z > 1e8) discard;
  vec3 p = rayOf(at) * z;
  // The spheres of the surface reach beyond the fluid, by so much that it would show before the shell it is in.
  vec3 within = p * (1. + 1.1 * radius / length(p));
  gl_FragDepth = depthAt(-within.z);
  vec3 n = cross(slope(p, ivec2(1, 0)), slope(p, ivec2(0, 1)));
  vec3 seen = -normalize(p);
  n = dot(n, n) > 0. ? normalize(n) : seen;
  if (dot(n, seen) < .05) n = normalize(n + seen * (.05 - dot(n, seen)));
  float length1 = texture(passed, at).a;
  float index = max(frame.tone.y, 1.);

  vec3 bent = refract(-seen, n, 1. / index);
  vec3 exit = p + bent * clamp(.5 * length1, 2. * radius, 12. * radius);  // one bend stands for all on the way
  vec4 clip = frame.projection * vec4(exit, 1);
  vec2 uv = clip.w > 0. ? clamp(clip.xy / clip.w * .5 + .5, vec2(0), vec2(1)) : at;
  if (texture(sceneDepth, uv).x < gl_FragDepth) uv = at;  // a solid in front of the fluid is not seen through it
  vec4 tint = texelFetch(tints, ivec2(gl_FragCoord.xy), 0);
  vec3 albedo = tint.rgb * tint.rgb;
  // what is seen is what is there: its own way through the fluid. Films of no thickness keep an outline
  vec3 kept = min(exp(-texture(passed, uv).rgb), vec3(.85));

  mat3 turn = transpose(mat3(frame.view));
  vec3 wn = turn * n, ws = turn * seen, place = turn * p + frame.eye.xyz;
  float lit = lightAt(place, radius * 2., false);
  vec3 body = through(texture(scene, uv).rgb, kept, scatteredBy(albedo, wn, lit));
  if (tint.a > .5) body = mix(body, toned(shaded(albedo, wn, ws, lit, .1)), .85);
  result = vec4(mirroring(body, wn, ws, fresnelOf(index, dot(n, seen)), lit), 1);
}
