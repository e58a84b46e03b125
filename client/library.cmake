# SPDX-License-Identifier: MIT
target_compile_definitions(tierd_${name} PRIVATE TIERD_VERSION="${PROJECT_VERSION}")
# Candidates come from tierctl itself, the three files only ask it.
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/tierctl.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tierctl)
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/_tierctl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/tierctl.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

find_program(SCDOC scdoc)
if(SCDOC)
  set(pages "")
  foreach(source client/tierctl.1.scd client/tierd-events.7.scd daemon/tierd.8.scd)
    cmake_path(GET source STEM LAST_ONLY page)
    string(REGEX REPLACE ".*\\." "" section ${page})
    set(target ${PROJECT_BINARY_DIR}/man/${page})
    add_custom_command(OUTPUT ${target} DEPENDS ${PROJECT_SOURCE_DIR}/${source} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
                       COMMAND ${SCDOC} < ${PROJECT_SOURCE_DIR}/${source} > ${target} VERBATIM)
    list(APPEND pages ${target})
    install(FILES ${target} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
  add_custom_target(man_client ALL DEPENDS ${pages})
endif()
