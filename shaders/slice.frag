// Values of a grid, straight between the centres of its cells, in the very colours of the legend: no light falls on them.
#include "frame.glsl"

layout(binding = 0) uniform sampler3D values;
uniform vec2 range;
uniform int map;
in vec3 inBox;
out vec4 result;

void main() {
  vec3 c = displayedColour(texture(values, inBox).r, range, map);
  // toLinear is a little off where it is dark
  result = vec4(mix(c / 12.92, pow((c + .055) / 1.055, vec3(2.4)), step(.04045, c)), 1);
}
