#include "environment.glsl"

uniform vec3 colour;
uniform float opacity;
uniform vec2 range;
uniform int map;       // -1: no values
uniform bool smoothed; // normals are given
uniform bool sheet;
uniform bool selected;

in vec3 place, upward;
in float scalar, missing;
out vec4 result;

void main() {
  if (missing > 0.) discard;  // a triangle with a node that is nowhere
  vec3 seen = normalize(frame.eye.xyz - place);
  vec3 flatNormal = cross(dFdx(place), dFdy(place));
  vec3 n = normalize(smoothed && dot(upward, upward) > 1e-6 ? upward : flatNormal);
  bool back = smoothed ? !gl_FrontFacing : false;
  n = back ? -n : n;
  if (dot(n, seen) < 0. && !smoothed) n = -n;
  vec3 albedo = map >= 0 ? valueColour(scalar, range, map) : colour;
  if (sheet && !gl_FrontFacing && map < 0) albedo = mix(albedo, vec3(dot(albedo, vec3(.3, .6, .1))), .45) * .8;
  vec3 c = shaded(albedo, n, seen, 1., sheet ? .08 : .2);
  if (selected) c = mix(c, vec3(1., .55, .1), .25);
  float glance = 1. - abs(dot(n, seen));
  float cover = opacity >= 1. ? 1. : opacity + (1. - opacity) * .6 * glance * glance * glance;  // a shell is thicker at its rim
  result = vec4(toned(c), cover);
}
