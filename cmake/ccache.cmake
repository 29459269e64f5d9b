# Compiles through ccache where that is installed. A clone in another folder finds what an earlier one compiled:
# paths are hashed relative to the folder.
get_filename_component(JACOBI_TREE ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_program(JACOBI_CCACHE ccache)
if(JACOBI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${JACOBI_TREE} CCACHE_NOHASHDIR=1 ${JACOBI_CCACHE})
endif()
