# Library, headers, command line, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)
set(jacobi_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/jacobi)

install(TARGETS jacobi EXPORT jacobiTargets)
if(JACOBI_BUILD_CLI)
  install(TARGETS jacobi_cli)
  if(jacobi_manual_dir)
    install(FILES ${jacobi_manual_dir}/jacobi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${jacobi_manual_dir}/jacobi DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${jacobi_manual_dir}/_jacobi DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${jacobi_manual_dir}/jacobi.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
install(FILES ${jacobi_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jacobi)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A shared libjacobi brings its own dependencies; a static one leaves them to whoever links it.
if(BUILD_SHARED_LIBS)
  set(jacobi_config_dependencies)
  set(jacobi_pc_requires)
  set(jacobi_pc_libs)
endif()
list(JOIN jacobi_config_dependencies "\n" jacobi_config_dependencies)
list(JOIN jacobi_pc_requires " " jacobi_pc_requires)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH jacobi_pc_prefix ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" jacobi_pc_prefix "${jacobi_pc_prefix}")

set(made_dir ${PROJECT_BINARY_DIR}/package)
configure_file(cmake/jacobi.pc.in ${made_dir}/jacobi.pc @ONLY)
configure_package_config_file(cmake/jacobiConfig.cmake.in ${made_dir}/jacobiConfig.cmake
                              INSTALL_DESTINATION ${jacobi_package_dir})
write_basic_package_version_file(${made_dir}/jacobiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made_dir}/jacobi.pc DESTINATION ${pkgconfig_dir})
install(FILES ${made_dir}/jacobiConfig.cmake ${made_dir}/jacobiConfigVersion.cmake
        DESTINATION ${jacobi_package_dir})
install(EXPORT jacobiTargets NAMESPACE jacobi:: DESTINATION ${jacobi_package_dir})
