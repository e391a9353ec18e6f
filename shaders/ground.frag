#include "environment.glsl"

layout(binding = 0) uniform sampler2D groundLight;  // by ground_light.frag
uniform float reach;

in vec3 place;
out vec4 result;

void main() {
  vec3 away = place - frame.ground.xyz;
  float far = length(away) / (frame.ground.w * 8.);
  vec3 fromEye = place - frame.eye.xyz;
  vec3 d = normalize(fromEye);
  vec3 albedo = frame.up.w > .5 ? vec3(.42, .41, .38) : mix(vec3(.62, .62, .63), vec3(.10, .10, .11), frame.side.w);
  vec2 q = vec2(dot(away, frame.side.xyz), dot(away, cross(frame.up.xyz, frame.side.xyz))) / reach;
  float light = texture(groundLight, q * .5 + .5).r;
  vec3 c = albedo * (ambient(frame.up.xyz) + keyLight() * dot(frame.up.xyz, frame.toLight.xyz) * light);
  float fade = smoothstep(.15, .9, far);
  result = vec4(toned(mix(c, backdrop(d), fade)), 1);
}
