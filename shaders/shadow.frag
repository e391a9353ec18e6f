in vec2 unit;

void main() {
  if (dot(unit, unit) > 1.) discard;
}
