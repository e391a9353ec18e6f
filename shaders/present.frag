// The finished picture, its stair-steps smoothed along the edges they belong to (after the idea of Lottes' FXAA, 2009).
layout(binding = 0) uniform sampler2D picture;  // as displayed, not linear
out vec4 result;

float luma(vec3 c) { return dot(c, vec3(.299, .587, .114)); }
vec3 texelAt(ivec2 p) { return texelFetch(picture, clamp(p, ivec2(0), textureSize(picture, 0) - 1), 0).rgb; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec3 here = texelFetch(picture, p, 0).rgb;
  float m = luma(here), n = luma(texelAt(p + ivec2(0, 1))), s = luma(texelAt(p - ivec2(0, 1)));
  float e = luma(texelAt(p + ivec2(1, 0))), w = luma(texelAt(p - ivec2(1, 0)));
  float low = min(min(m, min(n, s)), min(e, w)), high = max(max(m, max(n, s)), max(e, w));
  result = vec4(here, 1);
  if (high - low < max(.04, .12 * high)) return;
  vec2 along = vec2(s - n, e - w);  // square to the gradient
  float steep = max(abs(along.x), abs(along.y));
  if (steep < 1e-4) return;
  along /= steep;
  vec2 pixel = 1. / vec2(textureSize(picture, 0));
  vec2 at = gl_FragCoord.xy * pixel;
  vec3 near = .5 * (texture(picture, at + along * pixel * .5).rgb + texture(picture, at - along * pixel * .5).rgb);
  vec3 wide = .5 * near + .25 * (texture(picture, at + along * pixel * 1.5).rgb + texture(picture, at - along * pixel * 1.5).rgb);
  float l = luma(wide);
  result = vec4(l < low || l > high ? near : wide, 1);
}
