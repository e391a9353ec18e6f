#include "shadow.glsl"

uniform vec3 colour;
uniform float opacity;
uniform vec2 range;
uniform int map;       // -1: no values
uniform bool smoothed; // normals are given
uniform bool sheet;
uniform bool selected;
uniform bool lines;     // wireframe
uniform bool behind;    // only what lies behind the fluid
uniform float radius;   // m, of the fluid's largest particles, or half a cell
layout(binding = 4) uniform sampler2D fluidDepth;  // m; 1e9: no fluid

in vec3 place, upward;
in float scalar, missing;
out vec4 result;

void main() {
  if (missing > 0.) discard;  // a triangle with a node that is nowhere
  if (behind) {
    float z = texelFetch(fluidDepth, ivec2(gl_FragCoord.xy), 0).x;
    if (z > 1e8 || -(frame.view * vec4(place, 1)).z < z + 1.1 * radius) discard;  // as in fluid.frag
  }
  if (lines) {
    result = vec4(selected ? vec3(1., .35, .02) : vec3(.015), 1);
    return;
  }
  vec3 seen = normalize(frame.eye.xyz - place);
  vec3 flatNormal = cross(dFdx(place), dFdy(place));
  vec3 n = normalize(smoothed && dot(upward, upward) > 1e-6 ? upward : flatNormal);
  bool back = smoothed ? !gl_FrontFacing : false;
  n = back ? -n : n;
  if (dot(n, seen) < 0. && !smoothed) n = -n;
  vec3 albedo = map >= 0 ? valueColour(scalar, range, map) : colour;
  if (sheet && !gl_FrontFacing && map < 0) albedo = mix(albedo, vec3(dot(albedo, vec3(.3, .6, .1))), .45) * .8;
  vec3 c = shaded(albedo, n, seen, lightAt(place + n * frame.ground.w * .006, frame.ground.w * .006, true), sheet ? .08 : .2);
  if (selected) c = mix(c, vec3(1., .55, .1), .25);
  float glance = 1. - abs(dot(n, seen));
  float cover = opacity >= 1. ? 1. : opacity + (1. - opacity) * .6 * glance * glance * glance;  // a shell is thicker at its rim
  result = vec4(toned(c), cover);
}
