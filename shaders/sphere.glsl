#include "view.glsl"

// A particle as particle.comp leaves it: xyz the bits of its centre from the eye [m], at the eye where it is nowhere; w four bytes,
// the square roots of its colour and the light that reaches it.
vec3 centreOf(uvec4 particle) { return uintBitsToFloat(particle.xyz); }
vec3 albedoOf(uvec4 particle) {
  vec3 root = unpackUnorm4x8(particle.w).rgb;
  return root * root;
}
float lightOf(uvec4 particle) { return unpackUnorm4x8(particle.w).a; }

// The depth of a point [m, from the eye].
float depthOf(vec3 p) { return depthAt(-p.z); }

// From -q to +q about m, the shadow of a sphere on the plane z = -1 along one axis, by the tangents from the eye; the middle of the
// sphere is `along` to that side of the eye, at z < -radius.
void extent(float along, float z, float radius, out float m, out float q) {
  float n = z * z - radius * radius;
  m = -along * z / n;
  q = radius * sqrt(along * along + n) / n;
}

// The near point of the sphere (c, radius) on the ray through q of its silhouette's disc, rim = (distance from the disc's middle over
// its radius)^2. t q with t^2 (d^2 + m) - 2 t d^2 + d^2 - radius^2 = 0, d = |c|, m = |q - c|^2, whose discriminant is
// d^2 radius^2 (1 - rim) by the size of the disc.
vec3 onSphere(vec3 c, float radius, vec3 q, float rim) {
  float d2 = dot(c, c);
  vec3 off = q - c;
  return q * ((d2 - radius * sqrt(d2 * (1. - rim))) / (d2 + dot(off, off)));
}

// Where the ray of a pixel meets that disc; rim: see onSphere.
vec3 onDiscAt(vec2 pixel, vec3 c, float radius, out float rim) {
  vec3 ray = rayOf(pixel * frame.size.zw);
  float d2 = dot(c, c);
  vec3 q = ray * (d2 / dot(ray, c)), off = q - c;
  rim = dot(off, off) * (d2 - radius * radius) / (radius * radius * d2);
  return q;
}
