# Pages of explanations: their style and script become part of the command.
function(neumann_report_asset name file)
  file(READ ${file} text)
  file(SHA256 ${file} hash)
  set(NEUMANN_REPORT_${name} "${text}" PARENT_SCOPE)
  set(NEUMANN_REPORT_${name}_HASH ${hash} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()
neumann_report_asset(STYLE ${CMAKE_CURRENT_LIST_DIR}/report.css)
neumann_report_asset(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/report.js)
configure_file(report_assets.cpp.in report_assets.cpp @ONLY)

target_sources(neumann_app PRIVATE
  base64.cpp report_elements.cpp report_pictures.cpp report_program.cpp report_proof.cpp report_tables.cpp
  report_why_not.cpp ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp)
