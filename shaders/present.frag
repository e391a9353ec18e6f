// The finished picture, its stair-steps smoothed along the edges they belong to (after the idea of Lottes' FXAA, 2009). Texels are
// fetched and weighted here: filtered samples cost several times as much where a processor draws.
layout(binding = 0) uniform sampler2D picture;  // as displayed, not linear
out vec4 result;

float luma(vec3 c) { return dot(c, vec3(.299, .587, .114)); }
vec3 texelAt(ivec2 p) { return texelFetch(picture, clamp(p, ivec2(0), textureSize(picture, 0) - 1), 0).rgb; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec3 here = texelFetch(picture, p, 0).rgb;
  vec3 north = texelAt(p + ivec2(0, 1)), south = texelAt(p - ivec2(0, 1)), east = texelAt(p + ivec2(1, 0)), west = texelAt(p - ivec2(1, 0));
  float m = luma(here), n = luma(north), s = luma(south), e = luma(east), w = luma(west);
  float low = min(min(m, min(n, s)), min(e, w)), high = max(max(m, max(n, s)), max(e, w));
  result = vec4(here, 1);
  vec2 along = vec2(s - n, e - w);  // square to the gradient
  float steep = max(abs(along.x), abs(along.y));
  if (high - low < max(.04, .12 * high) || steep < 1e-4) return;
  along /= steep;
  // the mean of two places half a texel along the edge, one to each side, each between four texels
  vec2 share = .5 * abs(along);
  ivec2 diagonal = ivec2(sign(along));
  vec3 near = (1. - share.x) * (1. - share.y) * here + .5 * share.x * (1. - share.y) * (east + west) +
              .5 * (1. - share.x) * share.y * (north + south) + .5 * share.x * share.y * (texelAt(p + diagonal) + texelAt(p - diagonal));
  ivec2 further = ivec2(round(along * 1.75));
  vec3 wide = .5 * near + .25 * (texelAt(p + further) + texelAt(p - further));
  float l = luma(wide);
  result = vec4(l < low || l > high ? near : wide, 1);
}
