# ribbon for the PostgreSQL of Homebrew: the extension, libribbon and the command
class Ribbon < Formula
  desc "Compact static filters and maps for PostgreSQL, C and the shell"
  homepage "https://example.org/ribbon"
  url "https://example.org/ribbon/releases/ribbon-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "PostgreSQL"

  depends_on "postgresql@17" => [:build, :test]
  depends_on "postgresql@18" => [:build, :test]
  depends_on "xxhash" => :build

  def postgresqls
    deps.map(&:to_formula).select { |f| f.name.start_with?("postgresql@") }
  end

  def install
    postgresqls.each do |postgresql|
      config = postgresql.opt_bin/"pg_config"
      system "make", "PG_CONFIG=#{config}"
      system "make", "PG_CONFIG=#{config}", "install",
             "pkglibdir=#{lib/postgresql.name}", "datadir=#{share/postgresql.name}"
      system "make", "PG_CONFIG=#{config}", "clean"
    end
    system "make", "install-libribbon", "install-command", "PREFIX=#{prefix}", "LIB_SETUP=true"
  end

  test do
    (testpath/"ids").write("1\n2\n3\n")
    system bin/"ribbon", "build", "-k", "integer", "-o", "ids.ribbon", "ids"
    assert_equal "1\n2\n3\n", shell_output("#{bin}/ribbon test ids.ribbon ids")
    postgresqls.each do |postgresql|
      data = testpath/postgresql.name
      system postgresql.opt_bin/"initdb", data
      port = free_port
      (data/"postgresql.conf").write("port = #{port}\nunix_socket_directories = '#{testpath}'\n", mode: "a+")
      system postgresql.opt_bin/"pg_ctl", "start", "-w", "-D", data, "-l", testpath/"log"
      begin
        system postgresql.opt_bin/"psql", "-h", testpath, "-p", port.to_s, "-c", "CREATE EXTENSION ribbon", "postgres"
      ensure
        system postgresql.opt_bin/"pg_ctl", "stop", "-D", data
      end
    end
  end
end
