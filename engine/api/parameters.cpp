// Parameters by name.
#include "engine/api/defs.h"
#include "engine/api/parameter_list.h"

using namespace meniscus;
using namespace meniscus::api;

extern "C" {

mnsResult mnsScene_GetParameterCount(mnsScene* scene, int32_t* count) {
  return read(scene, [&](mnsScene& s) {
    needPointer(count, "count");
    *count = countParameters(s);
    return MNS_OK;
  });
}

mnsResult mnsScene_GetParameter(mnsScene* scene, int32_t k, mnsParameter* parameter) {
  return read(scene, [&](mnsScene& s) {
    needPointer(parameter, "mnsParameter");
    giveOut(parameter, parameterAt(s, k), "mnsParameter");
    return MNS_OK;
  });
}

mnsResult mnsScene_FindParameter(mnsScene* scene, const char* name, mnsParameter* parameter) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(parameter, "mnsParameter");
    giveOut(parameter, parameterOf(s, name), "mnsParameter");
    return MNS_OK;
  });
}

mnsResult mnsScene_GetValue(mnsScene* scene, const char* name, double* value) {
  return read(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    needPointer(value, "value");
    *value = valueOf(s, name);
    return MNS_OK;
  });
}

mnsResult mnsScene_SetValue(mnsScene* scene, const char* name, double value) {
  return write(scene, [&](mnsScene& s) {
    needPointer(name, "name");
    setParameter(s, name, value);
    return MNS_OK;
  });
}

}  // extern "C"
