#include "engine/exec/serial_graphics.h"

#include <string>

#include "engine/base/error.h"

MNS_NS_BEGIN

namespace {

[[noreturn]] void refuse(const char* what, std::uint32_t buffer) {
  throw Error(ErrorKind::deviceNotAvailable, "serial device: " + std::string(what) + " buffer " + std::to_string(buffer));
}

}  // namespace

GraphicsBuffer::GraphicsBuffer(const DeviceOptions& options, std::uint32_t buffer) : graphics_(options.graphics), buffer_(buffer) {
  if (!graphics_) throw Error(ErrorKind::deviceNotAvailable, "the serial device shares no memory with a graphics context");
  if (!graphics_->open(graphics_->user, buffer)) refuse("cannot register", buffer);
}

GraphicsBuffer::~GraphicsBuffer() { graphics_->close(graphics_->user, buffer_); }

void* GraphicsBuffer::map(Device&, std::size_t* bytes) {
  void* const memory = graphics_->map(graphics_->user, buffer_, bytes);
  if (!memory) refuse("cannot map", buffer_);
  return memory;
}

void GraphicsBuffer::unmap(Device&) {
  if (!graphics_->unmap(graphics_->user, buffer_)) refuse("cannot unmap", buffer_);
}

MNS_NS_END
