// The smoke, which was drawn at half the resolution, over the picture: a mean of what is around, as rays begin at different places.
layout(binding = 0) uniform sampler2D smoke;
in vec2 at;
out vec4 result;

void main() {
  vec2 t = .75 / vec2(textureSize(smoke, 0));
  vec2 s = vec2(t.x, -t.y);
  result = .25 * (texture(smoke, at + t) + texture(smoke, at - t) + texture(smoke, at + s) + texture(smoke, at - s));
}
