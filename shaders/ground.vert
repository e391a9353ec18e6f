#include "frame.glsl"

out vec3 place;

void main() {
  vec2 q = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  vec3 across = cross(frame.up.xyz, frame.side.xyz);
  place = frame.ground.xyz + (frame.side.xyz * q.x + across * q.y) * frame.ground.w * 8.;
  gl_Position = frame.projection * (frame.view * vec4(place, 1));
}
