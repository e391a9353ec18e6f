// A particle in the light's map, which sees all spheres as discs of one size.
#include "frame.glsl"

layout(location = 0) in vec3 position;
uniform float radius;
uniform float mapSize;  // pixels

void main() {
  gl_Position = isFinite(position) ? vec4((frame.light * vec4(position, 1)).xyz * 2. - 1., 1) : vec4(2, 2, 2, 1);
  // the map's axes are as long as the light's matrix makes them: a radius along one of them, in pixels
  gl_PointSize = 2. * radius * length(vec3(frame.light[0][0], frame.light[1][0], frame.light[2][0])) * mapSize;
}
