// Values of a grid, straight between the centres of its cells, in the very colours of the legend: no light falls on them. Of
// water with its surface as a line.
#include "frame.glsl"

layout(binding = 0) uniform sampler3D values;
layout(binding = 1) uniform sampler3D levelSet;  // of water: distance to its surface, negative in it
uniform int water;                               // 0: there is none, 1: values of the water alone, 2: of the air, too
uniform vec2 range;
uniform int map;
in vec3 inBox;
out vec4 result;

void main() {
  vec3 c = displayedColour(texture(values, inBox).r, range, map);
  if (water > 0) {
    float d = texture(levelSet, inBox).r, pixel = max(fwidth(d), 1e-12);
    if (water == 1 && d > pixel) discard;  // what is known of the air is carried on from the water, and says nothing
    c = mix(vec3(.06), c, clamp(abs(d) / pixel - .5, 0, 1));  // the surface, as a line
  }
  // toLinear is a little off where it is dark
  result = vec4(mix(c / 12.92, pow((c + .055) / 1.055, vec3(2.4)), step(.04045, c)), 1);
}
