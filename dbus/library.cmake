# SPDX-License-Identifier: MIT
# Adaptors and proxies are generated from the XML, which is the only definition: "dbus/generated/manager_adaptor.h".
set(generated ${PROJECT_BINARY_DIR}/generated/dbus/generated)
file(MAKE_DIRECTORY ${generated})
file(GLOB interfaces CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dbus/*.xml)
set(headers "")
foreach(interface ${interfaces})
  get_filename_component(file ${interface} NAME_WLE)
  string(REGEX REPLACE "^.*\\." "" file ${file})
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" file ${file})
  string(TOLOWER ${file} file)
  set(outputs ${generated}/${file}_adaptor.h ${generated}/${file}_proxy.h)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${SDBUS_XML2CPP} --adaptor=${file}_adaptor.h --proxy=${file}_proxy.h ${interface} > generator.log
    WORKING_DIRECTORY ${generated}
    DEPENDS ${interface}
    VERBATIM)
  list(APPEND headers ${outputs})
endforeach()
add_custom_target(tierd_bus_headers DEPENDS ${headers})
add_dependencies(tierd_${name} tierd_bus_headers)
target_include_directories(tierd_${name} SYSTEM PUBLIC ${PROJECT_BINARY_DIR}/generated)
# sdbus_compat.hpp reads a message flag that sdbus-c++ does not show.
target_link_libraries(tierd_${name} PUBLIC tierd::libsystemd)

# The reference manual, out of the same files: org.tierd1(5).
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(reference "")
  foreach(interface Manager Device Tier Snapshot Job)
    list(APPEND reference ${PROJECT_SOURCE_DIR}/dbus/org.tierd1.${interface}.xml)
  endforeach()
  set(manual ${PROJECT_BINARY_DIR}/man/org.tierd1.5.scd)
  add_custom_command(
    OUTPUT ${manual}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/dbus/manual.py ${reference} > ${manual}
    DEPENDS ${PROJECT_SOURCE_DIR}/dbus/manual.py ${reference}
    VERBATIM)
  tierd_manual_page(${manual})
endif()
