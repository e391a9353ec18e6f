// The water in the light's map, which looks along straight rays.
#include "water.glsl"

uniform mat4 fromMap;  // of the light's map, 0..1, to the world
in vec2 at;

void main() {
  vec3 from = (fromMap * vec4(at, 0, 1)).xyz, way = (fromMap * vec4(at, 1, 1)).xyz - from;
  float reach = length(way);
  WaterPath path = alongWater(from, way / reach, reach, true);
  if (!path.wet) discard;
  gl_FragDepth = clamp(path.begin / reach, 0., 1.);
}
