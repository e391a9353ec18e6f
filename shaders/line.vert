#include "frame.glsl"

struct Edge { int a, b, colour; };
layout(std430, binding = 0) readonly buffer Positions { float position[]; };
layout(std430, binding = 1) readonly buffer Edges { Edge edge[]; };
uniform int positionStride;  // floats
uniform int nodes;
uniform float forward;  // share of its depth by which a line lies in front of the surface it is drawn on

uniform bool blended;   // with soft borders, in what lets through what is behind

out vec4 tint;
noperspective out float aside;  // pixels from the line's middle

const vec3 palette[12] = vec3[](vec3(.12, .47, .71), vec3(1., .50, .05), vec3(.17, .63, .17), vec3(.84, .15, .16), vec3(.58, .40, .74),
                                vec3(.55, .34, .29), vec3(.89, .47, .76), vec3(.74, .74, .13), vec3(.09, .75, .81), vec3(.68, .78, .91),
                                vec3(1., .73, .47), vec3(.60, .87, .54));

vec3 node(int i) {
  i = clamp(i, 0, nodes - 1);
  return vec3(position[i * positionStride], position[i * positionStride + 1], position[i * positionStride + 2]);
}

// The near part of a line that begins behind the eye.
vec4 beforeEye(vec4 p, vec4 other) {
  float least = 1e-4;
  return p.w >= least ? p : mix(p, other, (least - p.w) / max(other.w - p.w, 1e-12));
}

void main() {
  Edge e = edge[gl_VertexID / 6];
  int i = gl_VertexID % 6;
  vec3 a = node(e.a), b = node(e.b);
  tint = e.colour < 0 ? vec4(mix(vec3(.16), vec3(.62), frame.side.w * (1. - frame.up.w)), e.colour == -1 ? .5 : .2)
                      : vec4(toLinear(palette[e.colour % 12]), 1);
  aside = 0.;
  gl_Position = vec4(2, 2, 2, 1);
  if (!isFinite(a) || !isFinite(b)) return;
  vec4 p = frame.projection * (frame.view * vec4(a, 1)), q = frame.projection * (frame.view * vec4(b, 1));
  if (p.w < 1e-4 && q.w < 1e-4) return;
  vec4 from = beforeEye(p, q), to = beforeEye(q, p);
  vec2 along = (to.xy / to.w - from.xy / from.w) * frame.size.xy;
  vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(1, 0);
  bool atEnd = i == 1 || i == 2 || i == 4;
  float side = i == 0 || i == 1 || i == 3 ? -1. : 1.;
  vec4 c = atEnd ? to : from;
  aside = side * (.5 * frame.tone.w + (blended ? 1. : 0.));
  c.xy += across * aside * 2. * frame.size.zw * c.w;
  c.z -= forward * c.w;
  gl_Position = c;
}
