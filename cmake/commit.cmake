# The commit of the sources, for the tables of `meniscus bench`: written anew at every build, touched only where it has changed.
#   cmake -D SOURCE=DIR -D HEADER=FILE -P commit.cmake
# A plus behind it says that tracked files differ from it; sources without git history have none.
find_program(GIT git)
set(commit)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=7 --exclude=* --dirty=+
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#pragma once\n\n#define MENISCUS_COMMIT \"${commit}\"\n")
set(before)
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${HEADER} "${text}")
endif()
