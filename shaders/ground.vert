#include "environment.glsl"

uniform float reach;

flat out vec3 unlit, byKey;  // light that it sends to the eye without the key light and by that alone
out vec3 away, fromEye;
out vec2 onLight;  // where the light that reaches it is kept

void main() {
  vec2 q = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  vec3 across = cross(frame.up.xyz, frame.side.xyz);
  away = (frame.side.xyz * q.x + across * q.y) * frame.ground.w * 8.;
  vec3 place = frame.ground.xyz + away;
  fromEye = place - frame.eye.xyz;
  onLight = q * (frame.ground.w * 8. / reach) * .5 + .5;
  vec3 albedo = frame.up.w > .5 ? vec3(.42, .41, .38) : mix(vec3(.62, .62, .63), vec3(.10, .10, .11), frame.side.w);
  unlit = albedo * ambient(frame.up.xyz);
  byKey = albedo * keyLight() * dot(frame.up.xyz, frame.toLight.xyz);
  gl_Position = frame.projection * (frame.view * vec4(place, 1));
}
