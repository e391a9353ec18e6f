#include "sphere.glsl"

uniform vec3 colour;
uniform vec2 range;
uniform bool shadowed;
uniform int map;  // -1: no values

flat out vec3 centre;  // from the eye
flat out vec3 albedo;
flat out float lit;
out vec3 onDisc;
out vec2 unit;

void main() {
  int i = gl_VertexID / 3;
  unit = corner(gl_VertexID - 3 * i);
  centre = (frame.view * vec4(centreOf(i), 1)).xyz;
  albedo = colour;
  onDisc = vec3(0);
  lit = 1.;
  gl_Position = vec4(2, 2, 2, 1);
  if (!billboard(centre, radius, unit, onDisc)) return;
  if (map >= 0) albedo = valueColour(value[i * valueStride], range, map);
  if (shadowed) lit = lightAt(centreOf(i), 3. * radius, true);  // once a particle
  gl_Position = frame.projection * vec4(onDisc, 1);
}
