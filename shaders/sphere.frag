#include "environment.glsl"

uniform float radius;
flat in vec3 centre;
flat in vec3 albedo;
flat in float lit;
in vec3 onDisc;
in vec2 unit;
out vec4 result;

void main() {
  float rim = dot(unit, unit);
  if (rim > 1.) discard;
  // The ray t q through q = onDisc, square to c at distance d: t^2 (d^2 + m) - 2 t d^2 + d^2 - r^2 = 0 with m = |q - c|^2, whose
  // discriminant is d^2 r^2 (1 - rim) by the size of the disc.
  float d2 = dot(centre, centre);
  vec3 off = onDisc - centre;
  float t = (d2 - radius * sqrt(d2 * (1. - rim))) / (d2 + dot(off, off));
  vec3 p = onDisc * t;
  float z = frame.projection[2][2] * p.z + frame.projection[3][2];
  gl_FragDepth = .5 - .5 * z / p.z;
  mat3 turn = transpose(mat3(frame.view));
  vec3 n = turn * ((p - centre) / radius);
  vec3 seen = turn * -normalize(p);
  result = vec4(toned(shaded(albedo, n, seen, lit, .25)), 1);
}
