// A particle as a point as large as its sphere looks: a third of the corners of sphere.vert, for spheres of some pixels.
#include "sphere.glsl"

layout(location = 0) in uvec4 drawn;
uniform float radius;
uniform vec2 shrink;  // the picture in a target with margins

flat out uvec4 particle;

void main() {
  particle = drawn;
  vec3 c = centreOf(particle);
  gl_Position = vec4(2, 2, 2, 1);
  gl_PointSize = 1.;
  if (-c.z <= radius * 1.0001) return;  // beside the eye or behind it
  vec2 m, q, scale = vec2(frame.projection[0][0], frame.projection[1][1]);
  extent(c.x, c.z, radius, m.x, q.x);
  extent(c.y, c.z, radius, m.y, q.y);
  float away = -c.z;
  gl_Position = vec4(m * scale * shrink * away, frame.projection[2][2] * c.z + frame.projection[3][2], away);
  q *= scale * frame.size.xy;
  gl_PointSize = max(q.x, q.y) + 1.;
}
