layout(location = 0) in vec2 place;  // pixels, from the upper left corner
layout(location = 1) in vec4 colour;
uniform vec2 size;  // of the picture
out vec4 shown;

void main() {
  gl_Position = vec4(place.x / size.x * 2. - 1., 1. - place.y / size.y * 2., 0, 1);
  shown = colour;
}
