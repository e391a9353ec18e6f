// Buffers of a graphics context that a device writes to without the host: of OpenGL on a card, of the tests on the serial device.
#pragma once

#if defined(__CUDACC__)
#include "engine/exec/cuda/cuda_graphics.h"
#else
#include "engine/exec/serial_graphics.h"
#endif
