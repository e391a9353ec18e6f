// What all looks of a particle share, once a particle and frame: its centre from the eye, its colour, the light that reaches it.
#include "shadow.glsl"
#include "sphere.glsl"
#include "tiles.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Positions { float position[]; };
layout(std430, binding = 1) readonly buffer Values { float value[]; };
layout(std430, binding = 2) writeonly buffer Drawn { uvec4 drawn[]; };  // see sphere.glsl
layout(std430, binding = 3) writeonly buffer Tiles { int tile[]; };
uniform int count, positionStride, valueStride;  // strides in floats
uniform bool backward;  // the last one is drawn first
uniform float radius;
uniform vec3 colour;
uniform vec2 range;
uniform int map;  // -1: no values
uniform int tilesAcross, stamp;  // of the squares, a row after the other; 0: they are not asked for

// Stamps the squares that the sphere about c [m, from the eye] reaches into.
void stampTiles(vec3 c) {
  if (-c.z <= radius * 1.0001) return;  // not drawn, see point.vert
  vec2 m, q, scale = .5 * vec2(frame.projection[0][0], frame.projection[1][1]) * frame.size.xy;
  extent(c.x, c.z, radius, m.x, q.x);
  extent(c.y, c.z, radius, m.y, q.y);
  vec2 middle = m * scale + .5 * frame.size.xy, reach = q * scale + 1.;
  ivec2 last = (ivec2(frame.size.xy) - 1) / tileSize;
  ivec2 low = ivec2(clamp(middle - reach, vec2(0), vec2(1e6))) / tileSize;
  ivec2 high = min(ivec2(clamp(middle + reach, vec2(-tileSize), vec2(1e6))) / tileSize, last);
  for (int y = low.y; y <= high.y; ++y) {
    for (int x = low.x; x <= high.x; ++x) tile[y * tilesAcross + x] = stamp;
  }
}

void main() {
  for (int i = int(gl_GlobalInvocationID.x); i < count; i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x)) {
    vec3 p = vec3(position[i * positionStride], position[i * positionStride + 1], position[i * positionStride + 2]);
    bool there = isFinite(p);
    vec3 centre = there ? (frame.view * vec4(p, 1)).xyz : vec3(0);
    vec3 albedo = map >= 0 ? valueColour(value[i * valueStride], range, map) : colour;
    float lit = there ? lightAt(p, 3. * radius, true) : 1.;
    if (tilesAcross > 0) stampTiles(centre);
    drawn[backward ? count - 1 - i : i] = uvec4(floatBitsToUint(centre), packUnorm4x8(vec4(sqrt(albedo), lit)));
  }
}
