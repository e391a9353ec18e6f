in float missing;
out float result;

void main() {
  if (missing > 0.) discard;  // a triangle with a node that is nowhere
  result = 1.;
}
