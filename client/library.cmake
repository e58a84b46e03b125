# SPDX-License-Identifier: MIT
target_compile_definitions(tierd_${name} PRIVATE TIERD_VERSION="${PROJECT_VERSION}")
