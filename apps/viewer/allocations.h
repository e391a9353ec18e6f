// Counts what a thread takes from the heap by operator new: this program's own strings and containers. Dear ImGui calls malloc,
// which is not counted.
#pragma once

namespace meniscus::viewer {

long allocations();  // of this thread, since it began

// As long as one is there its thread's are not counted: around OpenGL, whose driver may compile in C++ at any time. What the
// renderer itself takes is counted by its own tests.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  long before_;
};

}  // namespace meniscus::viewer
