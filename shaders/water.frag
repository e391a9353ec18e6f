// Water on a grid over the picture of the solids: refracted and absorbed from behind it, reflected from before it.
#include "view.glsl"
#include "water.glsl"

layout(binding = 0) uniform sampler2D depths;  // by water_surface.frag, as are surfaces
layout(binding = 2) uniform sampler2D scene;
layout(binding = 3) uniform sampler2D surfaces;
layout(binding = 8) uniform sampler2D sceneDepth;
uniform float radius;      // m: half a cell
uniform vec3 absorption;   // 1/m
uniform vec3 albedo;
in vec2 at;
out vec4 result;

// Where in the picture a ray bent at p (from the eye) leaves after `way` m; what lies before the surface is not seen through it.
vec2 behindAt(vec3 p, vec3 bent, float way) {
  vec4 clip = frame.projection * vec4(p + bent * way, 1);
  vec2 uv = clip.w > 0. ? clamp(clip.xy / clip.w * .5 + .5, vec2(0), vec2(1)) : at;
  return texture(sceneDepth, uv).x < depthAt(-p.z) ? at : uv;
}

// Share of what is behind that the way through the water leaves; the least of it keeps an outline.
vec3 keptBy(float depth) { return min(exp(-absorption * depth), vec3(.82)); }

// The side of the water's box by which the ray comes in; unit, outward.
vec3 sideOf(vec3 d) {
  vec3 near3 = min((wetLow - frame.eye.xyz) / d, (wetHigh - frame.eye.xyz) / d);
  float near = max(near3.x, max(near3.y, near3.z));
  return -sign(d) * step(vec3(near), near3);
}

void main() {
  float z = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).x;
  if (z > 1e8) discard;
  vec4 surface = texelFetch(surfaces, ivec2(gl_FragCoord.xy), 0);
  vec3 ray = rayOf(at), seen = -normalize(ray), p = ray * z;
  // by as much as a shell's place in its cells is unknown, so that the water does not show before the shell it is in
  vec3 within = p * (1. + 1.1 * radius / max(length(p), 1e-9));
  gl_FragDepth = depthAt(max(-within.z, 1e-6));
  mat3 turn = transpose(mat3(frame.view));
  vec3 ws = turn * seen, wn = surface.xyz, place = frame.eye.xyz - ws * length(p);
  float index = max(frame.tone.y, 1.), depth = abs(surface.w), lit = lightAt(place, 2. * radius, false);
  bool surfaced = dot(wn, wn) > .1;
  wn = surfaced ? normalize(wn) : ws;
  if (dot(wn, ws) < .03) wn = normalize(wn + ws * (.03 - dot(wn, ws)));
  vec3 n = mat3(frame.view) * wn, scattered = scatteredBy(albedo, frame.up.xyz, lit);
  if (surface.w > 0.) {
    // as far as to the same depth below the surface
    vec3 bent = refract(-seen, n, 1. / index);
    vec2 uv = behindAt(p, bent, depth * dot(n, seen) / max(-dot(n, bent), .1));
    // what is seen has its own way through the water
    vec3 kept = keptBy(max(abs(texture(surfaces, uv).w), depth)), behind = texture(scene, uv).rgb;
    result = vec4(mirroring(through(behind, kept, scatteredBy(albedo, wn, lit)), wn, ws, fresnelOf(index, dot(wn, ws)), lit), 1);
    return;
  }
  // from in the water, or through the tank's side, its surface is seen from below: it mirrors all light that is slant to it
  vec3 behind = texture(scene, at).rgb;
  if (surfaced) {
    vec3 bent = refract(-ws, wn, index);
    float mirror = dot(bent, bent) > 0. ? fresnelOf(index, -dot(bent, wn)) : 1.;
    behind = mix(behind, toned(backdrop(reflect(-ws, wn)) * .5 + scattered * .5), mirror);
  }
  vec3 body = through(behind, keptBy(depth), scattered), side = sideOf(-ws);
  bool aside = z > 1e-5 && dot(side, ws) > 0.;
  result = vec4(aside ? mirroring(body, side, ws, fresnelOf(index, dot(side, ws)) * .5, lit) : body, 1);
}
