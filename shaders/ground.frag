#include "environment.glsl"

layout(binding = 0) uniform sampler2D groundLight;  // by ground_light.frag

flat in vec3 unlit, byKey;
in vec3 away, fromEye;
in vec2 onLight;
out vec4 result;

void main() {
  vec3 c = unlit + byKey * texture(groundLight, onLight).r;
  float fade = smoothstep(.15, .9, length(away) / (frame.ground.w * 8.));
  result = vec4(toned(mix(c, backdrop(normalize(fromEye)), fade)), 1);
}
