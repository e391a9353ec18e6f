#include "environment.glsl"

in vec2 at;
out vec4 result;

void main() {
  vec3 ray = vec3((at * 2. - 1.) / vec2(frame.projection[0][0], frame.projection[1][1]), -1);
  result = vec4(toned(backdrop(normalize(transpose(mat3(frame.view)) * ray))), 1);
}
