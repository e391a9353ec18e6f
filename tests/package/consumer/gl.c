/* A host that draws with OpenGL: registers a buffer object for the positions of the particles, has it written after each step, and
 * reads it back to see that it is what the host's view has. Without a window, by EGL; a game's loader is its window library's. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <meniscus/meniscus_cuda.h>
#include <meniscus/meniscus_gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mnsGlFunction* load(void* user, const char* name) {
  (void)user;
  return (mnsGlFunction*)eglGetProcAddress(name);
}

/* An OpenGL context of Mesa's without a surface, current on this thread. */
static int makeContext(void) {
  static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  EGLContext context;
  PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  EGLDisplay display = getDisplay ? getDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) return 0;
  context = eglCreateContext(display, (EGLConfig)0, EGL_NO_CONTEXT, attributes);
  return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static mnsScene* makeScene(mnsContext* context) {
  mnsScene* scene = NULL;
  mnsFluidId id;
  mnsShape block = mnsBoxShape(.2, .1, .06);
  mnsSceneDef tank = mnsDefaultSceneDef();
  mnsFluidDef water = mnsDefaultFluidDef();
  tank.domain.max.x = .2;
  tank.domain.max.y = .1;
  tank.domain.max.z = .2;
  tank.spacing = .01;
  water.shape = &block;
  water.position.x = .1;
  water.position.y = .05;
  water.position.z = .03;
  if (mnsCreateScene(context, &tank, &scene) || mnsCreateFluid(scene, &water, &id)) return NULL;
  return scene;
}

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, mnsGetLastError());
  return 1;
}

int main(void) {
  PFNGLGENBUFFERSPROC genBuffers;
  PFNGLBINDBUFFERPROC bindBuffer;
  PFNGLGETBUFFERSUBDATAPROC getBufferSubData;
  GLuint name = 0;
  mnsContext* context = NULL;
  mnsScene* scene;
  mnsGlBufferDef def = mnsDefaultGlBufferDef();
  mnsGlBufferId buffer;
  mnsGlBufferInfo info;
  mnsCudaView onCard;
  mnsView host;
  int64_t written = 0;
  void* read;
  int k, same;

  if (!makeContext()) {
    puts("no OpenGL without a window on this machine");
    return 77;
  }
  genBuffers = (PFNGLGENBUFFERSPROC)eglGetProcAddress("glGenBuffers");
  bindBuffer = (PFNGLBINDBUFFERPROC)eglGetProcAddress("glBindBuffer");
  getBufferSubData = (PFNGLGETBUFFERSUBDATAPROC)eglGetProcAddress("glGetBufferSubData");
  genBuffers(1, &name);
  bindBuffer(GL_ARRAY_BUFFER, name);

  if (mnsCreateContext(MNS_VERSION, NULL, &context) || !(scene = makeScene(context))) return fail("scene");
  def.load = load;
  def.buffer = name;
  def.grow = true; /* it is empty yet */
  if (mnsRegisterGlBuffer(scene, &def, &buffer)) return fail("register");
  for (k = 0; k < 5; ++k)
    if (mnsScene_Step(scene, .004) || mnsGlBuffer_Update(scene, buffer, &written)) return fail("step");

  info.structSize = sizeof info;
  if (mnsGlBuffer_GetInfo(scene, buffer, &info) || mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &host)) return fail("info");
  read = malloc((size_t)info.needed);
  getBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)info.needed, read);
  same = written == host.count && memcmp(read, host.data, (size_t)info.needed) == 0;
  free(read);
  printf("%d positions in the buffer object, %s\n", (int)written, same ? "as on the host" : "others than on the host");

  onCard.structSize = sizeof onCard;
  if (mnsScene_GetCudaParticles(scene, MNS_PARTICLE_POSITION, &onCard) == MNS_ERROR_DEVICE_NOT_AVAILABLE) puts(mnsGetLastError());
  mnsUnregisterGlBuffer(scene, buffer);
  mnsDestroyContext(context);
  return same ? 0 : 1;
}
