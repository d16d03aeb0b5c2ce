# ribbon for the PostgreSQL of nixpkgs: pkgs/servers/sql/postgresql/ext/ribbon.nix
{
  fetchurl,
  lib,
  postgresql,
  postgresqlBuildExtension,
  xxHash,
}:

postgresqlBuildExtension (finalAttrs: {
  pname = "ribbon";
  version = "1.0.0";

  src = fetchurl {
    url = "https://example.org/ribbon/releases/ribbon-${finalAttrs.version}.tar.gz";
    hash = lib.fakeHash; # of the release: nix-prefetch-url
  };

  # a header, which is compiled in
  buildInputs = [ xxHash ];

  meta = {
    description = "Compact static filters and maps: set membership and lookups in a few bits per key";
    homepage = "https://example.org/ribbon";
    changelog = "https://example.org/ribbon/CHANGELOG.md";
    license = lib.licenses.postgresql;
    maintainers = [ ];
    platforms = postgresql.meta.platforms;
    broken = lib.versionOlder postgresql.version "15";
  };
})
