// The stamped squares, two triangles each: where no sphere is, sphere.frag costs nothing.
#include "frame.glsl"
#include "tiles.glsl"

layout(std430, binding = 3) readonly buffer Tiles { int tile[]; };
uniform int tilesAcross, stamp;

const ivec2 corners[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));

void main() {
  int i = gl_VertexID / 6;
  ivec2 at = ivec2(i % tilesAcross, i / tilesAcross) + corners[gl_VertexID - 6 * i];
  gl_Position = tile[i] == stamp ? vec4(vec2(at * tileSize) * frame.size.zw * 2. - 1., 1, 1) : vec4(2, 2, 2, 1);
}
