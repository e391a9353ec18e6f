// Linked into programs with a window that are built with a sanitizer: libraries stay loaded to the end, so that what Mesa and D-Bus
// keep until then is reported under their names, which tests/lsan.supp knows.
extern "C" int dlclose(void*) { return 0; }
