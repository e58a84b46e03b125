# SPDX-License-Identifier: MIT
# Every third-party library is named here and nowhere else, as tierd::NAME; their headers are system headers.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(tierd_package name module)
  pkg_check_modules(PKG_${name} REQUIRED IMPORTED_TARGET ${module})
  add_library(tierd_pkg_${name} INTERFACE)
  target_link_libraries(tierd_pkg_${name} INTERFACE PkgConfig::PKG_${name})
  add_library(tierd::${name} ALIAS tierd_pkg_${name})
endfunction()

tierd_package(libsystemd libsystemd)
tierd_package(udev libudev)
tierd_package(devmapper devmapper)
tierd_package(blkid blkid)
tierd_package(yaml yaml-cpp)
tierd_package(spdlog spdlog)
tierd_package(sdbus "sdbus-c++>=1.2")

find_package(nlohmann_json 3.11 REQUIRED)
add_library(tierd_pkg_json INTERFACE)
target_link_libraries(tierd_pkg_json INTERFACE nlohmann_json::nlohmann_json)
add_library(tierd::json ALIAS tierd_pkg_json)

find_package(CLI11 REQUIRED)
add_library(tierd_pkg_cli11 INTERFACE)
target_link_libraries(tierd_pkg_cli11 INTERFACE CLI11::CLI11)
add_library(tierd::cli11 ALIAS tierd_pkg_cli11)

find_program(SDBUS_XML2CPP sdbus-c++-xml2cpp REQUIRED)
if(TIERD_TESTS)
  find_package(GTest REQUIRED)
endif()
