// A ray through the smoke of a grid, as far as the nearest solid: light taken up and scattered once, colour times cover and cover.
#include "environment.glsl"
#include "smoke.glsl"
#include "view.glsl"

layout(binding = 0) uniform sampler2D sceneDepth;  // of twice the resolution
layout(binding = 1) uniform sampler3D density;
layout(binding = 2) uniform sampler3D light;
uniform vec3 low, high;    // of the box
uniform float cell;        // m
uniform float extinction;  // 1/m, of density 1
uniform vec3 albedo;       // share of the light that is scattered
in vec2 at;
out vec4 result;

// Where between two samples the first one lies: neighbours differ, so that steps are not seen (Jimenez 2014).
float between(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(.06711056, .00583715)))); }

void main() {
  vec3 ray = rayOf(at);
  float length1 = length(ray);
  vec3 d = transpose(mat3(frame.view)) * (ray / length1);
  vec3 a = (low - frame.eye.xyz) / d, b = (high - frame.eye.xyz) / d, near3 = min(a, b), far3 = max(a, b);
  float near = max(max(near3.x, near3.y), max(near3.z, 0.)), far = min(min(far3.x, far3.y), far3.z);
  float z = texelFetch(sceneDepth, min(ivec2(gl_FragCoord.xy) * 2, textureSize(sceneDepth, 0) - 1), 0).x;
  if (z < 1.) far = min(far, awayAt(z) * length1);
  result = vec4(0);
  if (!(far > near)) return;
  int steps = clamp(int((far - near) / cell) + 1, 1, 160);
  float dt = (far - near) / float(steps), open = 1.;
  vec3 first = frame.eye.xyz + d * (near + between(gl_FragCoord.xy) * dt), q = (first - low) / (high - low);
  vec3 dq = d * dt / (high - low), sum = vec3(0);
  vec3 around = .5 * (ambient(frame.up.xyz) + ambient(-frame.up.xyz));
  for (int k = 0; k < steps && open > .004; ++k, q += dq) {
    float rho = texture(density, q).r;
    if (!(rho > 1e-3)) continue;  // nor where it is not a number
    float kept = exp(-extinction * min(rho, 1e3) * dt);
    vec3 c = albedo * (around + .9 * keyLight() * texture(light, inLight(q, light)).r);
    sum += open * (1. - kept) * c;
    open *= kept;
  }
  result = vec4(toned(sum / max(1. - open, 1e-4)) * (1. - open), 1. - open);
}
