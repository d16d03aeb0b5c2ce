metadata = {
  name                     = "ribbon"
  sql_name                 = "ribbon"
  image_name               = "ribbon"
  licenses                 = ["PostgreSQL"]
  shared_preload_libraries = []
  extension_control_path   = []
  dynamic_library_path     = []
  ld_library_path          = []
  auto_update_os_libs      = false
  required_extensions      = []
  create_extension         = true

  versions = {
    trixie = {
      "18" = "1.0.0"
    }
  }
}
