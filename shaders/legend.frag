in vec4 shown;
out vec4 result;

void main() { result = shown; }
